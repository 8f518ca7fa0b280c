/** The trades that a TradeCaptureReportRequest(AD) selects. */
import type { ExecutionReport } from '../domain/report.ts';
import type { TradeCriteria } from './reader-state.ts';

/** Trades, busts and corrections. */
const tradeTypes: ReadonlySet<ExecutionReport['execType']> = new Set([
  'trade',
  'trade_cancel',
  'trade_correct',
]);

export function isTradeOf(criteria: TradeCriteria, report: ExecutionReport): boolean {
  const { order, execType, execId, clOrdId, transactTimeMs } = report;
  const { fromMs, toMs } = criteria;
  const { symbol, market } = order.instrument;
  return (
    tradeTypes.has(execType) &&
    isOneOf(criteria.symbol, symbol, market.symbol) &&
    isOneOf(criteria.side, order.terms.side) &&
    isOneOf(criteria.orderId, order.orderId) &&
    isOneOf(criteria.clOrdId, clOrdId) &&
    isOneOf(criteria.execId, execId) &&
    (fromMs === null || transactTimeMs >= fromMs) &&
    (toMs === null || transactTimeMs <= toMs)
  );
}

function isOneOf(wanted: string | null, ...values: readonly (string | null)[]): boolean {
  return wanted === null || values.includes(wanted);
}
