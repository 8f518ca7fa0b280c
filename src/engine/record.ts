/**
 * The contents of an account's journal: records of inputs, and snapshots. They are JSON so that operators and auditors
 * can read them.
 */

import type { StreamEvent } from '../domain/event.ts';
import { exactJson, exactValue } from '../domain/exact-json.ts';
import { type Form, list } from '../domain/form.ts';
import type { EngineInput } from './engine.ts';
import type { OrdersInput } from './orders-input.ts';
import type { OrdersRest, OrdersState } from './orders-state.ts';
import type { Moment } from './venue-port.ts';

/** The inputs of one transaction, in order, and the time of the transaction. */
export interface InputRecord<VenueInput, Event extends StreamEvent = StreamEvent> {
  readonly at: Moment;
  readonly inputs: readonly EngineInput<VenueInput, Event>[];
  /** Checksums of the effects, in order; absent in records of earlier versions (`effect-sums.ts`). */
  readonly effects?: string | undefined;
  /** The engine's configuration from this record on, if it has changed. */
  readonly settings?: unknown;
}

/** `venue` is the outbox's state; it is absent in snapshots of earlier versions and of relays. */
interface Beside<VenueState> {
  readonly venue?: VenueState | undefined;
  readonly actions?: readonly EarlierAction[];
  readonly settings?: unknown;
}

/** The state of an account. */
export type AccountState<VenueState> = OrdersState & Beside<VenueState>;

/** The state of an account without its remembered orders, which the journal keeps in parts. */
export type AccountRest<VenueState> = OrdersRest & Beside<VenueState>;

/** The snapshot of a journal: the parts that contain the orders at its position, and the rest of the state. */
export type Manifest<VenueState> = AccountRest<VenueState> & {
  readonly parts: readonly [from: number, to: number];
  /** How many orders the parts contain. */
  readonly orders: number;
  /** The numbers of the spent names. */
  readonly spent: readonly [first: number, end: number];
};

/** A record of a version before 0.2, which contains the inputs of the orders and the prepared actions. */
export interface EarlierRecord {
  readonly inputs: readonly OrdersInput[];
  readonly actions: readonly EarlierAction[];
}

/** An action that was prepared for sending, with an unknown outcome. */
export interface EarlierAction {
  readonly key: string;
  readonly requestId: string;
  readonly nonce: bigint;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly canonical: string;
}

const recordVersion = 4;
/** The version in which every member is present. */
const recordVersionWhole = 3;
/** Version 2 still used the names of version 1. */
const recordVersionBefore = 2;
const earlierRecordVersion = 1;
const manifestVersion = 4;
/** Snapshots of earlier versions contain all orders. */
const wholeStateVersion = 3;
const earlierStateVersion = 2;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The stored form of an input; the venue knows the form of its own inputs. */
export type InputForm<VenueInput, Event extends StreamEvent = StreamEvent> = Form<
  EngineInput<VenueInput, Event>
>;

export function encodeRecord<VenueInput, Event extends StreamEvent = StreamEvent>(
  { at, effects, inputs, settings }: InputRecord<VenueInput, Event>,
  form: InputForm<VenueInput, Event>,
): Uint8Array {
  const head = exactJson({ v: recordVersion, at, effects, settings }).slice(0, -1);
  return Buffer.from(`${head},"inputs":${list(form).write(inputs) ?? '[]'}}`);
}

/** Translates what a version before 0.2 wrote into today's names; the venue knows its old names. */
export type Translated = (earlier: unknown) => unknown;

/** The store has verified the bytes, so unreadable content comes from another version, and the start is aborted. */
export function decodeRecord<VenueInput, Event extends StreamEvent = StreamEvent>(
  bytes: Uint8Array,
  place: string,
  form: InputForm<VenueInput, Event>,
  translated: Translated = (same) => same,
): InputRecord<VenueInput, Event> | EarlierRecord {
  const { v, ...stored } = parsed(bytes);
  if (v === recordVersion) {
    const { inputs, ...rest } = stored;
    const head = exactValue(rest) as Omit<InputRecord<VenueInput, Event>, 'inputs'>;
    return { ...head, inputs: list(form).read(inputs) };
  }
  const record = exactValue(stored) as Stored;
  if (v === recordVersionWhole) return record as unknown as InputRecord<VenueInput, Event>;
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

export function encodeManifest(manifest: Manifest<unknown>): Uint8Array {
  return Buffer.from(exactJson({ v: manifestVersion, ...manifest }));
}

/** Decodes the snapshot of a journal; a snapshot of an earlier version is the whole state. */
export function decodeSnapshot<V>(
  bytes: Uint8Array,
  place: string,
  translated: Translated = (same) => same,
): Manifest<V> | AccountState<V> {
  const { v, ...state } = exactValue(parsed(bytes)) as Stored;
  if (v === manifestVersion) return state as unknown as Manifest<V>;
  if (v === wholeStateVersion) return state as unknown as AccountState<V>;
  if (v === earlierStateVersion) {
    const { actions = [], ...rest } = state;
    return { ...(translated(rest) as AccountState<V>), actions: actions as EarlierAction[] };
  }
  throw new Error(`${place} has version ${v}, which this version of Causeway cannot read`);
}

export function isManifest<V>(snapshot: Manifest<V> | AccountState<V>): snapshot is Manifest<V> {
  return 'parts' in snapshot;
}

type Stored = Readonly<Record<string, unknown>>;

function parsed(bytes: Uint8Array): Stored {
  const value: unknown = JSON.parse(decoder.decode(bytes));
  return typeof value === 'object' && value !== null ? (value as Stored) : {};
}
