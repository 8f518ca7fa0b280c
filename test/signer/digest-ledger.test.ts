import { expect, test } from 'vitest';
import { type Claim, DigestLedger } from '../../src/signer/digest-ledger.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';

const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)] as const;
const claim = (nonce: number, digest: string, more: Partial<Claim> = {}): Claim => ({
  account: `0x${'1'.repeat(40)}`,
  nonce,
  digest: Buffer.from(digest, 'hex'),
  supersedes: null,
  ...more,
});

test('the same digest may be claimed again, another one not', async () => {
  const ledger = await DigestLedger.open(new MemoryStore());
  expect(ledger.claim(claim(5, a))).toBeUndefined();
  expect(ledger.claim(claim(5, a))).toBeUndefined();
  expect(ledger.claim(claim(5, b))).toEqual({ code: 'other_digest', digest: a });
});

test('another digest passes when the first is named with the proof that it is dead', async () => {
  const ledger = await DigestLedger.open(new MemoryStore());
  ledger.claim(claim(5, a));
  const wrong = { digest: 'cc'.repeat(32), proof: 'refused' } as const;
  expect(ledger.claim(claim(5, b, { supersedes: wrong }))).toMatchObject({ digest: a });
  const right = { digest: a, proof: 'refused' } as const;
  expect(ledger.claim(claim(5, b, { supersedes: right }))).toBeUndefined();
  expect(ledger.claim(claim(5, a))).toEqual({ code: 'other_digest', digest: b });
});

test('accounts do not share nonces', async () => {
  const ledger = await DigestLedger.open(new MemoryStore());
  ledger.claim(claim(5, a));
  expect(ledger.claim(claim(5, b, { account: `0x${'2'.repeat(40)}` }))).toBeUndefined();
});

test('claims survive a restart, from the journal and from a snapshot', async () => {
  const store = new MemoryStore();
  const first = await DigestLedger.open(store);
  for (let nonce = 0; nonce < 17_000; nonce += 1) {
    first.claim(claim(nonce, a));
    if (nonce % 10 === 0) await first.recorded();
  }
  await first.recorded();
  expect(await store.snapshot('signer/digests')).toBeDefined();
  const second = await DigestLedger.open(store);
  expect(second.claim(claim(16_999, b))).toEqual({ code: 'other_digest', digest: a });
  expect(second.claim(claim(13_000, b))).toEqual({ code: 'other_digest', digest: a });
  expect(second.claim(claim(17_000, b))).toBeUndefined();
});

test('a nonce far below the highest is not signed any more, and memory stays bounded', async () => {
  const ledger = await DigestLedger.open(new MemoryStore());
  for (let nonce = 0; nonce < 20_000; nonce += 1) ledger.claim(claim(nonce, a));
  await ledger.recorded();
  expect(ledger.claim(claim(20_000 - 4097, b))).toEqual({ code: 'nonce_too_old' });
  expect(ledger.claim(claim(20_000 - 4096, b))).toEqual({ code: 'other_digest', digest: a });
});

test('two signers on one ledger: the second cannot record', async () => {
  const store = new MemoryStore();
  const [one, two] = [await DigestLedger.open(store), await DigestLedger.open(store)];
  one.claim(claim(1, a));
  two.claim(claim(1, b));
  await one.recorded();
  await expect(two.recorded()).rejects.toThrow('another owner appended');
});

test('a record that is not whole refuses to start and is named', async () => {
  const store = new MemoryStore();
  const payload = new Uint8Array(60);
  await store.commit([{ kind: 'append', stream: 'signer/digests', expected: 0, payload }]);
  await expect(DigestLedger.open(store)).rejects.toThrow('signer/digests, record 1');
});
