import { expect, test } from 'vitest';
import type { CopyMessage } from '../../src/dropcopy/copy-output.ts';
import { FixLog } from '../../src/dropcopy/fix-log.ts';
import { Verifier } from '../../src/dropcopy/verify.ts';
import { Framer } from '../../src/fix/framer.ts';
import { bench, everything, RecordingOutput, reports, text } from './copies.ts';

const framer = new Framer({
  senderCompId: 'CAUSEWAY',
  targetCompId: 'DROP',
});

function framed(message: CopyMessage, seq: number): string {
  const { msgType, body } = text.write(message);
  const possResend = 'possResend' in message && message.possResend;
  const bytes = framer.frame(msgType, seq, 0, body, possResend ? { possResend } : {});
  return Buffer.from(bytes).toString('latin1');
}

/** What a reader is told of a day with a replay in it, as the messages of its log. */
async function day(): Promise<string[]> {
  const on = await bench();
  const reader = await on.relay.open('R', everything, {
    reports: true,
    acknowledge: 'session',
    openOrders: false,
  });
  const output = new RecordingOutput();
  reader.bind(output);
  const [fresh, ...trades] = reports(5);
  if (fresh === undefined) throw new Error('no reports');
  on.tell([fresh, ...trades.slice(0, 2)]);
  await on.settle();
  on.run(() => reader.begunAnew());
  on.tell(trades.slice(2));
  on.relay.endDay('20261120');
  await on.settle();
  return output.heard.map((message, index) => framed(message, index + 2));
}

function verified(messages: readonly string[], pieceLength = 1_000) {
  const log = new FixLog();
  const verifier = new Verifier();
  const whole = messages.map((message) => `2026-11-20 in ${message}\n`).join('');
  for (let at = 0; at < whole.length; at += pieceLength) {
    for (const message of log.push(whole.slice(at, at + pieceLength))) verifier.take(message);
  }
  for (const message of log.push('', true)) verifier.take(message);
  return verifier.finish();
}

test('the totals of a day are worked out again from the log, over a replay, however it is cut', async () => {
  const messages = await day();
  for (const pieceLength of [7, 100, 1_000_000]) {
    const { checked, copies, doubled, repeated } = verified(messages, pieceLength);
    expect(checked).toMatchObject([{ account: 'desk', day: '20261120', count: 6, faults: [] }]);
    expect({ copies, repeated, doubled }).toEqual({ copies: 6, repeated: 3, doubled: [] });
  }
  expect(verified(messages.map((one) => one.replaceAll('\x01', '|'))).checked[0]?.faults).toEqual(
    [],
  );
});

test('what follows a message that was cut off near the end of the log is not lost with it', async () => {
  const messages = await day();
  const cutOff = '8=FIX.4.4\x019=100000\x0135=8\x0134=2\x01';
  for (const pieceLength of [7, 100, 1_000_000]) {
    const { checked, copies } = verified([cutOff, ...messages, cutOff], pieceLength);
    expect(checked).toMatchObject([{ count: 6, faults: [] }]);
    expect(copies).toBe(6);
  }
});

test('a copy that is missing, changed or doubled is found', async () => {
  const messages = await day();
  const without = messages.filter((message) => !message.includes('\x01150=0\x01'));
  expect(verified(without).checked[0]?.faults.join()).toMatch(/count is 5, stated 6.*hash/);
  const changed = messages.map((message) => message.replace('\x0114=3\x01', '\x0114=4\x01'));
  expect(verified(changed).checked[0]?.faults.join()).toMatch(/^hash/);
  const last = messages.at(-2) ?? '';
  const again = last.replace('\x0134=10\x01', '\x0134=99\x01');
  expect(verified([...messages, again]).doubled).toHaveLength(1);
});

test('messages beyond a gap are counted where they belong once the gap is filled', async () => {
  const messages = await day();
  const [one = '', two = '', three = '', ...rest] = messages;
  const { checked } = verified([one, three, two, ...rest]);
  expect(checked).toMatchObject([{ count: 6, faults: [] }]);
});
