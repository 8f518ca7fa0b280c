/**
 * Permissions (contract A.16, A.18.2, G51): trading accounts, the API credentials that authenticate requests, and the
 * delegated agents that may sign for an account's owner. States only move forward.
 */
import { z } from 'zod';

export const compactAgentType = 'institutional_agent';

export type AccountState = 'active' | 'closing' | 'archived';

export interface TradingAccount {
  readonly account: string;
  state: AccountState;
}

/** The same triple serves REST and WebSocket. */
export interface Credential {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
  /** The raw 32 bytes in hex; null if the credential signs with HMAC only. */
  readonly ed25519PublicKey: string | null;
  readonly account: string;
  readonly agentType: string;
  scopes: readonly string[];
  /** A provisioned lane key can use the compact route without the agent type and the scope. */
  laneKey: boolean;
  /** The time from which the credential is revoked: at once, or when an overlap ends. */
  revokedFromMs: number | null;
}

export const accountForm = z.string().regex(/^0x[0-9a-f]{40}$/);
export const words = z.array(z.string().max(64)).max(64);

/** Null means unrestricted. */
export const agentPolicy = z.strictObject({
  accounts: z.array(accountForm).nullable().default(null),
  markets: z.array(z.int()).nullable().default(null),
  addresses: words.nullable().default(null),
  /** The maximum for one order or leg, in atoms of the quote currency. */
  maxNotional: z.int().min(0).nullable().default(null),
  budget: z
    .strictObject({ perSecond: z.int().min(1), burst: z.int().min(1) })
    .nullable()
    .default(null),
});
type AgentPolicy = Readonly<z.output<typeof agentPolicy>>;

export const openPolicy: AgentPolicy = agentPolicy.parse({});

export interface Agent {
  readonly agentId: string;
  readonly account: string;
  /** The address of the agent's signing key: `0x` and 40 lowercase hex digits. */
  readonly address: string;
  readonly agentType: string;
  scopes: readonly string[];
  policy: AgentPolicy;
  expiresAtMs: number | null;
  revoked: boolean;
}

type IdentityRecords = Readonly<ReturnType<typeof noIdentities>>;

export function noIdentities() {
  return {
    accounts: new Map<string, TradingAccount>(),
    /** By API key. */
    credentials: new Map<string, Credential>(),
    agents: new Map<string, Agent>(),
    /** By account: the nonces of the delegations that its owner has signed. */
    delegations: new Map<string, Set<number>>(),
  };
}

export type Identities = Readonly<ReturnType<typeof identitiesOf>>;

export function identitiesOf(records: IdentityRecords) {
  const { agents, delegations } = records;
  const byAddress = new Map(Array.from(agents.values(), (agent) => [agent.address, agent]));
  return {
    ...records,
    addAgent(agent: Agent): void {
      agents.set(agent.agentId, agent);
      byAddress.set(agent.address, agent);
    },
    agentByAddress: (address: string) => byAddress.get(address),
    /** Returns false if the owner has used this nonce for a delegation before. */
    useDelegationNonce(account: string, nonce: number): boolean {
      const used = delegations.get(account) ?? new Set();
      if (used.has(nonce)) return false;
      delegations.set(account, used.add(nonce));
      return true;
    },
  };
}
