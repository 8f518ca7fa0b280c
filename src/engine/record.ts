/**
 * The contents of an account's journal: records of inputs, and snapshots of the state. They are JSON, because operators and
 * auditors read them.
 */

import type { StreamEvent } from '../domain/event.ts';
import { exactJson, parseExactJson } from '../domain/exact-json.ts';
import type { EngineInput } from './engine.ts';
import type { OrdersInput, OrdersState } from './orders.ts';
import type { Moment } from './venue-port.ts';

/** The inputs of one turn, in order, and the time of the turn. */
export interface InputRecord<VenueInput, Event extends StreamEvent = StreamEvent> {
  readonly at: Moment;
  readonly inputs: readonly EngineInput<VenueInput, Event>[];
  /** Checksums of the effects, in order; absent in records of earlier versions (`effect-sums.ts`). */
  readonly effects?: string | undefined;
  /** The engine's configuration from this record on, if it has changed. */
  readonly settings?: unknown;
}

/** The state of an account. `venue` is the outbox's own state; it is absent in snapshots of earlier versions and of relays. */
export interface AccountState<VenueState> extends OrdersState {
  readonly venue?: VenueState | undefined;
  readonly actions?: readonly EarlierAction[];
  readonly settings?: unknown;
}

/** A record of a version before 0.2, which kept the inputs of the orders and the actions that had been prepared. */
export interface EarlierRecord {
  readonly inputs: readonly OrdersInput[];
  readonly actions: readonly EarlierAction[];
}

export interface EarlierAction {
  readonly key: string;
  readonly requestId: string;
  readonly nonce: bigint;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly canonical: string;
}

const recordVersion = 3;
/** Version 2 used the names of version 1. */
const recordVersionBefore = 2;
const earlierRecordVersion = 1;
const stateVersion = 3;
const earlierStateVersion = 2;
/** Encoding this many orders takes about half a millisecond. */
const ordersAtOnce = 50;
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeRecord<VenueInput>(record: InputRecord<VenueInput>): Uint8Array {
  return Buffer.from(exactJson({ v: recordVersion, ...record }));
}

/** Translates what a version before 0.2 wrote into today's names; the venue knows which those were. */
export type Translated = (earlier: unknown) => unknown;

/** The store has checked the bytes, so unreadable content was written by another version, and the start stops. */
export function decodeRecord<VenueInput, Event extends StreamEvent = StreamEvent>(
  bytes: Uint8Array,
  place: string,
  translated: Translated = (same) => same,
): InputRecord<VenueInput, Event> | EarlierRecord {
  const { v, ...record } = decode(bytes);
  if (v === recordVersion) return record as unknown as InputRecord<VenueInput, Event>;
  if (v === recordVersionBefore || v === earlierRecordVersion) {
    const { inputs } = record as unknown as EarlierRecord;
    return { ...record, inputs: translated(inputs) } as unknown as EarlierRecord;
  }
  throw new Error(`${place} has version ${v}, which this version of Causeway cannot read`);
}

export function isEarlier<VenueInput>(
  record: InputRecord<VenueInput> | EarlierRecord,
): record is EarlierRecord {
  return !('at' in record);
}

export function* statePieces<V>({
  orders,
  spent,
  ...rest
}: AccountState<V>): Generator<string, undefined> {
  const head = exactJson({ v: stateVersion, ...rest });
  yield `${head.slice(0, -1)},"spent":${JSON.stringify(spent)},"orders":[`;
  for (let from = 0; from < orders.length; from += ordersAtOnce) {
    const piece = exactJson(orders.slice(from, from + ordersAtOnce)).slice(1, -1);
    yield from === 0 ? piece : `,${piece}`;
  }
  yield ']}';
  return undefined;
}

export function joinedState(pieces: readonly string[]): Uint8Array {
  return Buffer.from(pieces.join(''));
}

export function encodeState<V>(state: AccountState<V>): Uint8Array {
  return joinedState([...statePieces(state)]);
}

export function decodeState<V>(
  bytes: Uint8Array,
  place: string,
  translated: Translated = (same) => same,
): AccountState<V> {
  const { v, ...state } = decode(bytes);
  if (v === stateVersion) return state as unknown as AccountState<V>;
  if (v === earlierStateVersion) {
    const { actions = [], ...rest } = state;
    return { ...(translated(rest) as AccountState<V>), actions: actions as EarlierAction[] };
  }
  throw new Error(`${place} has version ${v}, which this version of Causeway cannot read`);
}

function decode(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = parseExactJson(decoder.decode(bytes));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
