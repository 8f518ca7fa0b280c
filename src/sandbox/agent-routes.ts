/**
 * Delegated agents (contract A.18.2, G35, G51): an owner registers an agent with a signature over the delegation, reads
 * its state and revokes it. Refusals have the flat format.
 */
import { z } from 'zod';
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
import { type Agent, accountForm, openPolicy } from './identity.ts';
import type { State } from './state.ts';
import type { Json, JsonObject } from './strict-json.ts';

const word = z.string().regex(/^[a-z_]{1,64}$/);
/** The owner signs these members, in this order, as JSON without white space. */
const delegationShape = z.object({
  account: accountForm,
  agentId: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  address: accountForm,
  agentType: word,
  scopes: z.array(word).max(16),
  expiresAtMs: z.int().nullable().default(null),
  nonce: z.int().min(0),
});
export const delegationFields = Object.keys(delegationShape.shape);

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
  const signer = state.ids.signer(
    state.ids.hashOf('AGENT_DELEGATION', JSON.stringify(delegation)),
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
  for (const name of delegationFields) if (name !== 'expiresAtMs') member(body, name);
  const read = delegationShape.safeParse(body);
  if (read.success) return read.data;
  throw violation(z.prettifyError(read.error));
}

function readSignature(state: State, value: Json) {
  try {
    return state.reader.signature(value);
  } catch (error) {
    if (!(error instanceof ActionRefusal)) throw error;
    throw new EnvelopeError(422, error.message, error.code);
  }
}
