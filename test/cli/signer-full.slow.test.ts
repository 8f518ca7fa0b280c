/** The signer as a process whose files may not grow: what it signs, what it answers to its operator, and how it recovers. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { DigestLedger, nothing } from '../../src/signer/digest-ledger.ts';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { openLedgerFile, readLedger } from '../../src/signer/ledger-file.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { auditDirectoryIn, auditRecordsIn } from '../../src/signer/request-audit.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import {
  account,
  cancel,
  contract,
  envelope,
  openPolicy,
  request,
  secretKey,
} from '../signer/signer-samples.ts';

const root = join(import.meta.dirname, '../..');
const maxKiB = 200;
let directory: string;
let config: string;
let bridge: RemoteSigner;
let child: ChildProcess | undefined;
let log: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signer-full-'));
  chmodSync(directory, 0o700);
  config = join(directory, 'signer.yaml');
  const [keystoreFile, passphraseFile] = [join(directory, 'key.json'), join(directory, 'pass')];
  writeKeystore(keystoreFile, await sealKey(secretKey(), 'pass', 'local', { n: 1024, r: 8, p: 1 }));
  writeFileSync(passphraseFile, 'pass\n', { mode: 0o600 });
  const { accounts, maxNonceJump } = openPolicy;
  writeFileSync(
    config,
    JSON.stringify({
      ...{ environment: 'local', profile: join(root, 'dictionaries/venue.sandbox.yaml') },
      ...{ socket: join(directory, 'signer.sock'), dataDir: directory },
      status: { socket: join(directory, 'status.sock') },
      keys: [{ keystoreFile, passphraseFile, policy: { accounts: [...accounts], maxNonceJump } }],
    }),
  );
  log = '';
});

afterEach(async () => {
  await bridge.close();
  await end();
  rmSync(directory, { recursive: true });
});

/** `ulimit -S` can be raised again for the running process. */
function start(): void {
  const command = `ulimit -S -f ${maxKiB}; exec "$@"`;
  const words = [join(root, 'src/main.ts'), 'signer', '--config', config, '--new-ledger'];
  child = spawn('bash', ['-c', command, 'bash', process.execPath, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (chunk) => {
    log += chunk;
  });
}

async function end(): Promise<void> {
  const ended = new Promise((resolve) => child?.on('exit', resolve));
  child?.kill('SIGKILL');
  await ended;
}

async function connect(): Promise<void> {
  bridge = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link: socketLink(join(directory, 'signer.sock')) },
    ...{ report: () => {}, anchors: new LedgerAnchors(null, systemClock, () => {}) },
  });
}

const codeOf = async (...of: Parameters<typeof envelope>) => {
  const result = await bridge.sign(request(envelope(...of)));
  return result.kind === 'signed' ? 'signed' : `${result.code}: ${result.text}`;
};

const ask = (path: string) =>
  new Promise<string>((resolve, reject) => {
    get({ socketPath: join(directory, 'status.sock'), path }, async (response) =>
      resolve(`${response.statusCode} ${await text(response)}`),
    ).on('error', reject);
  });

/** Orders until one is refused; returns why, and how many were signed. */
async function untilRefused(from: number): Promise<readonly [string, number]> {
  for (let nonce = from; ; nonce += 1) {
    const code = await codeOf(nonce);
    if (code !== 'signed') return [code, nonce];
  }
}

async function recovers(nonce: number): Promise<void> {
  execFileSync('prlimit', [`--pid=${child?.pid}`, '--fsize=unlimited']);
  await vi.waitFor(async () => expect(await ask('/readyz')).toBe('200 ready\n'), 10_000);
  expect(await codeOf(nonce)).toBe('signed');
  expect(await codeOf(nonce + 1)).toBe('signed');
}

test('with a full audit log orders are refused before they are recorded, cancels are signed, and a restart is not needed', async () => {
  start();
  await connect();
  const [why, nonce] = await untilRefused(1);
  expect(why).toMatch(/^not_recorded: the audit log cannot record: EFBIG/);
  expect(await codeOf(nonce + 1)).toMatch(/^unavailable: the audit log cannot record: EFBIG/);
  expect(await codeOf(nonce + 2, cancel)).toBe('signed');
  expect(await ask('/healthz')).toBe('200 alive\n');
  expect(await ask('/readyz')).toMatch(/^503 the audit log cannot record: EFBIG/);
  expect(log).toContain('"code":"audit_full"');
  await recovers(nonce);
  const records = [...auditRecordsIn(auditDirectoryIn(directory))];
  expect(records.filter(({ what }) => what === 'gap')).toMatchObject([
    { who: 'signer', after: { answersWithoutRecord: 3 } },
  ]);
});

test('with a full ledger orders are refused, cancels are signed, also after a kill, and no order is signed without its record', async () => {
  const file = openLedgerFile(join(directory, 'signer.ledger'), {
    ...{ durability: 'process', environment: 'local', mayCreate: true },
  });
  const ledger = new DigestLedger(file);
  const other = `0x${'9'.repeat(40)}`;
  const bounds = { maxNonceJump: 1, knownNonce: null, daily: null };
  // The next 64 KiB do not fit.
  for (let count = 0; count < 1200; count += 1) {
    const digest = Buffer.alloc(32, 1);
    ledger.record({ account: other, nonce: count, digest, spend: nothing, day: 1, bounds });
  }
  ledger.close();
  start();
  await connect();
  for (let life = 1; life <= 2; life += 1) {
    const [why, nonce] = await untilRefused(1);
    expect([why.slice(0, 46), nonce]).toEqual([
      'not_recorded: the ledger cannot record: EFBIG:',
      1,
    ]);
    expect(await codeOf(2)).toMatch(/^unavailable: the ledger cannot record: EFBIG/);
    expect(await codeOf(3, cancel)).toBe('signed');
    expect(await ask('/readyz')).toMatch(/^503 the ledger cannot record: EFBIG/);
    if (life === 2) break;
    await end();
    start();
    await vi.waitFor(async () => expect(await codeOf(3, cancel)).toBe('signed'), 20_000);
  }
  expect(log).toContain('"code":"ledger_away"');
  await recovers(1);
  const signed: string[] = [];
  readLedger(join(directory, 'signer.ledger'), (entry) => {
    const of = `0x${entry.toString('hex', 0, 20)}`;
    if (of === account) signed.push(entry.readBigUInt64LE(20).toString());
  });
  expect(signed).toEqual(['1', '2']);
  expect(log).toContain('"code":"ledger_back"');
});
