/**
 * Delegated agents (contract A.18.2, G35, G51): an owner registers an agent with a signature over the delegation, reads
 * its state and revokes it. Refusals have the flat format.
 */
import { ActionRefusal } from './action-input.ts';
import {
  type AuthorizedCall,
  authorized,
  bodyObject,
  member,
  type Route,
  requireOwnAccount,
  violation,
} from './call.ts';
import { AgentError, EnvelopeError, json, type VenueResponse } from './http-message.ts';
import { type Agent, openPolicy } from './identity.ts';
import type { State } from './state.ts';
import { isJsonArray, type Json, type JsonObject } from './strict-json.ts';

const addressForm = /^0x[0-9a-f]{40}$/;

/** The members that the owner signs, in this order, as JSON without white space. */
export const delegationFields = [
  'account',
  'agentId',
  'address',
  'agentType',
  'scopes',
  'expiresAtMs',
  'nonce',
] as const;

export function agentRoutes({ routes }: State['profile']): readonly Route[] {
  return [
    authorized('POST', routes.agents, register),
    authorized('GET', routes.agent, show),
    authorized('POST', routes.agentRevoke, revoke),
  ];
}

function register(call: AuthorizedCall): VenueResponse {
  const { state } = call;
  const body = bodyObject(call, [...delegationFields, 'signature']);
  const delegation = readDelegation(body);
  requireOwnAccount(call, delegation.account);
  const canonical = JSON.stringify(
    Object.fromEntries(delegationFields.map((name) => [name, body[name] ?? null])),
  );
  const signer = state.ids.signer(
    state.ids.hashOf('AGENT_DELEGATION', canonical),
    readSignature(state, member(body, 'signature')),
  );
  if (signer !== delegation.account) {
    throw new AgentError('INVALID_SIGNATURE', 'the delegation is not signed by the owner');
  }
  const most = state.limits.delegations;
  const own = [...state.identities.agents.values()].filter(
    ({ account }) => account === delegation.account,
  );
  if (own.length >= most) {
    throw new AgentError('NONCE_EXHAUSTED', `an account has at most ${most} delegations`);
  }
  if (
    state.identities.agents.has(delegation.agentId) ||
    state.identities.agentByAddress(delegation.address) !== undefined
  ) {
    throw new AgentError('AGENT_POLICY_REJECTED', 'the agent or its address exists already');
  }
  if (!state.identities.useDelegationNonce(delegation.account, delegation.nonce)) {
    throw new AgentError('DUPLICATE_NONCE', `delegation nonce ${delegation.nonce} is used`);
  }
  const { nonce: _, ...agent } = delegation;
  state.identities.addAgent({ ...agent, policy: openPolicy, revoked: false });
  return json(200, { ok: true, agentId: agent.agentId, state: 'active' });
}

function show(call: AuthorizedCall): VenueResponse {
  const agent = ownAgent(call);
  const { account, address, agentId, agentType, expiresAtMs, policy, scopes } = agent;
  const state = agentState(agent, call.state.clock.now().wallMs);
  return json(200, {
    ok: true,
    agentId,
    account,
    address,
    agentType,
    scopes,
    policy,
    expiresAtMs,
    state,
  });
}

function revoke(call: AuthorizedCall): VenueResponse {
  const agent = ownAgent(call);
  const state = agentState(agent, call.state.clock.now().wallMs);
  if (state === 'revoked') throw new AgentError('AGENT_REVOKED', 'the agent is revoked already');
  if (state === 'expired') throw new AgentError('AGENT_EXPIRED', 'the agent has expired');
  agent.revoked = true;
  return json(200, { ok: true, agentId: agent.agentId, state: 'revoked' });
}

function ownAgent({ credential, params, state }: AuthorizedCall): Agent {
  const agent = state.identities.agents.get(params.agentId ?? '');
  if (agent === undefined) throw new AgentError('AGENT_NOT_FOUND', 'no such agent');
  if (agent.account === credential.account) return agent;
  throw new AgentError('ACCOUNT_MISMATCH', 'the agent belongs to another account');
}

function agentState({ expiresAtMs, revoked }: Agent, wallMs: number): string {
  if (revoked) return 'revoked';
  return expiresAtMs !== null && wallMs >= expiresAtMs ? 'expired' : 'active';
}

function readDelegation(body: JsonObject) {
  const account = text(body, 'account', addressForm);
  const address = text(body, 'address', addressForm);
  const agentId = text(body, 'agentId', /^[A-Za-z0-9._-]{1,64}$/);
  const agentType = text(body, 'agentType', /^[a-z_]{1,64}$/);
  const scopes = member(body, 'scopes');
  if (!isJsonArray(scopes) || scopes.length > 16 || !scopes.every(isScope)) {
    throw violation('scopes must be an array of words');
  }
  const { expiresAtMs = null } = body;
  if (expiresAtMs !== null && typeof expiresAtMs !== 'number') {
    throw violation('expiresAtMs must be an integer or null');
  }
  const nonce = member(body, 'nonce');
  if (typeof nonce !== 'number' || nonce < 0) throw violation('nonce must be an integer');
  return { account, address, agentId, agentType, scopes, expiresAtMs, nonce };
}

function isScope(value: Json): value is string {
  return typeof value === 'string' && /^[a-z_]{1,64}$/.test(value);
}

function text(body: JsonObject, name: string, form: RegExp): string {
  const value = member(body, name);
  if (typeof value === 'string' && form.test(value)) return value;
  throw violation(`${name} is not of the form ${form.source}`);
}

function readSignature(state: State, value: Json) {
  try {
    return state.reader.signature(value);
  } catch (error) {
    if (!(error instanceof ActionRefusal)) throw error;
    throw new EnvelopeError(422, error.message, error.code);
  }
}
