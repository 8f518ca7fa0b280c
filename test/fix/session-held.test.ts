import { expect, test } from 'vitest';
import { Held } from '../../src/fix/session-held.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';

function world(start = { heldTo: 0, releasedTo: 0 }, limit = 3) {
  const writes: SessionWrite[] = [];
  const asked: number[] = [];
  const nothing = () => {};
  const effects: Effects = {
    record: (write) => writes.push(write),
    transmit: nothing,
    fetch: nothing,
    fetchHeld: (after) => asked.push(after),
    takes: () => true,
    wait: () => {},
    disconnect: nothing,
    alarm: nothing,
    loggedOn: nothing,
    gathered: nothing,
  };
  return { held: new Held(start, limit, effects), writes, asked };
}

const body = Buffer.from('37=O\x01');

test('a held message is recorded with its type and comes back as it went', () => {
  const { held, writes } = world();
  expect(held.hold('8', body)).toBe(true);
  const [write] = writes;
  if (write?.kind !== 'hold') throw new Error('not held');
  const { msgType, body: back } = held.take(write)!;
  expect(msgType).toBe('8');
  expect(Buffer.from(back)).toEqual(body);
  held.taken();
  expect(writes[1]).toEqual({ kind: 'mark', name: 'released', value: 1 });
  expect(held.waiting).toBe(0);
});

test('a message that may be a repetition says so when it is sent after the logon, too', () => {
  const { held, writes } = world();
  held.hold('8', body, { possResend: true });
  const [write] = writes;
  if (write?.kind !== 'hold') throw new Error('not held');
  expect(Buffer.from(held.take(write)!.body).toString()).toBe(`97=Y\x01${body}`);
});

test('there is room for so many', () => {
  const { held } = world();
  expect([1, 2, 3, 4].map(() => held.hold('8', body))).toEqual([true, true, true, false]);
});

test('after a restart it goes on where it stood, and nothing is taken twice', () => {
  const { held, asked } = world({ heldTo: 5, releasedTo: 3 });
  expect(held.waiting).toBe(2);
  held.fetch();
  expect(asked).toEqual([3]);
  const bytes = Buffer.from('35=8\x0137=O\x01');
  expect(held.take({ position: 3, bytes })).toBeUndefined();
  expect(held.take({ position: 4, bytes })).toBeDefined();
});

test('nothing is asked for when nothing waits', () => {
  const { held, asked } = world();
  held.fetch();
  expect(asked).toEqual([]);
});
