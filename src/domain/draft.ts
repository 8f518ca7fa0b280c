/** One step of an order in progress: the next state, and the reports and requests so far. */
import type { Denial } from './denial.ts';
import type { StreamEvent } from './event.ts';
import { type Order, type OrderRequest, type OrderRules, statusOf } from './order.ts';
import type { CancelReject, ExecType, ExecutionReport, Report } from './report.ts';
import { statusReport } from './status.ts';

export interface Draft {
  order: Order;
  readonly reports: Report[];
  readonly requests: OrderRequest[];
  readonly rules: OrderRules;
  readonly event: StreamEvent | null;
  /** Whether the event is of an order of its own that takes the place of the one that it names as its parent. */
  readonly isDisplaced: boolean;
  readonly nowMs: number;
}

type Change = Partial<Omit<Order, 'owner' | 'instrument'>>;

/** The engine is forty times slower with two spreads in one object. */
export function change(draft: Draft, changes: Change): void {
  draft.order = Object.assign({ ...draft.order }, changes);
}

type Extras = Partial<Omit<ExecutionReport, 'kind' | 'execType' | 'order' | 'execId'>>;

/**
 * ExecID(17) of the next report. It is derived from the event's seq, so that the same event always gives the same
 * ExecID. For a report without an event it consists of the order's key, which is not a number, and a count of the
 * order's own reports. A replaced event may concern two orders: the replaced one counts from 10, more than one event
 * needs.
 */
export function nextExecId({ event, order, reports }: Draft): string {
  const { tag, key } = order.owner;
  if (event === null) return `${key}-${order.ownReports + 1}`;
  const first = event.kind === 'replaced' && event.orderId !== order.orderId ? 10 : 0;
  let count = first;
  for (const { kind } of reports) if (kind === 'execution') count += 1;
  return `${tag}-${event.seq}-${count}`;
}

/** Reports the current state of the order. */
export function report(draft: Draft, execType: ExecType, extras?: Extras): void {
  const { event } = draft;
  const execId = nextExecId(draft);
  if (event === null) change(draft, { ownReports: draft.order.ownReports + 1 });
  const state = statusReport(draft.order, draft.rules, event?.engineTsMs ?? draft.nowMs);
  const news = {
    execType,
    execId,
    legIndex: event?.legIndex ?? null,
    venueSeq: event?.seq ?? null,
  };
  draft.reports.push(Object.assign(state, news, extras));
}

/** Refuses a client's cancel or replace; the order stays unchanged. */
export function rejectRequest(
  draft: Draft,
  request: { readonly kind: 'cancel' | 'replace'; readonly clOrdId: string },
  denial: Denial,
): void {
  const { order } = draft;
  const reject: CancelReject = {
    kind: 'cancel_reject',
    request: request.kind,
    clOrdId: request.clOrdId,
    origClOrdId: order.clOrdId,
    ordStatus: statusOf(order, draft.rules),
    order,
    denial,
    transactTimeMs: draft.event?.engineTsMs ?? draft.nowMs,
  };
  draft.reports.push(reject);
}
