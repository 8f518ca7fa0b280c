import { expect, test } from 'vitest';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { type SessionIdentity, sessionSettings } from '../../src/fix/session-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import type { LinkListener } from '../../src/transport/link.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { MemoryStore } from '../support/memory-store.ts';

const peer = { address: '192.0.2.1' };
const application = { onMessage: () => {} };
const clock = new ManualClock();
const dayMs = 86_400_000;

function directory(maxSessions = 10) {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  return new SessionDirectory({ dictionary: fix44(), transactions, clock, maxSessions });
}

const spec = (identity: SessionIdentity, role: 'acceptor' | 'initiator' = 'acceptor') => ({
  settings: sessionSettings({ identity, role }),
  application,
});

function logon(client: string, more = ''): Buffer {
  const { wallMs } = clock.now();
  return clientBytes(`A|34=1|98=0|108=30${more}`, { client, server: 'B' }, wallMs);
}

test('many sessions on one port: the CompIDs of the first message choose', async () => {
  const sessions = directory();
  const one = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'ONE' }));
  const two = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'TWO' }));
  const choice = (client: string) => sessions.admit(logon(client), peer, clock.now());
  expect(choice('ONE')).toEqual({ kind: 'admit', session: one });
  expect(choice('TWO')).toEqual({ kind: 'admit', session: two });
  expect(choice('THREE')).toMatchObject({ kind: 'refuse', isOffence: false });
});

test('sub-ids choose where a session has them', async () => {
  const sessions = directory();
  const any = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'C' }));
  const desk = await sessions.add(
    spec({ senderCompId: 'B', targetCompId: 'C', targetSubId: 'DESK' }),
  );
  const choice = (more: string) => sessions.admit(logon('C', more), peer, clock.now());
  expect(choice('')).toEqual({ kind: 'admit', session: any });
  const withSub = clientBytes(
    'A|34=1|50=DESK|98=0|108=30',
    { client: 'C', server: 'B' },
    clock.now().wallMs,
  );
  expect(sessions.admit(withSub, peer, clock.now())).toEqual({ kind: 'admit', session: desk });
});

test('a first message in pieces is waited for', async () => {
  const sessions = directory();
  await sessions.add(spec({ senderCompId: 'B', targetCompId: 'C' }));
  const bytes = logon('C');
  for (let length = 1; length < bytes.length; length += 1) {
    const admission = sessions.admit(bytes.subarray(0, length), peer, clock.now());
    expect(admission.kind).toBe('more');
  }
  expect(sessions.admit(bytes, peer, clock.now()).kind).toBe('admit');
});

test('an initiator is nobody that one can log on to', async () => {
  const sessions = directory();
  await sessions.add(spec({ senderCompId: 'B', targetCompId: 'C' }, 'initiator'));
  expect(sessions.admit(logon('C'), peer, clock.now()).kind).toBe('refuse');
});

test('sessions come and go while others run, up to the limit', async () => {
  const sessions = directory(2);
  const first = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'ONE' }));
  await expect(sessions.add(spec({ senderCompId: 'B', targetCompId: 'ONE' }))).rejects.toThrow(
    'is there already',
  );
  await sessions.add(spec({ senderCompId: 'B', targetCompId: 'TWO' }));
  await expect(sessions.add(spec({ senderCompId: 'B', targetCompId: 'MORE' }))).rejects.toThrow(
    'there are 2 sessions already',
  );
  sessions.remove(first.name);
  expect(sessions.admit(logon('ONE'), peer, clock.now()).kind).toBe('refuse');
  await sessions.add(spec({ senderCompId: 'B', targetCompId: 'MORE' }));
  expect(sessions.roster.list().map(({ name }) => name)).toEqual([
    'FIX.4.4:B/->TWO/',
    'FIX.4.4:B/->MORE/',
  ]);
});

test('a session that is resumed as it was removed has all that is on its way to the store', async () => {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const sessions = new SessionDirectory({ dictionary: fix44(), transactions, clock });
  const schedule = {
    timeZone: 'UTC',
    days: [0, 1, 2, 3, 4, 5, 6],
    startS: 0,
    endS: 3600,
    lengthDays: 1,
  };
  const identity = { senderCompId: 'B', targetCompId: 'C' };
  const scheduled = {
    settings: sessionSettings({ identity, role: 'acceptor', schedule }),
    application,
  };
  const { name } = await sessions.add(scheduled);
  sessions.roster.setNumbers(name, 5, 8);
  const hold = () =>
    sessions.roster.act(name, (session, now) => session.send('B', Buffer.from('148=x\x01'), now));
  hold();
  const state = sessions.remove(name);
  const { calendar: _, ...stored } = state;
  expect(await sessions.load(name)).toMatchObject(stored);
  expect(state.periodStartMs).toBeGreaterThan(0);
  sessions.resume(scheduled, state);
  hold();
  expect(sessions.roster.list()).toMatchObject([{ nextIn: 5, nextOut: 8, held: 2 }]);
  expect(await transactions.store.held(name, 0, 10)).toMatchObject([
    { position: 1 },
    { position: 2 },
  ]);
});

test.each([true, false])(
  'a session that is resumed as it was removed does not trust a clock that has stepped (noticed: %s)',
  async (isNoticed) => {
    const sessions = directory();
    const schedule = { timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], startS: 0, endS: 0 };
    const identity = { senderCompId: 'B', targetCompId: 'C' };
    const settings = sessionSettings({
      ...{ identity, role: 'acceptor' },
      schedule: { ...schedule, lengthDays: 1 },
    });
    const { name } = await sessions.add({ settings, application });
    sessions.roster.setNumbers(name, 57, 91);
    clock.stepWall(dayMs);
    if (isNoticed) sessions.roster.act(name, () => {});
    const again = sessions.resume({ settings, application }, sessions.remove(name));
    clock.advance(dayMs);
    sessions.roster.act(name, () => {});
    expect(again.state).toMatchObject({ nextIn: 57, nextOut: 91 });
    sessions.roster.start(name);
    expect(again.state).toMatchObject({ nextIn: 1, nextOut: 1 });
  },
);

test('hours that are changed under a client that is logged on, to begin later, keep its numbers until the next period', async () => {
  const sessions = directory();
  const startS = Math.floor((clock.now().wallMs % dayMs) / 1000);
  const specWith = (fromS: number) => {
    const days = [0, 1, 2, 3, 4, 5, 6];
    const schedule = { timeZone: 'UTC', days, startS: fromS, endS: fromS - 3600, lengthDays: 1 };
    const identity = { senderCompId: 'B', targetCompId: 'C' };
    return { settings: sessionSettings({ identity, role: 'acceptor', schedule }), application };
  };
  const { name } = await sessions.add(specWith(startS));
  const bytes = logon('C');
  const admitted = sessions.admit(bytes, peer, clock.now());
  if (admitted.kind !== 'admit') throw new Error('not admitted');
  let listener: LinkListener | undefined;
  const link = {
    ...{ peer, bufferedBytes: 0, write: () => {}, end: () => {}, pause: () => {} },
    ...{ resume: () => {}, destroy: () => {} },
    listen: (given: LinkListener) => {
      listener = given;
    },
  };
  expect(sessions.attach(admitted.session, link, bytes)).toBe(true);
  clock.advance(1_800_000);
  listener?.closed();
  const again = sessions.resume(specWith(startS + 600), sessions.remove(name));
  const stored = (await sessions.load(name)).periodStartMs;
  expect(stored).toBe(clock.now().wallMs);
  clock.advance(600_000);
  sessions.roster.act(name, () => {});
  expect(again.state).toMatchObject({ nextIn: 2 });
  clock.advance(dayMs);
  expect(again.state).toMatchObject({ nextIn: 1, nextOut: 1 });
});

test('a stopped session refuses until it is started', async () => {
  const sessions = directory();
  const { name } = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'C' }));
  sessions.roster.stop(name);
  expect(sessions.admit(logon('C'), peer, clock.now())).toMatchObject({ kind: 'refuse' });
  sessions.roster.start(name);
  expect(sessions.admit(logon('C'), peer, clock.now()).kind).toBe('admit');
});

test('numbers are set by an operator, and only real ones', async () => {
  const sessions = directory();
  const { name } = await sessions.add(spec({ senderCompId: 'B', targetCompId: 'C' }));
  expect(sessions.roster.setNumbers(name, 5, 8)).toBe(true);
  expect(sessions.roster.list()[0]).toMatchObject({ nextIn: 5, nextOut: 8, phase: 'down' });
  expect(() => sessions.roster.setNumbers(name, 0, 1)).toThrow('0 is not a sequence number');
  expect(() => sessions.roster.setNumbers('nobody', 1, 1)).toThrow('there is no session nobody');
});

test('numbers that an operator sets belong to the present, whatever a wrong clock has noted', async () => {
  const sessions = directory();
  const schedule = { timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], startS: 0, endS: 0 };
  const settings = sessionSettings({
    identity: { senderCompId: 'B', targetCompId: 'C' },
    role: 'acceptor',
    schedule: { ...schedule, lengthDays: 1 },
  });
  const inYears = clock.now().wallMs + 1_000 * dayMs;
  const start = { nextIn: 7, nextOut: 9, heldTo: 0, releasedTo: 0, periodStartMs: inYears };
  const session = sessions.resume({ settings, application }, start);
  expect(sessions.roster.setNumbers(session.name, 5, 8)).toBe(true);
  expect(session.state).toMatchObject({ nextIn: 5, nextOut: 8 });
  const { calendar: _, ...stored } = session.state;
  expect(await sessions.load(session.name)).toMatchObject(stored);
  clock.advance(dayMs);
  expect(session.state).toMatchObject({ nextIn: 1, nextOut: 1 });
});
