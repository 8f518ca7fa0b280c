/** The current state of an order, for OrderStatusRequest(H), OrderMassStatusRequest(AF) and PossResend(97)=Y. */
import { type Order, type OrderRules, statusOf } from './order.ts';
import type { ExecutionReport } from './report.ts';

/** ExecID(17) of a report that answers a request. */
export const statusExecId = '0';

export function statusReport(
  order: Order,
  rules: Pick<OrderRules, 'pendingStates'>,
  nowMs: number,
): ExecutionReport {
  return {
    kind: 'execution',
    execType: 'order_status',
    ordStatus: statusOf(order, rules),
    execId: statusExecId,
    order,
    clOrdId: order.clOrdId,
    origClOrdId: null,
    fill: null,
    execRefId: null,
    denial: null,
    restatement: null,
    priorityKept: null,
    childOrderId: null,
    parentOrderId: order.parentOrderId,
    legIndex: null,
    venueSeq: order.lastSeq === 0 ? null : order.lastSeq,
    transactTimeMs: nowMs,
  };
}
