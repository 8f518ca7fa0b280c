import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { signerOf } from '../../src/signer/scheme.ts';
import { MemoryLedger } from './memory-ledger.ts';
import {
  account,
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

test('R19: an action is signed over its own hash by the key of its account', async () => {
  const core = await coreWith();
  const asked = request(envelope(1));
  const result = await core.sign(asked);
  if (result.kind !== 'signed') throw new Error(result.text);
  const hash = new Derivation(contract, referenceBlake3).actionHash(asked.canonical);
  expect(result.digest).toEqual(hash);
  const address = core.keys.get(account) as Account;
  expect(signerOf(contract.signing, ecdsa, hash, result.signature)).toEqual({ address });
});

test('the same action is signed again with the same bytes', async () => {
  const core = await coreWith();
  expect(await core.sign(request(envelope(1)))).toEqual(await core.sign(request(envelope(1))));
});

test('a second action on a nonce is refused, alarmed, and told which digest holds it', async () => {
  const alarms: string[] = [];
  const core = await coreWith({ alarm: (text) => alarms.push(text) });
  const first = await core.sign(request(envelope(1)));
  if (first.kind !== 'signed') throw new Error(first.text);
  const digest = Buffer.from(first.digest).toString('hex');
  const second = await core.sign(request(envelope(1, spot(51n))));
  expect(second).toMatchObject({ kind: 'refused', code: 'other_digest', digest });
  expect(alarms).toEqual([`nonce 1 of ${account} was signed for another action`]);
  const supersedes = { digest, proof: 'not_consumed' } as const;
  const filler = await core.sign(request(envelope(1, cancel), { supersedes }));
  expect(filler.kind).toBe('signed');
});

test('only a cancel may take the nonce of an action that may be alive', async () => {
  const core = await coreWith();
  const first = await core.sign(request(envelope(1)));
  if (first.kind !== 'signed') throw new Error(first.text);
  const supersedes = { digest: Buffer.from(first.digest).toString('hex'), proof: 'fence' } as const;
  const order = await core.sign(request(envelope(1, spot(51n)), { supersedes }));
  expect(order).toMatchObject({ kind: 'refused', code: 'policy' });
  for (const digest of [supersedes.digest, '00'.repeat(32)]) {
    const fence = request(envelope(1, cancel), { supersedes: { digest, proof: 'fence' } });
    expect((await core.sign(fence)).kind).toBe('signed');
  }
});

test('a restarted signer knows what it signed before', async () => {
  const file = new MemoryLedger();
  const before = await (await coreWith({}, file)).sign(request(envelope(1)));
  const core = await coreWith({ ledger: new DigestLedger(file) });
  expect(await core.sign(request(envelope(1)))).toEqual(before);
  expect(await core.sign(request(envelope(1, cancel)))).toMatchObject({ code: 'other_digest' });
});

test('what the encoder of its own contract made is not read again, what that of another made is', async () => {
  const core = await coreWith();
  const canonical = new Uint8Array();
  const made = MadeAction.maker(contract, referenceBlake3).make(envelope(1));
  const signed = await core.sign(request(envelope(1)));
  expect(await core.sign({ ...request(envelope(1)), canonical, made })).toEqual(signed);
  const foreign = MadeAction.maker({ ...contract }, referenceBlake3).make(envelope(1));
  const asked = { ...request(envelope(1)), canonical, made: foreign };
  expect(await core.sign(asked)).toMatchObject({ kind: 'refused', code: 'unreadable' });
});

test('what is made is held against policy and ledger as what is read', async () => {
  const maker = MadeAction.maker(contract, referenceBlake3);
  const made = maker.make(envelope(1, cancel));
  const { canonical } = made;
  const core = await coreWith();
  await core.sign(request(envelope(1)));
  const asked = { canonical, made, scheme: 'ecdsa', supersedes: null } as const;
  expect(await core.sign(asked)).toMatchObject({ code: 'other_digest' });
  const policy = { ...openPolicy, actions: new Set(['SpotPlaceOrder'] as const) };
  const strict = await coreWith({ keys: [{ secretKey: secretKey(), policy }] });
  expect(await strict.sign(asked)).toMatchObject({ code: 'policy' });
});

test('bytes that are not exactly canonical are refused, not signed', async () => {
  const core = await coreWith();
  const { canonical } = request(envelope(1));
  const spaced = Buffer.from(Buffer.from(canonical).toString().replace('"ts":', '"ts": '));
  for (const bytes of [spaced, new Uint8Array(), Buffer.from('{}'), canonical.subarray(1)]) {
    const result = await core.sign({ ...request(envelope(1)), canonical: bytes });
    expect(result).toMatchObject({ kind: 'refused', code: 'unreadable' });
  }
});

test('an account without a key and a policy breach are refused', async () => {
  const core = await coreWith();
  const other = { ...envelope(1), account: `0x${'2'.repeat(40)}` as Account };
  expect(await core.sign(request(other))).toMatchObject({ code: 'policy' });
  const narrow = { ...openPolicy, actions: new Set(['Cancel' as const]) };
  const strict = await coreWith({ keys: [{ secretKey: secretKey(), policy: narrow }] });
  expect(await strict.sign(request(envelope(1)))).toMatchObject({ code: 'policy' });
});

test('two keys for one account are refused at the start', async () => {
  const key = { secretKey: secretKey(), policy: openPolicy };
  await expect(coreWith({ keys: [key, key] })).rejects.toThrow('has two signing keys');
});

test('a signer that is closed while it records signs nothing with wiped keys', async () => {
  const core = await coreWith();
  const asked = core.sign(request(envelope(1)));
  await core.close();
  expect(await asked).toMatchObject({ kind: 'refused', code: 'unavailable' });
});

test('more accounts than the hello can count are refused at the start', async () => {
  const accounts = Array.from(
    { length: 256 },
    (_, index) => `0x${index.toString(16).padStart(40, '0')}` as Account,
  );
  const policy = { ...openPolicy, accounts: new Set(accounts) };
  await expect(coreWith({ keys: [{ secretKey: secretKey(), policy }] })).rejects.toThrow('255');
});

test('when the record cannot be written no signature leaves, then or later', async () => {
  class FullLedger extends MemoryLedger {
    override append(): void {
      throw new Error('disk full');
    }
  }
  const faults: string[] = [];
  const fatal = (error: Error) => faults.push(error.message);
  const core = await coreWith({ fatal }, new FullLedger());
  expect(await core.sign(request(envelope(1)))).toMatchObject({ code: 'not_recorded' });
  expect(faults).toEqual(['disk full']);
  expect(await core.sign(request(envelope(2)))).toMatchObject({ code: 'not_recorded' });
});

test('no signature leaves before its record is durable', async () => {
  const order: string[] = [];
  class TellingLedger extends MemoryLedger {
    override append(entries: Uint8Array): void {
      super.append(entries);
      order.push('durable');
    }
  }
  const sign = (digest: Uint8Array, key: Uint8Array) => {
    order.push('signed');
    return ecdsa.sign(digest, key);
  };
  const core = await coreWith({ ecdsa: { ...ecdsa, sign } }, new TellingLedger());
  // The second asks for the same digest before the record of the first is written.
  await Promise.all([core.sign(request(envelope(1))), core.sign(request(envelope(1)))]);
  expect(order).toEqual(['durable', 'signed', 'signed']);
});

test('a batch keeps its order and refuses alone what is wrong in it', async () => {
  const core = await coreWith();
  const results = await core.signAll([
    request(envelope(3)),
    { ...request(envelope(4)), canonical: new Uint8Array(3) },
    request(envelope(3, cancel)),
    request(envelope(5)),
  ]);
  expect(results.map((result) => (result.kind === 'signed' ? 'signed' : result.code))).toEqual([
    ...['signed', 'unreadable', 'other_digest', 'signed'],
  ]);
});
