/**
 * The journal of an account: what went into its desk, and the actions that were made ready for signing. JSON, because
 * operators and auditors read it.
 */
import { exactJson, parseExactJson } from '../domain/exact-json.ts';
import type { OrderId } from '../domain/units.ts';
import type { DeskInput, DeskState } from './desk.ts';

/** J1: an action as it was recorded before it was signed. */
export interface PreparedAction {
  readonly key: string;
  readonly requestId: string;
  readonly nonce: bigint;
  readonly actionHash: string;
  readonly orderId: OrderId | null;
  /** The canonical bytes as text. */
  readonly canonical: string;
}

/** What one turn did to the desk, in order. */
export interface DeskRecord {
  readonly inputs: readonly DeskInput[];
  readonly actions: readonly PreparedAction[];
}

const version = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeRecord(record: DeskRecord): Uint8Array {
  return encode(record);
}

export function decodeRecord(bytes: Uint8Array, place: string): DeskRecord {
  return decode(bytes, place) as DeskRecord;
}

export function encodeState(state: DeskState): Uint8Array {
  return encode(state);
}

export function decodeState(bytes: Uint8Array, place: string): DeskState {
  return decode(bytes, place) as DeskState;
}

function encode(value: object): Uint8Array {
  return encoder.encode(exactJson({ v: version, ...value }));
}

/** The store has checked the bytes; what is not ours here was written by another version, so the start stops. */
function decode(bytes: Uint8Array, place: string): object {
  const value: unknown = parseExactJson(decoder.decode(bytes));
  if (typeof value === 'object' && value !== null && 'v' in value && value.v === version) {
    const { v: _, ...rest } = value;
    return rest;
  }
  throw new Error(`${place} is no record of version ${version}`);
}
