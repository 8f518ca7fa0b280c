import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { AccountKeys } from '../../src/signer/account-keys.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { KeyFailure, type KeyHolder, localKey } from '../../src/signer/key-holder.ts';
import { addressOf, signerOf } from '../../src/signer/scheme.ts';
import type { SignResult } from '../../src/signer/signer.ts';
import {
  cancel,
  contract,
  coreWith,
  ecdsa,
  envelope,
  openPolicy,
  request,
  secretKey,
  spot,
} from './signer-samples.ts';

const newer = localKey(ecdsa, secretKey());
const older = localKey(ecdsa, new Uint8Array(32).fill(9));
const newerAddress = addressOf(newer.publicKey);
const olderAddress = addressOf(older.publicKey);

function keyOf(result: SignResult): Account {
  if (result.kind !== 'signed') throw new Error(result.text);
  const { address } = signerOf(contract.signing, ecdsa, result.digest, result.signature) as {
    address: Account;
  };
  expect(result.key).toBe(address);
  return address;
}

const both = (holder: KeyHolder = newer, expiresAtMs: number | null = null) => ({
  holder,
  policy: openPolicy,
  older: { holder: older, expiresAtMs },
});

test('of two keys the newer one signs, and the older one what the venue did not take from it, over the same digest', async () => {
  const core = await coreWith({ keys: [both()] });
  const first = await core.sign(request(envelope(1)));
  expect(keyOf(first)).toBe(newerAddress);
  const second = await core.sign(request(envelope(1), { refusedKey: newerAddress }));
  expect(keyOf(second)).toBe(olderAddress);
  const hash = new Derivation(contract, referenceBlake3).actionHash(request(envelope(1)).canonical);
  expect([first, second]).toMatchObject([{ digest: hash }, { digest: hash }]);
  expect(core.anchor.count).toBe(1);
});

test('no choice of keys gets a second placement for a nonce, nor more placements a second', async () => {
  const policy = { ...openPolicy, burst: 2, placementsPerSecond: 1 };
  const core = await coreWith({ keys: [{ ...both(), policy }] });
  keyOf(await core.sign(request(envelope(1))));
  const other = request(envelope(1, spot(51n)), { refusedKey: newerAddress });
  expect(await core.sign(other)).toMatchObject({ code: 'other_digest' });
  keyOf(await core.sign(request(envelope(2), { refusedKey: newerAddress })));
  const third = request(envelope(3), { refusedKey: newerAddress });
  expect(await core.sign(third)).toMatchObject({ code: 'rate' });
});

/** The newer key in a token that was pulled. */
const failing = (problem: () => string | undefined = () => undefined): KeyHolder => ({
  publicKey: newer.publicKey,
  get problem() {
    return problem();
  },
  sign: () => Promise.reject(new KeyFailure('the token was pulled')),
  close: () => {},
});

test('a key that is away, and one that fails to sign, leave the action to the other key', async () => {
  let problem: string | undefined = 'the token is gone';
  const token = failing(() => problem);
  const core = await coreWith({ keys: [both(token)] });
  expect(keyOf(await core.sign(request(envelope(1))))).toBe(olderAddress);
  expect(core.notReady).toEqual([]);
  problem = undefined;
  expect(keyOf(await core.sign(request(envelope(2))))).toBe(olderAddress);
  older.problem satisfies undefined | string;
});

test('a delegation that has ended comes last, and signs only cancels if both have', async () => {
  const ended = { ...both(), policy: { ...openPolicy, expiresAtMs: 0 } };
  const core = await coreWith({ keys: [ended] });
  expect(keyOf(await core.sign(request(envelope(1))))).toBe(olderAddress);
  const neither = await coreWith({
    keys: [{ ...ended, older: { holder: older, expiresAtMs: 0 } }],
  });
  expect(await neither.sign(request(envelope(1)))).toMatchObject({ code: 'expired' });
  expect(keyOf(await neither.sign(request(envelope(1, cancel))))).toBe(newerAddress);
  const only = new AccountKeys({ ...both(newer, 0) });
  expect(only.inOrder(newerAddress, 1).map(({ address }) => address)).toEqual([
    newerAddress,
    olderAddress,
  ]);
});

test('a placement that the newer key failed to sign is left to no key whose delegation has ended, a cancel is', async () => {
  const core = await coreWith({ keys: [both(failing(), 0)] });
  expect(await core.sign(request(envelope(1)))).toMatchObject({ code: 'unanswered' });
  expect(keyOf(await core.sign(request(envelope(1, cancel))))).toBe(olderAddress);
});

test('a key that is refused signs if there is no other one', async () => {
  const core = await coreWith();
  expect(keyOf(await core.sign(request(envelope(1), { refusedKey: newerAddress })))).toBe(
    newerAddress,
  );
});

test('the same key twice is a mistake, and so is an account under two entries', async () => {
  await expect(
    coreWith({ keys: [{ ...both(), older: { holder: newer, expiresAtMs: null } }] }),
  ).rejects.toThrow('the older key is the same');
  const one = { holder: newer, policy: openPolicy };
  await expect(coreWith({ keys: [one, { ...one, holder: older }] })).rejects.toThrow(
    'are one entry, with older',
  );
});

test('keys are replaced while requests are under way, and never so that an account has none', async () => {
  const core = await coreWith({ keys: [{ holder: older, policy: openPolicy }] });
  const before = core.sign(request(envelope(1)));
  core.replaceKeys([both()]);
  expect(keyOf(await before)).toBe(olderAddress);
  expect(keyOf(await core.sign(request(envelope(2))))).toBe(newerAddress);
  const [account] = core.keys.keys();
  expect(() => core.replaceKeys([])).toThrow(`no key would be left for ${account}`);
  expect(() => core.replaceKeys([both(older)])).toThrow('the same');
  expect(keyOf(await core.sign(request(envelope(3))))).toBe(newerAddress);
});
