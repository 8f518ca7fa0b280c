import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/domain/answer.ts';
import { type Instrument, InstrumentList } from '../../../src/domain/instrument.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import {
  type Asker,
  MarketQueries,
  type MarketQuery,
} from '../../../src/gateway/clients/market-queries.ts';
import { Gate, type GateChange } from '../../../src/venue/gate.ts';
import { loadProfile, profileMarkets } from '../../../src/venue/profile.ts';
import type { OrderBook } from '../../../src/venue/records.ts';

const profile = loadProfile('dictionaries/venue.sandbox.yaml');
const readList = () => new InstrumentList(profileMarkets(profile));
const [btc, eth] = [...readList()] as [Instrument, Instrument];
const now = { wallMs: 0, monoMs: 0 };

let instruments: InstrumentList;
/** Books by SecurityID(48). */
let young: Map<string, OrderBook>;
let known: Map<string, OrderBook>;
let queries: MarketQueries;
let gate: Gate;
let heard: Answer[];
let asker: Asker;

const bookAt = (bid: bigint) =>
  ({ bids: [{ price: bid as Price, qty: 1n as Qty }], asks: [] }) as unknown as OrderBook;

beforeEach(() => {
  [young, known, heard] = [new Map(), new Map(), []];
  instruments = readList();
  asker = {
    principal: { role: 'market-data', markets: null, users: [] } as unknown as Asker['principal'],
    isLoggedOn: true,
    answer: (answer) => heard.push(answer),
  };
  gate = new Gate({ ...profile.gate, placeWithoutStream: false });
  queries = new MarketQueries(
    () => instruments,
    gate,
    () => ({
      book: ({ securityId }) => known.get(securityId),
      fresh: ({ securityId }) => young.get(securityId),
      known: () => undefined,
    }),
  );
});

/** The venue takes orders. */
function openVenue(): void {
  const status = { tradingHalted: false, placementReady: true, placementReason: null } as never;
  for (const nowMs of [0, 60_000]) gate.polled({ readiness: 'ready', reason: '', status }, nowMs);
}

function ask(subscription: 'snapshot' | 'subscribe' | 'unsubscribe', reqId: string, of = [btc]) {
  const refs = of.map(({ symbol }) => ({
    symbol,
    securityId: null,
    securityIdSource: null,
    book: null,
  }));
  const query = { kind: 'market_data', reqId, subscription, depth: 1, instruments: refs };
  return queries.ask(query as unknown as MarketQuery, asker, now);
}

/** What was heard since the last look: request, symbol, best bid. */
function told(): string[] {
  const said = heard.flatMap((answer) =>
    answer.kind === 'depth'
      ? [`${answer.reqId} ${answer.instrument.symbol} ${answer.bids[0]?.[0]}`]
      : [],
  );
  heard = [];
  return said;
}

describe('a snapshot of an order book (R112)', () => {
  test('is answered at once from a young book', () => {
    known.set(btc.securityId, bookAt(7n));
    young.set(btc.securityId, bookAt(7n));
    expect(ask('snapshot', 's')).toBeUndefined();
    expect(told()).toEqual(['s BTC-USDC 7']);
    queries.bookRead(btc);
    expect(told()).toEqual([]);
  });

  test('waits for an older book to be read, and is answered once', () => {
    known.set(btc.securityId, bookAt(7n));
    expect(ask('snapshot', 's')).toBeUndefined();
    expect(told()).toEqual([]);
    known.set(btc.securityId, bookAt(8n));
    queries.bookRead(eth);
    queries.bookRead(btc);
    queries.bookRead(btc);
    expect(told()).toEqual(['s BTC-USDC 8']);
  });

  test('is of what is known where the venue does not answer', () => {
    known.set(btc.securityId, bookAt(7n));
    ask('snapshot', 's');
    known.delete(btc.securityId);
    queries.bookFailed(btc);
    queries.bookFailed(btc);
    expect(told()).toEqual(['s BTC-USDC 7']);
  });

  test('is refused whole where a book is not known', () => {
    known.set(btc.securityId, bookAt(7n));
    young.set(btc.securityId, bookAt(7n));
    expect(ask('snapshot', 's', [btc, eth])?.denial.refusal.name).toBe('bridge.venue_unreachable');
    expect(told()).toEqual([]);
  });

  test('waits with at most 256 others', () => {
    known.set(btc.securityId, bookAt(7n));
    for (let i = 0; i < 256; i += 1) expect(ask('snapshot', `s${i}`)).toBeUndefined();
    expect(ask('snapshot', 'one more')?.denial.refusal.name).toBe('bridge.limit');
    queries.bookRead(btc);
    expect(told()).toHaveLength(256);
    expect(ask('snapshot', 'again')).toBeUndefined();
  });

  test('is forgotten with the connection that asked', () => {
    known.set(btc.securityId, bookAt(7n));
    ask('snapshot', 's');
    queries.left(asker);
    queries.bookRead(btc);
    expect(told()).toEqual([]);
  });
});

describe('a subscription to an order book', () => {
  test('gets every reading until it ends', () => {
    expect(ask('subscribe', 'v')).toBeUndefined();
    expect(told()).toEqual([]);
    known.set(btc.securityId, bookAt(7n));
    queries.bookRead(btc);
    queries.bookRead(btc);
    expect(told()).toEqual(['v BTC-USDC 7', 'v BTC-USDC 7']);
    expect([...queries.followed()]).toEqual([btc]);
    ask('unsubscribe', 'v');
    queries.bookRead(btc);
    expect(told()).toEqual([]);
    expect([...queries.followed()]).toEqual([]);
  });

  test('has an id of its own, and there are at most 256', () => {
    for (let i = 0; i < 256; i += 1) expect(ask('subscribe', `v${i}`)).toBeUndefined();
    expect(ask('subscribe', 'v0')?.denial.refusal.name).toBe('bridge.value_out_of_range');
    expect(ask('subscribe', 'more')?.denial.refusal.name).toBe('bridge.limit');
  });

  test('counts as many as it has instruments, since each reading of one is an answer', () => {
    for (let i = 0; i < 128; i += 1) expect(ask('subscribe', `v${i}`, [btc, eth])).toBeUndefined();
    expect(ask('subscribe', 'more', [btc])?.denial.refusal.name).toBe('bridge.limit');
    ask('unsubscribe', 'v0');
    expect(ask('subscribe', 'more', [btc])).toBeUndefined();
  });
});

test.each(['snapshot', 'subscribe'] as const)(
  'a %s answers an instrument named twice once',
  (kind) => {
    known.set(btc.securityId, bookAt(7n));
    young.set(btc.securityId, bookAt(7n));
    expect(ask(kind, 'v', [btc, btc, btc])).toBeUndefined();
    expect(told()).toEqual(['v BTC-USDC 7']);
  },
);

test('a client that is logging out is told nothing, because it would read that after its next logon', () => {
  young.set(eth.securityId, bookAt(7n));
  known.set(eth.securityId, bookAt(7n));
  known.set(btc.securityId, bookAt(7n));
  ask('subscribe', 'v');
  ask('snapshot', 's');
  asker = Object.assign(asker, { isLoggedOn: false });
  expect(ask('snapshot', 'late', [eth])).toBeUndefined();
  queries.bookFailed(btc);
  queries.bookRead(btc);
  expect(heard).toEqual([]);
});

describe('a session that is restricted to markets', () => {
  beforeEach(() => {
    const markets = new Set([eth.symbol]);
    const principal = { ...asker.principal, markets };
    asker = { ...asker, principal };
    for (const { securityId } of [btc, eth]) {
      known.set(securityId, bookAt(7n));
      young.set(securityId, bookAt(7n));
    }
  });

  test.each(['snapshot', 'subscribe'] as const)('gets no %s of the book of another one', (kind) => {
    expect(ask(kind, 'mixed', [eth, btc])).toMatchObject({
      denial: { refusal: { name: 'bridge.unknown_instrument' } },
    });
    queries.bookRead(btc);
    expect(told()).toEqual([]);
    expect(ask(kind, 'own', [eth])).toBeUndefined();
    expect(told()).toEqual(['own ETH-USDC 7']);
  });

  test.each(['security_status', 'security_list'] as const)('gets no %s of another one', (kind) => {
    const instrument = { symbol: btc.symbol, securityId: null, securityIdSource: null, book: null };
    const query = { kind, reqId: 'r', subscription: 'subscribe', instrument };
    expect(queries.ask(query as unknown as MarketQuery, asker, now)).toMatchObject({
      denial: { refusal: { name: 'bridge.unknown_instrument' } },
    });
    expect(heard).toEqual([]);
  });
});

test('a session whose configuration takes a market away hears no more of it, only what it still waits for', () => {
  ask('subscribe', 'v', [btc, eth]);
  known.set(btc.securityId, bookAt(7n));
  known.set(eth.securityId, bookAt(8n));
  ask('snapshot', 's');
  Object.assign(asker, { principal: { ...asker.principal, markets: new Set([eth.symbol]) } });
  expect([...queries.followed()]).toEqual([eth]);
  for (const one of [btc, eth, btc]) queries.bookRead(one);
  expect(told()).toEqual(['s BTC-USDC 7', 'v ETH-USDC 8']);
  for (const { market } of [btc, eth]) {
    const halt = { kind: 'market', market: market.marketId, state: 'halted' } as const;
    queries.gateChanged(halt, [asker], now);
  }
  expect(heard).toMatchObject([{ kind: 'security_status', instrument: eth }]);
});

describe('after the market list was read again', () => {
  test('a book that is read for an earlier subscription is sent to the later ones as well', () => {
    ask('subscribe', 'early');
    instruments = readList();
    ask('subscribe', 'late');
    known.set(btc.securityId, bookAt(7n));
    for (const followed of queries.followed()) {
      queries.bookRead(followed);
      expect(told()).toEqual(['early BTC-USDC 7', 'late BTC-USDC 7']);
    }
  });

  test('a snapshot is answered by a read that was under way', () => {
    known.set(btc.securityId, bookAt(7n));
    instruments = readList();
    ask('snapshot', 's');
    queries.bookRead(btc);
    ask('snapshot', 'failing');
    queries.bookFailed(btc);
    expect(told()).toEqual(['s BTC-USDC 7', 'failing BTC-USDC 7']);
  });

  test('the two books of a market remain apart', () => {
    const [yes, no] = [...instruments].filter(({ book }) => book !== null) as [
      Instrument,
      Instrument,
    ];
    ask('subscribe', 'v', [yes]);
    instruments = readList();
    for (const { securityId } of [yes, no]) known.set(securityId, bookAt(7n));
    queries.bookRead(no);
    expect(told()).toEqual([]);
    queries.bookRead(yes);
    expect(told()).toEqual([`v ${yes.symbol} 7`]);
  });

  test('a halt still names the SecurityStatusReqID(324) of the subscription', () => {
    const instrument = { symbol: btc.symbol, securityId: null, book: null };
    const query = { kind: 'security_status', reqId: 'e', subscription: 'subscribe', instrument };
    queries.ask(query as unknown as MarketQuery, asker, now);
    heard = [];
    instruments = readList();
    const halt = { kind: 'market', market: btc.market.marketId, state: 'halted' } as const;
    queries.gateChanged(halt, [asker], now);
    expect(heard).toMatchObject([{ kind: 'security_status', reqId: 'e', isUnsolicited: true }]);
  });
});

test('R80: a halt, the end and the reopening of a market are told once each, and on request', () => {
  const { marketId } = btc.market;
  const instrument = { symbol: btc.symbol, securityId: null, securityIdSource: null, book: null };
  const query = { kind: 'security_status', reqId: 'e', subscription: 'snapshot', instrument };
  const changed = (changes: readonly GateChange[]) => {
    for (const change of changes) queries.gateChanged(change, [asker], now);
    queries.ask(query as unknown as MarketQuery, asker, now);
  };
  openVenue();
  changed(gate.haltMarket(marketId));
  changed(gate.haltMarket(marketId, 'closed'));
  changed(gate.haltMarket(marketId));
  changed(gate.resumeMarket(marketId));
  const shown = heard.map((one) => (one.kind === 'security_status' ? one.status : one.kind));
  expect(shown).toEqual([
    ...['halted', 'halted', 'closed', 'closed'],
    ...['closed', 'resumed', 'open'],
  ]);
});

test('a market that resumes is open, whatever the market list was when it was read', () => {
  openVenue();
  instruments = new InstrumentList([{ ...btc.market, status: 'halted' }]);
  gate.haltMarket(btc.market.marketId);
  gate.resumeMarket(btc.market.marketId);
  const instrument = { symbol: btc.symbol, securityId: null, securityIdSource: null, book: null };
  const query = { kind: 'security_status', reqId: 'e', subscription: 'snapshot', instrument };
  queries.ask(query as unknown as MarketQuery, asker, now);
  expect(heard).toMatchObject([{ kind: 'security_status', status: 'open' }]);
});
