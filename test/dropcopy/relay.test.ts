import { expect, test } from 'vitest';
import { reqTypes } from '../../src/dropcopy/copy-tags.ts';
import { StoreFailed } from '../../src/store/store.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { bench, everything, RecordingOutput, reports } from './copies.ts';

const rules = { reports: true, acknowledge: 'session', openOrders: false } as const;

/** More than memory keeps. */
function manyReports() {
  const [fresh] = reports(1);
  return Array.from({ length: 6_200 }, () => fresh ?? []).flat();
}

test('a reader whose copies cannot be read goes on once they can, and until then raises one alarm', async () => {
  const store = new MemoryStore();
  const read = store.read.bind(store);
  let isBroken = false;
  store.read = (...range) =>
    isBroken ? Promise.reject(new StoreFailed('the disk is broken')) : read(...range);
  const on = await bench({ store });
  const reader = await on.relay.open('R', everything, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  output.isHere = false;
  on.tell(manyReports());
  isBroken = true;
  output.isHere = true;
  on.relay.wake();
  await on.settle();
  on.clock.advance(5_000);
  await on.settle();
  expect(on.alarms).toEqual(['R: copies cannot be read: the disk is broken']);
  isBroken = false;
  on.clock.advance(5_000);
  for (let i = 0; i < 10; i += 1) await on.settle();
  expect(output.heard).toHaveLength(6_200);
  expect(on.alarms).toHaveLength(1);
});

test('copies beyond retention that cannot be removed are an alarm that says so', async () => {
  const store = new MemoryStore();
  const on = await bench({ store });
  on.tell(reports(2));
  store.read = () => Promise.reject(new StoreFailed('the disk is broken'));
  await on.relay.retain();
  expect(on.alarms).toEqual([
    'desk: copies beyond retention cannot be removed: the disk is broken',
  ]);
});

test('copies that were read for one connection wait for the room of the next one', async () => {
  const on = await bench();
  const output = new RecordingOutput();
  (await on.relay.open('R', everything, rules)).bind(output);
  output.isHere = false;
  on.tell(manyReports());
  output.isHere = true;
  on.relay.wake();
  on.clock.advance(25);
  // They are being read. The session has reconnected before they are, and holds messages.
  output.room = 0;
  await on.settle();
  expect(output.heard).toEqual([]);
  output.room = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i += 1) await on.settle();
  expect(output.heard).toHaveLength(6_200);
});

test('each trade that a reader refuses is an alarm, and all of them are about one thing', async () => {
  const on = await bench();
  const reader = await on.relay.open('R', everything, rules);
  for (const tradeReportId of ['T1', 'T2'])
    on.relay.tradeRefused(reader, { tradeReportId, reason: '99', text: 'unknown' });
  expect(on.alarms).toEqual([
    'R refuses trade T1: TradeReportRejectReason(751)=99, unknown',
    'R refuses trade T2: TradeReportRejectReason(751)=99, unknown',
  ]);
  expect(on.about).toEqual(['R refuses trades', 'R refuses trades']);
});

test('a wall clock that is days ahead for a moment removes no copies, and time that passes does', async () => {
  const on = await bench();
  const output = new RecordingOutput();
  output.isHere = false;
  (await on.relay.open('R', everything, rules)).bind(output);
  const made = reports(4);
  on.tell(made);
  on.clock.stepWall(3 * 86_400_000);
  await on.relay.retain();
  on.clock.stepWall(-3 * 86_400_000);
  output.isHere = true;
  on.relay.wake();
  await on.settle();
  expect(output.take()).toEqual(made.map(({ execId }) => execId));
  on.clock.advance(86_400_000);
  await on.relay.retain();
  const journal = await on.transactions.store.read('copies/0xdesk', 0, 10);
  expect(journal).toHaveLength(1);
});

/** The reader waits for its totals while 200 copies are sent again, of which it has the first. */
async function askedForTotals() {
  const on = await bench();
  const reader = await on.relay.open('R', everything, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  on.tell(reports(199));
  await on.settle();
  on.run(() => reader.begunAnew());
  const names = { account: null, fromExecId: null, toExecId: null };
  const bounds = { fromMs: null, toMs: null, fromSeq: null, toSeq: null };
  const request = { reqId: 'now', reqType: reqTypes.totals, ...names, ...bounds };
  on.run(() => on.relay.ask(reader, output, request));
  on.clock.advance(4);
  await new Promise<void>((resolve) => setImmediate(resolve));
  return { on, reader, output };
}

test('totals that are requested after a reset of the numbers cover the copies that are sent again', async () => {
  const { on, output } = await askedForTotals();
  await on.settle();
  const stated = output.heard.flatMap((message) =>
    message.kind === 'totals' ? [message.totals.count] : [],
  );
  expect(stated).toEqual([200]);
});

test('an account that is taken away has no totals, though they were requested before', async () => {
  const { on, reader, output } = await askedForTotals();
  reader.refilter({ ...everything, accounts: [] });
  await on.settle();
  expect(output.heard.filter(({ kind }) => kind !== 'report')).toMatchObject([
    { answer: { status: 'completed', count: 0 } },
  ]);
});
