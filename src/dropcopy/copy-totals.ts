/**
 * The totals of what a reader was sent of an account since the day began, which it can compute from the messages alone:
 * counts, volumes, and a running hash (docs/DROPCOPY.md, "Reconciliation"). A copy counts once, when it is first sent.
 */
import { createHash } from 'node:crypto';
import type { ExecutionReport } from '../domain/report.ts';

/** Atoms of the instrument's own scales; values are price × quantity. */
export interface Volume {
  readonly bought: bigint;
  readonly sold: bigint;
  readonly boughtValue: bigint;
  readonly soldValue: bigint;
  readonly qtyScale: number;
  readonly valueScale: number;
}

export interface Totals {
  readonly count: number;
  readonly trades: number;
  readonly busts: number;
  readonly corrections: number;
  /** The number of copies that retention removed before they were sent. */
  readonly lost: number;
  /** Lowercase hex. */
  readonly hash: string;
  /** ExecID(17) of the last copy, empty before the first. */
  readonly lastExecId: string;
  /** By Symbol(55). */
  readonly volumes: Readonly<Record<string, Volume>>;
}

export const noTotals: Totals = {
  count: 0,
  trades: 0,
  busts: 0,
  corrections: 0,
  lost: 0,
  hash: '0'.repeat(64),
  lastExecId: '',
  volumes: {},
};

/** The fields of an ExecutionReport that the hash covers, in this order, with their text in the message. */
export const hashedTags = [17, 37, 11, 150, 39, 55, 54, 38, 32, 31, 14, 151, 6, 60] as const;

/** SHA-256 over the hash so far, as bytes, and the facts: `17=…|37=…|…` with SOH for `|`, absent fields left out. */
export function chained(hash: string, facts: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(hash, 'hex')).update(facts).digest('hex');
}

export function counted(totals: Totals, report: ExecutionReport, facts: Uint8Array): Totals {
  const { execType, execId } = report;
  return {
    ...totals,
    count: totals.count + 1,
    trades: totals.trades + Number(execType === 'trade'),
    busts: totals.busts + Number(execType === 'trade_cancel'),
    corrections: totals.corrections + Number(execType === 'trade_correct'),
    hash: chained(totals.hash, facts),
    lastExecId: execId,
    volumes: execType === 'trade' ? traded(totals.volumes, report) : totals.volumes,
  };
}

function traded(
  volumes: Totals['volumes'],
  { fill, order: { instrument, terms } }: ExecutionReport,
): Totals['volumes'] {
  if (fill === null) return volumes;
  const { priceScale, qtyScale } = instrument.market;
  const before = volumes[instrument.symbol] ?? {
    bought: 0n,
    sold: 0n,
    boughtValue: 0n,
    soldValue: 0n,
    qtyScale,
    valueScale: priceScale + qtyScale,
  };
  const value = fill.price * fill.qty;
  const after =
    terms.side === 'Bid'
      ? { bought: before.bought + fill.qty, boughtValue: before.boughtValue + value }
      : { sold: before.sold + fill.qty, soldValue: before.soldValue + value };
  return { ...volumes, [instrument.symbol]: { ...before, ...after } };
}
