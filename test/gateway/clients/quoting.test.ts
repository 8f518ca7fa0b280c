/** Quotes of a session: which orders they become, and which of them may go out (contract C.7, D.6). */
import { describe, expect, test } from 'vitest';
import { exactJson, parseExactJson } from '../../../src/domain/exact-json.ts';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import { Orders } from '../../../src/engine/orders.ts';
import type { OrdersState } from '../../../src/engine/orders-state.ts';
import { mostLegs } from '../../../src/signer/canonical.ts';
import { fullRules } from '../../domain/ladder.ts';
import { entry, TradingCore } from '../../support/trading-core.ts';
import { denied } from '../../support/venue-denial.ts';

/** What is known of each order: its ClOrdID, instrument and side. */
const known = (core: TradingCore) =>
  [...core.orders.open()].map(
    ({ clOrdId, instrument, terms }) => `${clOrdId} ${instrument.symbol} ${terms.side}`,
  );
const keys = (core: TradingCore) => [...core.orders.all()].map(({ owner }) => owner.key);

test('R83: the legs that the venue allows at the moment bound a group', () => {
  const core = new TradingCore();
  core.maxLegs = 1;
  core.quote('Q1', { 1: [entry('1', 'BTC-USDC', '10x1', '20x1')] });
  core.maxLegs = 2;
  core.quote('Q2', { 1: [entry('1', 'BTC-USDC', '10x1', '20x1')] });
  expect(core.answers).toMatchObject([{ quoteId: 'Q1', denial: { text: '2 legs, at most 1' } }]);
  expect(core.orders.openOf('S')).toBe(2);
});

test('a group never has more legs than the longest action, whatever the venue allows', () => {
  const core = new TradingCore();
  core.maxLegs = 1_024;
  const entries = Array.from({ length: mostLegs + 1 }, (_, at) =>
    entry(`${at}`, 'BTC-USDC', '1x1'),
  );
  core.quote('Q', { 1: entries });
  const text = `${mostLegs + 1} legs, at most ${mostLegs}`;
  expect(core.answers).toMatchObject([{ quoteId: 'Q', denial: { text } }]);
  core.quote('R', { 1: entries.slice(1) });
  expect(core.orders.openOf('S')).toBe(mostLegs);
});

test('the QuoteID of quotes that the gate denied is used, and a copy of the quotes is not executed later', () => {
  const core = new TradingCore();
  const one = entry('1', 'BTC-USDC', '10x1');
  core.closed = denied('bridge.draining');
  const nameOf = (refused: ReturnType<TradingCore['quote']>) => refused?.denial.refusal.name;
  expect(nameOf(core.quote('Q', { 1: [one] }))).toBe('bridge.draining');
  expect(nameOf(core.quoteOne('R', one))).toBe('bridge.draining');
  core.closed = undefined;
  expect(nameOf(core.quote('Q', { 1: [one] }))).toBe('bridge.duplicate_clordid');
  expect(nameOf(core.quoteOne('R', one))).toBe('bridge.duplicate_clordid');
  expect(core.sent).toEqual([]);
});

describe('every side of a quote is an order of its own:', () => {
  test('one entry id on two instruments', () => {
    const core = new TradingCore();
    core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x1', '20x1'), entry('1', 'ETH-USDC', '1x1')] });
    expect(known(core)).toEqual([
      'Q.1.1.B BTC-USDC Bid',
      'Q.1.1.S BTC-USDC Ask',
      'Q.1.1.B.2 ETH-USDC Bid',
    ]);
    expect(core.orders.openOf('S')).toBe(3);
  });

  test('ids with dots that make the same name', () => {
    const core = new TradingCore();
    core.quote('Q', {
      1: [entry('1.1', 'BTC-USDC', '10x1')],
      '1.1': [entry('1', 'ETH-USDC', '1x1')],
    });
    expect(known(core)).toEqual(['Q.1.1.1.B BTC-USDC Bid', 'Q.1.1.1.B.2 ETH-USDC Bid']);
  });

  test('a name that an order of the session has', () => {
    const core = new TradingCore();
    core.order('Q.1.1.B', 'Ask', '90x1', 'ETH-USDC');
    core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x1')] });
    expect(known(core)).toEqual(['Q.1.1.B ETH-USDC Ask', 'Q.1.1.B.2 BTC-USDC Bid']);
    expect(core.order('Q.1.1.B.2', 'Bid', '1x1')?.denial.refusal.name).toBe(
      'bridge.duplicate_clordid',
    );
  });

  test('a name that another quote has', () => {
    const core = new TradingCore();
    core.quote('Q', { '1.1': [entry('1', 'BTC-USDC', '10x1')] });
    core.quote('Q.1', { 1: [entry('1', 'ETH-USDC', '1x1')] });
    expect(known(core)).toEqual(['Q.1.1.1.B BTC-USDC Bid', 'Q.1.1.1.B.2 ETH-USDC Bid']);
  });
});

test('the account numbers its orders and groups, whatever the client calls them', () => {
  const core = new TradingCore();
  core.order('desk#2', 'Bid', '10x1');
  core.quote('desk#3', { 1: [entry('1', 'BTC-USDC', '10x1')] });
  core.order('desk#1', 'Bid', '10x1');
  expect(keys(core)).toEqual(['desk#1', 'desk#3', 'desk#4']);
  expect(core.sent.map(({ key }) => key)).toEqual(['desk#1', 'desk#2', 'desk#4']);
});

test('a Quote(S) and an entry of a MassQuote(i) with any id are two quotes', () => {
  const core = new TradingCore();
  core.quoteOne('Q', entry('Q', 'BTC-USDC', '10x1'));
  core.settle();
  core.show('Q.S.S.B');
  core.quote('R', { S: [entry('S', 'BTC-USDC', '9x2')] });
  core.settle();
  core.show('R.S.S.B');
  expect(known(core)).toEqual(['Q.S.S.B BTC-USDC Bid', 'R.S.S.B BTC-USDC Bid']);
  core.quote('T', { S: [entry('S', 'BTC-USDC', '9x0')] });
  expect(core.take().intent).toMatchObject({
    legs: [{ cancelOrderId: core.named('R.S.S.B')?.orderId }],
  });
});

test('quotes that are sent again long after place nothing, but withdraw what they withdraw', () => {
  const core = new TradingCore();
  core.nowMs = 10_000;
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x1')] });
  core.settle();
  core.show('Q.1.1.B');
  core.quote('R', { 1: [entry('1', 'BTC-USDC', '11x1')] }, 4_999);
  expect(core.answers.at(-1)).toMatchObject({
    quoteId: 'R',
    denial: { refusal: { name: 'bridge.stale' } },
    oldQuotesStand: true,
  });
  expect(core.sent).toEqual([]);
  core.quote('S', { 1: [entry('1', 'BTC-USDC', '11x0')] }, 4_999);
  expect(core.sent).toHaveLength(1);
});

test.each(['entry of a MassQuote(i)', 'Quote(S)'])(
  'an %s without sizes withdraws quotes from a market that the venue no longer lists',
  (kind) => {
    const core = new TradingCore();
    const isSingle = kind === 'a Quote(S)';
    const say = (id: string, bid: string, ask?: string) => {
      const one = entry('1', 'BTC-USDC', bid, ask);
      return isSingle ? core.quoteOne(id, one) : core.quote(id, { 1: [one] });
    };
    say('Q', '10x1', '20x1');
    core.settle();
    for (const side of ['B', 'S']) core.show(isSingle ? `Q.S.S.${side}` : `Q.1.1.${side}`);
    const orderIds = [...core.orders.open()].map(({ orderId }) => orderId);
    core.instruments = new InstrumentList(
      [...core.instruments].slice(-1).map(({ market }) => market),
    );
    say('R', '11x1', '20x0');
    expect(core.sent).toEqual([]);
    say('T', '11x0');
    const { intent } = core.take();
    expect(intent).toMatchObject({ legs: orderIds.map((cancelOrderId) => ({ cancelOrderId })) });
  },
);

test('a refusal on the stream that names only the action ends every order of the group', () => {
  const core = new TradingCore();
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x1', '20x1')] });
  core.settle();
  expect(core.refuseOnStream('hash-0x1')).toEqual([]);
  expect(known(core)).toEqual([]);
  expect(core.answers).toMatchObject([{ quoteId: 'Q', status: 'rejected' }]);
  expect(new Set(core.reports.map((report) => 'execId' in report && report.execId)).size).toBe(
    core.reports.length,
  );
});

test('a refusal on the stream of one copy of the action of a group ends none of its orders', () => {
  const core = new TradingCore();
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x1', '20x1')] });
  core.settle();
  core.reports.length = 0;
  expect(core.refuseOnStream('hash-0x1', 'nonce_replayed')).toEqual([]);
  expect([core.orders.openCount, core.reports, core.answers]).toEqual([2, [], []]);
  core.show('Q.1.1.B');
  expect(core.reports).toMatchObject([{ execType: 'new' }]);
});

test('a quote as before replaces the old one if a replace of that is on its way', () => {
  const core = new TradingCore();
  const one = entry('1', 'BTC-USDC', '10x1');
  core.quote('Q', { s: [one] });
  core.settle();
  core.show('Q.s.1.B');
  core.quote('R', { s: [one] });
  expect(core.sent).toEqual([]);
  core.replace('g', 'Q.s.1.B', 'Bid', '11x1');
  core.take();
  core.quote('T', { s: [one] });
  expect(core.sent).toMatchObject([{ intent: { kind: 'group', legs: [{ qty: 1n }] } }]);
});

describe('an entry that comes twice for an instrument is a duplicate:', () => {
  const refused = {
    status: 'rejected',
    denial: {
      refusal: { name: 'bridge.duplicate_clordid', quote: 6 },
      text: 'QuoteEntryID(299)=e comes twice for BTC-USDC',
    },
  };

  test('in one set, nothing of the group goes out', () => {
    const core = new TradingCore();
    const entries = [entry('f', 'BTC-USDC', '9x1'), entry('e', 'BTC-USDC', '10x1')];
    core.quote('Q', { s: [...entries, entry('e', 'BTC-USDC', null, '20x1')] });
    expect(core.sent).toEqual([]);
    expect(core.answers).toMatchObject([{ ...refused, sets: [{ setId: 's' }] }]);
  });

  test('in two sets, the first remains and no slot has two orders, however often it is quoted', () => {
    const core = new TradingCore();
    for (const [quoteId, price] of [
      ['Q1', '10x1'],
      ['Q2', '11x1'],
    ] as const) {
      const sets = { a: [entry('e', 'BTC-USDC', price)], b: [entry('e', 'BTC-USDC', '12x1')] };
      core.quote(quoteId, sets);
      core.settle();
      core.show(`${quoteId}.a.e.B`);
      expect(core.answers.splice(0)).toMatchObject([
        { ...refused, sets: [{ setId: 'b' }] },
        { status: 'accepted', sets: [{ setId: 'a' }] },
      ]);
      expect(known(core)).toEqual([`${quoteId}.a.e.B BTC-USDC Bid`]);
    }
  });
});

describe('quotes that are withdrawn and quoted again at once', () => {
  /** One live bid `Q1.s.e.B`, of which the cancel is under way. */
  function withdrawn(limits: ConstructorParameters<typeof TradingCore>[0] = {}): TradingCore {
    const core = new TradingCore(limits);
    core.quote('Q1', { s: [entry('e', 'BTC-USDC', '10x1')] });
    core.settle();
    core.show('Q1.s.e.B');
    core.answers.length = 0;
    core.cancelQuotes();
    return core;
  }
  const requote = (core: TradingCore, quoteId = 'Q2') =>
    core.quote(quoteId, { s: [entry('e', 'BTC-USDC', '10x1')] });

  test('go out when the old ones have ended, and are acknowledged', () => {
    const core = withdrawn({ session: { maxOpenOrders: 1 } });
    requote(core);
    expect([core.answers, core.sent.map(({ intent }) => intent.kind)]).toEqual([[], ['cancel']]);
    expect(core.orders.openOf('S')).toBe(1);
    core.settle();
    core.end('Q1.s.e.B');
    const [request] = core.sent;
    expect(request?.intent).toMatchObject({ legs: [{ cancelOrderId: null, price: 10n, qty: 1n }] });
    core.settle();
    core.show('Q2.s.e.B');
    expect(core.answers).toMatchObject([{ quoteId: 'Q2', status: 'accepted' }]);
  });

  test('wait even where the old ones are not answered yet', () => {
    const core = new TradingCore();
    core.quote('Q1', { s: [entry('e', 'BTC-USDC', '10x1')] });
    core.cancelQuotes();
    requote(core);
    core.settle(denied('post_only_would_cross'));
    expect(core.sent).toMatchObject([{ intent: { kind: 'group' } }]);
    expect(known(core)).toEqual(['Q2.s.e.B BTC-USDC Bid']);
  });

  test('go out where the old ones filled meanwhile', () => {
    const core = withdrawn();
    requote(core);
    core.end('Q1.s.e.B', 'expired');
    core.settle(denied('order_not_open'));
    expect(core.sent).toMatchObject([{ intent: { kind: 'group' } }]);
  });

  test('have the cancel of the client repeated by the bridge, should the venue refuse it', () => {
    const core = new TradingCore();
    core.quote('Q1', { s: [entry('e', 'BTC-USDC', '10x1')] });
    core.settle();
    core.show('Q1.s.e.B');
    core.cancel('F', 'Q1.s.e.B');
    requote(core);
    core.settle(denied('rate_limited'));
    expect(core.sent).toMatchObject([{ intent: { kind: 'cancel' } }]);
  });

  test('hold back a second quote of the slot', () => {
    const core = withdrawn();
    requote(core);
    requote(core, 'Q3');
    expect(core.answers).toMatchObject([
      { quoteId: 'Q3', denial: { refusal: { name: 'bridge.pending' } }, oldQuotesStand: null },
    ]);
  });

  test('are still held in a desk that is restored from a snapshot', () => {
    const core = withdrawn();
    requote(core);
    const restored = new Orders(() => fullRules);
    restored.restore(parseExactJson(exactJson(core.orders.state())) as OrdersState);
    expect(restored.state()).toEqual(core.orders.state());
    expect(restored.groups.held).toEqual(core.orders.groups.held);
    expect(restored.openOf('S')).toBe(1);
  });
});
