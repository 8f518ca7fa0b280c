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

export interface IdentitySnapshot {
  readonly accounts: readonly TradingAccount[];
  readonly credentials: readonly Credential[];
  readonly agents: readonly Agent[];
  readonly delegations: readonly (readonly [string, readonly number[]])[];
}

export class Identities {
  readonly #accounts = new Map<string, TradingAccount>();
  readonly #credentials = new Map<string, Credential>();
  readonly #agents = new Map<string, Agent>();
  readonly #agentsByAddress = new Map<string, Agent>();
  // Nonces of the delegations that an owner signed, used ones only.
  readonly #delegations = new Map<string, Set<number>>();

  addAccount(account: string): void {
    this.#accounts.set(account, { account, state: 'active' });
    this.#delegations.set(account, new Set());
  }

  account(account: string): TradingAccount | undefined {
    return this.#accounts.get(account);
  }

  accounts(): readonly TradingAccount[] {
    return [...this.#accounts.values()];
  }

  addCredential(credential: Credential): void {
    this.#credentials.set(credential.apiKey, credential);
  }

  credential(apiKey: string): Credential | undefined {
    return this.#credentials.get(apiKey);
  }

  credentials(): readonly Credential[] {
    return [...this.#credentials.values()];
  }

  addAgent(agent: Agent): void {
    this.#agents.set(agent.agentId, agent);
    this.#agentsByAddress.set(agent.address, agent);
  }

  agent(agentId: string): Agent | undefined {
    return this.#agents.get(agentId);
  }

  agentByAddress(address: string): Agent | undefined {
    return this.#agentsByAddress.get(address);
  }

  agentCount(account: string): number {
    let count = 0;
    for (const agent of this.#agents.values()) if (agent.account === account) count += 1;
    return count;
  }

  /** False when the owner has used this nonce for a delegation before. */
  useDelegationNonce(account: string, nonce: number): boolean {
    const used = this.#delegations.get(account);
    if (used === undefined || used.has(nonce)) return false;
    used.add(nonce);
    return true;
  }

  snapshot(): IdentitySnapshot {
    return {
      accounts: this.accounts(),
      credentials: this.credentials(),
      agents: [...this.#agents.values()],
      delegations: [...this.#delegations].map(([account, used]) => [account, [...used]]),
    };
  }

  restore(snapshot: IdentitySnapshot): void {
    for (const account of snapshot.accounts) this.#accounts.set(account.account, account);
    for (const credential of snapshot.credentials) this.addCredential(credential);
    for (const agent of snapshot.agents) this.addAgent(agent);
    for (const [account, used] of snapshot.delegations) {
      this.#delegations.set(account, new Set(used));
    }
  }
}
