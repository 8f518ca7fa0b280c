/**
 * The journal of an account: what went into its desk, and the actions that were made ready for signing. JSON, because
 * operators and auditors read it.
 */
import { exactJson, parseExactJson } from '../domain/exact-json.ts';
import type { DeskInput, DeskState } from './desk.ts';
import { actionJson, inputJson } from './desk-json.ts';
import type { PreparedAction } from './prepared-action.ts';

/** A desk, and the actions that had no outcome when it was saved: the records that have them may be gone. */
export interface SavedDesk extends DeskState {
  readonly actions?: readonly PreparedAction[];
}

/** What one turn did to the desk, in order. */
export interface DeskRecord {
  readonly inputs: readonly DeskInput[];
  readonly actions: readonly PreparedAction[];
}

const recordVersion = 1;
const stateVersion = 2;
/** Some half a millisecond of work. */
const ordersAtOnce = 50;
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeRecord({ inputs, actions }: DeskRecord): Uint8Array {
  let heard = '';
  for (const input of inputs) heard += heard === '' ? inputJson(input) : `,${inputJson(input)}`;
  let sent = '';
  for (const action of actions) sent += sent === '' ? actionJson(action) : `,${actionJson(action)}`;
  return Buffer.from(`{"v":${recordVersion},"inputs":[${heard}],"actions":[${sent}]}`);
}

export function decodeRecord(bytes: Uint8Array, place: string): DeskRecord {
  return decode(bytes, recordVersion, place) as DeskRecord;
}

export function encodeState(state: SavedDesk): Uint8Array {
  return joinedState([...statePieces(state)]);
}

export function* statePieces({ orders, spent, ...rest }: SavedDesk): Generator<string, undefined> {
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

export function decodeState(bytes: Uint8Array, place: string): SavedDesk {
  return decode(bytes, stateVersion, place) as SavedDesk;
}

/** The store has checked the bytes; what is not ours here was written by another version, so the start stops. */
function decode(bytes: Uint8Array, version: number, place: string): object {
  const value: unknown = parseExactJson(decoder.decode(bytes));
  if (typeof value === 'object' && value !== null && 'v' in value && value.v === version) {
    const { v: _, ...rest } = value;
    return rest;
  }
  throw new Error(`${place} is no record of version ${version}`);
}
