/**
 * The evidence of a certification: records in the order in which they were made, one JSON line each. Every line
 * contains the SHA-256 of the previous line, so a line that is changed, removed or inserted breaks the chain from there
 * on. Outcomes are never stored separately from their attempts: a run is derived from its lines.
 */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parsedJson } from '../runtime/parsed-json.ts';
import {
  type Attempt,
  attemptShape,
  countingAttempt,
  type RunRecord,
  type ScenarioRecord,
  type SessionNumbers,
  type Subject,
  selectedShape,
  subjectOf,
  subjectShape,
} from './record.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const words = z.string();
const waiver = z.strictObject({ id: words, reason: words, by: words, until: z.iso.date() });
/** Starts each run; its declarations apply until the next one. */
const begun = z.strictObject({
  kind: z.literal('begun'),
  atMs: z.number(),
  subject: subjectShape,
  causeway: words,
  features: z.array(words).readonly(),
  scenarios: z.array(selectedShape).readonly(),
  waivers: z.array(waiver).readonly(),
});
const recordShape = z.discriminatedUnion('kind', [
  begun,
  z.strictObject({ kind: z.literal('attempt'), id: words, attempt: attemptShape }),
  z.strictObject({ kind: z.literal('skipped'), id: words, reason: words }),
]);
const lineShape = z.strictObject({ previous: hash, record: recordShape });

type Begun = Readonly<z.output<typeof begun>>;
type EvidenceRecord = Readonly<z.output<typeof recordShape>>;

/** The evidence was changed, or is incomplete; the message contains the problem and its location. */
export class EvidenceError extends Error {}

const genesis = '0'.repeat(64);
const maxAttemptsShown = 10;

export class Evidence {
  readonly subject: Subject;
  readonly #keep: (line: string) => void;
  #head = genesis;
  #count = 0;
  #begun: Begun | undefined;
  #startedMs = 0;
  #endedMs = 0;
  #numbers: SessionNumbers | undefined;
  readonly #attempts = new Map<string, readonly Attempt[]>();
  readonly #skipped = new Map<string, string>();

  /** `keep` is called with each line that is added, including its line feed. */
  constructor(subject: Subject, keep: (line: string) => void = () => {}) {
    this.subject = subject;
    this.#keep = keep;
  }

  /** Loads stored evidence. Throws unless it is the unbroken evidence of this subject. */
  take(text: string): void {
    for (const line of text.split(/(?<=\n)/)) {
      if (line === '') continue;
      const place = `line ${this.#count + 1}`;
      const read = lineShape.safeParse(parsedJson(line));
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

  /** SHA-256 of the last line, including its line feed. */
  get head(): string {
    return this.#head;
  }

  get count(): number {
    return this.#count;
  }

  /** The sequence numbers after the latest attempt. */
  get numbers(): SessionNumbers | undefined {
    return this.#numbers;
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

  /** The result of a selected scenario. */
  scenario(id: string): ScenarioRecord {
    const selected = this.#begun?.scenarios.find((one) => one.id === id);
    if (selected === undefined) throw new EvidenceError(`${id} was not selected`);
    const attempts = this.#attempts.get(id) ?? [];
    const counting = countingAttempt(attempts);
    const outcome = counting?.outcome ?? 'notRun';
    const reason = counting?.reason ?? this.#skipped.get(id) ?? selected.reason;
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
      const attempts = [...(this.#attempts.get(id) ?? []), attempt];
      const counting = countingAttempt(attempts);
      const recent = attempts.slice(-maxAttemptsShown);
      this.#attempts.set(
        id,
        attempts.filter((one) => one === counting || recent.includes(one)),
      );
      this.#endedMs = attempt.endedMs;
      this.#numbers = attempt.numbers;
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

/** The Unix time at which a waiver or certificate that is valid until this date expires: the start of that day. */
export function endOf({ until }: { readonly until: string }): number {
  return Date.parse(until);
}

/** Why an attempt cannot have passed, whatever its recorded outcome is. */
function contradiction({ outcome, ladder }: Attempt): string | undefined {
  if (outcome !== 'passed') return undefined;
  const verdicts = ladder.flatMap((rung) => rung.verdicts);
  const unmet = verdicts.find(({ isMet }) => !isMet);
  if (unmet !== undefined) return `${unmet.name} is not met`;
  // A drop-copy reader passes by receiving, so its messages are the only evidence.
  const isEmpty = verdicts.length === 0 && ladder.every(({ raw }) => raw === undefined);
  return isEmpty ? 'no message was seen' : undefined;
}
