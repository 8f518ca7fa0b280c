import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { WaitingRoom } from '../../src/transport/waiting-room.ts';

function setup(waiting = 3) {
  const clock = new ManualClock();
  const room = new WaitingRoom(clock, { waiting, waitingMs: 100 });
  const out: string[] = [];
  const guest = (name: string, network = '') => {
    const entered = { network, evict: (reason: string) => void out.push(`${name}: ${reason}`) };
    room.enter(entered);
    return entered;
  };
  return { clock, room, out, guest };
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
