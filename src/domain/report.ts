/** Reports on orders, independent of the protocol: the contents of ExecutionReport and OrderCancelReject. */
import type { Denial } from './denial.ts';
import type { Fill } from './event.ts';
import type { Order, OrdStatus } from './order.ts';
import type { OrderId } from './units.ts';

/** ExecType(150). */
export type ExecType =
  | 'pending_new'
  | 'new'
  | 'trade'
  | 'trade_correct'
  | 'trade_cancel'
  | 'pending_cancel'
  | 'pending_replace'
  | 'replaced'
  | 'canceled'
  | 'expired'
  | 'rejected'
  | 'restated'
  | 'order_status';

/** ExecRestatementReason(378). */
export type Restatement =
  | 'renewal'
  | 'broker_option'
  | 'partial_decline'
  | 'trading_halt'
  | 'market_option'
  | 'other';

export interface ExecutionReport {
  readonly kind: 'execution';
  readonly execType: ExecType;
  readonly ordStatus: OrdStatus;
  readonly execId: string;
  /** The order after this report. */
  readonly order: Order;
  readonly clOrdId: string;
  readonly origClOrdId: string | null;
  readonly fill: Fill | null;
  /** ExecID(17) of the trade that is busted or corrected. */
  readonly execRefId: string | null;
  readonly denial: Denial | null;
  readonly restatement: Restatement | null;
  /** PriorityIndicator(638): 0 is kept, 1 is lost. */
  readonly priorityKept: boolean | null;
  /** SecondaryOrderID(198): the algo slice or triggered order behind a fill. */
  readonly childOrderId: OrderId | null;
  /** ParentOrderID(9112). */
  readonly parentOrderId: OrderId | null;
  readonly legIndex: number | null;
  /** VenueSeq(9110); null if no event of the stream caused the report. */
  readonly venueSeq: number | null;
  readonly transactTimeMs: number;
}

export interface CancelReject {
  readonly kind: 'cancel_reject';
  /** CxlRejResponseTo(434). */
  readonly request: 'cancel' | 'replace';
  readonly clOrdId: string;
  readonly origClOrdId: string;
  readonly ordStatus: OrdStatus;
  readonly order: Order;
  readonly denial: Denial;
  readonly transactTimeMs: number;
}

export type Report = ExecutionReport | CancelReject;

/** The sender of an order. */
export interface Originator {
  readonly session: string;
  readonly compId: string;
  /** The users that may log on to the session. */
  readonly users: readonly string[];
}

/** The context of a report besides the order: the request that it answers, and whether it is a copy. */
export interface ReportFrame {
  /** OrdStatusReqID(790). */
  readonly statusReqId?: string | undefined;
  readonly massStatus?: {
    readonly reqId: string;
    readonly total: number;
    readonly isLast: boolean;
  };
  /** CopyMsgIndicator(797): a drop copy. */
  readonly copy?: boolean;
  /** PossResend(97) of a drop copy, if the report itself states it. */
  readonly possResend?: boolean;
  /** The copy answers a request and is not part of the numbered copies. */
  readonly requested?: boolean;
  /** Parties(453) of a drop copy. */
  readonly originator?: Originator;
  /** The stream has a gap: the state is as of VenueSeq(9110) and may be outdated. */
  readonly behind?: boolean;
}
