/**
 * The exchange alone: verified actions in, results and events out. The mix is that of a market maker's day: orders
 * that rest, orders that trade, cancels. The demand is on the slowest book of all figures, not on the best.
 */
import type { ActionRequest, EngineAction } from '../src/sandbox/engine/action.ts';
import {
  creditOff,
  defaultCaps,
  defaultFees,
  defaultRetention,
  type MarketSpec,
} from '../src/sandbox/engine/config.ts';
import { Exchange } from '../src/sandbox/engine/exchange.ts';
import type { Row } from './main.ts';

const actionCount = 1_000_000;
const stretch = 200;
const rounds = 3;
const demandPerSecond = 500_000;
const accounts = Array.from({ length: 16 }, (_, index) => `0x${String(index).padStart(40, '0')}`);
const nowMs = 1_700_000_000_000;

export async function run(): Promise<Row[]> {
  const flows = { 'rest, trade, cancel': mixedFlow, 'rest only': restingFlow };
  return Object.entries(flows).map(([name, flow]) => {
    const rates = Array.from({ length: rounds }, (_, round) => measure(flow(round + 1)));
    const perSecond = rates.sort((a, b) => a - b)[rounds >> 1] ?? 0;
    return {
      name: `${name}: orders a second, over ${demandPerSecond.toLocaleString('en')}`,
      value: Math.round(perSecond).toLocaleString('en'),
      ratio: perSecond / demandPerSecond,
      demand: 1,
    };
  });
}

/** Actions a second through one exchange. Requests are built between the timed stretches, not in them. */
function measure(next: () => ActionRequest): number {
  const exchange = openExchange();
  let spentMs = 0;
  for (let done = 0; done < actionCount; done += stretch) {
    const requests = Array.from({ length: stretch }, next);
    const started = performance.now();
    for (const request of requests) exchange.apply(request);
    spentMs += performance.now() - started;
  }
  exchange.assertInvariants();
  return (actionCount * 1000) / spentMs;
}

function openExchange(): Exchange {
  const markets = Array.from({ length: 12 }, (_, index): MarketSpec => {
    const marketId = index + 1;
    const base = `A${marketId}`;
    return {
      marketId,
      kind: 'spot',
      symbol: `${base}-USDC`,
      base,
      quote: 'USDC',
      priceScale: 6,
      qtyScale: 8,
      tick: 10_000,
      lot: 1_000,
      minNotional: 1_000_000,
      maxQty: 100_000_000_000,
      expiryMs: null,
    };
  });
  const exchange = new Exchange({
    markets,
    fees: defaultFees,
    caps: { ...defaultCaps, openOrders: 1e6, openOrdersPerMarket: 1e6, ordersPerLevel: 1e6 },
    retention: defaultRetention,
    credit: creditOff,
    amendQty: 'total',
    defaultStp: 'cancel_taker',
    reasonNumbers: {},
    deriveChildId: (canonical, index) => `${canonical}${index}`,
  });
  for (const account of accounts) {
    exchange.openAccount(account);
    exchange.deposit(account, 'USDC', 400_000_000_000_000);
    for (const { base } of markets) exchange.deposit(account, base, 400_000_000_000_000);
  }
  return exchange;
}

/** Three in ten cancel an order that was put in lately, three in ten trade, the others rest near the middle. */
function mixedFlow(seed: number): () => ActionRequest {
  const next = random(seed);
  const placed: ActionRequest[] = [];
  let index = 0;
  return () => {
    index += 1;
    const draw = next(10);
    const old = placed.length > 1000 ? placed.splice(next(placed.length), 1)[0] : undefined;
    if (draw < 3 && old !== undefined) {
      const orderId = old.ids.orderId ?? '';
      return request(index, old.account, { kind: 'cancel', orderId });
    }
    const account = accounts[next(accounts.length)] ?? '';
    const made = request(index, account, placement(next, draw < 6));
    if (draw >= 6) placed.push(made);
    return made;
  };
}

function restingFlow(seed: number): () => ActionRequest {
  const next = random(seed);
  let index = 0;
  return () => {
    index += 1;
    return request(index, accounts[next(accounts.length)] ?? '', placement(next, false));
  };
}

function placement(next: (below: number) => number, crossing: boolean): EngineAction {
  const side = next(2) === 0 ? 'Bid' : 'Ask';
  const away = (crossing ? -5 : 1 + next(40)) * 10_000;
  const middle = 50_000_000_000;
  return {
    kind: 'place',
    market: 1 + next(12),
    book: null,
    side,
    price: side === 'Bid' ? middle - away : middle + away,
    qty: (1 + next(50)) * 10_000,
    stpMode: 'cancel_maker',
    timeInForce: crossing ? 'ioc' : 'gtc',
    isMarket: false,
    reduceOnly: false,
    expiresAt: null,
  };
}

function request(index: number, account: string, action: EngineAction): ActionRequest {
  const id = idOf(index);
  const ids = {
    actionHash: id,
    nonce: index,
    clientOrderId: null,
    orderId: action.kind === 'place' ? id : null,
    legIds: [],
    canonical: null,
  };
  return { account, action, ids, nowMs: nowMs + (index >> 6) };
}

/** Decoded from bytes, as ids are at the venue, and not a rope of pieces that the first look-up would join. */
function idOf(index: number): string {
  const text = `0x${index.toString(16).padStart(64, '0')}`;
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** A small generator is enough here; what counts is that two runs see the same flow. */
function random(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return below === 0 ? 0 : (value >>> 8) % below;
  };
}
