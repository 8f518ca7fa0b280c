import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import {
  type Claim,
  DigestLedger,
  LedgerFull,
  RecalledDigests,
  type Spend,
} from '../../src/signer/digest-ledger.ts';
import { entryBytes } from '../../src/signer/ledger-file.ts';
import { MemoryLedger } from './memory-ledger.ts';

const account = `0x${'1'.repeat(40)}`;
const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)] as const;
const day = 20_000;
const nothing: Spend = { market: 1, qty: { Bid: 0n, Ask: 0n }, notional: 0n };
const bounds = { maxNonceJump: 65_536, knownNonce: null, daily: null };
const bytesOf = (digest: string) => Buffer.from(digest, 'hex');
const claim = (nonce: number, digest: string, more: Partial<Claim> = {}): Claim => ({
  ...{ account, nonce, digest: bytesOf(digest), spend: nothing, day, bounds },
  ...more,
});
/** Asks as the signer does, and records what is new. */
function ask(
  ledger: DigestLedger,
  nonce: number,
  digest: string,
  of = account,
  recalled = new RecalledDigests(),
): string {
  const recorded = ledger.standing(of, nonce, bytesOf(digest));
  const { kind } = recalled.standing(recorded, of, nonce, bytesOf(digest));
  if (kind === 'new') ledger.record(claim(nonce, digest, { account: of }));
  return kind;
}

test('the same digest may be signed again, another one never', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  expect(ask(ledger, 5, a)).toBe('new');
  expect(ask(ledger, 5, a)).toBe('same');
  expect(ask(ledger, 5, b)).toBe('other_digest');
  expect(ask(ledger, 5, a)).toBe('same');
});

test('accounts do not share nonces', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  ask(ledger, 5, a);
  expect(ask(ledger, 5, b, `0x${'2'.repeat(40)}`)).toBe('new');
});

test('no nonce ever gets two digests, whatever is asked, restarted and recalled, in any order', () => {
  const nonce = fc.integer({ min: 0, max: 9000 });
  const digest = fc.constantFrom(a, b);
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask' as const), nonce, digest }) },
    fc.record({ kind: fc.constant('recall' as const), nonce, digest, floor: nonce }),
    fc.record({ kind: fc.constant('restart' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const file = new MemoryLedger();
      const signed = new Map<number, string>();
      let ledger = new DigestLedger(file);
      let recalled = new RecalledDigests();
      for (const each of steps) {
        if (each.kind === 'restart') {
          ledger.close();
          ledger = new DigestLedger(file);
          recalled = new RecalledDigests();
        } else if (each.kind === 'recall') {
          recalled.recall(account, each.floor, new Map([[each.nonce, each.digest]]));
        } else {
          const answer = ask(ledger, each.nonce, each.digest, account, recalled);
          if (answer !== 'new' && answer !== 'same') continue;
          expect(signed.get(each.nonce) ?? each.digest).toBe(each.digest);
          signed.set(each.nonce, each.digest);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('digests survive a restart, and the file does not grow for ever', async () => {
  const file = new MemoryLedger();
  const first = new DigestLedger(file);
  let longest = 0;
  for (let nonce = 0; nonce < 80_000; nonce += 1) {
    first.record(claim(nonce, a));
    if (nonce % 500 !== 499) continue;
    await first.recorded();
    longest = Math.max(longest, file.bytes.length);
  }
  expect(longest / entryBytes).toBeGreaterThan(65_536);
  expect(longest / entryBytes).toBeLessThan(65_536 + 4096 + 256);
  const second = new DigestLedger(file);
  expect(ask(second, 79_999, b)).toBe('other_digest');
  expect(ask(second, 80_000 - 4096, b)).toBe('other_digest');
  expect(ask(second, 80_000 - 4097, b)).toBe('nonce_too_old');
  expect(ask(second, 80_000, b)).toBe('new');
});

test('accounts that hardly sign do not make the file longer', async () => {
  const file = new MemoryLedger();
  const ledger = new DigestLedger(file);
  const idle = Array.from({ length: 50 }, (_, at) => `0x${String(at).padStart(40, '2')}`);
  for (const one of idle) ledger.record(claim(7, a, { account: one }));
  let longest = 0;
  for (let nonce = 0; nonce < 80_000; nonce += 1) {
    ledger.record(claim(nonce, a));
    if (nonce % 500 !== 499) continue;
    await ledger.recorded();
    longest = Math.max(longest, file.bytes.length);
  }
  expect(longest / entryBytes).toBeLessThan(65_536 + 4096 + 50 + 512);
  expect(file.bytes.length / entryBytes).toBeLessThan(16_384);
  const second = new DigestLedger(file);
  for (const one of idle) expect(ask(second, 7, b, one)).toBe('other_digest');
});

test('what was placed in a day is summed by account and market, and survives a restart and a rewritten file', async () => {
  const file = new MemoryLedger();
  const first = new DigestLedger(file);
  const spend: Spend = { market: 7, qty: { Bid: 2n, Ask: 3n }, notional: 2n ** 90n };
  for (let nonce = 0; nonce < 70_000; nonce += 1) first.record(claim(nonce, a, { spend }));
  await first.recorded();
  expect(file.bytes.length / entryBytes).toBeLessThan(10_000);
  const total = {
    market: 7,
    qty: { Bid: 140_000n, Ask: 210_000n },
    notional: 70_000n * 2n ** 90n,
  };
  const second = new DigestLedger(file);
  expect(second.spent(account, 7, day)).toEqual(total);
  expect(second.spent(account, 8, day)).toEqual({ ...nothing, market: 8 });
  expect(second.spent(`0x${'2'.repeat(40)}`, 7, day)).toEqual({ ...nothing, market: 7 });
});

test('the totals of a market whose id is longer than the place for it are found by the low word of the id', () => {
  const file = new MemoryLedger();
  const ledger = new DigestLedger(file);
  const spend: Spend = { market: 2 ** 52 + 7, qty: { Bid: 2n, Ask: 0n }, notional: 10n };
  ledger.record(claim(1, a, { spend }));
  const { market: _, ...spent } = spend;
  for (const market of [2 ** 52 + 7, 7]) {
    expect(ledger.spent(account, market, day)).toMatchObject(spent);
  }
  expect(ledger.spent(account, 2 ** 52 + 8, day)).toMatchObject({ notional: 0n });
  ledger.close();
  expect(new DigestLedger(file).spent(account, 2 ** 52 + 7, day)).toMatchObject(spent);
});

test('a new day begins with nothing, and a clock that goes back does not begin another', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  const spend: Spend = { market: 7, qty: { Bid: 2n, Ask: 0n }, notional: 10n };
  ledger.record(claim(1, a, { spend }));
  expect(ledger.spent(account, 7, day + 1)).toEqual({ ...nothing, market: 7 });
  ledger.record(claim(2, a, { spend, day: day + 1 }));
  expect(ledger.spent(account, 7, day + 1)).toEqual(spend);
  expect(ledger.spent(account, 7, day)).toEqual(spend);
});

test('what is placed while the clock is a day back counts on the last day', () => {
  const file = new MemoryLedger();
  const ledger = new DigestLedger(file);
  const spend: Spend = { market: 7, qty: { Bid: 2n, Ask: 0n }, notional: 10n };
  const twice = { market: 7, qty: { Bid: 4n, Ask: 0n }, notional: 20n };
  ledger.record(claim(1, a, { spend }));
  ledger.record(claim(2, a, { spend, day: day - 1 }));
  expect(ledger.spent(account, 7, day - 1)).toEqual(twice);
  ledger.close();
  expect(new DigestLedger(file).spent(account, 7, day)).toEqual(twice);
});

test('a new nonce comes with the highest nonce of its account that was signed, which no recall moves', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  const recalled = new RecalledDigests();
  expect(ledger.standing(account, 1_000_000, bytesOf(a))).toEqual({ kind: 'new', highest: -1 });
  ledger.record(claim(700, a));
  expect(ledger.standing(account, 600, bytesOf(a))).toEqual({ kind: 'new', highest: 700 });
  // Else a bridge that was taken over could recall its way to any nonce.
  recalled.recall(account, 5_000, new Map([[6_000, a]]));
  const recorded = ledger.standing(account, 6_001, bytesOf(a));
  expect(recalled.standing(recorded, account, 6_001, bytesOf(a))).toEqual({
    kind: 'new',
    highest: 700,
  });
});

test('below the floor that the journal recalls nothing new is signed: the file may have lost it', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  ask(ledger, 90, a);
  const recalled = new RecalledDigests();
  recalled.recall(account, 100, new Map([[101, a]]));
  const asked = (nonce: number, digest: string) => ask(ledger, nonce, digest, account, recalled);
  expect(asked(99, a)).toBe('nonce_too_old');
  expect(asked(90, a)).toBe('same');
  expect(asked(101, b)).toBe('other_digest');
  // Only what this ledger has recorded is signed again without being held against the limits.
  expect(asked(101, a)).toBe('new');
  expect(asked(102, b)).toBe('new');
});

test('the journal does not take the place of what the file knows', () => {
  const ledger = new DigestLedger(new MemoryLedger());
  ask(ledger, 5, a);
  const recalled = new RecalledDigests();
  recalled.recall(account, 0, new Map([[5, b]]));
  expect(ask(ledger, 5, b, account, recalled)).toBe('other_digest');
  expect(ask(ledger, 5, a, account, recalled)).toBe('same');
});

test('what a journal recalls never reaches the file, and pushes nothing out of it', () => {
  const file = new MemoryLedger();
  const ledger = new DigestLedger(file);
  ask(ledger, 5, a);
  const recalled = new RecalledDigests();
  recalled.recall(account, 0, new Map([[9_000_000, b]]));
  expect(ask(ledger, 5, b, account, recalled)).toBe('other_digest');
  const other = `0x${'2'.repeat(40)}`;
  for (let nonce = 0; nonce < 70_000; nonce += 1)
    ledger.record(claim(nonce, a, { account: other }));
  ledger.close();
  const later = new DigestLedger(file);
  expect(file.bytes.length / entryBytes).toBeLessThan(10_000);
  expect(ask(later, 5, b)).toBe('other_digest');
  expect(ask(later, 5, a)).toBe('same');
});

test('claims of one turn are one record; more than a batch are several', async () => {
  const lengths: number[] = [];
  class CountingLedger extends MemoryLedger {
    override append(entries: Uint8Array): void {
      lengths.push(entries.length / entryBytes);
      super.append(entries);
    }
  }
  const ledger = new DigestLedger(new CountingLedger());
  for (let nonce = 0; nonce < 300; nonce += 1) ledger.record(claim(nonce, a));
  await Promise.all([ledger.recorded(), ledger.recorded()]);
  expect(lengths).toEqual([256, 44]);
});

class FullLedger extends MemoryLedger {
  isClosed = false;
  override append(): void {
    throw new Error('disk full');
  }
  override close(): void {
    this.isClosed = true;
  }
}

test('after a failed record every later one fails, however many claims are made', async () => {
  const ledger = new DigestLedger(new FullLedger());
  for (let nonce = 0; nonce < 1000; nonce += 1) ledger.record(claim(nonce, a));
  await expect(ledger.recorded()).rejects.toThrow('disk full');
  await expect(ledger.recorded()).rejects.toThrow('disk full');
});

test('a full disk keeps what waits unsigned, and it is written before anything else once there is room', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  let isRoom = false;
  class FillingLedger extends MemoryLedger {
    override append(entries: Uint8Array): void {
      if (!isRoom) throw full;
      super.append(entries);
    }
  }
  const file = new FillingLedger();
  const [clock, alarms] = [new ManualClock(), [] as string[]];
  const ledger = new DigestLedger(file, { clock, alarm: (_, code) => alarms.push(code) });
  ledger.record(claim(1, a));
  await expect(ledger.recorded()).rejects.toThrow(LedgerFull);
  expect(ledger.problem).toMatch(/ledger.*ENOSPC/);
  // What is known of the nonce is not on the disk, so it is not signed either.
  expect(ask(ledger, 1, a)).toBe('same');
  await expect(ledger.recorded()).rejects.toThrow(LedgerFull);
  clock.advance(5_000);
  expect(alarms).toEqual(['ledger_away']);
  isRoom = true;
  clock.advance(1_000);
  expect(ledger.problem).toBeUndefined();
  expect(alarms).toEqual(['ledger_away', 'ledger_back']);
  await ledger.recorded();
  expect(ask(new DigestLedger(file), 1, b)).toBe('other_digest');
  ledger.close();
});

test('a file that cannot be rewritten for want of room goes on growing, and is rewritten later', async () => {
  let isRoom = false;
  class CrampedLedger extends MemoryLedger {
    override rewrite(entries: Uint8Array): void {
      if (!isRoom) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      super.rewrite(entries);
    }
  }
  const file = new CrampedLedger();
  const ledger = new DigestLedger(file);
  for (let nonce = 0; nonce < 75_000; nonce += 1) ledger.record(claim(nonce, a));
  await ledger.recorded();
  expect(ledger.problem).toBeUndefined();
  expect(file.anchor.count).toBe(75_000);
  isRoom = true;
  for (let nonce = 75_000; nonce < 80_000; nonce += 1) ledger.record(claim(nonce, a));
  await ledger.recorded();
  expect(file.anchor.count).toBeLessThan(10_000);
  ledger.close();
});

test('a ledger that cannot write its last entries reports that when it closes', () => {
  const file = new FullLedger();
  const ledger = new DigestLedger(file);
  ledger.record(claim(1, a));
  expect(() => ledger.close()).toThrow('disk full');
  expect(file.isClosed).toBe(true);
});
