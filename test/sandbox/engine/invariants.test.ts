import { expect, test } from 'vitest';
import { Exchange } from '../../../src/sandbox/engine/exchange.ts';
import type { Snapshot } from '../../../src/sandbox/engine/snapshot.ts';
import { coin, Floor, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

type Writable<T> = T extends object ? { -readonly [Key in keyof T]: Writable<T[Key]> } : T;

/** A floor with a bid of ann, a half-filled ask of bob and a closed bid of cid, restored with one fault. */
function restoreWith(fault: (snapshot: Writable<Snapshot>) => void): Exchange {
  const floor = new Floor();
  floor.bid('ann', 99 * usd, coin);
  floor.ask('bob', 101 * usd, 2 * coin);
  floor.bid('cid', 101 * usd, coin);
  const snapshot = JSON.parse(JSON.stringify(floor.exchange.snapshot())) as Writable<Snapshot>;
  fault(snapshot);
  return Exchange.restore(floor.config, snapshot as Snapshot);
}

const order = (snapshot: Writable<Snapshot>, id: string) =>
  snapshot.orders.find((each) => each.id === id)!;
const balance = (snapshot: Writable<Snapshot>, account: number, asset: number) =>
  snapshot.accounts[account]!.balances[asset]!;

test('a sound snapshot passes', () => {
  assertInvariants(restoreWith(() => undefined));
});

const faults: Record<string, [RegExp, (snapshot: Writable<Snapshot>) => void]> = {
  'money out of nothing': [/USDC is not conserved/, (s) => (balance(s, 2, 0).free += 1)],
  'inventory out of nothing': [/BTC is not conserved/, (s) => (balance(s, 2, 1).free += 1)],
  'fees that vanish': [/USDC is not conserved/, (s) => (s.counters.feesMicro -= 1)],
  'a negative balance': [/USDC is negative/, (s) => (balance(s, 0, 0).free = -1)],
  'funds held for nobody': [/held USDC differs/, (s) => (balance(s, 2, 0).held += 1)],
  'a hold that does not fit its order': [/order o1 holds/, (s) => (order(s, 'o1').held -= 1)],
  'a quantity without fills': [/fills do not add up/, (s) => (order(s, 'o2').filledQty += 10)],
  'an order that is full and open': [/order o2: open at/, (s) => (order(s, 'o2').qty = coin)],
  'a closed order with a hold': [/order o3 holds 1, not 0/, (s) => (order(s, 'o3').held = 1)],
  'a book that is crossed': [/is crossed/, (s) => (order(s, 'o1').price = 102 * usd)],
  'an open order outside its book': [
    /o2: open and its place/,
    (s) => s.markets[0]!.books[0]!.asks.pop(),
  ],
  'a stream that lost its end': [/last seq differs/, (s) => s.accounts[0]!.events.pop()],
};

test.each(Object.entries(faults))('%s is found', (_name, [problem, fault]) => {
  expect(() => assertInvariants(restoreWith(fault))).toThrow(problem);
});
