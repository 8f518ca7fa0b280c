/**
 * Every request of a client (contract C.4), independent of the protocol. Amounts are decimals as the client wrote them
 * and instruments are names; `admission.ts` interprets both by the market list.
 */
import type { InstrumentRef } from './instrument.ts';
import type { Decimal, Side, StpMode } from './units.ts';

/** The origin of a request and the facts about its delivery. */
export interface Origin {
  readonly session: string;
  /** MsgSeqNum(34) of the request. */
  readonly seq: number;
  readonly sendingTimeMs: number | null;
  readonly transactTimeMs: number | null;
  readonly possDup: boolean;
  readonly possResend: boolean;
}

export type OrdType = 'market' | 'limit' | 'stop' | 'stop_limit' | 'market_if_touched';

/** The meaning of TimeInForce(59); an absent field means `day`. */
export type Lifetime = 'day' | 'gtc' | 'ioc' | 'fok' | 'gtd';

export type TriggerDirection = 'at_or_above' | 'at_or_below';
export type ConditionalKind = 'take_profit' | 'stop_loss';
export type AlgoKind = 'iceberg' | 'twap' | 'vwap';

/**
 * The client's own fields in an order, in the form of its protocol. Nothing interprets them: they are kept with the
 * order's terms and returned in every report.
 */
export interface ClientFields {
  /** Complete fields, concatenated. */
  readonly fields: string;
  readonly text: string | null;
  /** The parties that the order names, and their number. */
  readonly parties: string;
  readonly partyCount: number;
  /** The destination of reports beyond the session. */
  readonly route: string;
}

export interface AlgoRequest {
  readonly kind: AlgoKind;
  readonly sliceQty: Decimal | null;
  readonly intervalMs: number | null;
}

/** The terms of an order as requested; a replace repeats all of them. */
export interface RequestedTerms {
  readonly side: Side;
  readonly ordType: OrdType;
  readonly qty: Decimal;
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  readonly lifetime: Lifetime;
  readonly expireTimeMs: number | null;
  /** Whether the client named only the day of expiry. */
  readonly isExpireDate?: boolean;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  /** Absent means the session's default mode; null means no mode. */
  readonly stp: StpMode | null | undefined;
  readonly maxFloor: Decimal | null;
  readonly algo: AlgoRequest | null;
  readonly triggerDirection: TriggerDirection | null;
  readonly conditionalKind: ConditionalKind | null;
  readonly currency: string | null;
  readonly client?: ClientFields | undefined;
}

interface Request<Kind extends string> {
  readonly kind: Kind;
  readonly origin: Origin;
}

export interface NewOrder extends Request<'new_order'> {
  readonly clOrdId: string;
  readonly account: string | null;
  readonly instrument: InstrumentRef;
  readonly terms: RequestedTerms;
}

/** How a request names its order: by OrigClOrdID(41), OrderID(37), or both, which must then agree. */
export interface OrderRef {
  readonly origClOrdId: string | null;
  readonly orderId: string | null;
}

interface OrderChange<Kind extends string> extends Request<Kind> {
  readonly clOrdId: string;
  readonly target: OrderRef;
  readonly instrument: InstrumentRef;
  readonly account: string | null;
  /** OrigOrdModTime(586). */
  readonly origModTimeMs: number | null;
}

export type CancelOrder = OrderChange<'cancel_order'>;

export interface ReplaceOrder extends OrderChange<'replace_order'> {
  readonly terms: RequestedTerms;
}

export interface QuoteSide {
  readonly price: Decimal | null;
  readonly qty: Decimal | null;
}

export interface QuoteEntry {
  readonly entryId: string;
  readonly instrument: InstrumentRef;
  readonly bid: QuoteSide;
  readonly ask: QuoteSide;
}

export interface QuoteSet {
  readonly setId: string;
  readonly entries: readonly QuoteEntry[];
}

/** QuoteResponseLevel(301). */
export type QuoteResponse = 'none' | 'refusals' | 'all';

interface QuoteRequest<Kind extends string> extends Request<Kind> {
  readonly quoteId: string;
  readonly response: QuoteResponse;
  readonly account: string | null;
}

export interface MassQuote extends QuoteRequest<'mass_quote'> {
  readonly sets: readonly QuoteSet[];
}

export interface Quote extends QuoteRequest<'quote'> {
  readonly entry: QuoteEntry;
}

export interface QuoteCancel extends QuoteRequest<'quote_cancel'> {
  /** Null cancels every quote of the session. */
  readonly instruments: readonly InstrumentRef[] | null;
}

export interface MassCancel extends Request<'mass_cancel'> {
  readonly clOrdId: string;
  readonly account: string | null;
  /** Null means every order that the request covers. */
  readonly instrument: InstrumentRef | null;
  readonly side: Side | null;
}

export interface OrderStatus extends Request<'order_status'> {
  readonly reqId: string | null;
  readonly clOrdId: string | null;
  readonly orderId: string | null;
}

interface Query<Kind extends string> extends Request<Kind> {
  readonly reqId: string;
}

export interface MassStatus extends Query<'mass_status'> {
  readonly instrument: InstrumentRef | null;
  readonly account: string | null;
}

export interface SecurityListQuery extends Query<'security_list'> {
  /** Null means every instrument. */
  readonly instrument: InstrumentRef | null;
}

/** SubscriptionRequestType(263). */
export type Subscription = 'snapshot' | 'subscribe' | 'unsubscribe';

export interface SecurityStatusQuery extends Query<'security_status'> {
  readonly instrument: InstrumentRef;
  readonly subscription: Subscription;
}

export interface SessionStatusQuery extends Query<'session_status'> {
  readonly subscription: Subscription;
}

export interface MarketDataQuery extends Query<'market_data'> {
  readonly subscription: Subscription;
  /** MarketDepth(264): 0 is the whole book. */
  readonly depth: number;
  readonly instruments: readonly InstrumentRef[];
}

export interface UserStatusQuery extends Query<'user_status'> {
  readonly username: string;
}

export type Command =
  | NewOrder
  | CancelOrder
  | ReplaceOrder
  | MassQuote
  | Quote
  | QuoteCancel
  | MassCancel
  | OrderStatus
  | MassStatus
  | SecurityListQuery
  | SecurityStatusQuery
  | SessionStatusQuery
  | MarketDataQuery
  | UserStatusQuery;
