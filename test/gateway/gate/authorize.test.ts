/** The gate: one table of what stops an order, a replace, a group of quotes and what has waited (contract D.6). */
import { describe, expect, test } from 'vitest';
import type { RequestedTerms } from '../../../src/domain/command.ts';
import { isDenial } from '../../../src/domain/denial.ts';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import { createOrder, type Order } from '../../../src/domain/order.ts';
import { maxSafeAtoms, type OrderId, type Price, type Qty } from '../../../src/domain/units.ts';
import type { RiskLimits } from '../../../src/gateway/config/config.ts';
import {
  authorize,
  count,
  type GateRequest,
  type GateView,
} from '../../../src/gateway/gate/authorize.ts';
import { RiskGuard } from '../../../src/gateway/gate/risk.ts';
import { account, fullRules, spot, terms } from '../../domain/ladder.ts';
import { denied } from '../../support/venue-denial.ts';

const instruments = new InstrumentList([spot]);
const instrument = instruments.of(spot.marketId, null)!;
const now = { wallMs: 100_000, monoMs: 100_000 };
const wanted: RequestedTerms = {
  side: 'Bid',
  ordType: 'limit',
  lifetime: 'gtc',
  qty: { mantissa: 5n, scale: 0 },
  price: { mantissa: 10n, scale: 0 },
  stopPrice: null,
  triggerDirection: null,
  conditionalKind: null,
  expireTimeMs: null,
  postOnly: false,
  reduceOnly: false,
  stp: undefined,
  maxFloor: null,
  algo: null,
  currency: null,
};

function viewOf(changes: Partial<GateView> = {}, limits: RiskLimits = {}, open = 0): GateView {
  return {
    closed: undefined,
    killed: undefined,
    actions: new Set(['order', 'quote'] as const),
    markets: null,
    instruments,
    venue: () => undefined,
    top: () => ({ bid: 9n as Price, ask: 11n as Price }),
    rules: {
      dayOrders: 'gtc',
      defaultStp: null,
      maxAtoms: maxSafeAtoms,
      acceptMarketPrice: true,
      collarBps: 100,
      conditionals: new Set(),
      algos: new Set(),
      marketOrders: true,
      goodTillDate: true,
      expiryStepMs: 1,
      localChecks: false,
    },
    replaces: fullRules,
    maxOrderAgeMs: 5_000,
    storable: () => 1,
    guards: [{ guard: new RiskGuard('session', limits), open: () => open }],
    ...changes,
  };
}

/** A live order of quantity 4 at 10, or one that the venue has not answered yet. */
function order(changes: Partial<Order> = {}): Order {
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key: 'k', quoteId: null };
  const of = createOrder(owner, 'X', instrument, terms({ qty: 4n as Qty, price: 10n as Price }), 0);
  const live = { phase: 'live', submission: 'answered', orderId: 'v1' as OrderId } as const;
  return { ...of, ...live, ...changes };
}

const place = { instrument, terms: terms({ qty: 5n as Qty }), quoteId: null };
const ref = { symbol: spot.symbol, securityId: null, book: null };
const sent = { sendingTimeMs: now.wallMs, transactTimeMs: null };
const requests = {
  new: { kind: 'new', instrument: ref, terms: wanted, sent },
  replace: { kind: 'replace', order: order(), terms: wanted, sent },
  'replace of an order that is not known yet': {
    kind: 'replace',
    order: order({ phase: 'created', submission: 'open', orderId: null }),
    terms: wanted,
    sent,
  },
  quotes: { kind: 'quotes', places: [{ ...place, quoteId: 'Q' }], seats: 1, sent },
  release: { kind: 'release', places: [place] },
} satisfies Record<string, GateRequest>;

const verdict = (request: GateRequest, view: GateView) => {
  const result = authorize(request, view, now);
  return isDenial(result) ? result.refusal.name : result.places.length;
};

describe.each(Object.entries(requests))('%s', (_, request) => {
  test('goes out where nothing stops it', () => {
    expect(verdict(request, viewOf())).toBe(1);
  });

  test.each([
    ['bridge.draining', viewOf({ closed: denied('bridge.draining') })],
    ['bridge.kill_switch', viewOf({ killed: denied('bridge.kill_switch') })],
    ['bridge.gate_closed', viewOf({ venue: () => denied('bridge.gate_closed') })],
    ['bridge.unsupported', viewOf({ actions: new Set() })],
    ['bridge.unknown_instrument', viewOf({ markets: new Set(['ETH-USDC']) })],
    ['bridge.limit', viewOf({}, { maxOrderQty: '1' })],
    ['bridge.no_reference_price', viewOf({ top: noBook }, { priceCollarBps: 1 })],
  ])('is stopped by %s', (name, view) => {
    expect(verdict(request, view)).toBe(name);
  });
});

function noBook() {
  return { bid: null, ask: null };
}

test.each(['new', 'replace', 'replace of an order that is not known yet', 'quotes'] as const)(
  'an order that was sent too long ago by either of its times is refused: %s',
  (name) => {
    const request = requests[name];
    const atMs = now.wallMs - 5_001;
    for (const late of [{ sendingTimeMs: atMs }, { transactTimeMs: atMs }]) {
      expect(verdict({ ...request, sent: { ...sent, ...late } }, viewOf())).toBe('bridge.stale');
    }
    const unknown = { sendingTimeMs: null, transactTimeMs: null };
    expect(verdict({ ...request, sent: unknown }, viewOf())).toBe(1);
  },
);

test('what takes the place of an order passes at the limit of open orders, anything else does not', () => {
  const full = viewOf({}, { maxOpenOrders: 3 }, 3);
  const verdicts = Object.values(requests).map((request) => verdict(request, full));
  expect(verdicts).toEqual(['bridge.limit', 1, 1, 'bridge.limit', 1]);
  expect(verdict({ ...requests.quotes, seats: 0 }, full)).toBe(1);
});

describe('a replace in a market that has changed since its order', () => {
  const listed = (changes: object, localChecks = true) => {
    const view = viewOf({ instruments: new InstrumentList([{ ...spot, ...changes }]) });
    const request = { ...requests.replace, order: order({ instrument: ofTens }) };
    return verdict(request, { ...view, rules: { ...view.rules, localChecks } });
  };
  const ofTens = {
    ...instrument,
    market: { ...spot, tick: 20n as Price, minNotional: 0n as Price },
  };

  test('is judged by the market as it is now', () => {
    const finer = { ...ofTens.market, tick: 5n };
    expect([listed(finer), listed({ ...finer, tick: 3n })]).toEqual([1, 'bridge.price_precision']);
    expect(listed({ ...finer, maxQty: 4n })).toBe('bridge.limit');
  });

  test('is refused where a number of the client would mean another price or quantity', () => {
    const { priceScale, qtyScale } = spot;
    for (const scales of [{ priceScale: priceScale + 1 }, { qtyScale: qtyScale + 1 }]) {
      expect(listed(scales, false)).toBe('bridge.replace_unsupported');
    }
  });

  test('is refused if the venue does not list it any more, or the bridge leaves it out for its decimals', () => {
    const view = viewOf({ instruments: new InstrumentList([]) });
    const less = { ...wanted, qty: { mantissa: 3n, scale: 0 } };
    for (const asked of [wanted, less])
      expect(verdict({ ...requests.replace, terms: asked }, view)).toBe(
        'bridge.replace_unsupported',
      );
    const ended = order({ phase: 'canceled' });
    expect(verdict({ ...requests.replace, order: ended }, view)).toBe(0);
  });
});

test('an order that has waited is not sent in a market that is not listed any more, or has other decimals', () => {
  for (const markets of [[], [{ ...spot, priceScale: spot.priceScale + 1 }]]) {
    const view = viewOf({ instruments: new InstrumentList(markets) });
    expect(verdict(requests.release, view)).toBe('bridge.unknown_instrument');
  }
});

test('a replace that places nothing anew needs neither the gate nor a limit, and is never too old', () => {
  const shut = viewOf({ killed: denied('bridge.kill_switch') }, { maxOrderQty: '1' });
  const less = { ...wanted, qty: { mantissa: 3n, scale: 0 } };
  const old = { sendingTimeMs: 0, transactTimeMs: 0 };
  expect(verdict({ kind: 'replace', order: order(), terms: less, sent: old }, shut)).toBe(0);
});

test('what has waited is not sent behind its expiry, nor without a price of the other side', () => {
  const late = { ...place, terms: terms({ qty: 5n as Qty, expiresAtMs: now.wallMs }) };
  expect(verdict({ kind: 'release', places: [late] }, viewOf())).toBe('bridge.expired');
  const market = { ...place, terms: terms({ qty: 5n as Qty, isMarket: true }) };
  const release = { kind: 'release', places: [market] } as const;
  expect(verdict(release, viewOf({ top: noBook }))).toBe('bridge.no_reference_price');
  expect(verdict(release, viewOf())).toBe(1);
});

test('asking counts nothing: a rate is spent once, when the permit is used', () => {
  const view = viewOf({}, { ordersPerSecond: 1, maxDuplicatesPerSecond: 1 });
  for (let i = 0; i < 3; i += 1) expect(verdict(requests.new, view)).toBe(1);
  const permit = authorize(requests.new, view, now);
  if (isDenial(permit)) throw new Error('denied');
  count(permit, view, now);
  expect(verdict(requests.new, view)).toBe('bridge.throttled');
  expect(verdict(requests.release, view)).toBe(1);
});

test('what the account refuses costs the session nothing', () => {
  const session = new RiskGuard('session', { ordersPerSecond: 1 });
  const guards = [
    { guard: session, open: () => 0 },
    { guard: new RiskGuard('account', { maxOrderQty: '1' }), open: () => 0 },
  ];
  expect(verdict(requests.new, viewOf({ guards }))).toBe('bridge.limit');
  expect(verdict(requests.new, viewOf({ guards: guards.slice(0, 1) }))).toBe(1);
});
