/**
 * Funded accounts whose keys and credentials all derive from the seed, for tests and demos. Anyone who knows the seed
 * has the money, so these accounts must only exist in this sandbox.
 */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { Ecdsa } from '../signer/ecdsa.ts';
import { addressOf } from '../signer/scheme.ts';
import { compactAgentType, openPolicy } from './identity.ts';
import type { State } from './state.ts';

/** Secret keys have 64 hex digits; the owner's key differs from an agent's, and `ed25519Key` signs requests. */
export type DevelopmentAccount = Readonly<ReturnType<typeof developmentAccount>>;

const quoteFunds = 100_000_000_000_000;
const baseFunds = 100_000_000_000_000;
const shareFunds = 1_000_000_000_000;

export function developmentAccount(
  state: Pick<State, 'profile' | 'seed'>,
  ecdsa: Ecdsa,
  name: string,
) {
  const secret = (purpose: string) => digest(`${state.seed} ${name} ${purpose}`);
  const ownerKey = secret('owner');
  const { orders, cancels, quotes, mintRedeem } = state.profile.auth.scopes;
  const agent = (label: string, scopes: readonly string[]) => {
    const key = secret(`agent ${label}`);
    return {
      agentId: `${name}-${label}`,
      address: addressOf(ecdsa.publicKey(key)),
      key: key.toString('hex'),
      scopes,
    };
  };
  return {
    account: addressOf(ecdsa.publicKey(ownerKey)),
    ownerKey: ownerKey.toString('hex'),
    apiKey: `spk_${secret('api key').toString('hex').slice(0, 32)}`,
    apiSecret: `sps_${secret('api secret').toString('hex')}`,
    passphrase: `spp_${secret('passphrase').toString('hex').slice(0, 32)}`,
    ed25519Key: secret('ed25519').toString('hex'),
    agents: [agent('desk', [orders, cancels, quotes, mintRedeem]), agent('quoter', [quotes])],
  };
}

/** The accounts that a sandbox with this seed opens for its clients. */
export function developmentAccounts(
  state: Pick<State, 'profile' | 'seed'>,
  ecdsa: Ecdsa,
  count: number,
): readonly DevelopmentAccount[] {
  return Array.from({ length: count }, (_, index) =>
    developmentAccount(state, ecdsa, `dev${index + 1}`),
  );
}

/** Opens the account with its credential and agents, and funds it. */
export function register(state: State, account: DevelopmentAccount, keepsHistory = true): void {
  state.openAccount(account.account, keepsHistory);
  registerKeys(state, account);
  fund(state, account.account);
}

/** Resets the credential and the agents to their state at the start. */
export function registerKeys(state: State, account: DevelopmentAccount): void {
  const { orders, cancels, quotes, mintRedeem } = state.profile.auth.scopes;
  state.identities.credentials.set(account.apiKey, {
    apiKey: account.apiKey,
    secret: account.apiSecret,
    passphrase: account.passphrase,
    ed25519PublicKey: ed25519PublicKey(account.ed25519Key),
    account: account.account,
    agentType: compactAgentType,
    scopes: [orders, cancels, quotes, mintRedeem],
    laneKey: false,
    revokedFromMs: null,
  });
  for (const { agentId, address, scopes } of account.agents) {
    state.identities.addAgent({
      agentId,
      address,
      scopes,
      account: account.account,
      agentType: compactAgentType,
      policy: openPolicy,
      expiresAtMs: null,
      revoked: false,
    });
  }
}

function fund(state: State, account: string): void {
  const { markets, fees } = state.profile;
  state.exchange.deposit(account, fees.currency, quoteFunds);
  for (const { base, kind, marketId } of markets) {
    if (kind === 'spot') state.exchange.deposit(account, base, baseFunds);
    else {
      state.exchange.deposit(account, `${marketId}:YES`, shareFunds);
      state.exchange.deposit(account, `${marketId}:NO`, shareFunds);
    }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(`causeway sandbox ${text}`).digest();
}

/** The bytes before the 32 secret ones in the PKCS #8 form of an Ed25519 key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export function ed25519PrivateKey(secretHex: string) {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(secretHex, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function ed25519PublicKey(secretHex: string): string {
  const { x } = createPublicKey(ed25519PrivateKey(secretHex)).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('hex');
}
