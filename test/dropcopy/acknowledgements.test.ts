import { expect, test } from 'vitest';
import { type Bench, bench, everything, RecordingOutput, reports } from './copies.ts';

const told = reports(3);
const last = told.at(-1)?.execId ?? '';
const rules = { reports: true, acknowledge: 'reader', openOrders: false } as const;

async function reading(on: Bench) {
  const reader = await on.relay.open('reader', everything, rules);
  const output = new RecordingOutput();
  reader.bind(output);
  on.tell(told);
  await on.settle();
  output.take();
  const says = (execId: string, account: string | null = null) =>
    on.run(() => on.relay.acknowledgements.add(reader, output, account, execId));
  return { reader, output, says };
}

test('a copy that the reader names is acknowledged with all before it', async () => {
  const on = await bench();
  const { reader, output, says } = await reading(on);
  expect(reader.unacknowledged).toBe(told.length);
  says(last);
  await on.settle();
  expect([reader.unacknowledged, output.take()]).toEqual([0, []]);
});

test('what is not known, or not of the session, is refused', async () => {
  const on = await bench();
  const { reader, output, says } = await reading(on);
  says('no-such');
  says(last, 'another');
  await on.settle();
  expect(reader.unacknowledged).toBe(told.length);
  expect(output.heard.map((message) => message.kind === 'answer' && message.answer.text)).toEqual([
    'Account(1)=another is not of this session',
    'ExecID(17)=no-such is not known',
  ]);
});

test('of many words at once the first is looked up and the last counts', async () => {
  const on = await bench();
  const { reader, output, says } = await reading(on);
  for (let i = 0; i < 10_000; i += 1) says(`no-such-${i}`);
  says(last);
  await on.settle();
  expect(reader.unacknowledged).toBe(0);
  expect(output.heard.map((message) => message.kind === 'answer' && message.answer.reqId)).toEqual([
    'no-such-0',
  ]);
});
