/** What a run leaves behind: the evidence, from which every report is made. It is plain JSON, also on disk. */
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

export type Speaker =
  | 'peer'
  | 'desk'
  | 'bridge'
  | 'contra'
  | 'reader'
  | 'venue'
  | 'person'
  | 'note';

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
  /** All that were made, the latest last. */
  readonly attempts: readonly Attempt[];
}

export interface Identity {
  readonly name: string;
  readonly software: string;
  readonly version: string;
  readonly senderCompId: string;
  readonly targetCompId: string;
}

export interface RunRecord {
  readonly format: 'causeway-certification-run/1';
  readonly identity: Identity;
  readonly direction: Direction;
  readonly protocol: 'fix' | 'fixp';
  readonly features: readonly string[];
  readonly causeway: string;
  readonly catalogueHash: string;
  readonly dictionaryHash: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly scenarios: readonly ScenarioRecord[];
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
