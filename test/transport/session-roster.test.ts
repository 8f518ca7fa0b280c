import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import type { Effects } from '../../src/transport/session.ts';
import { type RosterSession, SessionRoster } from '../../src/transport/session-roster.ts';
import { MemoryStore } from '../support/memory-store.ts';

/** A session that says nothing. */
class QuietSession implements RosterSession {
  readonly settings = { role: 'acceptor' } as const;
  readonly name: string;
  phase = 'down';
  nextIn = 1;
  nextOut = 1;
  readonly maxNumber = 100;
  readonly queued = 2;
  readonly held = 3;
  readonly lastReceivedWallMs = 4;
  left = '';
  readonly endReason = 'the connection was lost';
  readonly #effects: Effects;

  constructor(name: string, effects: Effects) {
    this.name = name;
    this.#effects = effects;
  }

  setNumbers(nextIn: number, nextOut: number): boolean {
    if (this.phase !== 'down') return false;
    this.nextIn = nextIn;
    this.nextOut = nextOut;
    return true;
  }

  leave(text: string): void {
    this.left = text;
    this.#effects.disconnect(text);
  }

  opened(): void {
    this.phase = 'up';
  }

  closed(): void {
    this.phase = 'down';
  }

  received(): void {}
  tick(): number {
    return Number.POSITIVE_INFINITY;
  }
  fetched(): void {}
  fetchedHeld(): void {}
  flush(): void {}
}

class QuietLink implements Link {
  readonly peer = { address: '192.0.2.1' };
  bufferedBytes = 0;
  isEnded = false;
  listen(_listener: LinkListener): void {}
  write(): void {}
  pause(): void {}
  resume(): void {}
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {}
}

function roster(maxSessions?: number) {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const clock = new ManualClock();
  const sessions = new SessionRoster<QuietSession>(
    { recorder: transactions, clock, ...(maxSessions !== undefined && { maxSessions }) },
    (session, text) => session.leave(text),
  );
  const add = (name: string): QuietSession =>
    sessions.add(name, (effects) => new QuietSession(name, effects));
  return { sessions, add };
}

test('a session is shown with its connection and what the client leaves unread', () => {
  const { sessions, add } = roster();
  const session = add('A');
  const link = new QuietLink();
  expect(sessions.list()[0]).toMatchObject({ phase: 'down', address: undefined, isSlow: false });
  expect(sessions.attach(session, link, Buffer.alloc(0))).toBe(true);
  link.bufferedBytes = 256 * 1024 + 1;
  expect(sessions.list()).toEqual([
    {
      ...{ name: 'A', role: 'acceptor', phase: 'up', isStopped: false, nextIn: 1, nextOut: 1 },
      ...{ queued: 2, held: 3, lastReceivedMs: 4, address: '192.0.2.1' },
      ...{ unreadBytes: 256 * 1024 + 1, isSlow: true },
      counts: { gaps: 0, resends: 0, rejects: 0 },
    },
  ]);
  expect(sessions.unreadBytes('A')).toBe(256 * 1024 + 1);
});

test('a stopped session is left and takes no connection until it is started', () => {
  const { sessions, add } = roster();
  const session = add('A');
  const link = new QuietLink();
  sessions.attach(session, link, Buffer.alloc(0));
  sessions.stop('A', 'maintenance');
  expect([session.left, link.isEnded, sessions.isStopped('A')]).toEqual([
    'maintenance',
    true,
    true,
  ]);
  expect(sessions.attach(session, new QuietLink(), Buffer.alloc(0))).toBe(false);
  sessions.remove('A');
  const again = add('A');
  expect(sessions.attach(again, new QuietLink(), Buffer.alloc(0))).toBe(false);
  sessions.start('A');
  expect(sessions.attach(again, new QuietLink(), Buffer.alloc(0))).toBe(true);
});

test('a session that retires is left, and takes no other connection before it is added again', async () => {
  const { sessions, add } = roster();
  const session = add('A');
  sessions.attach(session, new QuietLink(), Buffer.alloc(0));
  await sessions.retire('A', 'it changes');
  expect([session.left, session.phase]).toEqual(['it changes', 'down']);
  expect(sessions.attach(session, new QuietLink(), Buffer.alloc(0))).toBe(false);
  sessions.remove('A');
  expect(sessions.attach(add('A'), new QuietLink(), Buffer.alloc(0))).toBe(true);
});

test('numbers are set while there is no connection, and only real ones', () => {
  const { sessions, add } = roster();
  const session = add('A');
  expect(sessions.setNumbers('A', 5, 8)).toBe(true);
  expect([session.nextIn, session.nextOut]).toEqual([5, 8]);
  sessions.attach(session, new QuietLink(), Buffer.alloc(0));
  expect(sessions.setNumbers('A', 6, 9)).toBe(false);
  for (const number of [0, -1, 1.5, 2 ** 53]) {
    expect(() => sessions.setNumbers('A', number, 1)).toThrow('is not a sequence number');
  }
});

test('so many sessions, each name once', () => {
  const { sessions, add } = roster(2);
  add('A');
  expect(() => add('A')).toThrow('session A is there already');
  add('B');
  expect(() => add('C')).toThrow('there are 2 sessions already');
  expect(sessions.remove('A').name).toBe('A');
  add('C');
  expect(sessions.names).toEqual(['B', 'C']);
  expect(sessions.get('A')).toBeUndefined();
  expect(() => sessions.act('A', () => {})).toThrow('there is no session A');
});
