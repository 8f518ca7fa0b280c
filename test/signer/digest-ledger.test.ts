import { expect, test } from 'vitest';
import { type Claim, DigestLedger } from '../../src/signer/digest-ledger.ts';
import { MemoryLedger } from './memory-ledger.ts';

const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)] as const;
const claim = (nonce: number, digest: string, more: Partial<Claim> = {}): Claim => ({
  account: `0x${'1'.repeat(40)}`,
  nonce,
  digest: Buffer.from(digest, 'hex'),
  supersedes: null,
  ...more,
});

test('the same digest may be claimed again, another one not', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  expect(ledger.claim(claim(5, a))).toBeUndefined();
  expect(ledger.claim(claim(5, a))).toBeUndefined();
  expect(ledger.claim(claim(5, b))).toEqual({ code: 'other_digest', digest: a });
});

test('another digest passes when the first is named with the proof that it is dead', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  ledger.claim(claim(5, a));
  const wrong = { digest: 'cc'.repeat(32), proof: 'refused' } as const;
  expect(ledger.claim(claim(5, b, { supersedes: wrong }))).toMatchObject({ digest: a });
  const right = { digest: a, proof: 'refused' } as const;
  expect(ledger.claim(claim(5, b, { supersedes: right }))).toBeUndefined();
  expect(ledger.claim(claim(5, a))).toEqual({ code: 'other_digest', digest: b });
});

test('accounts do not share nonces', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  ledger.claim(claim(5, a));
  expect(ledger.claim(claim(5, b, { account: `0x${'2'.repeat(40)}` }))).toBeUndefined();
});

test('claims survive a restart, and the file does not grow for ever', async () => {
  const file = new MemoryLedger();
  const first = new DigestLedger(file);
  let longest = 0;
  for (let nonce = 0; nonce < 80_000; nonce += 1) {
    first.claim(claim(nonce, a));
    if (nonce % 500 !== 499) continue;
    await first.recorded();
    longest = Math.max(longest, file.bytes.length);
  }
  expect(longest / 61).toBeGreaterThan(65_536);
  expect(longest / 61).toBeLessThan(65_536 + 4096 + 256);
  const second = new DigestLedger(file);
  expect(second.claim(claim(79_999, b))).toEqual({ code: 'other_digest', digest: a });
  expect(second.claim(claim(80_000 - 4096, b))).toEqual({ code: 'other_digest', digest: a });
  expect(second.claim(claim(80_000 - 4097, b))).toEqual({ code: 'nonce_too_old' });
  expect(second.claim(claim(80_000, b))).toBeUndefined();
});

test('the last digest of a nonce is the one that a rewritten file keeps', async () => {
  const file = new MemoryLedger();
  const first = new DigestLedger(file);
  first.claim(claim(5, a));
  let now = a as string;
  for (let turn = 0; turn < 66_000; turn += 1) {
    const digest = now;
    now = turn.toString(16).padStart(64, '0');
    first.claim(claim(5, now, { supersedes: { digest, proof: 'never_sent' } }));
  }
  await first.recorded();
  expect(file.bytes.length / 61).toBeLessThan(1000);
  expect(new DigestLedger(file).claim(claim(5, b))).toMatchObject({ digest: now });
});

test('a nonce far below the highest is not signed any more, and memory stays bounded', async () => {
  const ledger = new DigestLedger(new MemoryLedger());
  for (let nonce = 0; nonce < 20_000; nonce += 1) ledger.claim(claim(nonce, a));
  await ledger.recorded();
  expect(ledger.claim(claim(20_000 - 4097, b))).toEqual({ code: 'nonce_too_old' });
  expect(ledger.claim(claim(20_000 - 4096, b))).toEqual({ code: 'other_digest', digest: a });
});

test('claims of one turn are one record; more than a batch are several', async () => {
  const lengths: number[] = [];
  class CountingLedger extends MemoryLedger {
    override append(entries: Uint8Array): void {
      lengths.push(entries.length / 61);
      super.append(entries);
    }
  }
  const ledger = new DigestLedger(new CountingLedger());
  for (let nonce = 0; nonce < 300; nonce += 1) ledger.claim(claim(nonce, a));
  await Promise.all([ledger.recorded(), ledger.recorded()]);
  expect(lengths).toEqual([256, 44]);
});

test('after a failed record every later one fails, however many claims are made', async () => {
  class FullLedger extends MemoryLedger {
    override append(): void {
      throw new Error('disk full');
    }
  }
  const ledger = new DigestLedger(new FullLedger());
  for (let nonce = 0; nonce < 1000; nonce += 1) ledger.claim(claim(nonce, a));
  await expect(ledger.recorded()).rejects.toThrow('disk full');
  await expect(ledger.recorded()).rejects.toThrow('disk full');
});

class CountedLedger extends MemoryLedger {
  appends = 0;
  override append(entries: Uint8Array): void {
    this.appends += 1;
    super.append(entries);
  }
}

test('what stands in a journal already is written in lots, and the rest when the ledger closes', async () => {
  const file = new CountedLedger();
  const ledger = new DigestLedger(file, true);
  for (let nonce = 0; nonce < 300; nonce += 1) {
    ledger.claim(claim(nonce, a));
    await ledger.recorded();
  }
  expect([file.appends, file.bytes.length / 61]).toEqual([1, 256]);
  ledger.close();
  expect([file.appends, file.bytes.length / 61]).toEqual([2, 300]);
});

test('that a digest takes the place of another is written before it is signed, journal or not', async () => {
  const file = new CountedLedger();
  const ledger = new DigestLedger(file, true);
  ledger.claim(claim(5, a));
  await ledger.recorded();
  ledger.claim(claim(5, b, { supersedes: { digest: a, proof: 'never_sent' } }));
  await ledger.recorded();
  expect(new DigestLedger(file, true).claim(claim(5, a))).toMatchObject({ digest: b });
  ledger.claim(claim(6, a));
  await ledger.recorded();
  expect(file.appends).toBe(1);
});

test('after a crash the journal tells what the file lost, and the file what is newer than the journal', async () => {
  const file = new MemoryLedger();
  const first = new DigestLedger(file, true);
  first.claim(claim(5, a));
  first.claim(claim(5, b, { supersedes: { digest: a, proof: 'refused' } }));
  await first.recorded();
  first.claim(claim(6, a));
  await first.recorded();
  const second = new DigestLedger(file, true);
  second.recall(claim(0, a).account, new Map([5, 6, 7].map((nonce) => [nonce, a])));
  expect(second.claim(claim(5, a))).toEqual({ code: 'other_digest', digest: b });
  expect(second.claim(claim(6, b))).toEqual({ code: 'other_digest', digest: a });
  // And it stands in the file from then on.
  const third = new DigestLedger(file, true);
  expect(third.claim(claim(7, b))).toEqual({ code: 'other_digest', digest: a });
});

test('the journal tells nothing of nonces that are too old', () => {
  const ledger = new DigestLedger(new MemoryLedger(), true);
  ledger.claim(claim(10_000, a));
  ledger.recall(claim(0, a).account, new Map([[10_000 - 4096, b]]));
  expect(ledger.claim(claim(10_000 - 4096, a))).toEqual({ code: 'nonce_too_old' });
  expect(ledger.claim(claim(10_000, a))).toBeUndefined();
});

test('a journaled ledger whose lot cannot be written signs no more', async () => {
  class FullLedger extends MemoryLedger {
    override append(): void {
      throw new Error('disk full');
    }
  }
  const ledger = new DigestLedger(new FullLedger(), true);
  for (let nonce = 0; nonce < 255; nonce += 1) ledger.claim(claim(nonce, a));
  await ledger.recorded();
  ledger.claim(claim(255, a));
  await expect(ledger.recorded()).rejects.toThrow('disk full');
});

test('a ledger that cannot write its last lot says so when it closes', () => {
  class FullLedger extends MemoryLedger {
    isClosed = false;
    override append(): void {
      throw new Error('disk full');
    }
    override close(): void {
      this.isClosed = true;
    }
  }
  const file = new FullLedger();
  const ledger = new DigestLedger(file, true);
  ledger.claim(claim(1, a));
  expect(() => ledger.close()).toThrow('disk full');
  expect(file.isClosed).toBe(true);
});
