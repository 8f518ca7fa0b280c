/** Which orders are reduced, and by how much. */
import { expect, test } from 'vitest';
import type { Chain } from './client-log.ts';
import { Dice } from './dice.ts';
import { reduction } from './reductions.ts';

const report = '35=8|34=7|11=o3|150=F|39=1|55=SOL-USDC|54=2|38=1.2|44=150.01|151=0.7|14=0.5';
const chain = (status: string) =>
  ({ side: '2', status, symbol: 'SOL-USDC', told: [report] }) as unknown as Chain;
function reducedOf(status: string, dice: Dice) {
  const clients = [{ log: { chains: new Set([chain(status)]) } }];
  for (let i = 0; i < 100; i += 1) {
    const found = reduction(clients, dice, () => 9);
    if (found !== undefined) return found.line;
  }
  return undefined;
}

test('an open order keeps its price, and at least what has traded', () => {
  const dice = new Dice(1);
  for (let i = 0; i < 200; i += 1) {
    const line = reducedOf('1', dice) ?? '';
    expect(line).toMatch(/^G\|11=g-r9\|41=o3\|55=SOL-USDC\|54=2\|38=[\d.]+\|40=2\|44=150.01\|/);
    const qty = Number(/\|38=([\d.]+)/.exec(line)?.[1]);
    expect(qty).toBeGreaterThan(0.49);
    expect(qty).toBeLessThan(1.2);
  }
});

test('an order that is over or pending is left alone', () => {
  expect(reducedOf('2', new Dice(1))).toBeUndefined();
  expect(reducedOf('E', new Dice(1))).toBeUndefined();
});
