import { expect, test } from 'vitest';
import { noTotals, type Volume } from '../../src/dropcopy/copy-totals.ts';
import { statedTotals, totalsNews } from '../../src/dropcopy/totals-news.ts';

const volume: Volume = {
  bought: 1_000_000n,
  sold: 0n,
  boughtValue: 40_000_000_000_000_000n,
  soldValue: 0n,
  qtyScale: 8,
  valueScale: 14,
};

function news(symbols: readonly string[]) {
  const volumes = Object.fromEntries(symbols.map((symbol) => [symbol, volume]));
  const totals = { ...noTotals, count: 3, trades: 1, lastExecId: 'desk-7-0', volumes };
  const facts = { account: 'desk', day: '20261120', possResend: false, reqId: null };
  return totalsNews({ kind: 'totals', totals, ...facts });
}

test('totals are a line of sums, and one of volume for each instrument', () => {
  expect(news(['BTC-USDC'])).toEqual([
    {
      kind: 'news',
      headline: 'Drop copy totals',
      lines: [
        `account=desk;day=20261120;count=3;trades=1;busts=0;corrections=0;lost=0;hash=${'0'.repeat(64)};lastExecId=desk-7-0;volumes=1`,
        'account=desk;symbol=BTC-USDC;bought=0.01;sold=0;boughtValue=400;soldValue=0',
      ],
    },
  ]);
});

test('more instruments than fit in a message are told in several', () => {
  const told = news(Array.from({ length: 250 }, (_, i) => `M${i}`));
  expect(told.map(({ lines }) => lines.length)).toEqual([100, 100, 51]);
});

test('a symbol is cut like every name over FIXP, so that the lines fit into a message', () => {
  const [told] = news([`é${'x'.repeat(4000)}`]);
  expect(told?.lines[1]).toContain(`;symbol=é${'x'.repeat(253)};bought=0.01;`);
});

test.each(['A;bought=9;B', 'A=B', ';symbol=C', 'A;bought=', 'account=X;sold=1'])(
  'a symbol like %s is read back as it is, with its own volume',
  (symbol) => {
    const lines = news([symbol]).flatMap((one) => one.lines);
    expect(statedTotals(lines.slice(1))).toEqual([
      [1, 'desk'],
      [55, symbol],
      [9134, '0.01'],
      [9135, '0'],
      [9136, '400'],
      [9137, '0'],
    ]);
  },
);
