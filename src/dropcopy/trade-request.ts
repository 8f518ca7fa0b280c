/**
 * TradeCaptureReportRequest(AD): the trades of the past that fit, those to come, or both (FIX 4.4 volume 5). A
 * subscription outlives the connection, until it is taken back; a later one takes its place.
 */

import { passes } from './copy-filter.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { Reader } from './reader.ts';
import type { TradeCriteria } from './reader-state.ts';
import type { Said, TradeAnswer } from './said.ts';
import { isTradeOf } from './trade-criteria.ts';

export interface TradeRequest {
  readonly tradeRequestId: string;
  /** TradeRequestType(569). */
  readonly requestType: number;
  /** SubscriptionRequestType(263); a snapshot where it is absent. */
  readonly subscription: 'snapshot' | 'subscribe' | 'unsubscribe';
  readonly criteria: TradeCriteria;
}

const readAtOnce = 256;
/** A trade may have been recorded so much before its own time, by clocks that differ. */
const clockMarginMs = 60_000;

export const tradeResults = { success: 0, typeNotSupported: 8, other: 99 } as const;

export function tradeAnswer(
  { tradeRequestId, requestType, criteria }: TradeRequest,
  status: TradeAnswer['status'],
  more: Partial<TradeAnswer> = {},
): Said {
  const facts = { tradeRequestId, requestType, symbol: criteria.symbol, total: null, text: null };
  return {
    kind: 'trade_answer',
    answer: { result: tradeResults.success, ...facts, status, ...more },
  };
}

/** Accepted, each trade, completed; the last trade says that it is the last. */
export async function* answerTrades(
  request: TradeRequest,
  reader: Reader,
  journal: (account: string) => CopyJournal | undefined,
): AsyncGenerator<readonly Said[]> {
  yield [tradeAnswer(request, 'accepted')];
  let held: Extract<Said, { kind: 'trade' }> | undefined;
  let total = 0;
  for (const account of reader.filter.accounts) {
    const of = journal(account);
    if (of === undefined) continue;
    for await (const trades of tradesOf(request, reader, of)) {
      const said = held === undefined ? trades : [held, ...trades];
      held = said.at(-1);
      total += trades.length;
      yield said.slice(0, -1);
    }
  }
  const done = tradeAnswer(request, 'completed', { total });
  yield held === undefined ? [done] : [{ ...held, isLast: true }, done];
}

async function* tradesOf(
  { criteria, tradeRequestId }: TradeRequest,
  reader: Reader,
  journal: CopyJournal,
): AsyncGenerator<readonly Extract<Said, { kind: 'trade' }>[]> {
  // What has not been sent yet comes by the subscription, and then without a mark.
  const end = reader.subscription === null ? journal.end : reader.furthest(journal.account);
  const { fromMs } = criteria;
  const from =
    fromMs === null
      ? journal.first
      : await journal.search(({ atMs }) => atMs >= fromMs - clockMarginMs);
  for (let after = from - 1; after < end; ) {
    const copies = await journal.read(after, Math.min(readAtOnce, end - after));
    const last = copies.at(-1);
    if (last === undefined) return;
    after = last.position;
    yield copies.flatMap((copy) => {
      if (copy.kind !== 'report' || !passes(reader.filter, copy)) return [];
      if (!isTradeOf(criteria, copy.report)) return [];
      return [{ kind: 'trade', copy, possResend: true, tradeRequestId, isLast: false } as const];
    });
  }
}
