/** The machine as a whole; its behaviour case by case stands in test/acceptance/fix. */
import { expect, test } from 'vitest';
import { hostileMessages, playPair } from '../long/fuzz-session.long.ts';
import { soak } from '../long/soak-session.long.ts';
import { ScriptedSession } from './scripted-session.ts';

test.each([1, 2, 3, 4, 5])(
  'two sessions over lines that are cut and spoilt tell each message once, in order (seed %i)',
  (seed) => {
    expect(playPair(seed).messages).toBeGreaterThan(100);
  },
);

test('well framed nonsense does not get out of the session', () => {
  expect(hostileMessages(7, 5_000)).toBe(5_000);
});

test('S-44: hours go by in one connection', () => {
  expect(soak(1, 2)).toContain('one connection');
});

test('a client that has logged out and leaves the connection to the bridge is not said to owe a Logout', () => {
  const one = new ScriptedSession({ role: 'acceptor' });
  one.connect();
  one.hear('5', 2, '58=good night|');
  one.pass(2_000);
  expect(one.events.slice(-1)).toEqual(['disconnect: logged out by the peer: good night']);
});

test('a connection ends for a Logon or a Logout that does not come in time', () => {
  const one = new ScriptedSession({ role: 'initiator' });
  one.connect();
  one.pass(10_000);
  expect(one.happened()).toContain('disconnect: no Logon(A) in time');
  one.session.closed(one.now);
  one.connect();
  one.hear('A', 1, '98=0|108=30|');
  one.session.logout('Maintenance', one.now);
  one.pass(5_000);
  expect(one.happened()).toContain('disconnect: no Logout(5) in time');
});
