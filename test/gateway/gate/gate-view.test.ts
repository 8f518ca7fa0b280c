import { beforeEach, expect, test } from 'vitest';
import { InstrumentList, instrumentsOf } from '../../../src/domain/instrument.ts';
import type { Qty } from '../../../src/domain/units.ts';
import { Orders } from '../../../src/engine/orders.ts';
import { gateView, type TradingContext } from '../../../src/gateway/gate/gate-view.ts';
import type { BoundAccount, Principal } from '../../../src/gateway/gate/principal.ts';
import { RiskGuard } from '../../../src/gateway/gate/risk.ts';
import { account, fullRules, spot, terms } from '../../domain/ladder.ts';
import { denied } from '../../support/venue-denial.ts';

const instruments = new InstrumentList([spot]);
const [instrument] = instrumentsOf(spot);
let desk: BoundAccount;
let fund: BoundAccount;
let lent: BoundAccount;

function bound(name: string): BoundAccount {
  const runner = { account, orders: new Orders(() => fullRules) };
  return { name, runner, guard: new RiskGuard(`account ${name}`, {}) } as unknown as BoundAccount;
}

function enter({ name, runner }: BoundAccount, session: string, clOrdId: string): void {
  const { orders } = runner;
  const [key = ''] = orders.newKeys('T', 1);
  const owner = { session, account, accountName: name, tag: 'T', key, quoteId: null };
  if (instrument === undefined) throw new Error('no instrument');
  orders.apply({
    kind: 'entry',
    owner,
    clOrdId,
    instrument,
    terms: terms({ qty: 5n as Qty }),
    nowMs: 1,
  });
}

beforeEach(() => {
  desk = bound('desk');
  fund = bound('fund');
  lent = bound('lent');
});

function view(profile: object = {}, context: Partial<TradingContext> = {}) {
  const principal = {
    session: 'S',
    accounts: [desk, fund],
    known: [desk, fund, lent],
    actions: new Set(['order']),
    markets: new Set(['BTC-USDC']),
    guard: new RiskGuard('session S', {}),
    rules: fullRules,
    profile: { dayOrders: 'gtc', stp: 'reject', maxOrderAgeMs: 7_000, ...profile },
  } as unknown as Principal;
  const shared = {
    instruments: () => instruments,
    closed: () => undefined,
    killed: () => undefined,
    gate: { refusal: () => null },
    maxStored: 4,
    top: () => ({ bid: null, ask: null }),
    admission: { collarBps: 100 },
    ...context,
  } as unknown as TradingContext;
  return { principal, view: gateView(principal, desk, shared) };
}

test("the permissions and rules are the session's, with those that all sessions share", () => {
  const { principal, view: own } = view();
  expect(own).toMatchObject({
    actions: principal.actions,
    markets: principal.markets,
    replaces: fullRules,
    maxOrderAgeMs: 7_000,
    rules: { collarBps: 100, dayOrders: 'gtc', defaultStp: 'reject' },
    closed: undefined,
    killed: undefined,
  });
  expect(own.instruments).toBe(instruments);
});

test('a profile without self-trade prevention has none, which is no mode of its own', () => {
  expect(view({ stp: 'none' }).view.rules.defaultStp).toBeNull();
});

test('the kill switch is that of the account under its alias and of the session', () => {
  const denial = denied('bridge.kill_switch');
  const asked: string[] = [];
  const killed = (name: string, session: string) => {
    asked.push(`${name} ${session}`);
    return denial;
  };
  expect(view({}, { killed }).view.killed).toBe(denial);
  expect(asked).toEqual(['desk S']);
  expect(view({}, { closed: () => denial }).view.closed).toBe(denial);
});

test('what the venue refuses is a denial for the account by its address, without a number or a nonce', () => {
  const { refusal } = denied('bridge.gate_closed');
  const asked: unknown[] = [];
  const gate = {
    refusal: (...given: unknown[]) => {
      asked.push(given);
      return { refusal, text: 'halted' };
    },
  } as never;
  expect(view({}, { gate }).view.venue(spot.marketId, true)).toEqual({
    refusal,
    text: 'halted',
    number: null,
    isSpent: null,
  });
  expect(asked).toEqual([[account, spot.marketId, true]]);
  expect(view().view.venue(spot.marketId, false)).toBeUndefined();
});

test("the session counts its own orders on all accounts of the bridge, the account everybody's", () => {
  enter(desk, 'S', 'a');
  enter(desk, 'T', 'b');
  enter(fund, 'S', 'c');
  enter(fund, 'T', 'd');
  const { principal, view: own } = view();
  expect(own.guards.map(({ guard }) => guard)).toEqual([principal.guard, desk.guard]);
  expect(own.guards.map(({ open }) => open())).toEqual([2, 2]);
  enter(desk, 'S', 'e');
  expect(own.guards.map(({ open }) => open())).toEqual([3, 3]);
  // An account that a reload has taken from it, with an order that is still open.
  enter(lent, 'S', 'f');
  expect(own.guards.map(({ open }) => open())).toEqual([4, 3]);
});

test('what may still be stored is what the venue stores at most, less what waits there', () => {
  const { view: own } = view();
  expect(own.storable()).toBe(4);
  const [key = ''] = desk.runner.orders.newKeys('T', 1);
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const trigger = { price: 8n, direction: 'at_or_below', kind: 'stop_loss' } as never;
  if (instrument === undefined) throw new Error('no instrument');
  const stop = {
    owner,
    clOrdId: 's',
    instrument,
    terms: terms({ qty: 5n as Qty, trigger }),
    nowMs: 1,
  };
  desk.runner.orders.apply({ kind: 'entry', ...stop });
  expect(own.storable()).toBe(3);
});
