/** The values of a TradeCaptureReport(AE) for a copy, for either protocol (docs/DROPCOPY.md, "Trades only"). */
import { correctedTrade } from '../domain/amended-trade.ts';
import type { ExecutionReport } from '../domain/report.ts';

/** TradeReportTransType(487). */
const transTypes: Partial<Readonly<Record<ExecutionReport['execType'], number>>> = {
  trade: 0,
  trade_cancel: 1,
  trade_correct: 2,
};

/** Amounts are in atoms; 0 for a busted trade. */
export function tradeFacts(report: ExecutionReport) {
  const { price = 0n, qty = 0n } = report.fill ?? correctedTrade(report) ?? {};
  return { transType: transTypes[report.execType] ?? 0, qty, price };
}
