/** Whose orders and accounts a session means, with the orders of three accounts and nothing else of the bridge. */
import { beforeEach, expect, test } from 'vitest';
import { isDenial } from '../../../src/domain/denial.ts';
import { InstrumentList, instrumentsOf, type Market } from '../../../src/domain/instrument.ts';
import type { Account, MarketId, Qty } from '../../../src/domain/units.ts';
import { allOrders, MassCancels } from '../../../src/engine/mass-cancels.ts';
import { Orders } from '../../../src/engine/orders.ts';
import type { OrdersInput } from '../../../src/engine/orders-input.ts';
import {
  accountNamed,
  type BoundAccount,
  cancelOrders,
  cancelOwn,
  instrumentNamed,
  isSpent,
  openOrders,
  type Principal,
  reachOf,
} from '../../../src/gateway/gate/principal.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { fullRules, spot, terms } from '../../domain/ladder.ts';

class Book implements BoundAccount {
  readonly name: string;
  readonly orders = new Orders(() => fullRules);
  readonly inputs: OrdersInput[] = [];
  readonly withdrawn: string[] = [];
  readonly guard = {} as never;
  readonly runner: BoundAccount['runner'];

  constructor(name: string, digit: string) {
    this.name = name;
    this.runner = {
      account: `0x${digit.repeat(40)}` as Account,
      orders: this.orders,
      apply: (input: OrdersInput) => {
        this.inputs.push(input);
        this.orders.apply(input);
      },
      withdraw: (session: string, { refusal }: { refusal: { name: string } }) =>
        void this.withdrawn.push(`${session}: ${refusal.name}`),
    } as unknown as BoundAccount['runner'];
  }

  enter(session: string, clOrdId: string, market: Market = spot): void {
    const [key = ''] = this.orders.newKeys('T', 1);
    const [instrument] = instrumentsOf(market);
    if (instrument === undefined) throw new Error('no instrument');
    const owner = {
      ...{ session, account: this.runner.account, accountName: this.name },
      ...{ tag: 'T', key, quoteId: null },
    };
    this.orders.apply({
      kind: 'entry',
      owner,
      clOrdId,
      instrument,
      terms: terms({ qty: 5n as Qty }),
      nowMs: 1,
    });
  }
}

let desk: Book;
let fund: Book;
let taken: Book;
let all: Book[];

beforeEach(() => {
  desk = new Book('desk', '1');
  fund = new Book('fund', '2');
  taken = new Book('taken', '3');
  all = [desk, fund, taken];
});

function principal(accounts: readonly Book[] = [desk, fund]): Principal {
  const reach = reachOf('S', accounts, all);
  return { session: 'S', accounts, reach, known: all } as unknown as Principal;
}

const seen = (of: Principal) =>
  [...openOrders(of)].map(([{ name }, { clOrdId }]) => `${name} ${clOrdId}`);

test('a session reaches its accounts, and others only while it has open orders there', () => {
  expect(principal().reach).toEqual([desk, fund]);
  taken.enter('S', 'own');
  taken.enter('T', 'other');
  expect(principal().reach).toEqual([desk, fund, taken]);
  const own = new Book('own', '4');
  own.enter('T', 'other');
  expect(reachOf('S', [], [own])).toEqual([]);
});

test('it sees all orders of its accounts, and its own on an account that it lost', () => {
  desk.enter('S', 'a');
  desk.enter('T', 'b');
  taken.enter('T', 'c');
  taken.enter('S', 'd');
  expect(seen(principal())).toEqual(['desk a', 'desk b', 'taken d']);
});

test('an account is named by its alias or its address, and without a name it is the first', () => {
  const own = principal();
  expect(accountNamed(own, null)).toBe(desk);
  expect(accountNamed(own, 'fund')).toBe(fund);
  expect(accountNamed(own, fund.runner.account)).toBe(fund);
  expect(accountNamed(own, 'taken')).toBeUndefined();
  expect(accountNamed(own, 'taken', all)).toBe(taken);
  expect(accountNamed(own, 'Desk')).toBeUndefined();
  expect(accountNamed(principal([]), null)).toBeUndefined();
});

test('a ClOrdID is used up wherever the session used it, and by no other session', () => {
  taken.enter('S', 'own');
  desk.enter('T', 'other');
  const own = principal();
  expect(['own', 'other', 'new'].map((id) => isSpent(own, id))).toEqual([true, false, false]);
  taken.orders.apply({ kind: 'spent', session: 'S', clOrdId: 'refused' });
  expect(isSpent(own, 'refused')).toBe(true);
});

test('an instrument that the venue no longer lists is known by the open orders, and a listed one by the list', () => {
  const gone = { ...spot, marketId: 9 as MarketId, symbol: 'GONE-USDC' };
  const listed = new InstrumentList([spot]);
  const name = (symbol: string) => {
    const found = instrumentNamed(principal(), { symbol, securityId: null, book: null }, listed);
    return isDenial(found) ? found.refusal.name : found.market;
  };
  expect(name('GONE-USDC')).toBe('bridge.unknown_instrument');
  desk.enter('S', 'a', gone);
  expect(name('GONE-USDC')).toBe(gone);
  expect(name('BTC-USDC')).toBe(spot);
  // What the venue lists today counts, not what an order was sent under.
  desk.enter('S', 'b', { ...spot, base: 'OLD' });
  expect(name('BTC-USDC')).toBe(spot);
  expect(name('ETH-USDC')).toBe('bridge.unknown_instrument');
});

test('open orders are canceled in slices, as many as are meant, and nothing is recorded where there is none', () => {
  desk.enter('S', 'a');
  desk.enter('S', 'b');
  desk.enter('T', 'c');
  expect(cancelOrders(desk, 'stop', 5, { ...allOrders, session: 'S' })).toBe(2);
  expect(desk.inputs).toEqual([
    {
      kind: 'mass_cancel',
      meant: { ...allOrders, session: 'S' },
      text: 'stop',
      atOnce: MassCancels.atOnce,
      nowMs: 5,
    },
  ]);
  expect(cancelOrders(fund, 'stop', 5, allOrders)).toBe(0);
  expect(fund.inputs).toEqual([]);
});

test("a session's own orders are withdrawn before they are canceled, wherever it has any", () => {
  desk.enter('S', 'a');
  taken.enter('S', 'b');
  fund.enter('T', 'c');
  const clock = new ManualClock();
  cancelOwn('S', { accounts: () => all, clock }, 'disconnected');
  expect(all.map(({ withdrawn }) => withdrawn.length)).toEqual([1, 0, 1]);
  expect(desk.withdrawn[0]).toMatch(/^S: /);
  expect(all.map(({ inputs }) => inputs.length)).toEqual([1, 0, 1]);
  expect(desk.inputs[0]).toMatchObject({
    meant: { session: 'S' },
    text: 'disconnected',
    nowMs: clock.now().wallMs,
  });
});
