/**
 * The records of the copy journal: each ExecutionReport of an account once, as it was sent, for all orders; client
 * requests, if they are copied for surveillance; gaps, if the venue no longer had the events; and the ends of days.
 */
import { correctedTrade } from '../domain/amended-trade.ts';
import { underTodaysNames } from '../domain/earlier-names.ts';
import { exactValue } from '../domain/exact-json.ts';
import { kinds, members, orNull, plain } from '../domain/form.ts';
import { executionReportForm, originatorForm } from '../domain/forms.ts';
import type { ExecutionReport, Originator } from '../domain/report.ts';

export interface ReportCopy {
  readonly kind: 'report';
  readonly report: ExecutionReport;
  /** Null if the order came through another channel of the venue. */
  readonly from: Originator | null;
}

/** An inbound order, cancel or replace, byte for byte: a FIX message, or an SBE message with its header. */
export interface RequestCopy {
  readonly kind: 'request';
  readonly from: Originator;
  readonly msgType: string;
  /** Symbol(55) of the instrument; as the client wrote it if the instrument is unknown; null if there was none. */
  readonly symbol: string | null;
  /** The symbol of the market to which the instrument's book belongs. */
  readonly market: string | null;
  /** Base64. */
  readonly message: string;
}

/** Executions are missing here, because the venue no longer kept them when they were requested (contract R75). */
export interface Gap {
  readonly kind: 'gap';
  /** A sentence about the lost events and what was done. */
  readonly lines: readonly string[];
}

export interface DayEnd {
  readonly kind: 'day';
  /** The day that ended, as YYYYMMDD. */
  readonly day: string;
}

export type CopyFacts = ReportCopy | RequestCopy | Gap | DayEnd;

/** The position of the copy in the journal of its account. */
export interface Place {
  /** Starts at 1. */
  readonly position: number;
  /** When it was recorded; never decreases from one copy to the next. */
  readonly atMs: number;
  /** The position of the account's stream; never decreases either. */
  readonly seq: number;
}

export type Copy<Facts extends CopyFacts = CopyFacts> = Facts & Place;

const version = 3;
/** The first version that wrote all members. */
const wholeVersion = 2;
const earlierVersion = 1;

const form = kinds<CopyFacts>({
  report: members<ReportCopy>({
    kind: plain(),
    report: executionReportForm,
    from: orNull(originatorForm),
  }),
});

export function encodeCopy(facts: CopyFacts, atMs: number, seq: number): Uint8Array {
  return Buffer.from(`{"v":${version},"atMs":${atMs},"seq":${seq},${form.write(facts)?.slice(1)}`);
}

export function decodeCopy(payload: Uint8Array, position: number, stream: string): Copy {
  const stored: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
  const { v, ...facts } =
    typeof stored === 'object' && stored !== null ? (stored as Partial<Place> & Versioned) : {};
  if (v === version) {
    const { atMs = 0, seq = 0 } = facts;
    return { ...form.read(facts), atMs, seq, position };
  }
  const copy = exactValue(facts);
  if (v === wholeVersion) return { ...(copy as Omit<Copy, 'position'>), position } as Copy;
  if (v === earlierVersion) return { ...(underTodaysNames(copy) as Copy), position };
  throw new Error(
    `${stream}, copy ${position} is not a record of version ${earlierVersion} to ${version}`,
  );
}

interface Versioned {
  readonly v?: unknown;
}

/** Removes what is never reported: of an order's trades, only the one that was corrected is. */
export function leanCopy(facts: CopyFacts): CopyFacts {
  if (facts.kind !== 'report') return facts;
  const { order } = facts.report;
  const corrected = correctedTrade(facts.report);
  const executions = corrected === undefined ? [] : [corrected];
  return { ...facts, report: { ...facts.report, order: { ...order, executions } } };
}
