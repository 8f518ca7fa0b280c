/**
 * Takes one signed action from the wire to the engine (contract A.4, A.11, A.16, A.18): strict format, signature,
 * signer, freshness, nonce, gates, then the exchange. The order of the checks is the specification: a refusal before
 * the sequencer leaves the nonce unused (G18).
 */
import { ActionRefusal, type NonceFacts, type Payload, type SignedAction } from './action-input.ts';
import { type AuthorizedCall, requireScope } from './call.ts';
import type { EngineAction } from './engine/action.ts';
import type { ActionResult } from './engine/view.ts';
import { actionIds, engineAction, places, reduces } from './engine-action.ts';
import { checkIngress, checkPlacement } from './gates.ts';
import { AgentError } from './http-message.ts';
import type { Agent } from './identity.ts';
import type { State } from './state.ts';
import type { Json } from './strict-json.ts';

export type Outcome = { readonly clientOrderId: string | null } & (
  | {
      readonly kind: 'applied';
      readonly account: string;
      readonly result: ActionResult;
      /** An action that the engine refused may leave its nonce free, depending on the profile. */
      readonly isNonceConsumed: boolean;
      readonly orderId: string | null;
      readonly legIds: readonly (string | null)[];
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly text: string;
      readonly nonce: NonceFacts | null;
    }
  | { readonly kind: 'not_allowed'; readonly error: AgentError }
);

/** `canonical` is the expected text, if the client sent canonical bytes. */
export function submit(
  call: AuthorizedCall,
  input: Json,
  canonical: string | null = null,
): Outcome {
  const { state } = call;
  let clientOrderId: string | null = null;
  try {
    checkIngress(state.gates);
    const signed = state.reader.signedAction(input);
    ({ clientOrderId } = signed.payload);
    if (canonical !== null && canonical !== signed.payload.canonical) {
      throw new ActionRefusal('schema_violation', 'the bytes are not canonical');
    }
    return admit(call, signed);
  } catch (error) {
    if (error instanceof AgentError) return { kind: 'not_allowed', error, clientOrderId };
    if (!(error instanceof ActionRefusal)) throw error;
    const { code, message: text, nonce } = error;
    return { kind: 'refused', code, text, nonce, clientOrderId };
  }
}

function admit(call: AuthorizedCall, signed: SignedAction): Outcome {
  const { credential, request, state } = call;
  const { payload } = signed;
  const now = state.clock.now();
  if (payload.account !== credential.account) {
    throw new AgentError('ACCOUNT_MISMATCH', 'the credential belongs to another account');
  }
  checkScope(state, payload, credential.scopes, 'the credential');
  const hash = state.ids.actionHash(payload.canonical);
  const action = engineAction(payload, state.ids);
  checkSigner(call, signed, hash, action);
  if (action.kind === 'place_conditional') checkNested(call, payload);
  checkAccount(state, payload);
  checkFreshness(state, payload, request.receivedMs ?? now.wallMs);
  checkNonces(state, payload);
  if (places(payload)) checkPlacement(state.gates, marketOf(action));
  const ids = actionIds(payload, hash, state.ids);
  const { account, clientOrderId } = payload;
  const { legIds, orderId } = ids;
  const result = state.exchange.apply({ account, action, ids, nowMs: now.wallMs });
  const { consumedByEngineReject } = state.profile.nonce;
  const isNonceConsumed =
    result.nonceConsumed && (result.refusal === null || consumedByEngineReject);
  if (payload.reservationId !== null) state.kept.reservations.delete(payload.reservationId);
  if (isNonceConsumed) state.nonces(account).consume(payload.nonce);
  if (action.kind === 'place_conditional' && result.refusal === null) {
    takeNestedNonce(state, account, action.nested.ids.nonce, orderId);
  }
  return { kind: 'applied', clientOrderId, account, result, isNonceConsumed, orderId, legIds };
}

function checkScope(
  state: State,
  { variant }: Payload,
  scopes: readonly string[],
  holder: string,
): void {
  const names = state.profile.auth.scopes;
  const scope = variant.startsWith('Cancel')
    ? names.cancels
    : variant.endsWith('QuoteReplace')
      ? names.quotes
      : names.orders;
  requireScope(scopes, scope, holder);
}

/** The owner may do everything; an agent only what its state, scopes and policy allow. */
function checkSigner(
  call: AuthorizedCall,
  { payload, signature }: SignedAction,
  hash: Uint8Array,
  action: EngineAction,
): void {
  const { state } = call;
  const signer = state.ids.signer(hash, signature);
  if (signer === payload.account) return;
  const agent = signer === undefined ? undefined : state.identities.agentByAddress(signer);
  if (agent === undefined) {
    throw new ActionRefusal('invalid_signature', 'the signature is not of the account or an agent');
  }
  const { monoMs, wallMs } = state.clock.now();
  if (agent.account !== payload.account) {
    throw new AgentError('ACCOUNT_MISMATCH', `agent ${agent.agentId} belongs to another account`);
  }
  if (agent.revoked) throw new AgentError('AGENT_REVOKED', `agent ${agent.agentId} is revoked`);
  if (agent.expiresAtMs !== null && wallMs >= agent.expiresAtMs) {
    throw new AgentError('AGENT_EXPIRED', `agent ${agent.agentId} has expired`);
  }
  checkScope(state, payload, agent.scopes, `agent ${agent.agentId}`);
  const breach = policyBreach(call, agent, action);
  if (breach !== undefined) {
    throw new AgentError('AGENT_POLICY_REJECTED', `agent ${agent.agentId}: ${breach}`);
  }
  const { budget } = agent.policy;
  if (budget === null) return;
  if (state.agentLimiter.take(agent.agentId, 1, monoMs, budget).allowed) return;
  throw new AgentError('AGENT_POLICY_RATE_LIMITED', `agent ${agent.agentId}: budget used up`);
}

function policyBreach(
  { request, state }: AuthorizedCall,
  { account, policy }: Agent,
  action: EngineAction,
): string | undefined {
  const { accounts, addresses, markets, maxNotional } = policy;
  if (accounts !== null && !accounts.includes(account)) return 'account';
  if (addresses !== null && !addresses.includes(request.remoteAddress)) return 'address';
  const named = 'orderId' in action ? state.exchange.order(action.orderId) : null;
  // The order of another account must not reveal its market; the exchange refuses the action.
  const market = named?.account === account ? named.market : marketOf(action);
  if (markets !== null && market !== null && !markets.includes(market)) return `market ${market}`;
  if (maxNotional === null || market === null) return undefined;
  const spec = state.profile.markets.find(({ marketId }) => marketId === market);
  const scale = 10n ** BigInt(spec?.qtyScale ?? 0);
  const isTooLarge = sizesOf(action).some(
    ({ price, qty }) => (BigInt(price) * BigInt(qty)) / scale > BigInt(maxNotional),
  );
  return isTooLarge ? `notional above ${maxNotional}` : undefined;
}

function marketOf(action: EngineAction): number | null {
  return 'market' in action ? action.market : null;
}

function sizesOf(action: EngineAction): readonly { price: number; qty: number }[] {
  switch (action.kind) {
    case 'place':
      return [action];
    case 'replace':
      return action.legs;
    case 'place_algo':
      return [{ price: action.limitPrice, qty: action.totalQty }];
    case 'place_conditional':
      return [{ price: action.limitPrice, qty: action.qty }, action.nested.action];
    case 'cancel':
    case 'amend':
    case 'cancel_algo':
    case 'cancel_conditional':
      return [];
  }
}

function nestedOf({ values }: Payload): SignedAction {
  return values.signedTriggerOrder as SignedAction;
}

/** The checks of the nested order when it is stored (contract G64). */
function checkNested(call: AuthorizedCall, outer: Payload): void {
  const { ids } = call.state;
  const nested = nestedOf(outer);
  const { payload } = nested;
  const hash = ids.actionHash(payload.canonical);
  checkSigner(call, nested, hash, engineAction(payload, ids));
  const differing = (['market', 'book', 'side', 'qty'] as const).find(
    (name) => (payload.values[name] ?? null) !== (outer.values[name] ?? null),
  );
  if (payload.account === outer.account && differing === undefined) return;
  const name = differing ?? 'account';
  throw new ActionRefusal('schema_violation', `signed_trigger_order has another ${name}`);
}

function checkAccount(state: State, payload: Payload): void {
  const account = state.identities.accounts.get(payload.account);
  if (account === undefined || account.state === 'active' || reduces(payload)) return;
  throw new AgentError('TRADING_ACCOUNT_CLOSING', `the account is ${account.state}: it may reduce`);
}

function checkFreshness(state: State, { ts }: Payload, wallMs: number): void {
  const { maxClockSkewMs } = state.profile.action;
  if (Math.abs(wallMs - ts) <= maxClockSkewMs) return;
  throw new ActionRefusal('expired', `ts is more than ${maxClockSkewMs} ms off`);
}

function checkNonces(state: State, payload: Payload): void {
  const window = state.nonces(payload.account);
  const facts = { nonceFloor: window.floor, nonceWindow: window.size };
  const words = `nonceFloor ${window.floor}, nonceWindow ${window.size}`;
  if (payload.reservationId !== null && !state.kept.reservations.has(payload.reservationId)) {
    const message = `no such nonce reservation; ${words}`;
    throw new ActionRefusal('nonce_mismatch', message, facts);
  }
  const nested =
    payload.variant === 'PlaceConditionalOrder' ? [nestedOf(payload).payload.nonce] : [];
  for (const nonce of [payload.nonce, ...nested]) {
    const refusal = window.check(nonce);
    if (refusal === undefined) continue;
    throw new ActionRefusal(refusal, `nonce ${nonce} refused: ${words}`, facts);
  }
  if (!nested.includes(payload.nonce)) return;
  throw new ActionRefusal('nonce_replayed', `nonce ${payload.nonce} twice; ${words}`, facts);
}

function takeNestedNonce(
  state: State,
  account: string,
  nonce: number,
  orderId: string | null,
): void {
  const window = state.nonces(account);
  // The trigger may have been met already.
  const isStored = orderId !== null && state.exchange.order(orderId)?.state === 'open';
  if (state.profile.nonce.nestedTrigger === 'consumed_on_store' || !isStored) window.consume(nonce);
  else {
    window.hold(nonce);
    state.kept.nestedNonces.set(orderId, nonce);
  }
}
