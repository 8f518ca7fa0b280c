import { expect, test } from 'vitest';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { framed } from '../../src/fixp/framing.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { clientMessage, readLine, sessionIdOf } from '../acceptance/fixp/script.ts';
import { MemoryStore } from '../support/memory-store.ts';

const peer = { address: '192.0.2.1' };
const application = { onMessage: () => {} };
const clock = new ManualClock();

function directory(maxSessions = 10): FixpDirectory {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  return new FixpDirectory({ transactions, clock, maxSessions });
}

const spec = (principal: string, users: readonly string[] = [principal]) => ({
  settings: fixpSettings({ role: 'acceptor', principal, users }),
  application,
});

function negotiate(username: string): Buffer {
  const timestamp = BigInt(clock.now().wallMs) * 1_000_000n;
  const filling = {
    sessionId: sessionIdOf('A'),
    timestamp,
    credentials: writeCredentials({ username }),
  };
  return framed(clientMessage(readLine('Negotiate'), filling), 'big');
}

test('many sessions on one port: the user of the first message chooses', async () => {
  const sessions = directory();
  const one = await sessions.add(spec('ONE', ['anna', 'otto']));
  const two = await sessions.add(spec('TWO'));
  const choice = (user: string) => sessions.admit(negotiate(user), peer, clock.now());
  expect(choice('anna')).toEqual({ kind: 'admit', session: one });
  expect(choice('otto')).toEqual({ kind: 'admit', session: one });
  expect(choice('TWO')).toEqual({ kind: 'admit', session: two });
  expect(choice('ONE')).toMatchObject({ kind: 'refuse', isOffence: true });
});

test('a user belongs to one session', async () => {
  const sessions = directory();
  await sessions.add(spec('ONE', ['anna']));
  await expect(sessions.add(spec('TWO', ['anna']))).rejects.toThrow(
    'user anna is one of session FIXP:ONE already',
  );
  sessions.remove('FIXP:ONE');
  await sessions.add(spec('TWO', ['anna']));
  expect(sessions.roster.list().map(({ name }) => name)).toEqual(['FIXP:TWO']);
});

test('a first message in pieces is waited for', async () => {
  const sessions = directory();
  await sessions.add(spec('ONE'));
  const bytes = negotiate('ONE');
  for (let length = 1; length < bytes.length; length += 1) {
    const admission = sessions.admit(bytes.subarray(0, length), peer, clock.now());
    expect(admission.kind).toBe('more');
  }
  expect(sessions.admit(bytes, peer, clock.now()).kind).toBe('admit');
});

test('sessions come and go while others run, up to the limit', async () => {
  const sessions = directory(1);
  await sessions.add(spec('ONE'));
  await expect(sessions.add(spec('ONE'))).rejects.toThrow('is there already');
  await expect(sessions.add(spec('TWO'))).rejects.toThrow('there are 1 sessions already');
  sessions.close();
  expect(sessions.admit(negotiate('ONE'), peer, clock.now()).kind).toBe('refuse');
  await sessions.add(spec('TWO'));
});

test('a session that is resumed as it was removed has all that is on its way to the store', async () => {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const sessions = new FixpDirectory({ transactions, clock });
  const { name } = await sessions.add(spec('ONE'));
  const hold = () =>
    sessions.roster.act(name, (session, now) => session.send(Buffer.from('report'), now));
  hold();
  const state = sessions.remove(name);
  expect((await sessions.load(name)).start).toMatchObject(state.start);
  sessions.resume(spec('ONE'), state);
  hold();
  expect(sessions.roster.list()).toMatchObject([{ held: 2 }]);
  expect(await transactions.store.messages(name, 1, 9, 1_000)).toMatchObject([
    { seq: 1 },
    { seq: 2 },
  ]);
});

test('numbers belong to a session id', async () => {
  const sessions = directory();
  const { name } = await sessions.add(spec('ONE'));
  expect(sessions.roster.setNumbers(name, 5, 8)).toBe(false);
  expect(() => sessions.roster.setNumbers(name, 0, 1)).toThrow('0 is not a sequence number');
  expect(() => sessions.roster.setNumbers('nobody', 1, 1)).toThrow('there is no session nobody');
});
