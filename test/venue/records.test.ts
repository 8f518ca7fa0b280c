/** The venue's records: read exactly, or refused with the place and the problem (contract G49, G54, A.2). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/units.ts';
import { EventReader } from '../../src/venue/event-reader.ts';
import {
  readLimits,
  readMarkets,
  readOrderBook,
  readReceipts,
  readStatus,
  receiptsTarget,
  unknownBuild,
} from '../../src/venue/records.ts';
import { account, sandbox } from './samples.ts';

const { records } = sandbox;
const events = new EventReader(sandbox.stream);
const id = `0x${'ab'.repeat(32)}`;
const market = {
  marketId: 1,
  kind: 'spot',
  symbol: 'A-B',
  base: 'A',
  quote: 'B',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10,
  lot: 5,
  minNotional: 1,
  maxQty: 9,
};
const markets = (...list: object[]) => readMarkets(records, { markets: list });
const book = (more: object) =>
  readOrderBook(records.orderbook, { marketId: 1, seq: 4, bids: [], asks: [], ...more });
const receipts = (...list: object[]) => readReceipts(records, events, { receipts: list });
const safe = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const positive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('the values that the limits route leaves out are null, so that those of the profile apply', () => {
  expect(readLimits(records.limits, {})).toEqual({
    jsonEnabled: null,
    maxActions: null,
    maxLegs: null,
    maxInFlight: null,
    nonceWindow: null,
  });
});

test.each([
  [{ batch: { maxActions: 0 } }, 'limits.maxActions: must be positive'],
  [{ batch: { maxLegs: 0 } }, 'limits.maxLegs: must be positive'],
  [{ batch: { maxLegs: 0.5 } }, 'limits.maxLegs: must be an integer'],
  [{ batch: { maxLegs: -1 } }, 'limits.maxLegs: must not be negative'],
  [{ concurrency: { maxInFlight: 0 } }, 'limits.maxInFlight: must be positive'],
  [{ nonceModel: { nonceWindow: 0 } }, 'limits.nonceWindow: must be positive'],
  [{ ingress: { jsonEnabled: 'yes' } }, 'limits.jsonEnabled: must be true or false'],
])('the limits %j are refused', (value, problem) => {
  expect(() => readLimits(records.limits, value)).toThrow(problem);
});

test('a status must say whether orders may be placed; only the reason may be absent', () => {
  const status = { placementReady: true, sequencerCoreReachable: true, tradingHalted: false };
  expect(readStatus(records.status, status)).toEqual({ ...status, placementReason: null });
  for (const member of Object.keys(status)) {
    const without = { ...status, [member]: undefined };
    expect(() => readStatus(records.status, without)).toThrow(`status.${member}: must be true or`);
  }
});

test('a build field that is missing, no text or a default in any case is unknown', () => {
  const known = { version: '1.2', commit: 'abc', buildTime: 'today' };
  expect(unknownBuild(records.version, known)).toEqual([]);
  expect(unknownBuild(records.version, { version: 'DEV', commit: 7 })).toEqual([
    '/version',
    '/commit',
    '/buildTime',
  ]);
});

describe('markets', () => {
  test('have their amounts exact, up to the largest number that JSON carries exactly', () => {
    fc.assert(
      fc.property(positive, safe, fc.nat({ max: 18 }), (tick, maxQty, priceScale) => {
        const [read] = markets({ ...market, tick, maxQty, priceScale });
        expect(read).toMatchObject({ tick: BigInt(tick), maxQty: BigInt(maxQty), priceScale });
      }),
    );
  });

  test('without an expiry have none, and one at 0 is kept', () => {
    const list = [market, { ...market, marketId: 2, expiryMs: 0 }];
    expect(markets(...list).map(({ expiryMs }) => expiryMs)).toEqual([null, 0]);
  });

  test.each([
    [{ priceScale: 19 }, 'markets[1].priceScale: must be at most 18, not 19'],
    [{ qtyScale: 19 }, 'markets[1].qtyScale: must be at most 18, not 19'],
    [{ tick: 2 ** 53 }, 'markets[1].tick: must be an integer within 2^53-1'],
    [{ lot: '5' }, 'markets[1].lot: must be an integer'],
    [{ minNotional: -1 }, 'markets[1].minNotional: must not be negative'],
    [{ status: 'paused' }, 'markets[1].status: must be one of open, halted, closed, settled'],
    [{ kind: 'future' }, 'markets[1].kind: must be one of spot, binary, prediction'],
    [{ symbol: null }, 'markets[1].symbol: must be a string'],
    [{ tick: 0 }, 'markets[1].tick: must be positive'],
    [{ lot: 0 }, 'markets[1].lot: must be positive'],
    [{ symbol: '' }, 'markets[1].symbol: must not be empty'],
    [{ symbol: 'A\x01B' }, 'markets[1].symbol: must be printable and have at most 250 bytes'],
    [{ base: '\ud800' }, 'markets[1].base: must be printable and have at most 250 bytes'],
    [{ quote: 'é'.repeat(126) }, 'markets[1].quote: must be printable and have at most 250 bytes'],
    [{ marketId: 1 }, 'markets: two share a marketId'],
  ])('with %j in the second one are refused', (more, problem) => {
    expect(() => markets(market, { ...market, marketId: 2, ...more })).toThrow(problem);
  });

  test('that cannot be read hide no others from a reader that skips them', () => {
    const list = [
      { ...market, status: 'paused' },
      { ...market, marketId: 2 },
    ];
    const faults: string[] = [];
    const read = readMarkets(records, { markets: list }, ({ message }) => faults.push(message));
    expect(read.map(({ marketId }) => marketId)).toEqual([2]);
    expect(faults).toEqual([expect.stringMatching(/^markets\[0\].status: must be one of/)]);
  });

  test('are refused if there are more than 10,000', () => {
    const list = Array.from({ length: 10_001 }, (_, marketId) => ({ ...market, marketId }));
    expect(markets(...list.slice(1))).toHaveLength(10_000);
    expect(() => markets(...list)).toThrow('markets: must be a list of at most 10000');
  });
});

describe('an order book', () => {
  test('has its levels in the order of the venue', () => {
    const asks = [[12, 3]];
    const read = book({
      book: 'NO',
      bids: [
        [10, 1],
        [9, 2],
      ],
      asks,
    });
    expect(read).toEqual({
      marketId: 1,
      book: 'NO',
      seq: 4,
      bids: [
        { price: 10n, qty: 1n },
        { price: 9n, qty: 2n },
      ],
      asks: [{ price: 12n, qty: 3n }],
    });
    expect(book({}).book).toBeNull();
  });

  test.each([
    [{ bids: [[1, 2], [3]] }, 'orderbook.bids[1][1]: must be an integer'],
    [{ bids: [[1, 2, 3]] }, 'orderbook.bids[0]: must be a list of at most 2'],
    [{ asks: [[-1, 2]] }, 'orderbook.asks[0][0]: must not be negative'],
    [{ asks: null }, 'orderbook.asks: must be a list'],
    [{ book: 'no' }, 'orderbook.book: must be one of YES, NO'],
    [{ seq: null }, 'orderbook.seq: must be an integer'],
  ])('with %j is refused', (more, problem) => expect(() => book(more)).toThrow(problem));
});

describe('receipts', () => {
  test('have exact amounts, a fee that may be a rebate, and null for what is absent', () => {
    const full = { status: 'filled', nonce: 7, filledQty: 0, feeMicro: -3, orderId: id, seq: 2 };
    expect(receipts(full)).toEqual([
      {
        seq: 2,
        actionHash: null,
        orderId: id,
        clientOrderId: null,
        nonce: 7n,
        status: 'filled',
        rejectCode: null,
        rejectReason: null,
        filledQty: 0n,
        leavesQty: null,
        feeMicro: -3n,
        fills: [],
        engineTsMs: null,
      },
    ]);
  });

  test('have their fills as the stream has them', () => {
    const fill = { fillId: 'f', price: 5, qty: 2, feeMicro: 0, liquidity: 'maker', tsMs: 9 };
    const [receipt] = receipts({ status: 'filled', fills: [fill] });
    expect(receipt?.fills).toEqual([{ ...fill, price: 5n, qty: 2n, feeMicro: 0n }]);
  });

  test.each([
    [{}, 'receipts[1].status: must be one of'],
    [{ status: 'filled', nonce: -1 }, 'receipts[1].nonce: must not be negative'],
    [{ status: 'filled', nonce: '7' }, 'receipts[1].nonce: must be an integer'],
    [{ status: 'filled', filledQty: 1.5 }, 'receipts[1].filledQty: must be an integer'],
    [{ status: 'filled', orderId: id.slice(0, -1) }, 'receipts[1].orderId: must be 0x and 64'],
    [{ status: 'filled', actionHash: id.toUpperCase() }, 'receipts[1].actionHash: must be 0x'],
    [{ status: 'filled', fills: [{ fillId: 'f' }] }, 'receipts[1].fill.price: '],
    [{ status: 'filled', fills: {} }, 'receipts[1].fills: must be a list'],
  ])('with %j are refused', (receipt, problem) => {
    expect(() => receipts({ status: 'filled' }, receipt)).toThrow(problem);
  });

  test('are refused if there are more than 1000', () => {
    const one = { status: 'filled' };
    expect(() => receipts(...new Array(1001).fill(one))).toThrow('list of at most 1000');
  });

  test('are asked for by account, and by an order or an action if one is named', () => {
    const base = `${sandbox.routes.receipts}?account=${account}`;
    expect(receiptsTarget(sandbox, account)).toBe(base);
    expect(receiptsTarget(sandbox, account, { orderId: id as OrderId })).toBe(
      `${base}&orderId=${id}`,
    );
    expect(receiptsTarget(sandbox, account, { actionHash: 'a&b' })).toBe(
      `${base}&actionHash=a%26b`,
    );
  });
});
