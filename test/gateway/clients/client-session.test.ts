/** What a session may ask by its role, and what mass requests, cancel on disconnect and restatements reach. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/domain/answer.ts';
import type { Command } from '../../../src/domain/command.ts';
import { InstrumentList, type InstrumentRef } from '../../../src/domain/instrument.ts';
import type { Report, ReportFrame } from '../../../src/domain/report.ts';
import type { MarketId, OrderId, Qty, Side } from '../../../src/domain/units.ts';
import { Orders } from '../../../src/engine/orders.ts';
import type { OrdersInput } from '../../../src/engine/orders-input.ts';
import { CancelOnDisconnect } from '../../../src/gateway/clients/cancel-on-disconnect.ts';
import { type ClientParts, ClientSession } from '../../../src/gateway/clients/client-session.ts';
import type { PriceNeed } from '../../../src/gateway/gate/book-watch.ts';
import type { BoundAccount, Principal } from '../../../src/gateway/gate/principal.ts';
import { Refusals } from '../../../src/gateway/view/refusals.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { account, fullRules, spot, terms } from '../../domain/ladder.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { denied } from '../../support/venue-denial.ts';

const eth = { ...spot, marketId: 2 as MarketId, symbol: 'ETH-USDC', base: 'ETH' };
const instruments = new InstrumentList([spot, eth]);
const ref = (symbol: string): InstrumentRef => ({ symbol, securityId: null, book: null });
const now = { wallMs: 5_000, monoMs: 5_000 };

/** An account whose orders keeps orders, and that notes what was withdrawn. */
class Account {
  readonly orders = new Orders(() => fullRules);
  readonly withdrawnOf: string[] = [];
  readonly account = account;

  apply(input: OrdersInput): void {
    this.orders.apply(input);
  }

  withdraw(session: string | null): void {
    this.withdrawnOf.push(session ?? 'all');
  }

  add(
    session: string,
    clOrdId: string,
    side: Side = 'Bid',
    symbol = 'BTC-USDC',
    listed = instruments,
  ): void {
    const instrument = listed.resolve(ref(symbol));
    if ('refusal' in instrument) throw new Error(symbol);
    const [key = ''] = this.orders.newKeys('desk', 1);
    const owner = { session, account, accountName: 'desk', tag: 'desk', key, quoteId: null };
    const wanted = terms({ qty: 5n as Qty, side });
    this.apply({ kind: 'entry', owner, clOrdId, instrument, terms: wanted, nowMs: 1_000 });
    const orderId = `0x${key}` as OrderId;
    const sent = { kind: 'sent', requestId: 'new', venueRef: `h${key}`, orderId } as const;
    this.apply({ kind: 'order', key, input: { ...sent, nowMs: 1_000 } });
  }
}

let orders: Account;
let other: Account;
let reports: [report: Report, frame: ReportFrame][];
let answers: Answer[];
let clock: ManualClock;
let transactions: Transactions;

beforeEach(() => {
  orders = new Account();
  other = new Account();
  reports = [];
  answers = [];
  needed = [];
  isLoggedOn = true;
  clock = new ManualClock();
  store = new MemoryStore();
  transactions = new Transactions(store, (error) => {
    throw error;
  });
});

let store: MemoryStore;
let needed: PriceNeed[];
let isLoggedOn: boolean;

function client(
  changes: Partial<Record<keyof Principal, unknown>> = {},
  listed = instruments,
): ClientSession {
  const bound = (name: string, runner: Account) => ({ name, runner }) as unknown as BoundAccount;
  const accounts = [bound('desk', orders), bound('other', other)];
  const principal = {
    session: 'S',
    compId: 'ALPHA',
    role: 'order-entry',
    ...{ accounts, reach: accounts, known: accounts },
    rules: fullRules,
    profile: { massCancelScope: 'session', restateOrders: true },
    cancelOnDisconnect: { when: 'abrupt', graceMs: 0 },
    actions: new Set(),
    ...changes,
  } as unknown as Principal;
  const parts = {
    principal,
    accounts: () => principal.accounts,
    transactions,
    clock,
    cancelOnDisconnect: new CancelOnDisconnect(transactions, clock),
    markets: { arrived: () => {}, left: () => {}, ask: () => undefined },
    context: {
      instruments: () => listed,
      hops: { command: { observe: () => {} } },
      rejects: new Refusals(),
      admission: {},
      priced: (needs: readonly PriceNeed[]) => void needed.push(...needs),
    },
    isStreamBehind: (one: BoundAccount) => one.name === 'other',
  } as unknown as ClientParts;
  return new ClientSession(parts, {
    get isLoggedOn() {
      return isLoggedOn;
    },
    report: (report, frame) => reports.push([report, frame]),
    answer: (answer) => answers.push(answer),
  });
}

const ask = (session: ClientSession, command: object) =>
  transactions.run(() => session.execute(command as Command, now));
const massCancel = (changes: object = {}) => ({
  kind: 'mass_cancel',
  clOrdId: 'q1',
  instrument: null,
  side: null,
  account: null,
  ...changes,
});
const massStatus = (changes: object = {}) => ({
  kind: 'mass_status',
  reqId: 'AF1',
  instrument: null,
  account: null,
  ...changes,
});
/** ClOrdIDs of orders that are to be canceled. */
const toBeCanceled = (...accounts: Account[]) =>
  accounts.flatMap((one) =>
    [...one.orders.all()].flatMap(({ clOrdId, ownCancel, pending }) =>
      ownCancel !== null || pending?.kind === 'own_cancel' ? [clOrdId] : [],
    ),
  );

describe('a request is judged by the role of the session', () => {
  const orders = ['new_order', 'cancel_order', 'replace_order', 'mass_cancel', 'order_status'];
  const quotes = ['mass_status', 'mass_quote', 'quote', 'quote_cancel'];
  const queries = ['security_list', 'security_status', 'session_status', 'market_data'];

  test.each([
    ['market-data', [...orders, ...quotes]],
    ['drop-copy', [...orders, ...quotes, ...queries, 'user_status']],
  ])('%s may ask for none of %j', (role, kinds) => {
    const session = client({ role });
    for (const kind of kinds) {
      expect(ask(session, { kind })?.denial.refusal.name).toBe('bridge.not_authorized');
    }
  });

  test.each(['market-data', 'order-entry'])('%s may ask about markets', (role) => {
    for (const kind of queries) expect(ask(client({ role }), { kind })).toBeUndefined();
  });

  test('what could not be read is refused as it was read', () => {
    const denial = denied('bridge.limit', 'too long');
    expect(transactions.run(() => client().execute(denial, now))).toEqual({ denial });
  });
});

describe('OrderMassCancelRequest(q)', () => {
  beforeEach(() => {
    orders.add('S', 'bid');
    orders.add('S', 'ask', 'Ask');
    orders.add('S', 'eth', 'Bid', 'ETH-USDC');
    orders.add('T', 'theirs');
    other.add('S', 'elsewhere');
  });

  test.each([
    ['all orders of the session', {}, ['bid', 'ask', 'eth', 'elsewhere']],
    ['one side', { side: 'Ask' }, ['ask']],
    ['one instrument', { instrument: ref('ETH-USDC') }, ['eth']],
    ['one account', { account: 'other' }, ['elsewhere']],
  ])('reaches %s and counts what it reaches', (_, scope, reached) => {
    expect(ask(client(), massCancel(scope))).toBeUndefined();
    expect(toBeCanceled(orders, other)).toEqual(reached);
    expect(answers).toMatchObject([{ kind: 'mass_cancel', affected: reached.length }]);
  });

  test('reaches only the market that it names, if the one before it had the same symbol', () => {
    const successor = { ...spot, marketId: 9 as MarketId };
    const listed = new InstrumentList([{ ...spot, status: 'closed' }, successor]);
    orders.add('S', 'new', 'Bid', 'BTC-USDC', listed);
    ask(client({}, listed), massCancel({ instrument: ref('BTC-USDC') }));
    expect(toBeCanceled(orders)).toEqual(['new']);
    expect(answers).toMatchObject([{ kind: 'mass_cancel', affected: 1 }]);
  });

  test('reaches the orders of other sessions only where its scope is the account', () => {
    ask(client({ profile: { massCancelScope: 'account' } }), massCancel());
    expect(toBeCanceled(orders)).toContain('theirs');
  });

  test.each([
    ['an unknown instrument', { instrument: ref('NONE') }, 'bridge.unknown_instrument'],
    ['an unknown account', { account: 'none' }, 'bridge.unknown_account'],
  ])('with %s cancels nothing and says so', (_, scope, name) => {
    expect(ask(client(), massCancel(scope))?.denial.refusal.name).toBe(name);
    expect(toBeCanceled(orders, other)).toEqual([]);
    expect(answers).toEqual([]);
  });
});

describe('status requests', () => {
  test('OrderMassStatusRequest(AF) numbers its reports and marks the last one', () => {
    orders.add('S', 'one');
    other.add('S', 'two');
    expect(ask(client(), massStatus())).toBeUndefined();
    expect(
      reports.map(([{ clOrdId }, { massStatus: of, behind }]) => [clOrdId, of, behind]),
    ).toEqual([
      ['one', { reqId: 'AF1', total: 2, isLast: false }, false],
      ['two', { reqId: 'AF1', total: 2, isLast: true }, true],
    ]);
  });

  test('about many orders are answered fifty at a time, with the state that each then has', () => {
    for (let at = 1; at <= 120; at += 1) orders.add('S', `C${at}`);
    const session = client();
    expect(ask(session, massStatus())).toBeUndefined();
    expect(reports).toHaveLength(50);
    const last = [...orders.orders.all()].at(-1);
    const input = { kind: 'cancel', clOrdId: 'later', origModTimeMs: null, nowMs: 2_000 } as const;
    orders.apply({ kind: 'order', key: last?.owner.key ?? '', input });
    clock.advance(1_000);
    expect(reports).toHaveLength(120);
    const parts = reports.map(([, { massStatus: of }]) => of);
    expect(parts.map((part) => part?.isLast).indexOf(true)).toBe(119);
    expect(new Set(parts.map((part) => part?.total))).toEqual(new Set([120]));
    expect(new Set(reports.map(([{ clOrdId }]) => clOrdId)).size).toBe(120);
    expect(reports.at(-1)?.[0].order.pending?.kind).toBe('cancel');
  });

  test('about many orders end with the connection, because the client asks again', () => {
    for (let at = 1; at <= 120; at += 1) orders.add('S', `C${at}`);
    const session = client();
    ask(session, massStatus());
    transactions.run(() => session.left({ graceful: true, reason: 'logout' }, now));
    transactions.run(() => session.arrived());
    clock.advance(1_000);
    expect(reports).toHaveLength(50);
  });

  test('about many orders end with the logout, because the rest would be old at the next logon', () => {
    for (let at = 1; at <= 120; at += 1) orders.add('S', `C${at}`);
    ask(client(), massStatus());
    isLoggedOn = false;
    clock.advance(1_000);
    expect(reports).toHaveLength(50);
  });

  test('that come together are answered one after the other, fifty orders at a time', () => {
    for (let at = 1; at <= 60; at += 1) orders.add('S', `C${at}`);
    const session = client();
    const asked = ['AF1', 'AF2', 'AF3'];
    for (const reqId of asked) expect(ask(session, massStatus({ reqId }))).toBeUndefined();
    expect(reports).toHaveLength(50);
    clock.advance(1_000);
    const answered = reports.map(([, { massStatus: of }]) => of?.reqId);
    expect(answered).toEqual(asked.flatMap((reqId) => new Array(60).fill(reqId)));
  });

  test('about a few orders come one at a time as well, and too many of them are refused', () => {
    orders.add('S', 'one');
    const session = client();
    const refusals = () =>
      Array.from({ length: 1_010 }, () => ask(session, massStatus())?.denial.refusal.name);
    expect(refusals().filter((name) => name === 'bridge.backpressure')).toHaveLength(9);
    expect(reports).toHaveLength(1);
    clock.advance(1_000);
    expect(reports).toHaveLength(1_001);
    expect(ask(session, massStatus())).toBeUndefined();
    expect(reports).toHaveLength(1_002);
  });

  test('without an open order both requests are refused as unknown', () => {
    const one = { kind: 'order_status', clOrdId: 'none', orderId: null, reqId: null };
    expect(ask(client(), massStatus())?.denial.refusal.name).toBe('bridge.unknown_order');
    expect(ask(client(), one)?.denial.refusal.name).toBe('bridge.unknown_order');
  });

  test('an order is found by either of its names, and not by two that disagree', () => {
    orders.add('S', 'one');
    orders.add('S', 'two');
    const [first, second] = [...orders.orders.all()].map(({ orderId }) => orderId);
    const status = (clOrdId: string | null, orderId: OrderId | null | undefined) =>
      ask(client(), { kind: 'order_status', clOrdId, orderId, reqId: 'H1' });
    expect(status('one', null)).toBeUndefined();
    expect(status(null, first)).toBeUndefined();
    expect(status('one', second)?.denial.refusal.name).toBe('bridge.unknown_order');
    expect(reports.map(([{ clOrdId }]) => clOrdId)).toEqual(['one', 'one']);
  });
});

test('a replace that names no instrument waits for the book of its order', () => {
  orders.add('S', 'ours', 'Bid', 'ETH-USDC');
  const guard = { hasCollar: true, isWithinCollar: () => false };
  const accounts = [{ name: 'desk', runner: orders, guard }];
  const target = { origClOrdId: 'ours', orderId: null };
  const price = { mantissa: 1n, scale: 0 };
  const asked = { kind: 'replace_order', target, instrument: { ...ref(''), symbol: null } };
  const wanted = { side: 'Bid', ordType: 'limit', price, stopPrice: null };
  const session = client({ accounts, reach: accounts, known: accounts, guard });
  void session.waitsFor({ ...asked, terms: wanted } as unknown as Command);
  expect(needed.map(({ instrument }) => instrument.symbol)).toEqual(['ETH-USDC']);
});

describe('R101: a cancel whose OrigClOrdID names no order, and whose OrderID does,', () => {
  const cancelOf = (clOrdId: string) => {
    const order = [...orders.orders.all()].find((one) => one.clOrdId === clOrdId);
    const target = { origClOrdId: 'unknown', orderId: order?.orderId };
    const names = { instrument: ref('BTC-USDC'), account: null, origModTimeMs: null };
    return ask(client(), { kind: 'cancel_order', clOrdId: 'C1', target, ...names, ...asked });
  };
  const asked = { origin: { possDup: false, possResend: false }, side: null };

  test('cancels the order', () => {
    orders.add('S', 'ours');
    expect(cancelOf('ours')).toBeUndefined();
    expect([...orders.orders.all()][0]?.pending).toMatchObject({ kind: 'cancel', clOrdId: 'C1' });
  });

  test('is refused as one of a foreign order if another session has sent that', () => {
    orders.add('T', 'theirs');
    const refused = cancelOf('theirs');
    expect(refused?.denial.refusal).toMatchObject({ name: 'bridge.unknown_account', cancel: 99 });
    expect(refused?.about?.order.clOrdId).toBe('theirs');
  });
});

test('a mass request may name a market of open orders that the venue no longer lists, and no other', () => {
  orders.add('S', 'gone', 'Bid', 'ETH-USDC');
  orders.add('S', 'listed');
  const session = client({}, new InstrumentList([spot]));
  const named = { instrument: ref('ETH-USDC') };
  expect(ask(session, massStatus(named))).toBeUndefined();
  expect(reports.map(([{ clOrdId }]) => clOrdId)).toEqual(['gone']);
  expect(ask(session, massCancel(named))).toBeUndefined();
  expect(toBeCanceled(orders)).toEqual(['gone']);
  const never = { instrument: ref('SOL-USDC') };
  expect(ask(session, massCancel(never))?.denial.refusal.name).toBe('bridge.unknown_instrument');
});

describe('the end of a connection', () => {
  const left = (session: ClientSession, graceful: boolean) =>
    transactions.run(() => session.left({ graceful, reason: 'it broke' }, now));

  test('cancels the orders of the session alone, and withdraws what has not left the bridge', () => {
    orders.add('S', 'ours');
    orders.add('T', 'theirs');
    const session = client();
    transactions.run(() => session.arrived());
    left(session, false);
    expect(toBeCanceled(orders)).toEqual(['ours']);
    expect(orders.withdrawnOf).toEqual(['S']);
  });

  test('by a Logout cancels nothing where only a broken connection should', () => {
    orders.add('S', 'ours');
    const session = client();
    transactions.run(() => session.arrived());
    left(session, true);
    expect(toBeCanceled(orders)).toEqual([]);
  });

  test('is no reason to cancel for a client that is back within its grace', () => {
    orders.add('S', 'ours');
    const session = client({ cancelOnDisconnect: { when: 'abrupt', graceMs: 1_000 } });
    transactions.run(() => session.arrived());
    transactions.run(() => session.left({ graceful: false, reason: 'it broke' }, clock.now()));
    clock.advance(999);
    transactions.run(() => session.arrived());
    clock.advance(10_000);
    expect(toBeCanceled(orders)).toEqual([]);
  });

  const reloaded = { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } } as const;
  const owed = async () => (await store.cursor('cancel-on-disconnect/S')) ?? 0;

  test.each([
    ['the configuration', undefined, 1],
    ['the client', () => ({ when: 'always', graceMs: 2_000 }) as const, 2_001],
  ])('by a crash after a reload follows the new rule of %s', async (_, rule, kept) => {
    const session = client({ cancelOnDisconnect: { when: 'off', graceMs: 0 } });
    transactions.run(() => session.arrived(rule && { rule }));
    session.change({ ...session.principal, ...reloaded });
    expect(await owed()).toBe(kept);
  });

  test('is not expected of a client that a reload changes while it is away', async () => {
    const session = client({ cancelOnDisconnect: { when: 'off', graceMs: 0 } });
    session.change({ ...session.principal, ...reloaded });
    expect(await owed()).toBe(0);
  });
});

test('after a reset of the sequence numbers, open orders are restated to sessions that ask for it', () => {
  orders.add('S', 'ours');
  orders.add('T', 'theirs');
  const restated: string[] = [];
  orders.apply = (input) => {
    if (input.kind === 'order' && input.input.kind === 'restate') restated.push(input.key);
  };
  transactions.run(() => client({ profile: {} }).renumbered());
  transactions.run(() => client().arrived());
  expect(restated).toEqual([]);
  transactions.run(() => client().renumbered());
  expect(restated).toHaveLength(1);
});

test('refusals have ExecIDs of their own', () => {
  const session = client();
  const refused = () => session.refused(denied('bridge.limit'), { clOrdId: 'C', order: null }, now);
  expect(refused()).not.toBe(refused());
});
