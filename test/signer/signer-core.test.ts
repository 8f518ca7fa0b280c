import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { noAnchor } from '../../src/signer/ledger-file.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { signerOf } from '../../src/signer/scheme.ts';
import type { SignRequest } from '../../src/signer/signer.ts';
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

test('an order in a market with the highest id of the contract is signed', async () => {
  const core = await coreWith();
  const asked = request(envelope(1, spot(50n, 10n, Number.MAX_SAFE_INTEGER)));
  expect((await core.sign(asked)).kind).toBe('signed');
});

test('the same action is signed again with the same bytes', async () => {
  const core = await coreWith();
  expect(await core.sign(request(envelope(1)))).toEqual(await core.sign(request(envelope(1))));
});

test('a second placement on a nonce is refused, a cancel may take its place', async () => {
  const core = await coreWith();
  const first = await core.sign(request(envelope(1)));
  const second = await core.sign(request(envelope(1, spot(51n))));
  expect(second).toMatchObject({ kind: 'refused', code: 'other_digest' });
  expect((await core.sign(request(envelope(1, cancel)))).kind).toBe('signed');
  expect(await core.sign(request(envelope(1)))).toEqual(first);
  expect(await core.sign(request(envelope(1, spot(51n))))).toMatchObject({ code: 'other_digest' });
});

test('a cancel leaves a nonce to one placement', async () => {
  const core = await coreWith();
  expect((await core.sign(request(envelope(1, cancel)))).kind).toBe('signed');
  expect((await core.sign(request(envelope(1)))).kind).toBe('signed');
  expect(await core.sign(request(envelope(1, spot(51n))))).toMatchObject({ code: 'other_digest' });
});

test('a restarted signer knows what it signed before', async () => {
  const file = new MemoryLedger();
  const before = await (await coreWith({}, file)).sign(request(envelope(1)));
  const core = await coreWith({ ledger: new DigestLedger(file) });
  expect(await core.sign(request(envelope(1)))).toEqual(before);
  expect(await core.sign(request(envelope(1, spot(51n))))).toMatchObject({ code: 'other_digest' });
});

test('a signature that is refused costs nothing of the day, and one that is repeated costs it once', async () => {
  const market = {
    notional: 500n,
    qty: { Bid: 10n, Ask: 10n },
    price: { Bid: null, Ask: null },
    daily: { qty: { Bid: 20n, Ask: null }, notional: null },
  };
  const policy = { ...openPolicy, markets: new Map([[1, market]]) };
  const file = new MemoryLedger();
  const keys = [{ holder: localKey(ecdsa, secretKey()), policy }];
  const core = await coreWith({ keys }, file);
  expect(await core.sign(request(envelope(1, spot(51n))))).toMatchObject({ code: 'policy' });
  const kinds = [];
  for (const nonce of [1, 1, 2, 1]) kinds.push((await core.sign(request(envelope(nonce)))).kind);
  expect(kinds).toEqual(['signed', 'signed', 'signed', 'signed']);
  const again = await coreWith({ keys, ledger: new DigestLedger(file) });
  expect(await again.sign(request(envelope(3)))).toMatchObject({
    text: 'Bid quantity 30 is over 20 in market 1 today',
  });
  expect((await again.sign(request(envelope(3, cancel)))).kind).toBe('signed');
});

test('while a person has paused placements, only cancels are signed', async () => {
  let paused: string | null = 'unexplained fills';
  const core = await coreWith({ paused: () => paused });
  expect(await core.sign(request(envelope(1)))).toMatchObject({ code: 'paused' });
  expect((await core.sign(request(envelope(1, cancel)))).kind).toBe('signed');
  paused = null;
  expect((await core.sign(request(envelope(1)))).kind).toBe('signed');
});

test('a bridge that has seen another ledger, or more of this one, is an alarm', async () => {
  const alarms: string[] = [];
  const core = await coreWith({ alarm: (text) => alarms.push(text) });
  await core.greet(noAnchor);
  await core.greet(core.anchor);
  expect(alarms).toEqual([]);
  await core.greet({ ...core.anchor, count: 3 });
  await core.greet({ ...core.anchor, id: 'cd'.repeat(16) });
  expect(alarms).toEqual([
    expect.stringContaining('was set back: it has 0 entries, and the bridge has seen 3'),
    expect.stringContaining('the bridge has used ledger cdcd'),
  ]);
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
  const made = maker.make(envelope(1, spot(51n)));
  const { canonical } = made;
  const core = await coreWith();
  await core.sign(request(envelope(1)));
  const asked = { canonical, made, scheme: 'ecdsa' } as const;
  expect(await core.sign(asked)).toMatchObject({ code: 'other_digest' });
  const policy = { ...openPolicy, actions: new Set(['PlaceOrder'] as const) };
  const strict = await coreWith({ keys: [{ holder: localKey(ecdsa, secretKey()), policy }] });
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
  const strict = await coreWith({
    keys: [{ holder: localKey(ecdsa, secretKey()), policy: narrow }],
  });
  expect(await strict.sign(request(envelope(1)))).toMatchObject({ code: 'policy' });
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
  await expect(
    coreWith({ keys: [{ holder: localKey(ecdsa, secretKey()), policy }] }),
  ).rejects.toThrow('255');
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
  expect(await core.sign(request(envelope(2)))).toMatchObject({ code: 'unavailable' });
  expect((await core.sign(request(envelope(2, cancel)))).kind).toBe('signed');
});

test('while the disk of the ledger is full nothing that places is signed, cancels are, and then everything is again', async () => {
  let isRoom = true;
  class FillingLedger extends MemoryLedger {
    override append(entries: Uint8Array): void {
      if (!isRoom) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      super.append(entries);
    }
  }
  const clock = new ManualClock();
  const alarm = () => {};
  const ledger = new DigestLedger(new FillingLedger(), { clock, alarm });
  const faults: Error[] = [];
  const core = await coreWith({ clock, ledger, fatal: (error) => faults.push(error) });
  const codes = async (...requests: SignRequest[]) =>
    (await core.signAll(requests)).map((one) => (one.kind === 'signed' ? 'signed' : one.code));
  const [order, other, withdrawal] = [envelope(1), envelope(2), envelope(3, cancel)].map((of) =>
    request(of),
  ) as [SignRequest, SignRequest, SignRequest];
  isRoom = false;
  // The second asks for the digest that is known in memory and not on the disk.
  expect(await codes(order, order, withdrawal)).toEqual(['not_recorded', 'not_recorded', 'signed']);
  expect(await codes(other, withdrawal, order)).toEqual(['unavailable', 'signed', 'unavailable']);
  expect(core.notReady).toEqual([expect.stringMatching(/ledger.*no space left/)]);
  isRoom = true;
  clock.advance(1_000);
  expect(core.notReady).toEqual([]);
  expect(await codes(order, other)).toEqual(['signed', 'signed']);
  expect(await codes(request(envelope(1, spot(51n))))).toEqual(['other_digest']);
  expect(faults).toEqual([]);
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
  const keys = [{ holder: localKey({ ...ecdsa, sign }, secretKey()), policy: openPolicy }];
  const core = await coreWith({ keys }, new TellingLedger());
  // The second asks for the same digest before the record of the first is written.
  await Promise.all([core.sign(request(envelope(1))), core.sign(request(envelope(1)))]);
  expect(order).toEqual(['durable', 'signed', 'signed']);
});

test('a batch keeps its order and refuses alone what is wrong in it', async () => {
  const core = await coreWith();
  const results = await core.signAll([
    request(envelope(3)),
    { ...request(envelope(4)), canonical: new Uint8Array(3) },
    request(envelope(3, spot(51n))),
    request(envelope(5)),
  ]);
  expect(results.map((result) => (result.kind === 'signed' ? 'signed' : result.code))).toEqual([
    ...['signed', 'unreadable', 'other_digest', 'signed'],
  ]);
});
