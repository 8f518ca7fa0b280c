/** Keys in a real PKCS#11 token, SoftHSM2, through the process that the signer starts for it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { ownArguments } from '../../src/runtime/shipped.ts';
import { hasLowS, openEcdsa } from '../../src/signer/ecdsa.ts';
import type { KeyHolder } from '../../src/signer/key-holder.ts';
import { openTokenKey, type TokenKeyOptions } from '../../src/signer/token-key.ts';
import { pin, SoftToken } from '../support/soft-token.ts';
import { rotateInToken } from '../support/token-rotation.ts';

const ecdsa = await openEcdsa();
let token: SoftToken;
let address: Account;
let reports: string[];
let open: KeyHolder[];

beforeAll(() => {
  token = new SoftToken();
});
afterAll(() => token.close());
beforeEach(() => {
  token.make();
  address = token.addKey('desk-1');
  reports = [];
  open = [];
});
afterEach(() => {
  for (const key of open) key.close();
});

async function opened(change: Partial<TokenKeyOptions> = {}): Promise<KeyHolder> {
  const key = await openTokenKey({
    ...{ place: token.place('desk-1'), pin, address, ecdsa, clock: systemClock },
    program: ownArguments('signer-token'),
    report: (text) => reports.push(text),
    ...change,
  });
  open.push(key);
  return key;
}

/** The processes that this one started for tokens. */
function processes(): readonly number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`]).toString();
  return list
    .split('\n')
    .filter((line) => line.includes('signer-token'))
    .map((line) => Number.parseInt(line, 10));
}

test('each signature has a low s and recovers to the key, though the token gives another one each time', async () => {
  const key = await opened();
  const digest = randomBytes(32);
  const signatures = await Promise.all(Array.from({ length: 40 }, () => key.sign(digest)));
  for (const signature of signatures) {
    expect(hasLowS(signature)).toBe(true);
    expect(ecdsa.recover(digest, signature)).toEqual(key.publicKey);
  }
  expect(new Set(signatures.map((each) => Buffer.from(each).toString('hex'))).size).toBe(40);
  expect(new Set(signatures.map((each) => each[64]))).toEqual(new Set([0, 1]));
});

test('a wrong PIN is tried once, however often the signer is started, so the token does not lock itself', async () => {
  await expect(opened({ pin: '0000' })).rejects.toThrow(/refuses the PIN \(CKR_PIN_INCORRECT\)/);
  for (let start = 0; start < 5; start += 1) {
    await expect(opened({ pin: '0000' })).rejects.toThrow(/has met a wrong PIN, so none is tried/);
  }
  expect(processes()).toEqual([]);
});

test('a missing key, a missing token, another curve and another address are named, and nothing is started again', async () => {
  await expect(opened({ place: token.place('desk-9') })).rejects.toThrow(
    'desk has no private key desk-9',
  );
  const elsewhere = { ...token.place('desk-1'), token: 'other' };
  await expect(opened({ place: elsewhere })).rejects.toThrow('no token with the label other');
  token.addKey('nist', { id: '02', curve: 'prime256v1' });
  await expect(opened({ place: token.place('nist') })).rejects.toThrow('another curve');
  token.addKey('desk-1', { id: '03' });
  await expect(opened()).rejects.toThrow('desk has several private keys desk-1');
  const byId = { module: token.place('').module, token: 'desk', keyId: '03' };
  await expect(opened({ place: byId })).rejects.toThrow(/has the address 0x[0-9a-f]{40}, and the/);
  await expect(opened({ place: { ...byId, module: '/nowhere.so' } })).rejects.toThrow(
    '/nowhere.so',
  );
  expect(processes()).toEqual([]);
});

test('after the process of the token dies, requests are refused at once, and signed again when it is back', async () => {
  const key = await opened();
  const digest = randomBytes(32);
  await key.sign(digest);
  const [pid = 0] = processes();
  // Stopped, it cannot answer before it dies.
  process.kill(pid, 'SIGSTOP');
  const waiting = key.sign(digest);
  process.kill(pid, 'SIGKILL');
  await expect(waiting).rejects.toThrow('has ended');
  expect(key.problem).toContain('cannot sign: the process of the token has ended');
  await vi.waitFor(() => expect(key.problem).toBeUndefined(), { timeout: 5000 });
  expect(ecdsa.recover(digest, await key.sign(digest))).toEqual(key.publicKey);
  expect(reports).toEqual([
    expect.stringContaining('has ended'),
    `the key ${address} can sign again`,
  ]);
});

test('a token that was removed is found again when it is back; one with another PIN is not tried twice', async () => {
  const key = await opened();
  const restart = () => process.kill(processes()[0] ?? 0, 'SIGKILL');
  token.remove();
  restart();
  await vi.waitFor(() => expect(key.problem).toContain('no token with the label desk'), 5000);
  token.make();
  token.addKey('desk-1');
  await vi.waitFor(() => expect(key.problem).toBeUndefined(), { timeout: 10_000 });
  await key.sign(randomBytes(32));
  token.make('9999');
  token.addKey('desk-1', { userPin: '9999' });
  restart();
  await vi.waitFor(() => expect(reports.at(-1)).toContain('refuses the PIN'), { timeout: 10_000 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(processes()).toEqual([]);
  expect(key.problem).toContain('it is not tried again');
}, 30_000);

test('a token that hangs keeps nobody waiting for longer than its time, and its process is killed', async () => {
  const key = await opened();
  const [pid = 0] = processes();
  process.kill(pid, 'SIGSTOP');
  const before = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => key.sign(randomBytes(32))),
  );
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'));
  expect(performance.now() - before).toBeLessThan(1000);
  await vi.waitFor(() => expect(reports).toHaveLength(2), { timeout: 10_000 });
  expect(reports[0]).toContain('has not answered for 3000 ms');
  expect(processes()).not.toContain(pid);
  await key.sign(randomBytes(32));
  key.close();
  expect(reports).toHaveLength(2);
}, 30_000);

test('a token that hangs is given up although one order follows the other, each after the last was refused', async () => {
  const clock = new ManualClock(Date.now());
  const key = await opened({ clock });
  const [pid = 0] = processes();
  process.kill(pid, 'SIGSTOP');
  for (let order = 0; order < 3; order += 1) {
    const signing = key.sign(randomBytes(32));
    clock.advance(400);
    await expect(signing).rejects.toThrow('did not answer within 400 ms');
    clock.advance(600);
  }
  expect(key.problem).toContain('has not answered for 3000 ms');
  expect(reports).toEqual([key.problem]);
});

test('on SIGHUP the signer takes up another key of the token, and keeps what it has where one is not there or has another address', async () => {
  token.make();
  const command = [process.execPath, join(import.meta.dirname, '../../src/main.ts')] as const;
  const { code, keys, log } = await rotateInToken(command, token, process.env);
  expect(keys).toEqual(['desk-1', 'desk-2', 'desk-1', 'desk-2', 'desk-2', 'desk-2']);
  expect(log).toContain('desk has no private key desk-9');
  expect(log).toMatch(/keys\[0\]: .* has the address 0x[0-9a-f]{40}, and the configuration says/);
  expect(log).not.toContain(pin);
  expect(code).toBe(0);
}, 120_000);

test('neither PIN nor key is in the arguments or the environment of the process', async () => {
  await opened({ pin });
  const [pid] = processes();
  const shown = ['cmdline', 'environ'].map((name) =>
    execFileSync('cat', [`/proc/${pid}/${name}`]).toString(),
  );
  expect(shown.join()).not.toContain(pin);
});
