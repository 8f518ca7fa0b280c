import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../src/domain/report.ts';
import { MakerVolume } from '../../../src/gateway/view/maker-volume.ts';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { MemoryStore } from '../../support/memory-store.ts';

const account = `0x${'1'.repeat(40)}`;
const may = Date.UTC(2026, 4, 31, 23, 59, 59);

function fill(
  liquidity: 'maker' | 'taker',
  { execType = 'trade', price = 2_500_000_000n, qty = 1_000_000n, priceScale = 6 } = {},
): Report {
  const market = { priceScale, qtyScale: 8 };
  const order = { owner: { account }, instrument: { market } };
  const fill = { price, qty, liquidity };
  return { kind: 'execution', execType, fill, order } as unknown as Report;
}

/** A fill of 90,000,000,000 in the quote currency: a tenth of these is beyond what a number holds exactly. */
const huge = fill('maker', { price: 900_000_000n, qty: 1_000_000_000_000n, priceScale: 2 });

const problems: string[] = [];

function open(store: Store): Promise<MakerVolume> {
  return opened(transactionsOn(store));
}

function opened(transactions: Transactions): Promise<MakerVolume> {
  problems.length = 0;
  return MakerVolume.open(transactions, [{ account }], may, (text) => problems.push(text));
}

function transactionsOn(store: Store): Transactions {
  return new Transactions(store, (error) => {
    throw error;
  });
}

function settled(transactions: Transactions): Promise<void> {
  return new Promise((resolve) => transactions.run(() => transactions.after(resolve)));
}

async function onDisk(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-maker-volume-'));
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process' });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

test('trades as a maker add up within their month, also over a restart', async () => {
  const store = new MemoryStore();
  const transactions = transactionsOn(store);
  const volume = await opened(transactions);
  transactions.run(() => {
    volume.count(fill('maker'), may);
    volume.count(fill('maker'), may);
    volume.count(fill('taker'), may);
    volume.count(fill('maker', { execType: 'trade_cancel' }), may);
  });
  expect(volume.of(account, may)).toBe(50_000_000n);
  expect(volume.of(account, may + 1_000)).toBe(0n);
  await settled(transactions);
  expect((await open(store)).of(account, may)).toBe(50_000_000n);
});

test('a month beyond 2^53 millionths is counted exactly, in the commit of the report, and kept', async () => {
  const store = await onDisk();
  const transactions = transactionsOn(store);
  const volume = await opened(transactions);
  for (let i = 0; i < 3; i += 1) {
    transactions.run(() => {
      volume.count(huge, may);
      volume.count(fill('maker', { price: 1_000_000n, qty: 100n }), may);
      transactions.write({ kind: 'cursor', name: 'the report', value: i });
    });
  }
  await settled(transactions);
  expect(await store.cursor('the report')).toBe(2);
  expect((await open(store)).of(account, may)).toBe(270_000_000_000_000_003n);
  expect(problems).toEqual([]);
});

test('a month that an earlier version began continues from its cursor', async () => {
  const store = new MemoryStore();
  await store.commit([{ kind: 'cursor', name: `maker/${account}/2026-05`, value: 7 }]);
  const transactions = transactionsOn(store);
  const volume = await opened(transactions);
  transactions.run(() => volume.count(fill('maker'), may));
  await settled(transactions);
  expect((await open(store)).of(account, may)).toBe(25_000_007n);
});

test('a total that cannot be read is reported and begins at zero', async () => {
  const store = new MemoryStore();
  await store.commit([{ kind: 'cursor', name: `maker/${account}/2026-05`, value: 7 }]);
  store.cursor = () => Promise.reject(new Error('the store cannot read'));
  const volume = await open(store);
  expect(volume.of(account, may)).toBe(0n);
  expect(problems).toEqual([expect.stringMatching(/^maker\/0x1+\/2026-05 is counted from zero: /)]);
});

test('a trade that cannot be counted is reported to the operator, and its execution report is still recorded', async () => {
  const store = new MemoryStore();
  const transactions = transactionsOn(store);
  const volume = await opened(transactions);
  transactions.run(() => {
    volume.count(fill('maker', { priceScale: Number.NaN }), may);
    transactions.write({ kind: 'cursor', name: 'the report', value: 1 });
  });
  await settled(transactions);
  expect(await store.cursor('the report')).toBe(1);
  expect(problems).toEqual([expect.stringContaining('misses a trade')]);
});
