import { expect, test } from 'vitest';
import { type Clock, ManualClock } from '../../src/runtime/clock.ts';
import { WaitingRoom } from '../../src/transport/waiting-room.ts';

function setup(waiting = 3) {
  const clock = new ManualClock();
  const timers = new Set<() => void>();
  const counted: Clock = {
    now: () => clock.now(),
    at(monoMs, callback) {
      const cancel = clock.at(monoMs, () => {
        timers.delete(cancel);
        callback();
      });
      timers.add(cancel);
      return () => timers.delete(cancel) && cancel();
    },
  };
  const room = new WaitingRoom(counted, { waiting, waitingMs: 100 });
  const out: string[] = [];
  const guest = (name: string, network = '') => {
    const entered = { network, evict: (reason: string) => void out.push(`${name}: ${reason}`) };
    room.enter(entered);
    return entered;
  };
  return { clock, room, out, guest, timers };
}

test('each guest may wait its own time from its own arrival', () => {
  const { clock, out, guest } = setup();
  guest('a');
  clock.advance(60);
  guest('b');
  clock.advance(40);
  expect(out).toEqual(['a: no logon in time']);
  clock.advance(59);
  expect(out).toHaveLength(1);
  clock.advance(1);
  expect(out).toEqual(['a: no logon in time', 'b: no logon in time']);
});

test('who leaves is not turned out', () => {
  const { clock, room, out, guest } = setup();
  room.leave(guest('a'));
  clock.advance(1_000);
  guest('b');
  clock.advance(100);
  expect(out).toEqual(['b: no logon in time']);
});

test('a newcomer to a full room takes the place of the one who waits longest', () => {
  const { room, out, guest } = setup(2);
  for (const name of ['a', 'b', 'c', 'd']) guest(name);
  expect(out).toEqual([
    'a: made room for a newer connection',
    'b: made room for a newer connection',
  ]);
  expect(room.size).toBe(2);
});

test('in a full room the network with the most guests gives way, and not the one who waits longest', () => {
  const { out, guest } = setup(4);
  guest('client', '192.0.2.0/24');
  for (const name of ['a', 'b', 'c', 'd', 'e']) guest(name, '203.0.113.0/24');
  expect(out).toEqual([
    'a: made room for a newer connection',
    'b: made room for a newer connection',
  ]);
});

test('an empty room has no place to make', () => {
  expect(setup().room.makeRoom()).toBe(false);
});

test('a closed room is empty', () => {
  const { clock, room, out, guest } = setup();
  guest('a');
  room.close();
  clock.advance(1_000);
  expect(out).toEqual(['a: the port is closed']);
});

test('no timer runs while nobody waits, so that a process that is done can end', () => {
  const { timers, room, guest } = setup();
  const [first, second] = [guest('a'), guest('b')];
  expect(timers.size).toBe(1);
  room.leave(first);
  expect(timers.size).toBe(1);
  room.leave(second);
  expect(timers.size).toBe(0);
  guest('c');
  room.close();
  expect(timers.size).toBe(0);
});
