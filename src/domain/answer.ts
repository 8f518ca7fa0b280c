/** Answers and notices that are about no single order, in no protocol's form. */
import type { Denial } from './denial.ts';
import type { Instrument, InstrumentRef } from './instrument.ts';
import type { Price, Qty, Side } from './units.ts';

/** The cancels are on their way; each order's end is reported by itself. */
export interface MassCancelAnswer {
  readonly kind: 'mass_cancel';
  readonly clOrdId: string;
  /** Null: every order in reach. */
  readonly instrument: Instrument | null;
  readonly side: Side | null;
  readonly affected: number;
  readonly nowMs: number;
}

/** One page of the list. */
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
  /** Null: told unasked. */
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
  /** Best first. */
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

/** What became of a MassQuote or QuoteCancel. */
export interface QuoteAnswer {
  readonly kind: 'quote';
  readonly quoteId: string;
  readonly status: 'accepted' | 'rejected' | 'canceled' | 'canceled_all';
  readonly accountName: string;
  readonly denial: Denial | null;
  /** After a refusal: whether the quotes before it are still alive, as they are after a rollback. */
  readonly oldQuotesStand: boolean | null;
  readonly sets: readonly {
    readonly setId: string;
    readonly entries: readonly QuoteEntryAnswer[];
  }[];
}

/** What became of a single Quote. */
export interface QuoteStatusAnswer {
  readonly kind: 'quote_status';
  readonly quoteId: string;
  readonly status: 'accepted' | 'rejected';
  readonly accountName: string;
  readonly instrument: Instrument;
  readonly denial: Denial | null;
  readonly oldQuotesStand: boolean | null;
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
