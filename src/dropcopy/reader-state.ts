/** The stored state of a reader: its position in each account's copies, written with every batch that is sent. */
import { exactJson, parseExactJson } from '../domain/exact-json.ts';
import type { Totals } from './copy-totals.ts';

/** A position in an account's copies, with the day's totals at that position. */
export interface Mark {
  readonly position: number;
  readonly totals: Totals;
  /** The position of the last copy up to here that was sent; the reader may not see those behind it. */
  readonly shown?: number;
}

/** Earlier versions did not store it. */
export function shownAt({ position, shown = position }: Mark): number {
  return shown;
}

export interface Track {
  /** The position that was sent with the session's current numbers. */
  readonly sent: Mark;
  /** The acknowledged position, from which a session with new numbers continues. */
  readonly acked: Mark;
  /** The furthest position ever sent; the reader may know copies up to here. */
  readonly furthest: number;
}

/** The trade subscription of a reader. */
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

/** The state of a reader that never logged on. */
export const noState = {
  /** By the account's alias. */
  tracks: {} as Readonly<Record<string, Track>>,
  /** The day's totals of accounts that it no longer sees, and the position that they include. */
  left: {} as Readonly<Record<string, Totals & { readonly position?: number }>>,
  subscription: null as TradeSubscription | null,
  /** Whether it has logged on, and got the open orders if it wants them. */
  isJoined: false,
  /** Whether it rejected a copy that is not acknowledged. */
  isRejected: false,
};
export type ReaderState = Readonly<typeof noState>;

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
  throw new Error(`the state of reader ${reader} is not a record of version ${version}`);
}
