/** The checker of the long run of a cluster (test/long/cluster): each fault that is planted in a faultless history is found. */
import { expect, test } from 'vitest';
import { check, type faultKinds } from '../long/cluster/checker.ts';
import type { ClientHistory, Heard, Report, RunHistory } from '../long/cluster/history.ts';

const account = '0xaa';
const shard = 's1';

function heard(seq: number, report: Partial<Report>, isRepeated = false): Heard {
  const none = { origId: '', execId: '', status: '0', cumQty: 0, text: '' };
  const whole = { ...none, type: '0', id: '', orderId: '', ...report };
  const content = JSON.stringify(whole);
  return { way: 'heard', atMs: seq, seq, isRepeated, content, report: whole };
}

const order = (id: string, side: 'buy' | 'sell', qty: number) =>
  ({ way: 'sent', atMs: 0, kind: 'new', id, side, qty }) as const;

/** Two orders that trade with each other in part, of which one is replaced and canceled; one that the venue refused. */
const buyer: ClientHistory = {
  ...{ session: 'BUYER', account, nextIn: 6 },
  entries: [
    order('b1', 'buy', 100),
    heard(1, { id: 'b1', orderId: 'v1', execId: 'e1' }),
    heard(2, {
      ...{ type: 'F', id: 'b1', orderId: 'v1', execId: 'e2', status: '1' },
      ...{ cumQty: 40, lastQty: 40, lastPx: 7 },
    }),
    { ...order('b2', 'buy', 100), kind: 'replace', origId: 'b1' },
    heard(3, { type: '5', id: 'b2', origId: 'b1', orderId: 'v3', execId: 'e3', cumQty: 40 }),
    { ...order('b3', 'buy', 100), kind: 'cancel', origId: 'b2' },
    heard(4, {
      ...{ type: '4', id: 'b3', origId: 'b2', orderId: 'v3', execId: 'e4' },
      ...{ status: '4', cumQty: 40 },
    }),
    order('b4', 'buy', 102),
    heard(5, { type: '8', id: 'b4', orderId: 'NONE', execId: 'e5', status: '8' }),
  ],
};
const seller: ClientHistory = {
  ...{ session: 'SELLER', account: '0xbb', nextIn: 3 },
  entries: [
    order('s1', 'sell', 40),
    heard(1, { id: 's1', orderId: 'v2', execId: 'e1' }),
    heard(2, {
      ...{ type: 'F', id: 's1', orderId: 'v2', execId: 'e2', status: '2' },
      ...{ cumQty: 40, lastQty: 40, lastPx: 7 },
    }),
    heard(
      2,
      {
        ...{ type: 'F', id: 's1', orderId: 'v2', execId: 'e2', status: '2' },
        ...{ cumQty: 40, lastQty: 40, lastPx: 7 },
      },
      true,
    ),
  ],
};

const venueOrder = { account, side: 'buy', state: 'canceled', nonce: 1 } as const;
const change = { shard, node: 'n1', epoch: 1, position: 0, atMs: 0 };
const request = { account, node: 'n1', nonce: 1, atMs: 10 };
const good: RunHistory = {
  accounts: [
    { account, shard },
    { account: '0xbb', shard },
  ],
  clients: [buyer, seller],
  ledger: {
    orders: [
      { ...venueOrder, orderId: 'v1', qty: 100, filledQty: 40 },
      { ...venueOrder, orderId: 'v3', qty: 60, filledQty: 0 },
      {
        ...{ orderId: 'v2', account: '0xbb', side: 'sell', qty: 40, filledQty: 40 },
        ...{ state: 'filled', nonce: 1 },
      },
    ],
    trades: [{ tradeId: 't1', price: 7, qty: 40, makerOrderId: 'v1', takerOrderId: 'v2' }],
    forgotten: { orders: 0, trades: 0 },
  },
  rows: {
    changes: [
      change,
      { ...change, position: 1 },
      { ...change, node: 'n2', epoch: 2, position: 1, atMs: 1_000 },
      { ...change, node: 'n2', epoch: 2, position: 2, atMs: 1_001 },
      { ...change, node: 'n1', epoch: 3, position: 2, atMs: 5_000 },
    ],
    records: [{ name: 's1/a', first: 3, last: 9, rows: 7 }],
  },
  requests: [
    request,
    { ...request, node: 'n2', atMs: 1_002 },
    { ...request, nonce: 2, atMs: 5_001 },
  ],
};

type Changed = { -readonly [K in keyof RunHistory]?: RunHistory[K] };

const withLedger = (change: Partial<RunHistory['ledger']>): Changed => ({
  ledger: { ...good.ledger, ...change },
});
const [v1, v3, v2] = good.ledger.orders;
const withBuyer = (entries: ClientHistory['entries'], nextIn = buyer.nextIn): Changed => ({
  clients: [{ ...buyer, entries, nextIn }, seller],
});
const withRows = (change: Partial<NonNullable<RunHistory['rows']>>): Changed => ({
  rows: { ...(good.rows ?? { changes: [], records: [] }), ...change },
});
const without = (index: number) => buyer.entries.filter((_, at) => at !== index);
const changes = good.rows?.changes ?? [];

if (v1 === undefined || v2 === undefined || v3 === undefined) throw new Error('three orders');

test('a faultless history has no findings', () => {
  expect(check(good)).toEqual([]);
});

test.each<[kind: (typeof faultKinds)[number], what: string, planted: Changed]>([
  ['lost', 'an accepted order that the venue has not', withLedger({ orders: [v3, v2] })],
  [
    'lost',
    "an accepted order that is another account's",
    withLedger({ orders: [{ ...v1, account: '0xbb' }, v3, v2] }),
  ],
  [
    'lost',
    'an accepted order with another quantity',
    withLedger({ orders: [{ ...v1, qty: 90 }, v3, v2] }),
  ],
  [
    'doubled',
    'an order that is at the venue twice',
    withLedger({ orders: [v1, v3, v2, { ...v1, orderId: 'v9', filledQty: 0 }] }),
  ],
  [
    'doubled',
    'an order at the venue that nobody sent',
    withLedger({ orders: [v1, v3, v2, { ...v1, orderId: 'v9', qty: 33 }] }),
  ],
  [
    'doubled',
    'a second order without a replace',
    withBuyer(
      buyer.entries.map((one, at) =>
        at === 4 ? heard(3, { id: 'b2', orderId: 'v3', execId: 'e3', cumQty: 40 }) : one,
      ),
    ),
  ],
  [
    'falsely refused',
    'a refused order that the venue has',
    withLedger({ orders: [v1, v3, v2, { ...v1, orderId: 'v9', qty: 102, filledQty: 0 }] }),
  ],
  [
    'falsely refused',
    'an order that was accepted and refused',
    withBuyer(
      [
        ...buyer.entries,
        heard(6, { type: '8', id: 'b1', orderId: 'v1', execId: 'e6', status: '8' }),
      ],
      7,
    ),
  ],
  [
    'unanswered',
    'an order without an answer',
    withBuyer([...buyer.entries, order('b5', 'buy', 104)]),
  ],
  [
    'fills',
    'a fill that was not reported',
    withLedger({
      trades: [
        ...good.ledger.trades,
        { tradeId: 't2', price: 7, qty: 1, makerOrderId: 'v1', takerOrderId: 'v2' },
      ],
    }),
  ],
  ['fills', 'a fill that was reported and never happened', withLedger({ trades: [] })],
  [
    'fills',
    'a fill that was reported under two numbers',
    withBuyer(
      [
        ...buyer.entries,
        heard(6, {
          type: 'F',
          id: 'b1',
          orderId: 'v1',
          execId: 'e9',
          status: '4',
          cumQty: 40,
          lastQty: 40,
          lastPx: 7,
        }),
      ],
      7,
    ),
  ],
  [
    'fills',
    'an ExecID that came twice',
    withBuyer(
      [...buyer.entries, heard(6, { type: 'I', id: 'b1', orderId: 'v1', execId: 'e2' })],
      7,
    ),
  ],
  [
    'fills',
    'another CumQty than at the venue',
    withLedger({ orders: [{ ...v1, filledQty: 41 }, v3, v2] }),
  ],
  [
    'fills',
    'an order that is open at the venue',
    withLedger({ orders: [v1, { ...v3, state: 'open' }, v2] }),
  ],
  ['numbers', 'a number that is missing', withBuyer(without(8))],
  [
    'numbers',
    'a gap before the last number',
    withBuyer([...without(8), heard(7, { type: 'I' })], 5),
  ],
  [
    'numbers',
    'a number that was used for two messages',
    withBuyer([...buyer.entries, heard(5, { type: 'I', execId: 'e7' })]),
  ],
  [
    'numbers',
    'a repetition that differs',
    withBuyer([...buyer.entries, heard(5, { type: 'I', execId: 'e7' }, true)]),
  ],
  [
    'numbers',
    'numbers that begin again',
    withBuyer([...buyer.entries, heard(1, { id: 'b1', orderId: 'v1', execId: 'e1' })]),
  ],
  [
    'rows',
    'an epoch that went back',
    withRows({ changes: [...changes, { ...change, epoch: 2, position: 3, atMs: 6_000 }] }),
  ],
  [
    'rows',
    'an epoch that was skipped',
    withRows({ changes: [...changes, { ...change, epoch: 5, position: 2, atMs: 6_000 }] }),
  ],
  [
    'rows',
    'an epoch of two nodes',
    withRows({
      changes: [...changes, { ...change, node: 'n2', epoch: 3, position: 3, atMs: 6_000 }],
    }),
  ],
  [
    'rows',
    'a position that was written again',
    withRows({ changes: [...changes, { ...change, epoch: 3, position: 1, atMs: 6_000 }] }),
  ],
  [
    'rows',
    'a position that was skipped',
    withRows({ changes: [...changes, { ...change, epoch: 3, position: 4, atMs: 6_000 }] }),
  ],
  [
    'rows',
    'a commit in the act of taking',
    withRows({ changes: [...changes, { ...change, epoch: 4, position: 3, atMs: 6_000 }] }),
  ],
  [
    'rows',
    'a hole in a stream',
    withRows({ records: [{ name: 's1/a', first: 3, last: 9, rows: 6 }] }),
  ],
  [
    'old owner',
    'a request of an owner that was replaced',
    { requests: [...good.requests, { ...request, nonce: 3, atMs: 2_000 }] },
  ],
  [
    'old owner',
    'a request before the shard was taken',
    { requests: [{ ...request, node: 'n2', atMs: 900 }, ...good.requests] },
  ],
  [
    'old owner',
    'a request of a node that never had the shard',
    { requests: [{ ...request, node: 'n3' }] },
  ],
  ['forgotten', 'a ledger that is not whole', withLedger({ forgotten: { orders: 1, trades: 0 } })],
])('%s: %s', (kind, _what, planted) => {
  expect(check({ ...good, ...planted }).map((finding) => finding.kind)).toContain(kind);
});

test('a request that was under way when the shard was taken is no finding', () => {
  const late = { ...request, nonce: 3, atMs: 1_100 };
  expect(check({ ...good, requests: [...good.requests, late] })).toEqual([]);
});

test.each([
  ['E', 0],
  ['1', 1],
])(
  'fills beyond the quantity are a fault unless they crossed with a replace: OrdStatus %s',
  (status, faults) => {
    const entries = buyer.entries.map((entry) => {
      if (!('report' in entry) || entry.report === undefined) return entry;
      const { report, seq } = entry;
      if (seq === 2) return heard(2, { ...report, status });
      return seq === 4 ? heard(4, { ...report, status: '2', cumQty: 140 }) : entry;
    });
    const orders = good.ledger.orders.map((order) =>
      order.orderId === 'v3'
        ? { ...order, qty: 100, filledQty: 100, state: 'filled' as const }
        : order,
    );
    const found = check({
      ...good,
      clients: [{ ...buyer, entries }, seller],
      ledger: { ...good.ledger, orders },
    });
    expect(found.filter(({ text }) => text.includes('CumQty 140 of 100'))).toHaveLength(faults);
  },
);
