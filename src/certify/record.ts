/** What came out of a run, from which every report is made. It is derived from the evidence (evidence.ts). */
import type { Direction, Level, Stand } from './scenario.ts';

/** One fact that was judged. */
export interface Verdict {
  /** 0 where the fact is of no single tag. */
  readonly tag: number;
  readonly name: string;
  readonly wanted: string;
  readonly got: string;
  readonly isMet: boolean;
  readonly rule: string;
  readonly ref: string;
}

export const speakers = [
  'peer',
  'desk',
  'bridge',
  'contra',
  'reader',
  'venue',
  'person',
  'note',
] as const;
export type Speaker = (typeof speakers)[number];

/** One line of a message ladder. */
export interface Rung {
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly from: Speaker;
  /** `msgType name` of a message, or what happened. */
  readonly label: string;
  /** The bytes as they stood on the wire, in base64. */
  readonly raw?: string;
  readonly verdicts: readonly Verdict[];
}

export const outcomes = ['passed', 'failed', 'inconclusive', 'notRun', 'waived'] as const;
export type Outcome = (typeof outcomes)[number];

/** How an order of the counterparty stands at the venue. */
export interface VenueTrace {
  readonly orderId: string;
  readonly clOrdId: string;
  readonly actionHash: string;
  readonly nonce: number;
  /** Stream numbers of the reports that were seen. */
  readonly seqs: readonly number[];
  readonly state: string;
}

export interface Attempt {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: Outcome;
  /** Why it is not passed, in one sentence. */
  readonly reason: string;
  readonly ladder: readonly Rung[];
  readonly venue: readonly VenueTrace[];
}

export interface ScenarioRecord {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly rule: string;
  readonly ref: string;
  readonly source: string;
  readonly stand: Stand;
  /** Whether this desk can play it at all, with a person where one is needed. */
  readonly isPlayable: boolean;
  readonly outcome: Outcome;
  readonly reason: string;
  /** Of a waived scenario: the date on which the waiver ends. */
  readonly until?: string | undefined;
  /** The last ten that were made, the latest last. */
  readonly attempts: readonly Attempt[];
}

export interface Identity {
  readonly name: string;
  readonly software: string;
  readonly version: string;
  readonly senderCompId: string;
  readonly targetCompId: string;
}

/** What evidence is of. Attempts count for one subject alone: another version has to show everything again. */
export interface Subject {
  readonly identity: Identity;
  readonly direction: Direction;
  readonly protocol: 'fix' | 'fixp';
  readonly catalogueHash: string;
  readonly dictionaryHash: string;
  /** SHA-256 of the rules of engagement that the interview names; null where it names none. */
  readonly rulesHash: string | null;
  /** Public key, in base64, of the key that signs the evidence while it is made; null where none does. */
  readonly signer: string | null;
}

export function subjectOf({
  identity,
  direction,
  protocol,
  catalogueHash,
  dictionaryHash,
  rulesHash,
  signer,
}: Subject): Subject {
  return { identity, direction, protocol, catalogueHash, dictionaryHash, rulesHash, signer };
}

export interface RunRecord extends Subject {
  /** The version of Causeway that made the last run. */
  readonly causeway: string;
  readonly features: readonly string[];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly scenarios: readonly ScenarioRecord[];
}

/** A run without its attempts, which are in the evidence. */
export interface RunSummary extends Omit<RunRecord, 'scenarios'> {
  readonly scenarios: readonly Omit<ScenarioRecord, 'attempts'>[];
}

/** Every verdict of the latest attempt. */
export function verdictsOf(scenario: ScenarioRecord): readonly Verdict[] {
  return scenario.attempts.at(-1)?.ladder.flatMap(({ verdicts }) => verdicts) ?? [];
}

export function tally(scenarios: readonly ScenarioRecord[]): Readonly<Record<Outcome, number>> {
  const counts = { passed: 0, failed: 0, inconclusive: 0, notRun: 0, waived: 0 };
  for (const { outcome } of scenarios) counts[outcome] += 1;
  return counts;
}
