/** The values of a TradeCaptureReport(AE) for a copy, for either protocol (docs/DROPCOPY.md, "Trades only"). */
import type { ExecutionReport } from '../domain/report.ts';

/** TradeReportTransType(487). */
const transTypes: Partial<Readonly<Record<ExecutionReport['execType'], number>>> = {
  trade: 0,
  trade_cancel: 1,
  trade_correct: 2,
};

export interface TradeFacts {
  readonly transType: number;
  /** In atoms; 0 for a busted trade. */
  readonly qty: bigint;
  readonly price: bigint;
}

export function tradeFacts({ execRefId, execType, fill, order }: ExecutionReport): TradeFacts {
  const now = fill ?? order.executions.find(({ execId }) => execId === execRefId);
  return { transType: transTypes[execType] ?? 0, qty: now?.qty ?? 0n, price: now?.price ?? 0n };
}
