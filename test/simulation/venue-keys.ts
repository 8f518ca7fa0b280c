/**
 * The two keys and the two credentials that an account has while they rotate, and what the venue makes of them: one or
 * both end, or are not known yet, and come back, which at a real venue would be others.
 */
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import type { EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import type { Dice } from './dice.ts';

/** The newer one is the one that the account has in any run. */
export function olderCredentialOf({ apiKey, apiSecret, passphrase }: DevelopmentAccount) {
  return { key: `${apiKey}older`, secret: apiSecret, passphrase };
}

export function registerOlder({ state }: EmbeddedVenue, account: DevelopmentAccount): void {
  const { credentials } = state.identities;
  const newer = credentials.get(account.apiKey);
  if (newer === undefined) throw new Error(`the venue has no credential of ${account.account}`);
  const { key: apiKey } = olderCredentialOf(account);
  credentials.set(apiKey, { ...newer, apiKey });
}

/** The newer key; the older one is the owner's, which does not end. */
export const newerKeyOf = ({ agents: [desk] }: DevelopmentAccount) => desk?.key ?? '';

/** One change at the venue; returns a line that tells it, and what takes it back. */
export function changeKeys({ state }: EmbeddedVenue, account: DevelopmentAccount, dice: Dice) {
  const { agents, credentials } = state.identities;
  const agent = agents.get(account.agents[0]?.agentId ?? '');
  const newer = credentials.get(account.apiKey);
  const older = credentials.get(olderCredentialOf(account).key);
  if (agent === undefined || newer === undefined || older === undefined) {
    throw new Error(`the venue lacks a key or a credential of ${account.account}`);
  }
  const what = dice.pick(['revoked', 'expired', 'unknown', 'newer', 'older', 'both'] as const);
  if (what === 'revoked') agent.revoked = true;
  else if (what === 'expired') agent.expiresAtMs = 0;
  else if (what === 'unknown') Object.assign(agent, { account: '0x' });
  if (what === 'newer' || what === 'both') newer.revokedFromMs = 0;
  if (what === 'older' || what === 'both') older.revokedFromMs = 0;
  return {
    text: `the venue has the key or the credential of ${account.account.slice(0, 10)} as ${what}`,
    takeBack(): void {
      Object.assign(agent, { revoked: false, expiresAtMs: null, account: account.account });
      newer.revokedFromMs = null;
      older.revokedFromMs = null;
    },
  };
}
