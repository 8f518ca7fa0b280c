/** The write routes of contract A.15: single actions, batches in JSON and bytes, and the mass operations. */
import { batchAnswer, resultMode } from './batch.ts';
import {
  type AuthorizedCall,
  authorized,
  bodyJson,
  bodyObject,
  member,
  type Route,
  requireOwnAccount,
  requireScope,
  strictObject,
  violation,
} from './call.ts';
import { CompactError, decodeCompact } from './compact.ts';
import type { Scope } from './engine/view.ts';
import {
  AgentError,
  EnvelopeError,
  json,
  type VenueResponse,
  withoutEffect,
} from './http-message.ts';
import { compactAgentType } from './identity.ts';
import { hex } from './ids.ts';
import { checkedKey, headerKey, once } from './once.ts';
import type { State } from './state.ts';
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJsonBytes,
} from './strict-json.ts';
import { type Outcome, submit } from './submission.ts';
import { outcomeAnswer, rateHeaders, refusedResponse, submitResponse } from './submit-response.ts';

export function submitRoutes({ routes }: State['profile']): readonly Route[] {
  return [
    authorized('POST', routes.actions, single),
    authorized('POST', routes.tradingBatch, tradingBatch),
    authorized('POST', routes.orders, jsonBatch),
    authorized('POST', routes.compact, compactBatch),
    authorized('POST', routes.replace, replace),
    authorized('POST', routes.cancelReplace, replace),
    authorized('POST', routes.cancelAll, cancelAll),
    authorized('POST', routes.cancelOnDisconnect, cancelOnDisconnect),
    authorized('POST', routes.hash, hashRoute),
    // Older names of the same batches, whose paths do not follow from the canonical ones by a rule.
    authorized('POST', '/api/v1/mm/orders/batch', jsonBatch),
    authorized('POST', '/api/v1/bsl/orders/batch', compactBatch),
    authorized('POST', '/api/v1/mm/orders/batch.bin', compactBatch),
    authorized('POST', '/api/order-entry/binary', compactBatch),
  ];
}

function single(call: AuthorizedCall): VenueResponse {
  const input = signedInput(call);
  const showsResult = resultMode(call) !== 'ack';
  const { state } = call;
  return once(call, headerKey(call), 1, (allowance) => {
    const outcome = submit(call, input);
    return {
      response: outcomeAnswer({ state, allowance }, outcome, showsResult),
      isSequenced: isSequenced(outcome),
    };
  });
}

/** Errors in the outer object are those of the request, so they use the envelope; errors inside are the action's. */
function signedInput(call: AuthorizedCall): Json {
  return bodyObject(call, ['payload', 'signature']);
}

function tradingBatch(call: AuthorizedCall): VenueResponse {
  const { items: itemsName, types } = call.state.profile.lanes.tradingBatch;
  const items = listed(call, bodyObject(call, [itemsName]), itemsName);
  // All formats are checked first, because an error in one item must be found before another is applied.
  const checked = items.map((given) => {
    const item = strictObject(given, ['type', 'action'], 'an item');
    const type = types.find((one) => one === member(item, 'type'));
    if (type === undefined) throw violation(`an item must have a type of ${types.join(', ')}`);
    return { type, action: member(item, 'action') };
  });
  return once(call, headerKey(call), items.length, (allowance) => {
    const outcomes = checked.map(({ type, action }) => tradingItem(call, type, action));
    const results = outcomes.map((outcome) =>
      outcome.kind === 'not_allowed'
        ? refusedResponse(outcome.error.code, outcome.error.message)
        : submitResponse(call.state, outcome, true),
    );
    return {
      response: json(200, { ok: true, results }, rateHeaders(allowance, 200)),
      isSequenced: outcomes.some(isSequenced),
    };
  });
}

function listed({ state }: AuthorizedCall, body: JsonObject, name: string): readonly Json[] {
  const items = member(body, name);
  const most = state.profile.limits.batch.actions;
  if (isJsonArray(items) && items.length > 0 && items.length <= most) return items;
  throw violation(`${name} must be an array of 1 to ${most}`);
}

function tradingItem(call: AuthorizedCall, scope: string, action: Json): Outcome {
  if (call.credential.scopes.includes(scope)) return submit(call, action);
  const error = new AgentError('INVALID_SCOPE', `the credential lacks the scope ${scope}`);
  return { kind: 'not_allowed', error, clientOrderId: null };
}

function jsonBatch(call: AuthorizedCall): VenueResponse {
  if (!call.state.limits.jsonEnabled) throw new EnvelopeError(403, 'ingress.jsonEnabled is false');
  const body = bodyObject(call, ['version', 'actions', 'idempotencyKey']);
  if (member(body, 'version') !== 1) throw violation('version must be 1');
  const actions = listed(call, body, 'actions');
  const { idempotencyKey: bodyKey = null } = body;
  if (bodyKey !== null && typeof bodyKey !== 'string') {
    throw violation('idempotencyKey must be a string');
  }
  const key = headerKey(call);
  if (key !== null && bodyKey !== null && key !== bodyKey) {
    throw violation('idempotencyKey differs from the header');
  }
  const items = actions.map((action) => ({ action, canonical: null }));
  return batch(call, checkedKey(bodyKey ?? key), items);
}

function compactBatch(call: AuthorizedCall): VenueResponse {
  const { credential, state } = call;
  requireCompactAccess(state, credential);
  try {
    const { actions, idempotencyKey } = decodeCompact(
      call.request.body,
      state.profile.limits.batch.actions,
    );
    const items = actions.map(({ canonical, scheme, signature }) => ({
      action: {
        payload: canonicalJson(canonical),
        signature: { scheme: state.profile.signing.schemes[scheme], bytes: [...signature] },
      },
      canonical: Buffer.from(canonical).toString(),
    }));
    const key = idempotencyKey === '' ? headerKey(call) : checkedKey(idempotencyKey);
    return batch(call, key, items);
  } catch (error) {
    if (!(error instanceof CompactError)) throw error;
    const number = error.number === null ? '' : ` (number ${error.number})`;
    throw new EnvelopeError(400, `the byte batch is wrong: ${error.message}${number}`, 'codec');
  }
}

function canonicalJson(bytes: Uint8Array): Json {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    throw new CompactError(`canonical bytes: ${error instanceof Error ? error.message : ''}`);
  }
}

function requireCompactAccess(
  state: State,
  { agentType, laneKey, scopes }: AuthorizedCall['credential'],
): void {
  if (laneKey) return;
  if (agentType !== compactAgentType) {
    throw new EnvelopeError(403, `the byte lane is for ${compactAgentType} or a lane key`);
  }
  requireScope(scopes, state.profile.auth.scopes.quotes, 'the credential');
}

interface BatchInput {
  readonly action: Json;
  /** The raw bytes, on the byte lane. */
  readonly canonical: string | null;
}

function batch(
  call: AuthorizedCall,
  key: string | null,
  inputs: readonly BatchInput[],
): VenueResponse {
  const mode = resultMode(call);
  return once(call, key, inputs.length, (allowance) => {
    const items = inputs.map(({ action, canonical }) => submit(call, action, canonical));
    return {
      response: batchAnswer(call, mode, allowance, items),
      isSequenced: items.some(isSequenced),
    };
  });
}

/** A wrapper around one signed quote replace with one leg (contract G67). */
function replace(call: AuthorizedCall): VenueResponse {
  const input = signedInput(call);
  const { payload } = call.state.reader.signedAction(input);
  const { legs } = payload.values;
  if (legs?.length !== 1) {
    throw violation('replace takes one signed quote replace with one leg');
  }
  return single(call);
}

function cancelAll(call: AuthorizedCall): VenueResponse {
  requireCancelScope(call);
  const body = bodyObject(call, ['market', 'book', 'side'], true);
  const { book, market, side } = body;
  if (market !== undefined && typeof market !== 'number') throw violation('market: an integer');
  if (book !== undefined && book !== 'YES' && book !== 'NO') throw violation('book: YES or NO');
  if (side !== undefined && side !== 'Bid' && side !== 'Ask') throw violation('side: Bid or Ask');
  return acknowledgedCancel(call, body as Scope);
}

function cancelOnDisconnect(call: AuthorizedCall): VenueResponse {
  requireCancelScope(call);
  bodyObject(call, [], true);
  return acknowledgedCancel(call, {});
}

function requireCancelScope({ credential, state }: AuthorizedCall): void {
  requireScope(credential.scopes, state.profile.auth.scopes.cancels, 'the credential');
}

/** 200 means that the request was accepted; only the stream reports what was canceled. */
function acknowledgedCancel(call: AuthorizedCall, scope: Scope): VenueResponse {
  const { credential, state } = call;
  return once(call, headerKey(call), 1, (allowance) => {
    state.exchange.cancelAll(credential.account, scope, state.clock.now().wallMs);
    return {
      response: json(200, { ok: true, accepted: true }, rateHeaders(allowance, 200)),
      isSequenced: true,
    };
  });
}

function hashRoute(call: AuthorizedCall): VenueResponse {
  const { reader, ids } = call.state;
  const input = bodyJson(call);
  let payload = reader.payload(input);
  requireOwnAccount(call, payload.account);
  if (payload.nonce === 0 && payload.reservationId === null && isJsonObject(input)) {
    const nonce = call.state.nonces(payload.account).floor;
    payload = reader.payload({ ...input, nonce });
  }
  const [name = 'signingHash'] = call.state.profile.hashRoute.fields;
  const hash = hex(ids.actionHash(payload.canonical));
  const canonicalPayload = sorted(JSON.parse(payload.canonical));
  return withoutEffect(json(200, { ok: true, [name]: hash, canonicalPayload }));
}

/** Sorts keys alphabetically at all depths, for display. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

function isSequenced(outcome: Outcome): boolean {
  return outcome.kind === 'applied' && outcome.result.nonceConsumed;
}
