/** The order in which the reports of one transaction leave: that of the states which they report. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Report } from '../../src/domain/report.ts';
import type { Qty } from '../../src/domain/units.ts';
import type { Request } from '../../src/engine/engine.ts';
import { AccountRunner } from '../../src/gateway/account-runner.ts';
import { venueSettings } from '../../src/gateway/engine-settings.ts';
import { Hops } from '../../src/gateway/hops.ts';
import { nobody } from '../../src/gateway/observer.ts';
import { openEngine } from '../../src/gateway/open-engine.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import type { Signer } from '../../src/signer/signer.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Dispatcher } from '../../src/venue/dispatcher.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { sandbox } from '../venue/samples.ts';

const clock = new ManualClock();
const [instrument] = instrumentsOf(spot);
const quoteTerms = terms({ qty: 5n as Qty });
const never = () => new Promise<never>(() => {});

const signer: Signer = { sign: never, recall() {}, keys: new Map(), close: async () => {} };

/** An account whose signer never answers, so that nothing reaches a venue; whatever has waited is refused. */
async function openAccount() {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const settings = { sessionRules: {}, otherRules: fullRules, ...venueSettings(sandbox, 5_000) };
  const { blake3 } = await fastestBlake3();
  const core = await openEngine({
    ...{ account, blake3, clock, transactions, store: transactions.store },
    ...{ contract: sandbox, configured: () => settings, keptDays: () => 1, snapshotEvery: 100 },
  });
  const http = { exchange: never };
  const reports: Report[] = [];
  const line = new AccountRunner({
    ...{ account, ...core, transactions, clock, patienceMs: 5_000, unknownAfterMs: 30_000 },
    ...{ scheme: 'ecdsa', signer, hops: new Hops(), observer: nobody },
    dispatcher: new Dispatcher({
      ...{ profile: sandbox, http, clock, pacer: new Pacer(), patienceMs: 5_000, maxQueued: 10 },
    }),
    report: (_, report) => reports.push(report),
    authorize: () => deny('bridge.market_halted', 'halted'),
    ...{ isOfOtherAccount: () => false, foreign: () => undefined, lookUp: never },
    ...{
      alarm() {},
      answer() {},
      act() {},
      trading() {},
      probe() {},
      currentNonce: async () => ({ floor: 1 }),
    },
  });
  await line.discover();
  const order = (key: string): Order => {
    const found = line.orders.get(key);
    if (found === undefined) throw new Error(`there is no order ${key}`);
    return found;
  };
  return { line, order, reports, apply: (of: Request) => transactions.run(() => line.apply(of)) };
}

function ownerOf(key: string, quoteId: string | null = null) {
  return { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId, slot: key };
}

/** A group of one quote that waits until the order with the key `awaited` has ended. */
function quote(quoteId: string, [key, member]: readonly [string, string], awaited: string) {
  const { limitPrice: price, qty, side, timeInForce } = quoteTerms;
  const flags = { stp: null, isMarket: false, reduceOnly: false, expiresAtMs: null, book: null };
  const leg = { ...flags, cancelOrderId: null, side, price, qty, timeInForce };
  const places = { setId: '1', entries: [], places: [member], cancels: [] };
  const owner = ownerOf(member, quoteId);
  return {
    ...{ kind: 'quotes', key, session: 'S', awaits: [awaited], nowMs: 1_000 },
    flight: { key, quoteId, accountName: 'desk', response: 'all', single: null, ...places },
    orders: [{ owner, clOrdId: quoteId, instrument, terms: quoteTerms, legIndex: 0 }],
    intent: { kind: 'group', market: spot.marketId, legs: [leg] },
  } as Extract<Request, { kind: 'quotes' }>;
}

test('of two quotes that one event releases and the gate refuses, each is pending before it is rejected', async () => {
  const { apply, line, order, reports } = await openAccount();
  if (instrument === undefined) throw new Error('the market has no instrument');
  apply({
    ...{ kind: 'entry', owner: ownerOf('X'), clOrdId: 'x', instrument, nowMs: 1_000 },
    terms: quoteTerms,
  });
  apply(quote('q1', ['g1', 'm1'], 'X'));
  apply(quote('q2', ['g2', 'm2'], 'X'));
  reports.length = 0;
  const { orderId, venueRef } = order('X');
  const ended = { kind: 'canceled', seq: 1, orderId, venueRef, market: spot.marketId } as const;
  void line.onEvents([{ ...silentEvent, ...ended, nonce: 1n }]);
  const told = reports.flatMap((one) =>
    one.kind === 'execution' ? [`${one.clOrdId} ${one.execType}`] : [],
  );
  expect(told).toEqual([
    ...['x new', 'x canceled', 'q2 pending_new'],
    ...['q1 rejected', 'q2 rejected'],
  ]);
});
