import { expect, test } from 'vitest';
import type { ReportCopy } from '../../src/dropcopy/copy.ts';
import type { CopyMessage } from '../../src/dropcopy/copy-output.ts';
import { reqTypes } from '../../src/dropcopy/copy-tags.ts';
import type { Reader } from '../../src/dropcopy/reader.ts';
import { decodeState } from '../../src/dropcopy/reader-state.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type Bench, bench, everything, from, RecordingOutput, reports } from './copies.ts';

const rules = { reports: true, acknowledge: 'session', openOrders: true } as const;

async function reading(
  on: Bench,
  name = 'R',
): Promise<{ reader: Reader; output: RecordingOutput }> {
  const reader = await on.relay.open(name, everything, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  return { reader, output };
}

const [fresh, ...trades] = reports(5);
if (fresh === undefined) throw new Error('no reports');
const ids = [fresh, ...trades].map(({ execId }) => execId);

test('a reader hears each copy once, in order, whoever else reads', async () => {
  const on = await bench();
  const one = await reading(on, 'one');
  const two = await reading(on, 'two');
  on.tell([fresh, ...trades]);
  await on.settle();
  expect(one.output.take()).toEqual(ids);
  expect(two.output.take()).toEqual(ids);
});

test('whoever is far behind catches up while the others, of whom there are many, have nothing to be told', async () => {
  const on = await bench();
  const one = await reading(on, 'one');
  one.output.isHere = false;
  for (let i = 0; i < 9; i += 1) await reading(on, `other ${i}`);
  on.tell(Array.from({ length: 500 }, () => fresh));
  for (let i = 0; i < 20; i += 1) await on.settle();
  one.output.isHere = true;
  on.relay.wake();
  await on.settle();
  expect(one.output.heard).toHaveLength(500);
});

test('many readers are served in slices, with a pause behind each that grows with those served', async () => {
  const on = await bench();
  const outputs: RecordingOutput[] = [];
  for (let i = 0; i < 10; i += 1) outputs.push((await reading(on, `reader ${i}`)).output);
  on.tell([fresh]);
  const served = () => outputs.filter(({ heard }) => heard.length > 0).length;
  const progress: number[] = [];
  for (let ms = 0; ms < 12; ms += 1) {
    on.clock.advance(1);
    progress.push(served());
  }
  expect(progress).toEqual([0, 4, 4, 4, 4, 8, 8, 8, 8, 10, 10, 10]);
});

test('D-14: a reader without room waits, and delays nobody; then it goes on where it was', async () => {
  const on = await bench();
  const slow = await reading(on, 'slow');
  const quick = await reading(on, 'quick');
  slow.output.room = 0;
  on.tell([fresh, ...trades]);
  await on.settle();
  expect(quick.output.take()).toEqual(ids);
  expect(slow.output.take()).toEqual([]);
  expect(slow.reader.behind).toBe(ids.length);
  slow.output.room = 100;
  await on.settle();
  expect(slow.output.take()).toEqual(ids);
});

test('D-07: numbers that start anew replay what was not confirmed, marked; the rest is new', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh]);
  await on.settle();
  on.run(() => reader.confirmed(output.nextSeq - 1));
  on.tell(trades.slice(0, 2));
  await on.settle();
  output.take();
  output.isHere = false;
  on.tell(trades.slice(2, 3));
  on.run(() => reader.begunAnew());
  output.isHere = true;
  output.nextSeq = 2;
  on.relay.wake();
  await on.settle();
  expect(output.take()).toEqual([`${ids[1]}*`, `${ids[2]}*`, ids[3]]);
});

test('a confirmation of a number before a batch confirms nothing of it', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh]);
  await on.settle();
  on.run(() => reader.confirmed(output.nextSeq - 2));
  expect(reader.unacknowledged).toBe(1);
  on.clock.advance(5_000);
  expect(output.asked).toBe(1);
  on.run(() => reader.confirmed(output.nextSeq - 1));
  expect(reader.unacknowledged).toBe(0);
});

test('a reader that acknowledges itself is taken at its word alone, however long it reads', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  reader.refilter(everything, { ...rules, acknowledge: 'reader' });
  for (let round = 0; round < 1_100; round += 1) {
    on.tell([fresh]);
    on.clock.advance(25);
    on.run(() => {
      reader.confirmed(output.nextSeq - 1);
      if (round > 0) reader.acknowledge('desk', round);
    });
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await on.settle();
  expect(output.take()).toHaveLength(1_100);
  expect(reader.unacknowledged).toBe(1);
  on.run(() => reader.begunAnew());
  await on.settle();
  expect(output.take()).toEqual([`${ids[0]}*`]);
});

test('a restart goes on behind what was sent', async () => {
  const store = new MemoryStore();
  const before = await bench({ store });
  const first = await reading(before);
  before.tell([fresh]);
  await before.settle();
  expect(first.output.take()).toEqual([ids[0]]);
  first.output.isHere = false;
  before.tell(trades);
  const after = await bench({ store });
  const { output } = await reading(after);
  after.relay.wake();
  await after.settle();
  expect(output.take()).toEqual(ids.slice(1));
});

test('what retention dropped before it was sent is told, with its positions', async () => {
  const on = await bench({ retainCopies: 2 });
  const { reader, output } = await reading(on);
  output.isHere = false;
  on.tell([fresh, ...trades]);
  await on.relay.retain();
  output.isHere = true;
  on.relay.wake();
  await on.settle();
  expect(output.take()).toEqual(['lost 1-4', ...ids.slice(4)]);
  expect(reader.totals('desk')).toMatchObject({ count: 2, lost: 4 });
});

test('a filter that changes holds from the next copy on, and a new account begins at its newest', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  reader.refilter({ ...everything, sessions: new Set(['OTHER']) });
  on.tell([fresh]);
  await on.settle();
  expect(output.take()).toEqual([]);
  reader.refilter({ ...everything, users: new Set(['trader']) });
  on.tell(trades.slice(0, 1));
  await on.settle();
  expect(output.take()).toEqual([ids[1]]);
  reader.refilter({ ...everything, accounts: [] });
  on.tell(trades.slice(1, 2));
  reader.refilter(everything);
  on.tell(trades.slice(2, 3));
  await on.settle();
  expect(output.take()).toEqual([ids[3]]);
});

test('what waits to be told when a filter changes must pass the filter of its time, and the new one', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  const nobodys = { ...everything, users: new Set(['nobody']) };
  reader.refilter(nobodys);
  on.tell([fresh]);
  reader.refilter(everything);
  on.tell(trades.slice(0, 2));
  reader.refilter({ ...everything, sessions: new Set(['OTHER']) });
  reader.refilter(everything);
  on.tell(trades.slice(2, 3));
  await on.settle();
  expect(output.take()).toEqual([ids[3]]);
});

test('copies that a reader may not see cost it a record every five seconds', async () => {
  const store = new MemoryStore();
  const on = await bench({ store });
  const { reader, output } = await reading(on);
  reader.refilter({ ...everything, sessions: new Set(['OTHER']) });
  const positions = new Set<number>();
  for (let i = 0; i < 40; i += 1) {
    on.tell(Array.from({ length: 50 }, () => fresh));
    await on.settle();
    const kept = await store.snapshot('copy-reader/R');
    if (kept === undefined) throw new Error('no state');
    const { desk } = decodeState(kept.payload, 'R').tracks;
    positions.add(desk?.sent.position ?? -1);
  }
  expect([...positions]).toEqual([0, 500, 1000, 1500, 2000]);
  expect([reader.behind, output.take()]).toEqual([0, []]);
});

test('D-11: the end of a day gives the totals of the day, and a replay over it gives the same again', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh, ...trades.slice(0, 2)]);
  on.relay.endDay('20261120');
  on.tell(trades.slice(2, 3));
  await on.settle();
  const [day] = output.heard.filter(({ kind }) => kind === 'totals');
  output.take();
  expect(day).toMatchObject({ day: '20261120', totals: { count: 3, trades: 2 } });
  expect(reader.totals('desk').count).toBe(1);
  on.run(() => reader.begunAnew());
  await on.settle();
  const [again] = output.heard.filter(({ kind }) => kind === 'totals');
  expect(again).toMatchObject({ ...day, possResend: true });
});

const request = {
  reqId: 'r',
  reqType: reqTypes.times,
  account: null,
  fromExecId: null,
  toExecId: null,
  fromMs: 0,
  toMs: null,
  fromSeq: null,
  toSeq: null,
};

/** Of the copies that came, those without a mark that the reader could know already. */
function unmarkedRepeats(heard: readonly CopyMessage[]): number {
  const known = new Set<number>();
  return heard.filter((message) => {
    if (!('copy' in message) || message.kind === 'gap') return false;
    const { position } = message.copy;
    const isUnmarked = known.has(position) && !message.possResend;
    known.add(position);
    return isUnmarked;
  }).length;
}

test('a replay between two times has what was recorded at each of them, and nothing else', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  for (const report of [fresh, ...trades.slice(0, 3)]) {
    on.tell([report]);
    on.clock.advance(10);
  }
  await on.settle();
  const [, fromMs = 0, toMs = 0] = output.heard.map((message) =>
    message.kind === 'report' ? message.copy.atMs : 0,
  );
  output.take();
  on.run(() => on.relay.ask(reader, output, { ...request, fromMs, toMs }));
  await on.settle();
  expect(output.take()).toEqual(['answer', `${ids[1]}*`, `${ids[2]}*`, 'answer']);
});

test('four requests may wait, a fifth is refused', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  output.room = 0;
  on.run(() => {
    for (let i = 0; i < 5; i += 1) {
      on.relay.ask(reader, output, { ...request, reqType: reqTypes.totals, reqId: `r${i}` });
    }
  });
  expect(output.heard).toMatchObject([{ answer: { reqId: 'r4', reason: 'busy' } }]);
});

test('what is asked for is answered while copies never stop coming', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh, ...trades]);
  on.run(() => on.relay.ask(reader, output, request));
  const answers = () => output.heard.filter(({ kind }) => kind === 'answer').length;
  for (let round = 0; round < 100 && answers() < 2; round += 1) {
    on.tell([fresh]);
    on.clock.advance(2);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(answers()).toBe(2);
});

test('a replay has all that was recorded when it was asked for, and each copy of it first came without a mark', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  output.room = 0;
  on.tell(Array.from({ length: 300 }, () => fresh));
  on.run(() => on.relay.ask(reader, output, request));
  output.room = Number.POSITIVE_INFINITY;
  on.relay.wake();
  await on.settle();
  expect(unmarkedRepeats(output.heard)).toBe(0);
  expect(output.heard).toMatchObject([
    ...Array.from({ length: 64 }, () => ({ kind: 'report', possResend: false })),
    { answer: { status: 'accepted' } },
    ...output.heard.slice(65, -1),
    { answer: { status: 'completed', count: 300 } },
  ]);
});

test('a copy that waits is not replayed ahead to a reader of requests alone either', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  reader.refilter({ ...everything, requests: true }, { ...rules, reports: false });
  const sent = { kind: 'request', from, msgType: 'D', symbol: null, market: null } as const;
  on.run(() => {
    for (let i = 0; i < 300; i += 1) on.relay.copy('desk', { ...sent, message: '' }, 0);
    on.relay.ask(reader, output, request);
  });
  await on.settle();
  expect(unmarkedRepeats(output.heard)).toBe(0);
  expect(output.heard).toHaveLength(602);
});

const everyTrade = {
  tradeRequestId: 't',
  requestType: 0,
  criteria: {
    symbol: null,
    side: null,
    orderId: null,
    clOrdId: null,
    execId: null,
    fromMs: null,
    toMs: null,
  },
} as const;

test('trades that were listed before they were subscribed to come by the subscription marked, or not at all', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  const tradesHeard = () => output.heard.filter(({ kind }) => kind === 'trade');
  on.tell(Array.from({ length: 60 }, () => trades).flat());
  on.run(() => {
    on.relay.askTrades(reader, output, { ...everyTrade, subscription: 'snapshot' });
    on.relay.askTrades(reader, output, { ...everyTrade, subscription: 'subscribe' });
  });
  await on.settle();
  on.tell(trades);
  await on.settle();
  expect(unmarkedRepeats(tradesHeard())).toBe(0);
  expect(
    tradesHeard().filter((message) => 'possResend' in message && !message.possResend),
  ).toHaveLength(61 * trades.length);
});

test('an account that is taken away has no more copies, whatever was asked of it before', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell(Array.from({ length: 300 }, () => fresh));
  await on.settle();
  output.take();
  on.run(() => on.relay.ask(reader, output, request));
  on.clock.advance(2);
  await new Promise<void>((resolve) => setImmediate(resolve));
  reader.refilter({ ...everything, accounts: [] });
  await on.settle();
  expect(output.take()).toEqual(['answer', 'answer']);
});

test('an account that comes back goes on with the totals of its day', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh]);
  await on.settle();
  const { hash } = reader.totals('desk');
  reader.refilter({ ...everything, accounts: [] });
  expect(reader.totals('desk')).toMatchObject({ count: 0 });
  on.tell(trades.slice(0, 1));
  reader.refilter(everything);
  expect(reader.totals('desk')).toMatchObject({ count: 1, hash });
  on.tell(trades.slice(1, 2));
  await on.settle();
  expect(reader.totals('desk').count).toBe(2);
  expect(output.take()).toEqual([ids[0], ids[2]]);
});

test('open orders are those that the reader may see, each as it stands when it is told', async () => {
  const by = (compId: string): ReportCopy => ({
    kind: 'report',
    report: fresh,
    from: { ...from, compId },
  });
  const toldBefore: number[] = [];
  const on = await bench({
    *openOrders() {
      for (let i = 0; i < 200; i += 1) {
        toldBefore.push(output.heard.length);
        yield by('ALPHA');
      }
      yield by('BETA');
    },
  });
  const { reader, output } = await reading(on);
  reader.refilter({ ...everything, sessions: new Set(['ALPHA']) });
  on.run(() => on.relay.ask(reader, output, { ...request, reqType: reqTypes.openOrders }));
  await on.settle();
  const told = output.heard.flatMap((message) =>
    message.kind === 'state' ? [message.order.from] : [],
  );
  expect(told).toEqual(Array.from({ length: 200 }, () => by('ALPHA').from));
  expect([toldBefore[127], toldBefore[128]]).toEqual([1, 129]);
});

test('an answer that cannot be read ends with an alarm, and the copies go on', async () => {
  const on = await bench({
    openOrders: () => {
      throw new Error('damaged');
    },
  });
  const { reader, output } = await reading(on);
  on.run(() => on.relay.ask(reader, output, { ...request, reqType: reqTypes.openOrders }));
  await on.settle();
  on.tell([fresh]);
  await on.settle();
  expect(on.alarms).toEqual([expect.stringMatching(/^R: .*damaged/)]);
  expect(output.take()).toEqual(['answer', ids[0]]);
});

test('a copy that the reader rejects is not acknowledged by what its engine confirms, not after a restart either', async () => {
  const store = new MemoryStore();
  const on = await bench({ store });
  const { reader, output } = await reading(on);
  on.tell([fresh]);
  await on.settle();
  const first = output.nextSeq - 1;
  on.tell(trades.slice(0, 1));
  await on.settle();
  const second = output.nextSeq - 1;
  on.tell(trades.slice(1, 2));
  await on.settle();
  on.run(() => reader.rejected(second));
  on.run(() => reader.confirmed(output.nextSeq - 1));
  expect(first).toBeLessThan(second);
  expect(reader.unacknowledged).toBe(2);
  await on.settle();

  const again = await bench({ store });
  const later = await reading(again);
  later.output.nextSeq = output.nextSeq;
  later.reader.bind(later.output);
  again.transactions.run(() => later.reader.confirmed(output.nextSeq - 1));
  expect(later.reader.unacknowledged).toBe(2);
  again.transactions.run(() => later.reader.begunAnew());
  await again.settle();
  expect(later.output.take()).toEqual([`${ids[1]}*`, `${ids[2]}*`]);
  again.transactions.run(() => later.reader.confirmed(later.output.nextSeq - 1));
  expect(later.reader.unacknowledged).toBe(0);
});

test('a rejected copy is settled when the reader acknowledges it, or a later one, itself', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  on.tell([fresh]);
  await on.settle();
  on.run(() => reader.rejected(output.nextSeq - 1));
  on.tell(trades.slice(0, 1));
  await on.settle();
  on.run(() => reader.confirmed(output.nextSeq - 1));
  expect(reader.unacknowledged).toBe(2);
  on.run(() => reader.acknowledge('desk', 1));
  on.run(() => reader.confirmed(output.nextSeq - 1));
  expect(reader.unacknowledged).toBe(0);
});

test('a reader whose first connection closes before it has all open orders gets them at its next logon, and once only', async () => {
  const orders = Array.from(
    { length: 300 },
    (): ReportCopy => ({ kind: 'report', report: fresh, from }),
  );
  const on = await bench({ openOrders: () => orders });
  const { reader, output } = await reading(on);
  const arrive = async () => {
    output.isHere = true;
    on.run(() => on.relay.arrived(reader));
    await on.settle();
    return output.take().length;
  };
  output.room = 100;
  expect(await arrive()).toBe(128);
  output.isHere = false;
  reader.left();
  output.room = Number.POSITIVE_INFINITY;
  await on.settle();
  expect(await arrive()).toBe(300);
  expect(await arrive()).toBe(0);
});
