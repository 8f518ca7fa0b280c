/** What becomes of a reader when a copy or an answer cannot be written. */
import { expect, test } from 'vitest';
import { NotWritable } from '../../src/dropcopy/copy-output.ts';
import { reqTypes } from '../../src/dropcopy/copy-tags.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type Bench, bench, everything, RecordingOutput, reports } from './copies.ts';

const rules = { reports: true, acknowledge: 'session', openOrders: false } as const;
const [fresh, ...trades] = reports(5);
if (fresh === undefined) throw new Error('no reports');
const request = {
  ...{ reqId: 'r', reqType: reqTypes.openOrders, account: null, fromExecId: null, toExecId: null },
  ...{ fromMs: 0, toMs: null, fromSeq: null, toSeq: null },
};
const ids = [fresh, ...trades].map(({ execId }) => execId);

async function reading(on: Bench, name = 'R') {
  const reader = await on.relay.open(name, everything, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  return { reader, output };
}

test('a copy that cannot be written stops its reader with one alarm, and nobody else; a restart tries it again', async () => {
  const store = new MemoryStore();
  const on = await bench({ store });
  const { output } = await reading(on);
  const other = await reading(on, 'other');
  const send = output.send.bind(output);
  output.send = (message) => {
    if (message.kind === 'report' && message.copy.report.execId === ids[1])
      throw new NotWritable('no room');
    send(message);
  };
  on.tell([fresh, ...trades]);
  await on.settle();
  on.clock.advance(60_000);
  await on.settle();
  expect(output.take()).toEqual([ids[0]]);
  expect(other.output.take()).toEqual(ids);
  expect(on.alarms).toEqual([
    expect.stringMatching(/^R: copy 2 of account .* cannot be written: no room$/),
  ]);

  const next = await bench({ store });
  const again = await reading(next);
  next.relay.wake();
  await next.settle();
  expect(again.output.take()).toEqual(ids.slice(1));
});

test('an answer that cannot be written ends, and the copies go on', async () => {
  const on = await bench();
  const { reader, output } = await reading(on);
  const send = output.send.bind(output);
  output.send = (message) => {
    if (message.kind === 'answer') throw new NotWritable('no room');
    send(message);
  };
  on.tell([fresh]);
  await on.settle();
  on.run(() => on.relay.ask(reader, output, request));
  on.tell(trades);
  await on.settle();
  expect(output.take()).toEqual(ids);
  expect(on.alarms).toEqual(['R: the answer to a request cannot be written: no room']);
});
