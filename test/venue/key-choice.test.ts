import { beforeEach, expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { addressOf } from '../../src/signer/scheme.ts';
import type { Signer } from '../../src/signer/signer.ts';
import { KeyChoice } from '../../src/venue/key-choice.ts';
import { refusalsOfKeys, venueRefusal } from '../../src/venue/refusals.ts';
import { nothingOfNonces, type Verdict } from '../../src/venue/verdict.ts';
import {
  coreWith,
  ecdsa,
  envelope,
  openPolicy,
  request,
  secretKey,
} from '../signer/signer-samples.ts';

const newer = localKey(ecdsa, secretKey());
const older = localKey(ecdsa, new Uint8Array(32).fill(9));
const newKey = addressOf(newer.publicKey);
const oldKey = addressOf(older.publicKey);
const bytes = { text: Buffer.from(request(envelope(1)).canonical).toString() };
let clock: ManualClock;
let alarms: string[];

beforeEach(() => {
  clock = new ManualClock();
  alarms = [];
});

async function choice(hasOlder = true): Promise<KeyChoice> {
  const older_ = hasOlder ? { older: { holder: older, expiresAtMs: null } } : {};
  const signer = await coreWith({ keys: [{ holder: newer, policy: openPolicy, ...older_ }] });
  return new KeyChoice({ signer, clock, scheme: 'ecdsa' }, (text) => alarms.push(text));
}

const refused = (name: string, nonceConsumed: boolean | null = null): Verdict => ({
  ...{ kind: 'refused', refusal: venueRefusal(name), text: 'no', retryAfterMs: null },
  nonce: { ...nothingOfNonces, nonceConsumed },
});

async function signedBy(keys: KeyChoice): Promise<Account> {
  const signed = await keys.sign(bytes);
  if (signed.kind !== 'signed') throw new Error(signed.text);
  return signed.key;
}

const judged = (keys: KeyChoice, key: Account, verdict: Verdict, nested?: Account | null) =>
  new Promise<Verdict>((resolve) => keys.answered({ key, nested }, bytes, verdict, resolve));

test.each(Object.entries(refusalsOfKeys))(
  '%s of one key makes the other one sign, and the engine send again',
  async (name, isForGood) => {
    const keys = await choice();
    expect(await signedBy(keys)).toBe(newKey);
    expect(await judged(keys, newKey, refused(name))).toMatchObject({
      refusal: { name, acts: ['BK'] },
    });
    expect(await signedBy(keys)).toBe(oldKey);
    expect([keys.inPlaceOf(oldKey), keys.inPlaceOf(newKey)]).toEqual([oldKey, undefined]);
    expect(alarms).toEqual([
      expect.stringContaining(`refuses the key ${newKey}, so ${oldKey} signs`),
    ]);
    expect(alarms[0]).toContain(name);
    clock.advance(3_700_000);
    expect(await signedBy(keys)).toBe(isForGood ? oldKey : newKey);
    keys.clear();
    expect(await signedBy(keys)).toBe(newKey);
  },
);

test.each(['INVALID_SCOPE', 'AGENT_POLICY_REJECTED', 'insufficient_balance'])(
  '%s is the answer to the action, whichever key signs',
  async (name) => {
    const keys = await choice();
    const verdict = refused(name);
    expect(await judged(keys, newKey, verdict)).toBe(verdict);
    expect([await signedBy(keys), alarms]).toEqual([newKey, []]);
  },
);

test('a refusal that used the nonce is final, and so is one without another key', async () => {
  const used = refused('invalid_signature', true);
  expect(await judged(await choice(), newKey, used)).toBe(used);
  const alone = await choice(false);
  const verdict = refused('AGENT_REVOKED');
  expect(await judged(alone, newKey, verdict)).toBe(verdict);
  expect([await signedBy(alone), alarms]).toEqual([newKey, []]);
});

test('while the signer is away nobody knows whether another key would sign, so the account is not given up', async () => {
  const answer = { kind: 'refused', code: 'unavailable', text: 'the signer is gone' } as const;
  const signer = { sign: async () => answer } as unknown as Signer;
  const keys = new KeyChoice({ signer, clock, scheme: 'ecdsa' }, (text) => alarms.push(text));
  const verdict = refused('AGENT_REVOKED');
  expect(await judged(keys, oldKey, verdict)).toMatchObject({ refusal: { acts: ['BK'] } });
  expect(await judged(keys, oldKey, verdict, oldKey)).toMatchObject({ refusal: { acts: [] } });
  expect(alarms).toEqual([]);
});

test('if the venue refuses both keys, each action has one answer', async () => {
  const keys = await choice();
  await judged(keys, newKey, refused('AGENT_EXPIRED'));
  const verdict = refused('AGENT_REVOKED');
  expect(await judged(keys, oldKey, verdict)).toBe(verdict);
  const key = await signedBy(keys);
  expect(await judged(keys, key, verdict)).toBe(verdict);
  expect(alarms).toHaveLength(1);
});

test('a conditional order that is refused for its key is refused alone, and only a key that signed all of it is blamed', async () => {
  const keys = await choice();
  const verdict = refused('AGENT_REVOKED');
  for (const nested of [newKey, null]) {
    expect(await judged(keys, oldKey, verdict, nested)).toMatchObject({ refusal: { acts: [] } });
    expect([await signedBy(keys), alarms]).toEqual([newKey, []]);
  }
  expect(await judged(keys, newKey, verdict, newKey)).toMatchObject({ refusal: { acts: [] } });
  expect([await signedBy(keys), alarms.length]).toEqual([oldKey, 1]);
  expect(await judged(keys, oldKey, verdict, oldKey)).toBe(verdict);
});
