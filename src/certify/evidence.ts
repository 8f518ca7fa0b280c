/**
 * The evidence of a certification: records in the order in which they were made, one line of JSON each. Every line holds
 * the SHA-256 of the line before it, so a line that is changed, removed or inserted breaks the chain from there on.
 * Outcomes are never stored beside the attempts that they come from: a run is derived from its lines.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type Attempt,
  outcomes,
  type RunRecord,
  type ScenarioRecord,
  type Subject,
  speakers,
  subjectOf,
} from './record.ts';
import { directions, levels, stands } from './scenario.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const words = z.string();
const verdict = z.strictObject({
  tag: z.number(),
  name: words,
  wanted: words,
  got: words,
  isMet: z.boolean(),
  rule: words,
  ref: words,
});
const attempt = z.strictObject({
  startedMs: z.number(),
  endedMs: z.number(),
  outcome: z.enum(outcomes),
  reason: words,
  ladder: z.array(
    z.strictObject({
      atMs: z.number(),
      from: z.enum(speakers),
      label: words,
      raw: z.base64().exactOptional(),
      verdicts: z.array(verdict),
    }),
  ),
  venue: z.array(
    z.strictObject({
      orderId: words,
      clOrdId: words,
      actionHash: words,
      nonce: z.number(),
      seqs: z.array(z.number()),
      state: words,
    }),
  ),
});
/** What a scenario is, and why it is not played where it cannot be. */
const selected = z.strictObject({
  id: words,
  title: words,
  level: z.enum(levels),
  rule: words,
  ref: words,
  source: words,
  stand: z.enum(stands),
  isPlayable: z.boolean(),
  reason: words,
});
const waiver = z.strictObject({ id: words, reason: words, by: words, until: z.iso.date() });
export const subjectShape = z.strictObject({
  identity: z.strictObject({
    name: words,
    software: words,
    version: words,
    senderCompId: words,
    targetCompId: words,
  }),
  direction: z.enum(directions),
  protocol: z.enum(['fix', 'fixp']),
  catalogueHash: words,
  dictionaryHash: words,
  rulesHash: words.nullable(),
  signer: words.nullable(),
});
const recordShape = z.discriminatedUnion('kind', [
  /** Begins each run; what it declares holds until the next one. */
  z.strictObject({
    kind: z.literal('begun'),
    atMs: z.number(),
    subject: subjectShape,
    causeway: words,
    features: z.array(words),
    scenarios: z.array(selected),
    waivers: z.array(waiver),
  }),
  z.strictObject({ kind: z.literal('attempt'), id: words, attempt }),
  z.strictObject({ kind: z.literal('skipped'), id: words, reason: words }),
]);
const lineShape = z.strictObject({ previous: hash, record: recordShape });

export type Waiver = z.output<typeof waiver>;
export interface Begun {
  readonly kind: 'begun';
  readonly atMs: number;
  readonly subject: Subject;
  readonly causeway: string;
  readonly features: readonly string[];
  readonly scenarios: readonly z.output<typeof selected>[];
  readonly waivers: readonly Waiver[];
}
export type EvidenceRecord =
  | Begun
  | { readonly kind: 'attempt'; readonly id: string; readonly attempt: Attempt }
  | { readonly kind: 'skipped'; readonly id: string; readonly reason: string };

/** Evidence that was changed, or is not whole; the message says what and where. */
export class EvidenceError extends Error {}

const genesis = '0'.repeat(64);
const mostAttemptsShown = 10;

export class Evidence {
  readonly subject: Subject;
  readonly #keep: (line: string) => void;
  #head = genesis;
  #count = 0;
  #begun: Begun | undefined;
  #startedMs = 0;
  #endedMs = 0;
  readonly #attempts = new Map<string, readonly Attempt[]>();
  readonly #skipped = new Map<string, string>();

  /** `keep` is given each line that is added, with its line feed. */
  constructor(subject: Subject, keep: (line: string) => void = () => {}) {
    this.subject = subject;
    this.#keep = keep;
  }

  /** Takes what was kept before. Throws where it is not the unbroken evidence of this subject. */
  take(text: string): void {
    for (const line of text.split(/(?<=\n)/)) {
      if (line === '') continue;
      const place = `line ${this.#count + 1}`;
      const read = lineShape.safeParse(parsed(line));
      if (!read.success || !line.endsWith('\n')) {
        throw new EvidenceError(`${place} is not a whole record`);
      }
      const { previous, record } = read.data;
      if (previous !== this.#head) {
        throw new EvidenceError(`${place} does not follow the line before it`);
      }
      this.#apply(record, line);
    }
  }

  add(record: EvidenceRecord): void {
    const line = `${JSON.stringify({ previous: this.#head, record })}\n`;
    this.#apply(record, line);
    this.#keep(line);
  }

  /** SHA-256 of the last line, its line feed included. */
  get head(): string {
    return this.#head;
  }

  get count(): number {
    return this.#count;
  }

  get run(): RunRecord {
    const { causeway = '', features = [], scenarios = [] } = this.#begun ?? {};
    return {
      ...this.subject,
      causeway,
      features,
      startedMs: this.#startedMs,
      endedMs: this.#endedMs,
      scenarios: scenarios.map(({ id }) => this.scenario(id)),
    };
  }

  /** What came out of a scenario that was selected. */
  scenario(id: string): ScenarioRecord {
    const selected = this.#begun?.scenarios.find((one) => one.id === id);
    if (selected === undefined) throw new EvidenceError(`${id} was not selected`);
    const attempts = this.#attempts.get(id) ?? [];
    const latest = attempts.at(-1);
    const outcome = latest?.outcome ?? 'notRun';
    const reason = latest?.reason ?? this.#skipped.get(id) ?? selected.reason;
    const waiver = this.#begun?.waivers.find((one) => one.id === id);
    if (outcome === 'passed' || waiver === undefined || endOf(waiver) <= this.#endedMs) {
      return { ...selected, outcome, reason, attempts };
    }
    const { by, until } = waiver;
    const waived = `waived by ${by} until ${until}: ${waiver.reason}`;
    return { ...selected, outcome: 'waived', reason: waived, until, attempts };
  }

  #apply(record: EvidenceRecord, line: string): void {
    const place = `line ${this.#count + 1}`;
    if (record.kind === 'begun') this.#begin(record, place);
    else if (this.#begun?.scenarios.some(({ id }) => id === record.id) !== true) {
      throw new EvidenceError(`${place} is of scenario ${record.id}, which was not selected`);
    }
    if (record.kind === 'attempt') {
      const { id, attempt } = record;
      const why = contradiction(attempt);
      if (why !== undefined) throw new EvidenceError(`${place}: ${id} is passed, but ${why}`);
      const before = this.#attempts.get(id) ?? [];
      this.#attempts.set(id, [...before, attempt].slice(-mostAttemptsShown));
      this.#endedMs = attempt.endedMs;
    } else if (record.kind === 'skipped') this.#skipped.set(record.id, record.reason);
    this.#head = createHash('sha256').update(line).digest('hex');
    this.#count += 1;
  }

  #begin(record: Begun, place: string): void {
    if (!isDeepStrictEqual(record.subject, subjectOf(this.subject))) {
      throw new EvidenceError(`${place} is of another certification`);
    }
    if (this.#begun === undefined) this.#startedMs = record.atMs;
    this.#begun = record;
    this.#endedMs = record.atMs;
    this.#skipped.clear();
  }
}

/** Unix time from which on a waiver, or a certificate, that runs until this date is over: its first moment in UTC. */
export function endOf({ until }: { readonly until: string }): number {
  return Date.parse(until);
}

/** Why an attempt cannot have passed, whatever it says. */
function contradiction({ outcome, ladder }: Attempt): string | undefined {
  if (outcome !== 'passed') return undefined;
  const verdicts = ladder.flatMap((rung) => rung.verdicts);
  const unmet = verdicts.find(({ isMet }) => !isMet);
  if (unmet !== undefined) return `${unmet.name} is not met`;
  // A reader of drop copies shows what it must by listening: then the messages are all there is.
  const isEmpty = verdicts.length === 0 && ladder.every(({ raw }) => raw === undefined);
  return isEmpty ? 'no message was seen' : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
