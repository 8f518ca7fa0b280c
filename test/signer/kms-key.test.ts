/** A key at a service that speaks AWS's protocol; the service of the tests verifies what it is sent by code of its own. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { hasLowS, openEcdsa } from '../../src/signer/ecdsa.ts';
import type { KeyHolder } from '../../src/signer/key-holder.ts';
import { type KmsKeyOptions, openKmsKey } from '../../src/signer/kms-key.ts';
import { readCredentials } from '../../src/signer/kms-request.ts';
import { addressOf } from '../../src/signer/scheme.ts';
import { accessKey, KmsServer, keyId, region, secretKey } from './kms-server.ts';

const ecdsa = await openEcdsa();
const digest = new Uint8Array(32).fill(9);
const throttled = { status: 400, body: { __type: 'ThrottlingException', message: 'slow down' } };
const broken = { status: 500, body: { __type: 'KMSInternalException' } };
let directory: string;
let credentialsFile: string;
let server: KmsServer;
let endpoint: string;
let address: Account;
let reports: string[];
let clock: ManualClock;
let open: KeyHolder[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kms-'));
  credentialsFile = join(directory, 'credentials');
  writeCredentials(secretKey);
  server = new KmsServer();
  endpoint = await server.listen();
  address = addressOf(server.publicKey.export({ format: 'der', type: 'spki' }).subarray(-65));
  reports = [];
  open = [];
  // Signature Version 4 carries the time, which the service compares with its own.
  clock = new ManualClock(Date.now());
});

afterEach(async () => {
  for (const key of open) key.close();
  await server.close();
  rmSync(directory, { recursive: true });
});

function writeCredentials(secret: string, token = ''): void {
  const lines = [
    '[default]',
    `aws_access_key_id = ${accessKey}`,
    `aws_secret_access_key = ${secret}`,
    ...(token === '' ? [] : [`aws_session_token = ${token}`]),
    '[other]',
    'aws_access_key_id = OTHER',
  ];
  writeFileSync(credentialsFile, `${lines.join('\n')}\n`, { mode: 0o600 });
}

async function opened(change: Partial<KmsKeyOptions> = {}): Promise<KeyHolder> {
  const key = await openKmsKey({
    ...{ region, endpoint, keyId, credentialsFile, address, ecdsa, clock },
    report: (text) => reports.push(text),
    ...change,
  });
  open.push(key);
  return key;
}

/** In so many turns of the loop a call reaches the service and its answer comes back. */
const quietTurns = 50;

/** Resolves like `work`, for which time passes whenever nothing else happens. */
async function withTime<T>(work: T | Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  Promise.resolve(work).then(done, done);
  for (let quiet = 0, calls = 0; !isDone; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (server.calls > calls) [calls, quiet] = [server.calls, 0];
    if (quiet < quietTurns) continue;
    clock.advance(25);
    quiet = 0;
  }
  return work;
}

test('each signature has a low s and recovers to the key, though the service gives another one each time', async () => {
  const key = await opened();
  const signatures: Uint8Array[] = [];
  for (let count = 0; count < 40; count += 1) signatures.push(await key.sign(digest));
  for (const signature of signatures) {
    expect(hasLowS(signature)).toBe(true);
    expect(ecdsa.recover(digest, signature)).toEqual(key.publicKey);
  }
  expect(new Set(signatures.map((each) => Buffer.from(each).toString('hex'))).size).toBe(40);
});

test('a call that was throttled, failed or cut off is repeated, and one that hangs is asked again elsewhere', async () => {
  const key = await opened();
  server.faults.push(throttled, broken, { status: 200, body: '{"Signature": "' });
  expect(ecdsa.recover(digest, await withTime(key.sign(digest)))).toEqual(key.publicKey);
  server.faults.push('hang');
  const beganMs = clock.now().monoMs;
  expect(ecdsa.recover(digest, await withTime(key.sign(digest)))).toEqual(key.publicKey);
  expect(clock.now().monoMs - beganMs).toBeGreaterThanOrEqual(150);
  expect(server.signed).toBe(2);
  expect(reports).toEqual([]);
});

test('a service that does not recover is given up before the bridge gives up, and reported once', async () => {
  const key = await opened();
  server.faults.push(...Array.from({ length: 100 }, () => throttled));
  const beganMs = clock.now().monoMs;
  const failure = expect(withTime(key.sign(digest))).rejects;
  await failure.toThrow('status 400, ThrottlingException');
  expect(clock.now().monoMs - beganMs).toBeLessThanOrEqual(400);
  await expect(withTime(key.sign(digest))).rejects.toThrow('ThrottlingException');
  server.faults.length = 0;
  await key.sign(digest);
  expect(reports).toEqual([
    `the key ${address} does not sign: status 400, ThrottlingException`,
    `the key ${address} signs again`,
  ]);
});

test('a step of the wall clock neither shortens nor extends the time of a call', async () => {
  const key = await opened();
  for (const stepMs of [250_000, -250_000]) {
    server.faults.push(...Array.from({ length: 100 }, () => 'hang' as const));
    const beganMs = clock.now().monoMs;
    const signing = key.sign(digest);
    clock.stepWall(stepMs);
    await expect(withTime(signing)).rejects.toThrow('no answer: too late');
    expect(clock.now().monoMs - beganMs).toBeGreaterThanOrEqual(300);
    expect(clock.now().monoMs - beganMs).toBeLessThanOrEqual(400);
    clock.stepWall(-stepMs);
    server.faults.length = 0;
  }
  expect(ecdsa.recover(digest, await key.sign(digest))).toEqual(key.publicKey);
});

test('what another key signed is never handed on', async () => {
  const key = await opened();
  server.faults.push('other key');
  await expect(key.sign(digest)).rejects.toThrow('no signature of this key');
  const broken = ['MAYCAQECAQ==', 'AAAA', Buffer.alloc(80, 2).toString('base64')];
  for (const Signature of broken) {
    server.faults.push({ status: 200, body: { Signature } });
    await expect(key.sign(digest)).rejects.toThrow('not in DER');
  }
});

test('a refusal is not repeated, and its text does not reach the log', async () => {
  const key = await opened();
  const body = { __type: 'AccessDeniedException', message: 'arn:aws:iam::123:user/desk may not' };
  server.faults.push({ status: 400, body });
  await expect(key.sign(digest)).rejects.toThrow('status 400, AccessDeniedException');
  expect(server.signed).toBe(0);
  expect(reports.join()).not.toContain('arn:');
});

test('more calls than may wait are refused before anything is recorded', async () => {
  const key = await opened();
  server.faults.push(...Array.from({ length: 2000 }, () => 'hang' as const));
  const waiting = Array.from({ length: 256 }, () => key.sign(randomBytes(32)));
  expect(key.problem).toMatch(/behind/);
  const results = await withTime(Promise.allSettled(waiting));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(key.problem).toBeUndefined();
});

test.each([
  [['[other]', 'aws_access_key_id = OTHER', '[default]'], 'after another section'],
  [[], 'before any section'],
])('the credentials are of the section default: %s', (before) => {
  const lines = [...before, 'aws_access_key_id=ID', 'aws_secret_access_key=KEY', '[last]', 'x=y'];
  writeFileSync(credentialsFile, lines.join('\n'), { mode: 0o600 });
  expect(readCredentials(credentialsFile)).toMatchObject({ accessKey: 'ID', secretKey: 'KEY' });
});

test('wrong credentials, another key and another kind of key end the start and name what is wrong', async () => {
  writeCredentials('wrong');
  await expect(opened()).rejects.toThrow('status 400, InvalidSignatureException');
  writeCredentials(secretKey);
  await expect(opened({ keyId: 'other' })).rejects.toThrow('NotFoundException');
  const wrong = `0x${'2'.repeat(40)}` as Account;
  await expect(opened({ address: wrong })).rejects.toThrow(`has the address ${address}, and the`);
  server.kind = 'ECC_NIST_P256';
  await expect(opened()).rejects.toThrow('is of the kind ECC_NIST_P256');
});

test('credentials with a session token are signed with it', async () => {
  server.token = 'session+token/=';
  await expect(opened()).rejects.toThrow('InvalidSignatureException');
  writeCredentials(secretKey, server.token);
  await (await opened()).sign(digest);
});

test('credentials that others may read are not used, and incomplete ones are named', () => {
  chmodSync(credentialsFile, 0o644);
  expect(() => readCredentials(credentialsFile)).toThrow('has mode 0644');
  writeFileSync(credentialsFile, '[default]\naws_access_key_id = A\n[other]\n');
  chmodSync(credentialsFile, 0o600);
  expect(() => readCredentials(credentialsFile)).toThrow('has no aws_secret_access_key');
});
