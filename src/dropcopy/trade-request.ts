/**
 * TradeCaptureReportRequest(AD): past trades that match, future ones, or both (FIX 4.4 volume 5). A subscription
 * survives the connection until it is canceled or replaced by a later one.
 */
import { passes } from './copy-filter.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { CopyMessage, MessageOf, TradeAnswer } from './copy-output.ts';
import { boundsOf, notKept, pastCopies, type Range } from './past-copies.ts';
import type { Job, Reader } from './reader.ts';
import type { TradeCriteria } from './reader-state.ts';
import { isTradeOf } from './trade-criteria.ts';

export interface TradeRequest {
  readonly tradeRequestId: string;
  /** TradeRequestType(569). */
  readonly requestType: number;
  /** SubscriptionRequestType(263); a snapshot if it is absent. */
  readonly subscription: 'snapshot' | 'subscribe' | 'unsubscribe';
  readonly criteria: TradeCriteria;
}

/** A trade that the reader disputes with TradeCaptureReportAck(AR). It does not change; an operator has to check. */
export interface TradeRefusal {
  readonly tradeReportId: string;
  /** TradeReportRejectReason(751). */
  readonly reason: string | null;
  readonly text: string | null;
}

/** How much earlier than its own timestamp a trade may have been recorded, because clocks differ. */
const clockMarginMs = 60_000;

export const tradeResults = { success: 0, typeNotSupported: 8, other: 99 } as const;

export function tradeAnswer(
  { tradeRequestId, requestType, criteria }: TradeRequest,
  status: TradeAnswer['status'],
  more: Partial<TradeAnswer> = {},
): CopyMessage {
  const facts = { tradeRequestId, requestType, symbol: criteria.symbol, total: null, text: null };
  return {
    kind: 'trade_answer',
    answer: { result: tradeResults.success, ...facts, status, ...more },
  };
}

/**
 * Sends the acceptance, each trade and the completion; the last trade is marked. The response covers trades recorded
 * before the request, or sent before it if a subscription delivers the others.
 */
export function answerTrades(
  request: TradeRequest,
  reader: Reader,
  journals: ReadonlyMap<string, CopyJournal>,
): Job {
  const ranges = reader.filter.accounts.flatMap((account) => {
    const journal = journals.get(account);
    if (journal === undefined) return [];
    const isToCome = request.subscription === 'subscribe';
    return [{ journal, to: isToCome ? reader.furthest(account) : journal.end }];
  });
  return tradesIn(ranges, request, reader);
}

async function* tradesIn(
  asked: readonly Pick<Range, 'journal' | 'to'>[],
  request: TradeRequest,
  reader: Reader,
): AsyncGenerator<readonly CopyMessage[]> {
  const ranges: Range[] = [];
  const firstMs = (request.criteria.fromMs ?? 0) - clockMarginMs;
  for (const { journal, to } of asked) {
    const { from } = await boundsOf(journal, ({ atMs }) => atMs, firstMs, Number.POSITIVE_INFINITY);
    ranges.push({ journal, from, to });
  }
  yield [tradeAnswer(request, 'accepted', { text: notKept(ranges) })];
  let held: MessageOf<'trade'> | undefined;
  let total = 0;
  for (const range of ranges) {
    for await (const trades of tradesOf(range, request, reader)) {
      const all = held === undefined ? trades : [held, ...trades];
      held = all.at(-1);
      total += trades.length;
      yield all.slice(0, -1);
    }
  }
  // Retention may have removed more of them meanwhile.
  const done = tradeAnswer(request, 'completed', { total, text: notKept(ranges) });
  yield held === undefined ? [done] : [{ ...held, isLast: true }, done];
}

async function* tradesOf(
  { journal, from, to }: Range,
  { criteria, tradeRequestId }: TradeRequest,
  reader: Reader,
): AsyncGenerator<readonly MessageOf<'trade'>[]> {
  for await (const copies of pastCopies(reader, journal, from, to)) {
    yield copies.flatMap((copy) => {
      if (copy.kind !== 'report' || !passes(reader.filter, copy)) return [];
      if (!isTradeOf(criteria, copy.report)) return [];
      return [{ kind: 'trade', copy, possResend: true, tradeRequestId, isLast: false } as const];
    });
  }
}
