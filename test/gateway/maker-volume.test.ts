import { expect, test } from 'vitest';
import type { Report } from '../../src/domain/report.ts';
import { MakerVolume } from '../../src/gateway/maker-volume.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';

const account = `0x${'1'.repeat(40)}`;
const may = Date.UTC(2026, 4, 31, 23, 59, 59);

function fill(liquidity: 'maker' | 'taker', execType = 'trade'): Report {
  const market = { priceScale: 6, qtyScale: 8 };
  // 2,500 for a hundredth: 25 in the quote currency.
  const fill = { price: 2_500_000_000n, qty: 1_000_000n, liquidity };
  const order = { owner: { account }, instrument: { market } };
  return { kind: 'execution', execType, fill, order } as unknown as Report;
}

function turnsOn(store: MemoryStore): Turns {
  return new Turns(store, (error) => {
    throw error;
  });
}

test('trades as a maker add up within their month, and a restart goes on from there', async () => {
  const store = new MemoryStore();
  const turns = turnsOn(store);
  const volume = await MakerVolume.open(turns, [{ account }], may);
  turns.run(() => {
    volume.count(fill('maker'), may);
    volume.count(fill('maker'), may);
    volume.count(fill('taker'), may);
    volume.count(fill('maker', 'trade_cancel'), may);
  });
  expect(volume.of(account, may)).toBe(50_000_000n);
  expect(volume.of(account, may + 1_000)).toBe(0n);
  await new Promise<void>((resolve) => turns.run(() => turns.after(resolve)));
  const again = await MakerVolume.open(turnsOn(store), [{ account }], may);
  expect(again.of(account, may)).toBe(50_000_000n);
});
