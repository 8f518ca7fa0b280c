/**
 * The exchange alone: verified actions in, results and events out, with the retention that the sandbox has. Beside
 * the demanded rate stands a bare loop that only keeps a record by its id, which tells a slow engine from a slow or
 * busy machine.
 */
import type { ActionRequest, EngineAction } from '../src/sandbox/engine/action.ts';
import { creditOff, defaultRetention, type MarketSpec } from '../src/sandbox/engine/config.ts';
import { Exchange } from '../src/sandbox/engine/exchange.ts';
import { assertInvariants } from '../test/sandbox/engine/invariants.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const actionCount = 1_000_000;
const stretch = 200;
const lateOrders = 1000;
const rounds = 3;
const demandPerSecond = 500_000;
const accounts = Array.from({ length: 16 }, (_, index) => `0x${String(index).padStart(40, '0')}`);
const nowMs = 1_700_000_000_000;

export async function run(): Promise<Row[]> {
  const flows = { 'rest, trade, cancel': mixedFlow, 'rest only': restingFlow };
  return Object.entries(flows).flatMap(([name, flow]) => {
    const runs = Array.from({ length: rounds }, (_, round) => ({
      bare: measureBare(flow(round + 1)),
      engine: measure(flow(round + 1)),
    }));
    const perSecond = median(runs.map(({ engine }) => engine));
    return [
      {
        name: `${name}: orders a second, over ${demandPerSecond.toLocaleString('en')}`,
        value: Math.round(perSecond).toLocaleString('en'),
        ratio: perSecond / demandPerSecond,
        demand: 1,
      },
      {
        name: `${name}: over a bare loop that keeps records by id`,
        value: `${Math.round(median(runs.map(({ bare }) => bare))).toLocaleString('en')} bare`,
        ratio: median(runs.map(({ bare, engine }) => engine / bare)),
      },
    ];
  });
}

/** What any engine has to do: find, add or drop one record for each action. */
function measureBare(next: () => ActionRequest): number {
  const records = new Map<string, { readonly account: string; readonly price: number }>();
  return timed(next, ({ account, action, ids }) => {
    if (action.kind === 'cancel') records.delete(action.orderId);
    else if (action.kind === 'place' && ids.orderId !== null && !records.has(ids.orderId)) {
      records.set(ids.orderId, { account, price: action.price });
    }
  });
}

function measure(next: () => ActionRequest): number {
  const exchange = openExchange();
  const perSecond = timed(next, (request) => exchange.apply(request));
  assertInvariants(exchange);
  return perSecond;
}

/**
 * Actions a second of this thread's processor time, which on a shared machine is what a core of its own would give.
 * Requests are built between the timed stretches, not in them.
 */
function timed(next: () => ActionRequest, take: (request: ActionRequest) => void): number {
  let spentUs = 0;
  for (let done = 0; done < actionCount; done += stretch) {
    const requests = Array.from({ length: stretch }, next);
    const before = process.threadCpuUsage();
    for (const request of requests) take(request);
    const { system, user } = process.threadCpuUsage(before);
    spentUs += system + user;
  }
  return (actionCount * 1_000_000) / spentUs;
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
    fees: { takerBps: 5, makerBps: 0, tiers: [] },
    caps: {
      openOrders: 1e6,
      openOrdersPerMarket: 1e6,
      ordersPerLevel: 1e6,
      levelsPerSide: 5000,
      parents: 64,
      accounts: 10_000,
    },
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

/** Three in ten cancel one of the last thousand orders, three in ten trade, the others rest near the middle. */
function mixedFlow(seed: number): () => ActionRequest {
  const next = random(seed);
  const late: ({ account: string; orderId: string } | undefined)[] = [];
  let index = 0;
  return () => {
    index += 1;
    const draw = next(10);
    const place = next(lateOrders);
    const old = draw < 3 ? late[place] : undefined;
    if (old !== undefined) {
      late[place] = undefined;
      return request(index, old.account, { kind: 'cancel', orderId: old.orderId });
    }
    const account = accounts[next(accounts.length)] ?? '';
    const made = request(index, account, placement(next, draw < 6));
    if (draw >= 6) late[place] = { account, orderId: made.ids.orderId ?? '' };
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

const idBytes = Buffer.from(`0x${'0'.repeat(64)}`, 'latin1');

/** Decoded from bytes, as ids are at the venue, and not a rope of pieces that the first look-up would join. */
function idOf(index: number): string {
  idBytes.write(index.toString(16).padStart(8, '0'), 58, 'latin1');
  return idBytes.toString('latin1');
}

/** A small generator is enough here; what counts is that two runs see the same flow. */
function random(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return below === 0 ? 0 : (value >>> 8) % below;
  };
}
