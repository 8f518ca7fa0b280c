/**
 * The results of a run, from which every report is generated. They are derived from the evidence (evidence.ts), which
 * stores the types that are defined here.
 */
import { z } from 'zod';
import { directions, levels, scenarioId, setups } from './scenario.ts';

const words = z.string();
const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();

/** The verdict on one fact. */
const verdict = z.strictObject({
  /** 0 if the fact does not concern a single tag. */
  tag: z.number(),
  name: words,
  wanted: words,
  got: words,
  isMet: z.boolean(),
  rule: words,
  ref: words,
});
export type Verdict = Readonly<z.output<typeof verdict>>;

export function sentence({ name, wanted, got }: Pick<Verdict, 'name' | 'wanted' | 'got'>): string {
  return `${name}: wanted ${wanted}, got ${got}`;
}

const speakers = ['peer', 'desk', 'bridge', 'contra', 'reader', 'venue', 'person', 'note'] as const;
export type Speaker = (typeof speakers)[number];

/** One line of a message ladder. */
const rung = z.strictObject({
  /** Unix time in milliseconds. */
  atMs: z.number(),
  from: z.enum(speakers),
  /** `msgType name` for a message, otherwise a description. */
  label: words,
  /** The bytes on the wire. */
  raw: z.base64().exactOptional(),
  verdicts: list(verdict),
});
export type Rung = Readonly<z.output<typeof rung>>;

export const outcomes = ['passed', 'failed', 'inconclusive', 'notRun', 'waived'] as const;
export type Outcome = (typeof outcomes)[number];

/** The venue's view of an order of the counterparty. */
const venueTrace = z.strictObject({
  orderId: words,
  clOrdId: words,
  actionHash: words,
  nonce: z.number(),
  /** Sequence numbers in the stream of the received reports. */
  seqs: list(z.number()),
  state: words,
});
export type VenueTrace = Readonly<z.output<typeof venueTrace>>;

/** The sequence numbers of a FIX session, with which a later run continues. */
const sessionNumbers = z.strictObject({
  /** Absent until the counterparty has logged on. */
  nextIn: z.number().exactOptional(),
  nextOut: z.number(),
  /** A failed scenario leaves the number that the counterparty expects unknown. */
  isDoubtful: z.boolean(),
});
export type SessionNumbers = Readonly<z.output<typeof sessionNumbers>>;

export const attemptShape = z.strictObject({
  startedMs: z.number(),
  endedMs: z.number(),
  outcome: z.enum(outcomes),
  /** Why it did not pass, in one sentence. */
  reason: words,
  ladder: list(rung),
  venue: list(venueTrace),
  numbers: sessionNumbers.exactOptional(),
});
export type Attempt = Readonly<z.output<typeof attemptShape>>;

/** The description of a scenario, and the reason if it cannot be played. */
export const selectedShape = z.strictObject({
  id: scenarioId,
  title: words,
  level: z.enum(levels),
  rule: words,
  ref: words,
  source: words,
  setup: z.enum(setups),
  /** Whether it can be played here, with a person if necessary. */
  isPlayable: z.boolean(),
  reason: words,
});

export interface ScenarioRecord extends Readonly<z.output<typeof selectedShape>> {
  readonly outcome: Outcome;
  /** For a waived scenario: the date on which the waiver ends. */
  readonly until?: string | undefined;
  /** The last ten attempts and the one that counts, latest last. */
  readonly attempts: readonly Attempt[];
}

/** The subject of evidence. Attempts count for one subject only: another version has to show everything again. */
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
  /** SHA-256 of the rules of engagement in the interview; null if there are none. */
  rulesHash: words.nullable(),
  /** The public key, in base64, for the signature of the evidence; null if it is not signed. */
  signer: words.nullable(),
});
export type Subject = Readonly<z.output<typeof subjectShape>>;

/** Drops all members that are not of the subject. */
export function subjectOf(of: Subject): Subject {
  return subjectShape.strip().parse(of);
}

export interface RunRecord extends Subject {
  /** The version of Causeway that made the last run. */
  readonly causeway: string;
  readonly features: readonly string[];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly scenarios: readonly ScenarioRecord[];
}

/** The latest attempt with a verdict on the counterparty: an inconclusive one says nothing, so it replaces none. */
export function countingAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.findLast(({ outcome }) => outcome !== 'inconclusive') ?? attempts.at(-1);
}

/** All verdicts of the attempt that counts. */
export function verdictsOf(scenario: ScenarioRecord): readonly Verdict[] {
  return countingAttempt(scenario.attempts)?.ladder.flatMap(({ verdicts }) => verdicts) ?? [];
}

export function countOutcomes(
  scenarios: readonly ScenarioRecord[],
): Readonly<Record<Outcome, number>> {
  const counts = { passed: 0, failed: 0, inconclusive: 0, notRun: 0, waived: 0 };
  for (const { outcome } of scenarios) counts[outcome] += 1;
  return counts;
}
