/**
 * Readers that acknowledge themselves and may not see every copy: those that they may not see need no acknowledgement. And
 * readers that lose an account, and get it back after its day.
 */
import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import { noTotals } from '../../src/dropcopy/copy-totals.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type Bench, bench, everything, from, RecordingOutput, reports } from './copies.ts';

const rules = { reports: true, acknowledge: 'reader', openOrders: false } as const;
const [fresh] = reports(0) as [ExecutionReport];
let count = 0;

/** Copies of orders of these CompIDs. */
function tell(on: Bench, ...compIds: readonly string[]): string[] {
  return compIds.map((compId) => {
    count += 1;
    const report = { ...fresh, execId: `e-${count}` };
    const copy = { kind: 'report', report, from: { ...from, compId } } as const;
    on.run(() => on.relay.copy('desk', copy, count));
    return report.execId;
  });
}

/** A process on this store, whose reader sees only the orders of ALPHA. */
async function processOn(store: MemoryStore) {
  const on = await bench({ store, retainCopies: 2 });
  const reader = await on.relay.open('R', { ...everything, sessions: new Set(['ALPHA']) }, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  return { on, reader, output };
}

test('a copy is acknowledged although others, which the reader may not see, were passed over behind it', async () => {
  const store = new MemoryStore();
  const { on, reader, output } = await processOn(store);
  const [seen = ''] = tell(on, 'ALPHA', 'BRAVO', 'BRAVO');
  await on.settle();
  expect(output.take()).toEqual([seen]);
  on.run(() => on.relay.acknowledgements.add(reader, output, 'desk', seen));
  await on.settle();
  on.run(() => reader.begunAnew());
  await on.settle();
  expect(output.take()).toEqual([]);
});

test('copies that a reader may not see are not lost to it, however long they are gone when its numbers restart', async () => {
  const store = new MemoryStore();
  const { on, reader, output } = await processOn(store);
  const [seen = ''] = tell(on, 'ALPHA');
  await on.settle();
  on.run(() => on.relay.acknowledgements.add(reader, output, 'desk', seen));
  tell(on, 'BRAVO', 'BRAVO', 'BRAVO', 'BRAVO', 'BRAVO');
  await on.settle();
  await on.relay.retain();
  output.take();
  on.run(() => reader.begunAnew());
  const [next] = tell(on, 'ALPHA');
  await on.settle();
  expect(output.take()).toEqual([next]);
  expect(reader.totals('desk')).toMatchObject({ count: 2, lost: 0 });
  const again = await processOn(store);
  again.on.run(() => again.reader.begunAnew());
  await again.on.settle();
  expect(again.output.take()).toEqual([`${next}*`]);
});

test.each(['before', 'after'])(
  'an account that comes back begins a new day if one ended just %s it was taken away',
  async (when) => {
    const store = new MemoryStore();
    const { on, reader, output } = await processOn(store);
    tell(on, 'ALPHA');
    await on.settle();
    expect(reader.totals('desk').count).toBe(1);
    output.isHere = false;
    tell(on, 'ALPHA');
    if (when === 'before') on.relay.endDay('20261120');
    reader.refilter({ ...everything, accounts: [] });
    if (when === 'after') on.relay.endDay('20261120');
    tell(on, 'ALPHA');
    on.relay.stop();
    const again = await processOn(store);
    expect(again.reader.totals('desk')).toEqual(noTotals);
  },
);
