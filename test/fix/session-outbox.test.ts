import { expect, test } from 'vitest';
import { Outbox } from '../../src/fix/session-outbox.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';

const header = { beginString: 'FIX.4.4', senderCompId: 'A', targetCompId: 'B' };
const body = (text: string) => Buffer.from(`58=${text}\x01`);

function world() {
  const writes: SessionWrite[] = [];
  const sent: string[] = [];
  let gathered = 0;
  const effects: Effects = {
    record: (write) => writes.push(write),
    transmit: (bytes) => sent.push(Buffer.from(bytes).toString('latin1')),
    fetch: () => {},
    fetchHeld: () => {},
    disconnect: () => {},
    alarm: () => {},
    gathered: () => {
      gathered += 1;
    },
  };
  const outbox = new Outbox(header, effects, { nextIn: 1, nextOut: 1 });
  return { outbox, writes, sent, gathered: () => gathered };
}

test('a turn is one transmission, one record of messages and one of numbers', () => {
  const { outbox, writes, sent, gathered } = world();
  outbox.application('8', 0, body('one'));
  outbox.application('8', 0, body('two'));
  outbox.expect(5);
  expect(gathered()).toBe(1);
  expect(sent).toHaveLength(0);
  outbox.flush();
  expect(sent).toHaveLength(1);
  expect(writes.map(({ kind }) => kind)).toEqual(['messages', 'numbers']);
  expect(writes[1]).toEqual({ kind: 'numbers', nextIn: 5, nextOut: 3 });
});

test('recorded are exactly the bytes that went out, and of administrative messages only the number', () => {
  const { outbox, writes, sent } = world();
  outbox.application('8', 0, body('one'));
  outbox.admin('0', 0, body('secret'));
  outbox.application('8', 0, body('two'));
  outbox.flush();
  const kept = writes.filter((write) => write.kind === 'messages');
  expect(kept.map(({ firstSeq, ends }) => [firstSeq, ends.length])).toEqual([
    [1, 1],
    [3, 1],
  ]);
  for (const { bytes } of kept) {
    expect(sent[0]).toContain(Buffer.from(bytes).toString('latin1'));
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('secret');
  }
});

test('bytes that were handed over never change again', () => {
  const { outbox, writes } = world();
  outbox.application('8', 0, body('one'));
  outbox.flush();
  const [first] = writes;
  const before = first?.kind === 'messages' ? Buffer.from(first.bytes).toString() : '';
  outbox.application('8', 1, body('TWO'));
  outbox.flush();
  expect(first?.kind === 'messages' ? Buffer.from(first.bytes).toString() : '').toBe(before);
});

test('a message said again uses no number and is not recorded again', () => {
  const { outbox, writes, sent } = world();
  outbox.application('8', 0, body('one'));
  outbox.flush();
  const [first] = writes;
  outbox.again(first?.kind === 'messages' ? first.bytes : Buffer.alloc(0), 1000);
  outbox.flush();
  expect(writes).toHaveLength(2);
  expect(sent[1]).toContain('\x0143=Y\x01');
  expect(sent[1]).toContain('\x01122=19700101-00:00:00.000\x01');
  expect(outbox.nextOut).toBe(2);
});

test('a reset comes after what was said before it', () => {
  const { outbox, writes } = world();
  outbox.application('8', 0, body('one'));
  outbox.reset(1, 1);
  outbox.application('8', 0, body('one again'));
  outbox.flush();
  expect(writes.map(({ kind }) => kind)).toEqual([
    'messages',
    'numbers',
    'reset',
    'messages',
    'numbers',
  ]);
});

test('a long replay does not pile up', () => {
  const { outbox, sent } = world();
  for (let i = 0; i < 3000; i += 1) outbox.application('8', 0, body('x'.repeat(100)));
  expect(sent.length).toBeGreaterThan(0);
});
