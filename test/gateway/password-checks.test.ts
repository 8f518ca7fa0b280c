/** Passwords are checked beside the thread that trades: one at a time, for whoever still waits, and once. */
import { expect, test } from 'vitest';
import { PasswordChecks } from '../../src/gateway/password-checks.ts';
import { hashSecret, parseSecretHash, type SecretHash } from '../../src/gateway/secret-hash.ts';
import { Inquiry } from '../../src/transport/inquiry.ts';

const hash = parseSecretHash(hashSecret('right')) as SecretHash;
const other = parseSecretHash(hashSecret('other')) as SecretHash;

function begun(checks: PasswordChecks, connection: object, password = 'right', by = hash): Inquiry {
  const said = checks.verdict(connection, password, by);
  if (said instanceof Inquiry) return said;
  throw new Error(`it is known to be ${said}`);
}

test('a connection is told the verdict when its inquiry is over', async () => {
  const checks = new PasswordChecks();
  const [right, wrong] = [{}, {}];
  await Promise.all([begun(checks, right).over, begun(checks, wrong, 'wrong').over]);
  expect(checks.verdict(right, 'right', hash)).toBe(true);
  expect(checks.verdict(wrong, 'wrong', hash)).toBe(false);
});

test('who asks before it is over is told to wait for the same', () => {
  const checks = new PasswordChecks();
  const connection = {};
  expect(begun(checks, connection)).toBe(begun(checks, connection));
});

test('a verdict is told once, and only for what was asked', async () => {
  const checks = new PasswordChecks();
  const connection = {};
  await begun(checks, connection).over;
  await begun(checks, connection, 'right', other).over;
  expect(checks.verdict(connection, 'right', other)).toBe(false);
  await begun(checks, connection).over;
  await begun(checks, connection, 'wrong').over;
  expect(checks.verdict(connection, 'wrong', hash)).toBe(false);
  await begun(checks, connection).over;
  expect(checks.verdict(connection, 'right', hash)).toBe(true);
  begun(checks, connection);
});

test('those who wait are checked one at a time in the order of their coming', async () => {
  const checks = new PasswordChecks();
  const over: number[] = [];
  const all = [0, 1, 2].map((place) => begun(checks, {}).over.then(() => over.push(place)));
  expect(checks.waiting).toBe(2);
  await Promise.all(all);
  expect(over).toEqual([0, 1, 2]);
});

test('nothing is done for those who have given up', async () => {
  const checks = new PasswordChecks();
  const [first, gone, last] = [{}, {}, {}];
  const inquiry = begun(checks, first);
  begun(checks, gone).giveUp();
  const wanted = begun(checks, last);
  expect(checks.waiting).toBe(1);
  inquiry.giveUp();
  await wanted.over;
  expect(checks.verdict(last, 'right', hash)).toBe(true);
});

test('the loop goes on while a password is checked', async () => {
  const checks = new PasswordChecks();
  let isOver = false;
  let rounds = 0;
  const checked = checks.isRight('right', hash).then((isRight) => {
    isOver = true;
    return isRight;
  });
  for (; !isOver; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await checked).toBe(true);
  expect(rounds).toBeGreaterThan(1);
});
