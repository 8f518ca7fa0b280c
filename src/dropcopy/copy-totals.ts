/**
 * The totals of what was sent to a reader about an account since the start of the day, which the reader can compute
 * from the messages alone: counts, volumes, and a chained hash (docs/DROPCOPY.md, "Reconciliation"). A copy counts
 * once, when it is first sent.
 */
import { createHash } from 'node:crypto';
import type { ExecutionReport } from '../domain/report.ts';
import { tenTo } from '../domain/units.ts';

/** In atoms at these scales; values are price × quantity. */
export interface Volume {
  readonly bought: bigint;
  readonly sold: bigint;
  readonly boughtValue: bigint;
  readonly soldValue: bigint;
  readonly qtyScale: number;
  readonly valueScale: number;
}

/** The totals of a day on which nothing was sent. */
export const noTotals = {
  count: 0,
  trades: 0,
  busts: 0,
  corrections: 0,
  /** The number of copies that retention removed before they were sent, or acknowledged if the numbers restarted. */
  lost: 0,
  /** Lowercase hex. */
  hash: '0'.repeat(64),
  /** ExecID(17) of the last copy; empty before the first. */
  lastExecId: '',
  /** By Symbol(55). */
  volumes: {} as Readonly<Record<string, Volume>>,
};
export type Totals = Readonly<typeof noTotals>;

/** The fields of an ExecutionReport that the hash covers, in this order, with their text from the message. */
export const hashedTags = [17, 37, 11, 150, 39, 55, 54, 38, 32, 31, 14, 151, 6, 60] as const;

/** SHA-256 over the previous hash, as bytes, and the facts: `17=…|37=…|…` with SOH for `|`, without absent fields. */
export function chained(hash: string, facts: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(hash, 'hex')).update(facts).digest('hex');
}

export function counted(totals: Totals, report: ExecutionReport, facts: Uint8Array): Totals {
  const { execType, execId } = report;
  // That an outcome is unknown is no execution; a reader does not count it, as it does not count the open orders.
  if (execType === 'order_status') return totals;
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

const nothing: Volume = {
  ...{ bought: 0n, sold: 0n, boughtValue: 0n, soldValue: 0n },
  ...{ qtyScale: 0, valueScale: 0 },
};

function traded(
  volumes: Totals['volumes'],
  { fill, order: { instrument, terms } }: ExecutionReport,
): Totals['volumes'] {
  if (fill === null) return volumes;
  const { market, symbol } = instrument;
  // A symbol may be the name of a member that every object has.
  const before = (Object.hasOwn(volumes, symbol) && volumes[symbol]) || nothing;
  // One symbol may name several markets, of different scales.
  const ofTrade = market.priceScale + market.qtyScale;
  const qtyScale = Math.max(before.qtyScale, market.qtyScale);
  const valueScale = Math.max(before.valueScale, ofTrade);
  const qty = fill.qty * tenTo(qtyScale - market.qtyScale);
  const value = fill.price * fill.qty * tenTo(valueScale - ofTrade);
  const qtyUnit = tenTo(qtyScale - before.qtyScale);
  const valueUnit = tenTo(valueScale - before.valueScale);
  const isBought = terms.side === 'Bid';
  const after = {
    bought: before.bought * qtyUnit + (isBought ? qty : 0n),
    sold: before.sold * qtyUnit + (isBought ? 0n : qty),
    boughtValue: before.boughtValue * valueUnit + (isBought ? value : 0n),
    soldValue: before.soldValue * valueUnit + (isBought ? 0n : value),
    ...{ qtyScale, valueScale },
  };
  return { ...volumes, [symbol]: after };
}
