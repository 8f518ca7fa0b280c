import { beforeEach, expect, test } from 'vitest';
import type { Market } from '../../src/domain/instrument.ts';
import { loadProfile, profileMarkets } from '../../src/venue/profile.ts';
import { UsableMarkets } from '../../src/venue/usable-markets.ts';
import type { WireError } from '../../src/venue/wire-value.ts';

const [spot, other] = profileMarkets(loadProfile('dictionaries/venue.sandbox.yaml')) as [
  Market,
  Market,
];
let usable: UsableMarkets;

beforeEach(() => {
  usable = new UsableMarkets();
});

const read = (markets: readonly Market[], ...faults: readonly string[]) =>
  usable.read({
    async markets(skip) {
      for (const message of faults) skip?.({ message } as WireError);
      return markets;
    },
  });

test('a list without faults is returned as it is', async () => {
  expect(await read([spot, other])).toEqual({ markets: [spot, other], fault: '' });
});

test('a market that changes in anything but its decimals is used as it is now', async () => {
  await read([spot]);
  const changed = { ...spot, status: 'halted' as const, tick: spot.tick, symbol: 'NEW-NAME' };
  expect(await read([changed])).toEqual({ markets: [changed], fault: '' });
});

test.each([
  [{ priceScale: 3 }, '3 decimals of the price'],
  [{ qtyScale: 3 }, 'and 3 of the quantity'],
])(
  'a market whose decimals become %j is left out until it has the first ones again',
  async (scales, text) => {
    await read([spot, other]);
    const { fault, markets } = await read([{ ...spot, ...scales }, other]);
    expect(markets).toEqual([other]);
    expect(fault).toContain("1 markets of the venue's list cannot be used: ");
    expect(fault).toContain(text);
    expect(await read([spot, other])).toEqual({ markets: [spot, other], fault: '' });
  },
);

test('the decimals of open orders count, also if the list that is read first has others', async () => {
  usable.learn([{ ...spot, priceScale: 3 }]);
  expect((await read([spot, other])).markets).toEqual([other]);
  expect((await read([{ ...spot, priceScale: 3 }])).fault).toBe('');
});

test('records that cannot be read and markets that are left out are counted together, and the first is named', async () => {
  usable.learn([{ ...spot, qtyScale: 3 }]);
  const { fault } = await read([spot], 'markets[4].tick: must be a number');
  expect(fault).toBe(
    "2 markets of the venue's list cannot be used: markets[4].tick: must be a number",
  );
});
