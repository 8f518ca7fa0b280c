/**
 * Who may do what (contract A.16, A.18.2, G51): trading accounts, the API credentials that let a request in, and the
 * delegated agents that may sign in place of an account's owner. Life cycles only ever go forward.
 */
import type { RateLimit } from '../runtime/token-bucket.ts';

export const compactAgentType = 'institutional_agent';

export type AccountState = 'active' | 'closing' | 'archived';

export interface TradingAccount {
  readonly account: string;
  state: AccountState;
}

/** One triple for REST and WebSocket. */
export interface Credential {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
  /** Raw 32 bytes in hex; null when the credential signs by HMAC only. */
  readonly ed25519PublicKey: string | null;
  readonly account: string;
  readonly agentType: string;
  scopes: readonly string[];
  /** A provisioned lane key opens the compact route without the agent type and the scope. */
  laneKey: boolean;
  /** From this moment on the credential is revoked: at once, or when an overlap ends. */
  revokedFromMs: number | null;
}

/** Null means: not restricted. */
export interface AgentPolicy {
  readonly accounts: readonly string[] | null;
  readonly markets: readonly number[] | null;
  readonly addresses: readonly string[] | null;
  /** Atoms of the quote currency, the most for one order or leg. */
  readonly maxNotional: number | null;
  readonly budget: RateLimit | null;
}

export const openPolicy: AgentPolicy = {
  accounts: null,
  markets: null,
  addresses: null,
  maxNotional: null,
  budget: null,
};

export interface Agent {
  readonly agentId: string;
  readonly account: string;
  /** Address of the agent's signing key, `0x` and 40 lowercase hex digits. */
  readonly address: string;
  readonly agentType: string;
  scopes: readonly string[];
  policy: AgentPolicy;
  expiresAtMs: number | null;
  revoked: boolean;
}

export interface IdentityRecords {
  readonly accounts: Map<string, TradingAccount>;
  /** By API key. */
  readonly credentials: Map<string, Credential>;
  readonly agents: Map<string, Agent>;
  /** Account → nonces of the delegations that its owner has signed. */
  readonly delegations: Map<string, Set<number>>;
}

export const noIdentities = (): IdentityRecords => ({
  accounts: new Map(),
  credentials: new Map(),
  agents: new Map(),
  delegations: new Map(),
});

export class Identities {
  readonly accounts: Map<string, TradingAccount>;
  readonly credentials: Map<string, Credential>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly #records: IdentityRecords;
  readonly #agentsByAddress = new Map<string, Agent>();

  constructor(records = noIdentities()) {
    this.accounts = records.accounts;
    this.credentials = records.credentials;
    this.agents = records.agents;
    this.#records = records;
    for (const agent of records.agents.values()) this.addAgent(agent);
  }

  addAgent(agent: Agent): void {
    this.#records.agents.set(agent.agentId, agent);
    this.#agentsByAddress.set(agent.address, agent);
  }

  agentByAddress(address: string): Agent | undefined {
    return this.#agentsByAddress.get(address);
  }

  /** False when the owner has used this nonce for a delegation before. */
  useDelegationNonce(account: string, nonce: number): boolean {
    const { delegations } = this.#records;
    const used = delegations.get(account) ?? new Set();
    if (used.has(nonce)) return false;
    delegations.set(account, used.add(nonce));
    return true;
  }
}
