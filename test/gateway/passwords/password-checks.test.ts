/** Passwords are checked beside the thread that trades: for whoever still waits, once, and in fair turns. */
import { expect, test } from 'vitest';
import { type Asker, PasswordChecks } from '../../../src/gateway/passwords/password-checks.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../../src/gateway/passwords/secret-hash.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { PendingVerdict } from '../../../src/transport/pending-verdict.ts';

const asker = { door: 'desk', address: '192.0.2.1' };
/** The threads that check have the lowest priority, so that a busy machine hardly runs them. */
const cost = { N: 16, r: 1, p: 1 };
const hash = parseSecretHash(hashSecret('right', cost)) as SecretHash;
const other = parseSecretHash(hashSecret('other', cost)) as SecretHash;

function make(clock = new ManualClock(), maxWaiting = 1_000) {
  const alarms: string[] = [];
  const alarm = (text: string) => void alarms.push(text);
  return { alarms, clock, checks: new PasswordChecks({ clock, alarm, maxWaiting }) };
}

function begun(
  checks: PasswordChecks,
  connection: object,
  password = 'right',
  by = hash,
): PendingVerdict {
  const said = checks.verdict(connection, asker, password, by);
  if (said instanceof PendingVerdict) return said;
  throw new Error(`it is known to be ${said}`);
}

test('a connection gets the verdict when its check is done', async () => {
  const { checks } = make();
  const [right, wrong] = [{}, {}];
  await Promise.all([begun(checks, right).over, begun(checks, wrong, 'wrong').over]);
  expect(checks.verdict(right, asker, 'right', hash)).toBe(true);
  expect(checks.verdict(wrong, asker, 'wrong', hash)).toBe(false);
});

test('a connection that asks again meanwhile waits for the same check', () => {
  const { checks } = make();
  const connection = {};
  expect(begun(checks, connection)).toBe(begun(checks, connection));
});

test('a verdict is given once, and only for the same question', async () => {
  const { checks } = make();
  const connection = {};
  await begun(checks, connection).over;
  await begun(checks, connection, 'right', other).over;
  expect(checks.verdict(connection, asker, 'right', other)).toBe(false);
  await begun(checks, connection).over;
  await begun(checks, connection, 'wrong').over;
  expect(checks.verdict(connection, asker, 'wrong', hash)).toBe(false);
  await begun(checks, connection).over;
  expect(checks.verdict(connection, asker, 'right', hash)).toBe(true);
  begun(checks, connection);
});

test('checks for one session are made in the order of arrival', async () => {
  const { checks } = make();
  const over: number[] = [];
  const all = [0, 1, 2].map((place) => begun(checks, {}).over.then(() => over.push(place)));
  expect(checks.waiting).toBe(2);
  await Promise.all(all);
  expect(over).toEqual([0, 1, 2]);
});

test('no check is made for a connection that has given up', async () => {
  const { checks } = make();
  const [first, gone, last] = [{}, {}, {}];
  const pendingVerdict = begun(checks, first);
  begun(checks, gone).giveUp();
  const wanted = begun(checks, last);
  expect(checks.waiting).toBe(1);
  pendingVerdict.giveUp();
  await wanted.over;
  expect(checks.verdict(last, asker, 'right', hash)).toBe(true);
});

test('the event loop is not blocked while a password is checked', async () => {
  const { checks } = make();
  let isOver = false;
  let rounds = 0;
  const long = parseSecretHash(hashSecret('right', lightCost)) as SecretHash;
  const checked = checks.ask(asker, 'right', long).over.then((finding) => {
    isOver = true;
    return finding;
  });
  for (; !isOver; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await checked).toBe('right');
  expect(rounds).toBeGreaterThan(1);
});

test('a password that was right is accepted again at once, however many wait, and another is not', async () => {
  const { checks } = make();
  await checks.ask(asker, 'right', hash).over;
  const stranger = checks.ask({ ...asker, door: 'BRAVO' }, 'wrong', other);
  const told: string[] = [];
  const all = [
    stranger.over.then((finding) => told.push(`stranger ${finding}`)),
    checks.ask(asker, 'wrong', hash).over.then((finding) => told.push(`same door ${finding}`)),
    checks.ask(asker, 'right', hash).over.then((finding) => told.push(`again ${finding}`)),
  ];
  await Promise.all(all);
  expect(told).toEqual(['again right', 'stranger wrong', 'same door wrong']);
});

test('for a name that nobody has as much is computed as for one that somebody has, and it is wrong', async () => {
  const { checks } = make();
  expect(await checks.ask(asker, 'right', undefined).over).toBe('wrong');
  checks.imitate([hash]);
  const pendingVerdict = checks.ask(asker, 'right', undefined);
  const second = checks.ask(asker, 'right', undefined);
  expect(checks.waiting).toBeGreaterThan(0);
  expect([await pendingVerdict.over, await second.over]).toEqual(['wrong', 'wrong']);
});

/** The names of the askers in the order in which they are told. */
async function order(
  checks: PasswordChecks,
  askers: readonly (readonly [name: string, asker: Asker, password?: string])[],
): Promise<string[]> {
  const told: string[] = [];
  await Promise.all(
    askers.map(([name, from, password = 'wrong']) =>
      checks.ask(from, password, hash).over.then(() => told.push(name)),
    ),
  );
  return told;
}

/** As many as there are, each from a network of its own. */
function strangers(count: number, door: string) {
  return Array.from({ length: count }, (_, at) => {
    return ['stranger', { door, address: `198.51.${at}.7` }] as const;
  });
}

test('a first logon waits for one turn of strangers at another door, however many they are', async () => {
  const { checks } = make();
  const client = { door: 'CHARLIE', address: '192.0.2.1' };
  const told = await order(checks, [...strangers(12, 'BRAVO'), ['client', client, 'right']]);
  expect(told.indexOf('client')).toBeLessThanOrEqual(2);
});

test('at the same door a client waits for one turn of a network, however many it sends', async () => {
  const { checks } = make();
  const attacks = Array.from({ length: 12 }, (_, at) => {
    return ['stranger', { door: 'CHARLIE', address: `198.51.100.${at}` }] as const;
  });
  const client = { door: 'CHARLIE', address: '192.0.2.1' };
  const told = await order(checks, [...attacks, ['client', client, 'right']]);
  expect(told.indexOf('client')).toBeLessThanOrEqual(2);
});

test('a network from which the door was opened before comes first, and so does one that is expected', async () => {
  const { checks } = make();
  const known = { door: 'CHARLIE', address: '192.0.2.1' };
  await checks.ask(known, 'right', hash).over;
  const attacks = strangers(8, 'CHARLIE');
  const near = { door: 'CHARLIE', address: '192.0.2.99' };
  const expected = { door: 'DELTA', address: '203.0.113.5', isExpected: true };
  const told = await order(checks, [...attacks, ['near', near], ['expected', expected]]);
  expect(told.indexOf('near')).toBeLessThanOrEqual(2);
  expect(told.indexOf('expected')).toBeLessThanOrEqual(3);
});

test('a network that has guessed wrong waits behind all others, for ten minutes', async () => {
  const { checks, clock } = make();
  const guesser = { door: 'BRAVO', address: '198.51.100.1' };
  const newcomer = (at: number) => ['new', { door: `NEW${at}`, address: `192.0.${at}.1` }] as const;
  await checks.ask(guesser, 'wrong', hash).over;
  const told = await order(checks, [newcomer(9), ['guesser', guesser], newcomer(1), newcomer(2)]);
  expect(told.at(-1)).toBe('guesser');
  clock.advance(600_000);
  const later = await order(checks, [newcomer(9), ['guesser', guesser], newcomer(3), newcomer(4)]);
  expect(later.indexOf('guesser')).toBeLessThanOrEqual(2);
});

test('once a network has guessed wrong, all that it has sent already waits behind the others', async () => {
  const { checks } = make();
  const doors = Array.from({ length: 12 }, (_, at) => {
    return ['stranger', { door: `DOOR${at}`, address: `198.51.100.${at}` }] as const;
  });
  const told = await order(checks, [...doors, ['client', { ...asker, door: 'CHARLIE' }, 'right']]);
  expect(told.indexOf('client')).toBeLessThanOrEqual(3);
});

test('a full queue drops the last check of the name and network with the most, with one alarm', async () => {
  const { alarms, checks } = make(new ManualClock(), 10);
  const told: string[] = [];
  const asked = [...strangers(30, 'BRAVO'), ['client', { ...asker, door: 'CHARLIE' }] as const];
  const all = asked.map(([name, from]) =>
    checks.ask(from, 'right', hash).over.then((finding) => told.push(`${name} ${finding}`)),
  );
  expect(checks.waiting).toBe(10);
  await Promise.all(all);
  expect(told).toContain('client right');
  expect(told.filter((text) => text === 'stranger dropped')).toHaveLength(checks.dropped);
  expect(alarms).toEqual([
    expect.stringMatching(/^passwords come faster than they can be checked: 11 wait/),
  ]);
});

test('what has waited ten seconds is dropped, for its client waits no longer', async () => {
  const { alarms, checks, clock } = make();
  const late = [0, 1, 2].map(() => checks.ask(asker, 'right', hash).over);
  clock.advance(10_000);
  const next = checks.ask(asker, 'right', hash).over;
  expect((await Promise.all(late)).slice(-1)).toEqual(['dropped']);
  expect(await next).toBe('right');
  clock.advance(59_999);
  expect(alarms).toHaveLength(1);
});
