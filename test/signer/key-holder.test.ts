import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { hasLowS, openEcdsa } from '../../src/signer/ecdsa.ts';
import { completed, KeyFailure, type KeyHolder, localKey } from '../../src/signer/key-holder.ts';
import { addressOf, signerOf } from '../../src/signer/scheme.ts';
import { MemoryLedger } from './memory-ledger.ts';
import {
  account,
  cancel,
  contract,
  coreWith,
  envelope,
  openPolicy,
  request,
  secretKey,
  spot,
} from './signer-samples.ts';

const ecdsa = await openEcdsa();
const digest = new Uint8Array(32).fill(9);
const publicKey = ecdsa.publicKey(secretKey());
const order = secp256k1.Point.Fn.ORDER;

/** As tokens and services sign: a new nonce each time, high s as often as not, no recovery id. */
function rawSignature(of: Uint8Array, key = secretKey()): Uint8Array {
  const form = { prehash: false, lowS: false, extraEntropy: true } as const;
  return secp256k1.sign(of, key, form);
}

/** A key elsewhere that does not answer where `fails` says so. */
function keyElsewhere(fails: () => boolean = () => false): KeyHolder {
  return {
    publicKey,
    problem: undefined,
    async sign(of) {
      if (fails()) throw new KeyFailure('it is gone');
      return completed(ecdsa, publicKey, of, rawSignature(of));
    },
    close: () => {},
  };
}

test('r and s of any signature of the key become a low s with the recovery id, and both twins the same', () => {
  const twins = new Set<number>();
  for (let count = 0; count < 64; count += 1) {
    const raw = rawSignature(digest);
    const s = BigInt(`0x${Buffer.from(raw.subarray(32)).toString('hex')}`);
    const twin = Buffer.from(raw);
    Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex').copy(twin, 32);
    const signature = completed(ecdsa, publicKey, digest, raw);
    expect(completed(ecdsa, publicKey, digest, twin)).toEqual(signature);
    expect(hasLowS(signature)).toBe(true);
    expect(ecdsa.recover(digest, signature)).toEqual(publicKey);
    twins.add(Number(signature[64]));
  }
  expect(twins).toEqual(new Set([0, 1]));
});

test('what is no signature of the key for the digest is never completed', () => {
  const of = (raw: Uint8Array) => () => completed(ecdsa, publicKey, digest, raw);
  expect(of(rawSignature(digest, new Uint8Array(32).fill(8)))).toThrow('no signature of this key');
  expect(of(rawSignature(new Uint8Array(32)))).toThrow('no signature of this key');
  const raw = rawSignature(digest);
  const zeroS = Uint8Array.from(raw).fill(0, 32);
  const zeroR = Uint8Array.from(raw).fill(0, 0, 32);
  const pastOrder = Uint8Array.from(raw).fill(255, 32);
  for (const bad of [zeroS, zeroR, pastOrder]) expect(of(bad)).toThrow('no signature of this key');
  for (const length of [0, 63, 65]) expect(of(new Uint8Array(length))).toThrow('has 64 bytes');
});

test('a key in this process is overwritten when it is closed', () => {
  const secret = secretKey();
  const key = localKey(ecdsa, secret);
  expect(key.problem).toBeUndefined();
  key.close();
  expect([...secret].every((byte) => byte === 0)).toBe(true);
  expect(key.problem).toBe('it is closed');
});

test('nothing is recorded for a key that is away, and what was recorded before it went can be asked for again', async () => {
  let problem: string | undefined = 'the token was removed';
  let isGone = true;
  const away = keyElsewhere(() => isGone);
  const holder: KeyHolder = {
    ...away,
    sign: away.sign,
    get problem() {
      return problem;
    },
  };
  const core = await coreWith({ keys: [{ holder, policy: openPolicy }] });
  const refused = { kind: 'refused', code: 'unavailable', text: 'the token was removed' };
  expect(await core.sign(request(envelope(1)))).toEqual(refused);
  problem = undefined;
  isGone = false;
  // Another action may have the nonce, because the signer recorded nothing.
  expect((await core.sign(request(envelope(1, spot(51n))))).kind).toBe('signed');
  isGone = true;
  expect(await core.sign(request(envelope(2)))).toEqual({
    ...{ kind: 'refused', code: 'unanswered' },
    text: 'the key did not sign: it is gone',
  });
  isGone = false;
  expect(await core.sign(request(envelope(2, spot(51n))))).toMatchObject({ code: 'other_digest' });
  expect((await core.sign(request(envelope(2)))).kind).toBe('signed');
});

test('a frame with a key that is slow or fails keeps its order, and the other keys sign', async () => {
  const other = `0x${'3'.repeat(40)}` as Account;
  const keys = [
    { holder: localKey(ecdsa, secretKey()), policy: openPolicy },
    { holder: keyElsewhere(() => true), policy: { ...openPolicy, accounts: new Set([other]) } },
  ];
  const core = await coreWith({ keys });
  const results = await core.signAll([
    request(envelope(1)),
    request({ ...envelope(1), account: other }),
    request(envelope(2)),
  ]);
  expect(results.map(({ kind }) => kind)).toEqual(['signed', 'refused', 'signed']);
});

test('with signatures that differ each time, no nonce ever gets two placing digests, whatever fails and restarts', async () => {
  const step = fc.record({
    nonce: fc.integer({ min: 1, max: 6 }),
    price: fc.constantFrom(50n, 51n, null),
    fails: fc.boolean(),
    restarts: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const file = new MemoryLedger();
      const placed = new Map<number, Set<string>>();
      let fails = false;
      const open = () => {
        const keys = [{ holder: keyElsewhere(() => fails), policy: openPolicy }];
        return coreWith({ keys, ledger: new DigestLedger(file) });
      };
      let core = await open();
      for (const each of steps) {
        if (each.restarts) core = await open();
        fails = each.fails;
        const of = envelope(each.nonce, each.price === null ? cancel : spot(each.price));
        const result = await core.sign(request(of));
        if (result.kind !== 'signed') continue;
        expect(each.fails).toBe(false);
        const signer = signerOf(contract.signing, ecdsa, result.digest, result.signature);
        expect(signer).toEqual({ address: core.keys.get(account) });
        if (each.price === null) continue;
        const digests = placed.get(each.nonce) ?? new Set();
        placed.set(each.nonce, digests.add(Buffer.from(result.digest).toString('hex')));
        expect(digests.size).toBe(1);
      }
    }),
    { numRuns: 150 },
  );
});

test('an action that was recorded for a key that has been closed since is signed by the other one, or by none', async () => {
  for (const older of [undefined, { holder: keyElsewhere(), expiresAtMs: null }]) {
    const holder = localKey(ecdsa, new Uint8Array(32).fill(11));
    const core = await coreWith({ keys: [{ holder, policy: openPolicy, older }] });
    const signing = core.sign(request(envelope(1, spot())));
    holder.close();
    expect(await signing).toMatchObject(
      older
        ? { kind: 'signed', key: addressOf(publicKey) }
        : { kind: 'refused', code: 'unanswered' },
    );
  }
});
