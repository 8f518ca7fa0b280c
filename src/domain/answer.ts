/** Answers and notices that do not concern a single order, independent of the protocol. */
import type { Denial } from './denial.ts';
import type { Instrument, InstrumentRef } from './instrument.ts';
import type { Price, Qty, Side } from './units.ts';

/** The cancels have been requested; the end of each order is reported separately. */
export interface MassCancelAnswer {
  readonly kind: 'mass_cancel';
  readonly clOrdId: string;
  /** Null means every order that the request covers. */
  readonly instrument: Instrument | null;
  readonly side: Side | null;
  readonly affected: number;
  readonly nowMs: number;
}

/** One page of the security list. */
export interface SecurityListAnswer {
  readonly kind: 'security_list';
  readonly reqId: string;
  readonly instruments: readonly Instrument[];
  readonly total: number;
  readonly isLast: boolean;
}

export type TradingStatus = 'open' | 'halted' | 'resumed' | 'closed' | 'unknown';

export interface SecurityStatusAnswer {
  readonly kind: 'security_status';
  /** Null for an unsolicited message. */
  readonly reqId: string | null;
  readonly isUnsolicited: boolean;
  readonly instrument: Instrument;
  readonly status: TradingStatus;
  readonly text: string | null;
  readonly nowMs: number;
}

export interface SessionStatusAnswer {
  readonly kind: 'session_status';
  readonly reqId: string | null;
  readonly isUnsolicited: boolean;
  readonly state: 'ready' | 'halted' | 'unreachable';
  /** The venue's placementReason. */
  readonly text: string | null;
}

export type Level = readonly [price: Price, qty: Qty];

export interface DepthAnswer {
  readonly kind: 'depth';
  readonly reqId: string;
  readonly instrument: Instrument;
  readonly seq: number | null;
  /** The best price first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface UserStatusAnswer {
  readonly kind: 'user_status';
  readonly reqId: string;
  readonly username: string;
  readonly isLoggedIn: boolean;
}

export interface News {
  readonly kind: 'news';
  readonly headline: string;
  readonly lines: readonly string[];
}

export interface QuoteEntryAnswer {
  readonly entryId: string;
  readonly instrument: InstrumentRef;
  readonly denial: Denial | null;
}

interface QuoteResult {
  readonly quoteId: string;
  readonly accountName: string;
  readonly denial: Denial | null;
  /** After a refusal: whether the previous quotes are still live, as after a rollback. */
  readonly oldQuotesStand: boolean | null;
}

/** The result of a MassQuote or QuoteCancel. */
export interface QuoteAnswer extends QuoteResult {
  readonly kind: 'quote';
  readonly status: 'accepted' | 'rejected' | 'canceled' | 'canceled_all';
  readonly sets: readonly {
    readonly setId: string;
    readonly entries: readonly QuoteEntryAnswer[];
  }[];
}

/** The result of a single Quote. */
export interface QuoteStatusAnswer extends QuoteResult {
  readonly kind: 'quote_status';
  readonly status: 'accepted' | 'rejected';
  readonly instrument: Instrument;
}

export type Answer =
  | MassCancelAnswer
  | SecurityListAnswer
  | SecurityStatusAnswer
  | SessionStatusAnswer
  | DepthAnswer
  | UserStatusAnswer
  | News
  | QuoteAnswer
  | QuoteStatusAnswer;
