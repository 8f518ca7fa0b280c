import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import {
  developmentAccount,
  developmentAccounts,
  ed25519PrivateKey,
  registerKeys,
} from '../../src/sandbox/development-accounts.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { addressOf } from '../../src/signer/scheme.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';

const { accounts, ecdsa, state } = await createVenue({
  seed: 3,
  clock: new ManualClock(),
  profile,
  accounts: 3,
});
const [one] = accounts;

test('everything follows from the seed and the name, and nothing is the same twice', () => {
  const again = developmentAccounts({ profile, seed: 3 }, ecdsa, 5);
  expect(again.slice(0, 3)).toEqual(accounts);
  const others = [...again, ...developmentAccounts({ profile, seed: 4 }, ecdsa, 3)];
  const secrets = others.flatMap((account) => [
    account.account,
    account.ownerKey,
    account.apiKey,
    account.apiSecret,
    account.passphrase,
    account.ed25519Key,
    ...account.agents.flatMap(({ address, key }) => [address, key]),
  ]);
  expect(secrets).toHaveLength(8 * 10);
  expect(new Set(secrets).size).toBe(secrets.length);
});

test('the account is the address of its owner, and each agent that of its own key', () => {
  const address = (key: string) => addressOf(ecdsa.publicKey(Buffer.from(key, 'hex')));
  expect(one!.account).toBe(address(one!.ownerKey));
  for (const agent of one!.agents) expect(agent.address).toBe(address(agent.key));
});

test('the credential triple has the prefixes of the contract', () => {
  expect(one).toMatchObject({
    apiKey: expect.stringMatching(/^spk_[0-9a-f]{32}$/),
    apiSecret: expect.stringMatching(/^sps_[0-9a-f]{64}$/),
    passphrase: expect.stringMatching(/^spp_[0-9a-f]{32}$/),
  });
});

test('a credential verifies what its Ed25519 key signs', () => {
  const { ed25519PublicKey } = state.identities.credentials.get(one!.apiKey)!;
  const x = Buffer.from(ed25519PublicKey ?? '', 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from('text');
  const signature = sign(null, text, ed25519PrivateKey(one!.ed25519Key));
  expect(verify(null, text, key, signature)).toBe(true);
  expect(verify(null, Buffer.from('other'), key, signature)).toBe(false);
});

test('every account is funded in the quote currency and in whatever each market trades', () => {
  const assets = profile.markets.flatMap(({ base, kind, marketId }) =>
    kind === 'spot' ? [base] : [`${marketId}:YES`, `${marketId}:NO`],
  );
  for (const { account } of accounts) {
    const balances = state.exchange.balances(account);
    expect(balances.map(({ asset }) => asset).sort()).toEqual(['USDC', ...assets].sort());
    expect(balances.every(({ free, held }) => free > 0 && held === 0)).toBe(true);
  }
});

test('the desk may do everything and the quoter only quote', () => {
  const scopes = accounts[1]!.agents.map(({ agentId, scopes: own }) => [agentId, own]);
  expect(scopes).toEqual([
    ['dev2-desk', ['trade', 'cancel', 'quote', 'mint_redeem']],
    ['dev2-quoter', ['quote']],
  ]);
});

test('keys that are registered again are as at the start, whatever was done to them', () => {
  const account = developmentAccount(state, ecdsa, 'dev1');
  const credential = state.identities.credentials.get(account.apiKey);
  const agent = state.identities.agents.get('dev1-desk');
  const before = structuredClone([credential, agent]);
  Object.assign(credential!, { scopes: [], laneKey: true, revokedFromMs: 1 });
  Object.assign(agent!, { revoked: true, expiresAtMs: 1, scopes: [] });
  registerKeys(state, account);
  const now = [
    state.identities.credentials.get(account.apiKey),
    state.identities.agents.get('dev1-desk'),
  ];
  expect(now).toEqual(before);
  expect(state.identities.agentByAddress(account.agents[0]!.address)).toBe(now[1]);
});
