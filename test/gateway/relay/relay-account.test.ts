/** An account of a process that only relays, without a venue: its orders, its journal, and what its readers get. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/domain/event.ts';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import type { Report } from '../../../src/domain/report.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { journalStream } from '../../../src/engine/journal.ts';
import { realOutside } from '../../../src/gateway/outside.ts';
import { RelayAccount, type RelayWorld } from '../../../src/gateway/relay/relay-account.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import type { LineFacts } from '../../../src/runtime/operator-line.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { account, fullRules, lineOf, silentEvent, spot } from '../../domain/ladder.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { sandbox } from '../../venue/samples.ts';

const orderId = `0x${'ab'.repeat(32)}` as OrderId;
const instruments = new InstrumentList([spot]);
let store: MemoryStore;
let transactions: Transactions;
let relay: RelayAccount;
let reports: Report[];
let alarms: [string, LineFacts][];

beforeEach(async () => {
  store = new MemoryStore();
  await open();
});
afterEach(() => relay.stop());

/** As a start does, on what an earlier one has left. */
async function open(): Promise<void> {
  reports = [];
  alarms = [];
  transactions = new Transactions(store, (error) => {
    throw error;
  });
  const world: RelayWorld = {
    ...{ profile: sandbox, baseUrl: 'http://127.0.0.1:1', outside: realOutside },
    ...{ clock: new ManualClock(), transactions, keptDays: () => 30, rules: fullRules },
    whenListed: () => undefined,
    copies: {
      report: (report) => void reports.push(report),
      lost: () => {},
      instrumentOf: (_, { market, book }: StreamEvent) =>
        market === null ? undefined : instruments.of(market, book),
    },
    alarm: (text, facts) => void alarms.push([text, facts]),
    notice: () => {},
  };
  const config = { name: 'desk', account } as never;
  const credential = { key: 'k', passphrase: 'p', secret: Buffer.alloc(32) } as never;
  relay = await RelayAccount.open(config, credential, world);
}

const rests = {
  ...{ ...silentEvent, kind: 'accepted', seq: 1, prevSeq: 0, orderId, market: spot.marketId },
  ...{
    side: 'Bid',
    price: 10n as Price,
    qty: 5n as Qty,
    leavesQty: 5n as Qty,
    filledQty: 0n as Qty,
  },
} as StreamEvent;
const trade = {
  ...{ ...rests, kind: 'fill', seq: 2, prevSeq: 1, leavesQty: 3n as Qty, filledQty: 2n as Qty },
  fill: {
    ...{ fillId: 'f1', price: 10n as Price, qty: 2n as Qty, feeMicro: 0n as FeeMicro },
    ...{ liquidity: 'maker', tsMs: 5 },
  },
} as StreamEvent;

const lines = () => reports.map((report) => lineOf(report as never).replace(/ (?:11|41)=\S*/g, ''));

test('an order of another channel is followed from its first event, and each execution is copied', async () => {
  await relay.onEvents([rests, trade]);
  const [order] = [...relay.orders.openOnVenue()];
  expect(order).toMatchObject({ orderId, leavesQty: 3n, cumQty: 2n });
  expect(order?.owner.accountName).toBe('desk');
  expect(relay.orders.lastSeq).toBe(2);
  expect(lines().at(-1)).toContain('150=F');
  expect(lines().at(-1)).toContain('14=2 151=3');
});

test('an event of a market that is not listed is passed over, and the stream goes on', async () => {
  await relay.onEvents([{ ...rests, market: 99 as never }]);
  expect([relay.orders.openOnVenue().next().done, relay.orders.lastSeq]).toEqual([true, 1]);
  await relay.onEvents([{ ...trade, kind: 'accepted', leavesQty: 5n as Qty, fill: null }]);
  expect([...relay.orders.openOnVenue()]).toHaveLength(1);
});

test('the next start has what the events did, and copies nothing of them again', async () => {
  await relay.onEvents([rests, trade]);
  const before = [...relay.orders.openOnVenue()];
  await relay.stop();
  await open();
  expect([...relay.orders.openOnVenue()]).toEqual(before);
  expect([relay.orders.lastSeq, reports]).toEqual([2, []]);
  await relay.onEvents([
    { ...trade, kind: 'canceled', seq: 3, prevSeq: 2, leavesQty: 0n as Qty, fill: null },
  ]);
  expect(relay.orders.openOnVenue().next().done).toBe(true);
  expect(lines()).toEqual([expect.stringContaining('150=4')]);
});

test('events are handed on once they are durable, and all of a call are one record', async () => {
  const held = Promise.withResolvers<void>();
  const commit = store.commit.bind(store);
  store.commit = async (writes) => {
    await held.promise;
    return commit(writes);
  };
  let isDone = false;
  const done = relay.onEvents([rests, trade]).then(() => {
    isDone = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  held.resolve();
  await done;
  expect(await store.end(journalStream(account))).toBe(1);
});

test("the venue's record of an order after lost events is applied and kept", async () => {
  await relay.onEvents([rests]);
  const [order] = [...relay.orders.openOnVenue()];
  const standing = {
    ...{ orderId, status: 'filled', leavesQty: 0n as Qty, filledQty: 5n as Qty, denial: null },
    fills: [{ ...trade.fill, qty: 5n as Qty }],
  };
  relay.state(order?.owner.key ?? '', { order: standing, child: null } as never);
  expect(relay.orders.openOnVenue().next().done).toBe(true);
  expect(lines().at(-1)).toContain('14=5 151=0');
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  await relay.stop();
  await open();
  expect(relay.orders.openOnVenue().next().done).toBe(true);
});

test('what is odd about an order is an alarm of the account, with the order', async () => {
  await relay.onEvents([
    rests,
    { ...trade, fill: trade.fill && { ...trade.fill, qty: 9n as Qty } },
  ]);
  expect(alarms[0]).toEqual([
    expect.stringMatching(/^desk: /),
    { event: 'account', account: 'desk', orderId, code: expect.any(String) },
  ]);
});
