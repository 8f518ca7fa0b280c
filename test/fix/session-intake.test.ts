/** What a session makes of a ResendRequest(2) and a SequenceReset(4), with what it asks its store for and raises. */
import { expect, test } from 'vitest';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { Framer } from '../../src/fix/framer.ts';
import { FixSession } from '../../src/fix/session.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import type { Effects } from '../../src/transport/session.ts';
import { fromText } from '../support/fix-text.ts';
import { freshStart } from './fresh-start.ts';

const now = { monoMs: 0, wallMs: Date.UTC(2026, 0, 5, 12) };

function initiator(settings: Partial<SessionSettings> = {}, start = freshStart) {
  const fetched: (readonly [from: number, to: number])[] = [];
  const alarms: string[] = [];
  const ended: string[] = [];
  const renumbered: number[] = [];
  const nothing = () => {};
  const effects: Effects = {
    record: nothing,
    transmit: nothing,
    fetch: (from, to) => fetched.push([from, to]),
    fetchHeld: nothing,
    disconnect: (reason) => ended.push(reason),
    alarm: (kind) => alarms.push(kind),
    gathered: nothing,
    wait: nothing,
    loggedOn: nothing,
    takes: () => true,
  };
  const session: FixSession = new FixSession({
    settings: sessionSettings({
      identity: { senderCompId: 'B', targetCompId: 'C' },
      role: 'initiator',
      ...settings,
    }),
    dictionary: causeway44(),
    application: { onMessage: nothing, onRenumbered: () => renumbered.push(session.nextOut) },
    effects,
    start,
  });
  const client = new Framer({ senderCompId: 'C', targetCompId: 'B' });
  const hear = (msgType: string, seq: number, body: string) =>
    session.received(client.frame(msgType, seq, now.wallMs, fromText(body)).slice(), now);
  session.opened({ address: '192.0.2.1' }, now);
  return { alarms, client, ended, fetched, hear, renumbered, session };
}

function loggedOn(settings: Partial<SessionSettings> = {}) {
  const client = initiator(settings);
  client.hear('A', 1, '98=0|108=30|');
  return client;
}

/** Monday to Friday, 8:00 to 17:00; `now` is a Monday at noon. */
const hours = {
  timeZone: 'UTC',
  days: [1, 2, 3, 4, 5],
  startS: 28_800,
  endS: 61_200,
  lengthDays: 0,
};

test('an initiator logs on in its hours, and sends nothing under the numbers of a period that is over', () => {
  expect(initiator({ schedule: hours }).session.nextOut).toBe(2);
  const early = initiator({ schedule: { ...hours, startS: 50_000 } });
  expect([early.ended, early.session.nextOut]).toEqual([['Session hours are over'], 1]);
});

/** What a session whose messages 1 (its Logon) to 4 have gone out then asks its store for. */
function afterThreeReports(request: string) {
  const { fetched, hear, session } = loggedOn();
  for (let sent = 0; sent < 3; sent += 1) session.send('8', fromText('37=O|'), now);
  hear('2', 2, request);
  return fetched;
}

test.each([
  ['an open range ends with the last message that went out', '7=1|16=0|', [1, 4]],
  ['the last message alone is resent', '7=4|16=4|', [4, 4]],
  ['a range past the end ends with the last message', '7=2|16=9|', [2, 4]],
  ['a closed range ends where it says', '7=2|16=3|', [2, 3]],
])('%s', (_, request, range) => {
  expect(afterThreeReports(request)).toEqual([range]);
});

test('a range that begins behind the last message brings nothing', () => {
  expect(afterThreeReports('7=5|16=0|')).toEqual([]);
});

test.each([0, 1, 2 ** 31, Number.MAX_SAFE_INTEGER])(
  'an initiator watches its server at its own HeartBtInt(108), and not at %i',
  (answered) => {
    const { hear, session } = initiator();
    hear('A', 1, `98=0|108=${answered}|`);
    expect(session.isActive).toBe(true);
    expect(session.tick(now)).toBe(30_000);
    expect(session.tick({ ...now, monoMs: 72_000 })).toBe(Number.POSITIVE_INFINITY);
    expect(session.isActive).toBe(false);
  },
);

test('a peer that resets to the expected number again and again raises one alarm, not one a message', () => {
  const { alarms, hear, session } = loggedOn();
  for (let next = 2; next < 1_000; next += 1) {
    hear('4', 1, `36=${next}|`);
    hear('4', 1, `36=${next}|`);
  }
  expect([session.nextIn, alarms]).toEqual([999, ['reset_in_place']]);
});

test.each([
  ['of the dictionary', 'R', '131=q|'],
  ['missing in the dictionary', 'C', '164=x|'],
])(
  'messages of a type %s and not offered count against the rate: their refusals are kept',
  (_, type, body) => {
    const rate = { perSecond: 1, burst: 5 };
    const { ended, hear, session } = loggedOn({
      rate,
      maxRateRefusals: 10,
      offered: new Set(['D']),
    });
    for (let seq = 2; seq < 100; seq += 1) hear(type, seq, body);
    expect(ended).toEqual(['Message rate above the limit of this session']);
    // A Logon, a refusal each, and a Logout.
    expect(session.nextOut).toBe(1 + 5 + 11 + 1 + 1);
  },
);

test('the application hears once of the resets of one read, under the numbers of the last one', () => {
  const { client, hear, renumbered, session } = loggedOn({ allowsReset: true });
  renumbered.length = 0;
  const reset = client.frame('A', 1, now.wallMs, fromText('98=0|108=30|141=Y|')).slice();
  session.received(Buffer.concat([reset, reset, reset.subarray(0, 20)]), now);
  expect(renumbered).toEqual([2]);
  session.received(reset.subarray(20), now);
  hear('1', 2, '112=quiet|');
  expect(renumbered).toEqual([2, 2]);
});

test('it hears of a reset that came while one side was leaving', () => {
  const { client, hear, renumbered, session } = loggedOn({ allowsReset: true });
  session.logout('by the operator', now);
  hear('A', 1, '98=0|108=30|141=Y|');
  expect(renumbered).toEqual([2, 2]);
  const other = loggedOn({ allowsReset: true });
  const reset = client.frame('A', 1, now.wallMs, fromText('98=0|108=30|141=Y|')).slice();
  const logout = client.frame('5', 2, now.wallMs, fromText('')).slice();
  other.session.received(Buffer.concat([reset, logout]), now);
  expect(other.renumbered).toEqual([2, 3]);
});

test('it hears of a reset at the first logon that succeeds, and not at one that is refused', () => {
  const { hear, renumbered, session } = initiator({}, { ...freshStart, nextIn: 7, nextOut: 5 });
  const reconnect = () => {
    session.closed(now);
    session.opened({ address: '192.0.2.1' }, now);
  };
  session.closed(now);
  session.setNumbers(1, 1, now);
  session.opened({ address: '192.0.2.1' }, now);
  hear('A', 1, '98=0|108=30|789=57|');
  expect([session.isActive, renumbered]).toEqual([false, []]);
  reconnect();
  hear('A', 1, '98=0|108=30|');
  expect([session.isActive, renumbered]).toEqual([true, [4]]);
  reconnect();
  hear('A', 2, '98=0|108=30|');
  expect(renumbered).toEqual([4]);
});

test('it hears of a reset within the session at the next logon, if the connection was lost before the response', () => {
  const { hear, renumbered, session } = loggedOn({ allowsReset: true });
  session.resetInSession(now);
  hear('0', 2, '');
  expect(renumbered).toEqual([2]);
  session.closed(now);
  session.opened({ address: '192.0.2.1' }, now);
  hear('A', 3, '98=0|108=30|');
  expect([session.isActive, renumbered]).toEqual([true, [2, 3]]);
});

test('it hears of numbers that began anew before this process started, and not of those that go on', () => {
  expect(loggedOn().renumbered).toEqual([2]);
  const later = initiator({}, { ...freshStart, nextIn: 7, nextOut: 5 });
  later.hear('A', 7, '98=0|108=30|');
  expect([later.session.isActive, later.renumbered]).toEqual([true, []]);
});

test.each([
  ['a wrong SenderCompID(49)', { senderCompId: 'X' }, {}, 'CompID problem (49)'],
  [
    'an OrigSendingTime(122) after its SendingTime(52)',
    {},
    { possDup: true, texts: { 122: '20260105-12:00:01' } },
    'SendingTime accuracy problem (122)',
  ],
])('the end of a session names the fault of its peer: %s', (_, names, extras, fault) => {
  const { ended, hear, session } = loggedOn();
  const client = new Framer({ senderCompId: 'C', targetCompId: 'B', ...names });
  session.received(client.frame('0', 2, now.wallMs, fromText(''), extras).slice(), now);
  hear('5', 3, '');
  expect(ended).toEqual([`logged out after a fault of the peer: ${fault}`]);
});

test('a response to our Logout(5) ends the session, though its SendingTime(52) is as wrong as before', () => {
  const { client, ended, session } = loggedOn();
  const late = (msgType: string, seq: number) =>
    session.received(client.frame(msgType, seq, now.wallMs - 300_000, fromText('')).slice(), now);
  late('0', 2);
  const { nextOut } = session;
  late('5', 3);
  expect(ended).toEqual([
    'logged out after a fault of the peer: SendingTime accuracy problem (52)',
  ]);
  expect(session.nextOut).toBe(nextOut);
});

test('the reason of an end has no more than the beginning of a long Text(58): the cancels of the orders repeat it', () => {
  const { ended, hear, session } = loggedOn({ closeWaitMs: 0 });
  hear('5', 2, `58=${'x'.repeat(60_000)}|`);
  expect(ended).toEqual([`logged out by the peer: ${'x'.repeat(256)}`]);
  expect(session.endReason).toBe(ended[0]);
});
