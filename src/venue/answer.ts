/**
 * Reads the body of a venue answer. Its members determine the shape, not its status (contract A.14, G30; R37). A body
 * of unknown shape is a value as well: nothing that the venue sends makes this throw.
 */
import { type VenueStatus, venueStatuses } from '../domain/event.ts';
import type { OrderId } from '../domain/units.ts';
import {
  flag,
  isObject,
  list,
  membersOf,
  natural,
  object,
  oneOf,
  optional,
  orderId,
  text,
  WireError,
} from './wire-value.ts';

/** What the venue stated about nonces; null if it stated nothing, which never means "reusable" (R31). */
export interface NonceFacts {
  readonly nonceConsumed: boolean | null;
  readonly nextUsableNonce: number | null;
  readonly nonceFloor: number | null;
  readonly nonceWindow: number | null;
}

export interface SubmitAnswer extends NonceFacts {
  readonly kind: 'submit';
  readonly accepted: boolean;
  readonly seq: number | null;
  readonly derivedOrderId: OrderId | null;
  readonly error: string | null;
  readonly code: string | null;
}

export interface ActionResult {
  readonly seq: number | null;
  readonly clientOrderId: string | null;
  readonly status: VenueStatus;
  readonly nonceConsumed: boolean | null;
  readonly rejectCode: string | null;
  readonly rejectReason: string | null;
}

export type ChildIds = readonly (OrderId | null)[];

export interface BatchAnswer {
  readonly kind: 'batch';
  readonly ok: boolean;
  /** One entry for each action, null for one without a result; null when there are none at all. */
  readonly results: readonly (ActionResult | null)[] | null;
  /** One entry for each action, by the profile's `batch.derivedOrderIds` (G28). */
  readonly derivedOrderIds: readonly ChildIds[] | null;
}

export type Answer =
  | SubmitAnswer
  | BatchAnswer
  | {
      readonly kind: 'envelope';
      readonly code: string;
      readonly message: string;
      readonly requestId: string | null;
      readonly cause: string | null;
    }
  | { readonly kind: 'flat'; readonly code: string; readonly error: string }
  | { readonly kind: 'record'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** An answer to a batch with more results, or a quote with more legs, is not read. */
export const mostResults = 1024;
const longestShown = 256;

export function readAnswer(body: string): Answer {
  if (body[0] !== '{' && body.trimStart()[0] !== '{')
    return { kind: 'text', text: body.slice(0, longestShown) };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return { kind: 'unreadable', problem: `broken JSON: ${(error as Error).message}` };
  }
  try {
    return shapeOf(value as Readonly<Record<string, unknown>>);
  } catch (error) {
    if (error instanceof WireError) return { kind: 'unreadable', problem: error.message };
    throw error;
  }
}

function shapeOf(value: Readonly<Record<string, unknown>>): Answer {
  if (Object.hasOwn(value, 'accepted')) return submitAnswer(value);
  const { actionResults, code, error } = value;
  // The error of a batch that was applied in part does not concern the actions that have a result (R48).
  if (Array.isArray(actionResults) && actionResults.length > 0) return batchAnswer(value);
  if (isObject(error)) return envelope(error);
  if (typeof error === 'string' && typeof code === 'string') return { kind: 'flat', code, error };
  const isBatch = actionResults !== undefined || Object.hasOwn(value, 'derivedOrderIds');
  return isBatch ? batchAnswer(value) : { kind: 'record', value };
}

const maybeFlag = optional(flag);
const maybeNatural = optional(natural);
const maybeOrderId = optional(orderId);
const maybeText = optional(text);

type SubmitMembers = { readonly [name in keyof SubmitAnswer | 'ok']?: unknown };

function submitAnswer(value: SubmitMembers): SubmitAnswer {
  const accepted = flag(value.accepted, 'accepted');
  if ((maybeFlag(value.ok, 'ok') ?? accepted) !== accepted) {
    throw new WireError('ok', 'contradicts accepted');
  }
  return {
    kind: 'submit',
    accepted,
    seq: maybeNatural(value.seq, 'seq'),
    derivedOrderId: maybeOrderId(value.derivedOrderId, 'derivedOrderId'),
    error: maybeText(value.error, 'error'),
    code: maybeText(value.code, 'code'),
    nonceConsumed: maybeFlag(value.nonceConsumed, 'nonceConsumed'),
    nextUsableNonce: maybeNatural(value.nextUsableNonce, 'nextUsableNonce'),
    nonceFloor: maybeNatural(value.nonceFloor, 'nonceFloor'),
    nonceWindow: maybeNatural(value.nonceWindow, 'nonceWindow'),
  };
}

function envelope(error: Readonly<Record<string, unknown>>): Answer {
  const read = membersOf(error, 'error');
  const details = read('details', optional(object));
  return {
    kind: 'envelope',
    code: read('code', text),
    message: read('message', maybeText) ?? '',
    requestId: read('requestId', maybeText),
    cause: details && membersOf(details, 'error.details')('cause', maybeText),
  };
}

const resultStatus = oneOf(venueStatuses);

function batchAnswer(value: Readonly<Record<string, unknown>>): BatchAnswer {
  const read = membersOf(value);
  const results = read('actionResults', optional(entries));
  const ids = read('derivedOrderIds', optional(entries));
  return {
    kind: 'batch',
    ok: read('ok', flag),
    results: results?.map((entry, index) => result(entry, `actionResults[${index}]`)) ?? null,
    derivedOrderIds:
      ids?.map((entry, index) => childIds(entry, `derivedOrderIds[${index}]`)) ?? null,
  };
}

function entries(value: unknown, place: string): readonly unknown[] {
  return list(value, place, mostResults);
}

function result(entry: unknown, place: string): ActionResult | null {
  if (!isObject(entry)) return null;
  const read = membersOf(entry, place);
  return {
    seq: read('seq', maybeNatural),
    clientOrderId: read('clientOrderId', maybeText),
    status: read('status', resultStatus),
    nonceConsumed: read('nonceConsumed', maybeFlag),
    rejectCode: read('rejectCode', maybeText),
    rejectReason: read('rejectReason', maybeText),
  };
}

function childIds(entry: unknown, place: string): ChildIds {
  const ids = Array.isArray(entry) ? list(entry, place, mostResults) : [entry];
  return ids.map((id) => optional(orderId)(id, place));
}
