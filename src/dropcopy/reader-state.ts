/** Where a reader stands in each account's copies, as the store keeps it with every batch that is sent. */
import { exactJson, parseExactJson } from '../domain/exact-json.ts';
import type { Totals } from './copy-totals.ts';

/** A position in an account's copies, with what the day's totals are there. */
export interface Mark {
  readonly position: number;
  readonly totals: Totals;
}

export interface Track {
  /** What has been sent on this session's present numbers. */
  readonly sent: Mark;
  /** What the reader has acknowledged: a session that starts anew goes on from here. */
  readonly acked: Mark;
  /** The furthest position ever sent: up to here a copy may be known to the reader. */
  readonly furthest: number;
}

/** Trades that a reader subscribed to, until it unsubscribes. */
export interface TradeSubscription {
  readonly tradeRequestId: string;
  readonly criteria: TradeCriteria;
}

export interface TradeCriteria {
  readonly symbol: string | null;
  readonly side: 'Bid' | 'Ask' | null;
  readonly orderId: string | null;
  readonly clOrdId: string | null;
  readonly execId: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export interface ReaderState {
  /** By alias of the account. */
  readonly tracks: Readonly<Record<string, Track>>;
  /** The day's totals of accounts that it saw and sees no more. */
  readonly left: Readonly<Record<string, Totals>>;
  readonly subscription: TradeSubscription | null;
  /** It has been logged on at least once. */
  readonly isJoined: boolean;
  /** It rejected a copy that was sent and is not acknowledged. */
  readonly isRejected: boolean;
}

export const noState: ReaderState = {
  tracks: {},
  left: {},
  subscription: null,
  isJoined: false,
  isRejected: false,
};

export function trackFrom(position: number, totals: Totals): Track {
  const mark = { position, totals };
  return { sent: mark, acked: mark, furthest: position };
}

const version = 1;

export function encodeState(state: ReaderState): Uint8Array {
  return Buffer.from(exactJson({ v: version, ...state }));
}

export function decodeState(payload: Uint8Array, reader: string): ReaderState {
  const value = parseExactJson(Buffer.from(payload).toString('utf8'));
  if (typeof value === 'object' && value !== null && 'v' in value && value.v === version) {
    const { v: _, ...state } = value;
    return { ...noState, ...state };
  }
  throw new Error(`the state of reader ${reader} is no record of version ${version}`);
}
