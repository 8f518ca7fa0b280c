/**
 * kill -9 of the signer, of the bridge and of both, under load (contract R24): no nonce gets two placing digests, at the venue or in the
 * signer's ledger, no order is placed twice, none that was taken is lost, and none is reported rejected that the venue has.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { readLedger } from '../../src/signer/ledger-file.ts';
import { auditDirectoryIn, auditRecordsIn } from '../../src/signer/request-audit.ts';
import type { SignerConfigInput } from '../../src/signer/signer-config.ts';
import type { LongRun } from './main.ts';

const root = join(import.meta.dirname, '../..');
const account = `0x${'1'.repeat(40)}`;
const victims = ['bridge', 'signer', 'both'] as const;

export async function run({ short, seed }: LongRun): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'nonce-kill-'));
  const kills = short ? 12 : 500;
  let state = seed >>> 0;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const config = await writeSigner(directory);
  let signer: Process | undefined;
  let bridge: Process | undefined;
  const counts = { bridge: 0, signer: 0, both: 0 };
  try {
    let before = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      signer ??= startSigner(config, kill === 0);
      bridge ??= await startBridge(directory, kill);
      await goneOn(directory, before, kill);
      await sleep(random(200));
      const victim = victims[random(victims.length)] ?? 'both';
      counts[victim] += 1;
      if (victim !== 'signer') bridge = await bridge.kill();
      if (victim !== 'bridge') signer = await signer.kill();
      before = sentLines(directory).length;
    }
    await bridge?.kill();
    signer ??= startSigner(config, false);
    bridge = await startBridge(directory, kills, 'drain');
    const code = await bridge.ended;
    bridge = undefined;
    if (code !== 0) throw new Error(`the orders did not end: ${code}`);
    const killed = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    return `${kills} kills (${killed.join(', ')}), ${check(directory)}`;
  } finally {
    await bridge?.kill();
    await signer?.kill();
    rmSync(directory, { recursive: true });
  }
}

class Process {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Resolves at the first output. */
  readonly atWork: Promise<unknown>;
  #said = '';

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.atWork = new Promise((resolve) => this.#child.stdout?.once('data', resolve));
    this.#child.stderr?.on('data', (chunk) => {
      this.#said += chunk;
    });
    this.ended = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  async kill(): Promise<undefined> {
    const isAlive = this.#child.exitCode === null;
    this.#child.kill('SIGKILL');
    await this.ended;
    if (!isAlive) throw new Error(`a process ended by itself: ${this.#said}`);
  }
}

async function writeSigner(directory: string): Promise<string> {
  chmodSync(directory, 0o700);
  const cost = { n: 1024, r: 8, p: 1 };
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'pass');
  writeKeystore(keystoreFile, await sealKey(new Uint8Array(32).fill(7), 'pass', 'local', cost));
  writeFileSync(passphraseFile, 'pass\n', { mode: 0o600 });
  const rates = { placementsPerSecond: 1_000_000, burst: 1_000_000, maxNonceJump: 1_000_000 };
  const config: SignerConfigInput = {
    environment: 'local',
    profile: join(root, 'dictionaries/venue.sandbox.yaml'),
    socket: join(directory, 'signer.sock'),
    dataDir: join(directory, 'signer'),
    durability: 'process',
    keys: [{ keystoreFile, passphraseFile, policy: { accounts: [account], ...rates } }],
  };
  const file = join(directory, 'signer.yaml');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function startSigner(config: string, isFirst: boolean): Process {
  const first = isFirst ? ['--new-ledger'] : [];
  return new Process(join(root, 'src/main.ts'), 'signer', '--config', config, ...first);
}

/** After each kill, work must go on. */
async function goneOn(directory: string, before: number, kill: number): Promise<void> {
  for (let waited = 0; sentLines(directory).length <= before; waited += 1) {
    if (waited === 3_000) throw new Error(`nothing was sent within 30 s before kill ${kill}`);
    await sleep(10);
  }
}

/** At work once its first action of this life is out. */
async function startBridge(directory: string, round: number, task = 'trade'): Promise<Process> {
  const owner = join(import.meta.dirname, 'nonce-owner.ts');
  const bridge = new Process(owner, directory, String(round), task);
  await Promise.race([bridge.atWork, bridge.ended]);
  return bridge;
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
const sentLines = (directory: string) => {
  const file = join(directory, 'venue.log');
  return existsSync(file) ? linesOf(file) : [];
};

function check(directory: string): string {
  const byNonce = new Map<string, string>();
  const placed = new Set<string>();
  const placements = new Set<string>();
  for (const line of sentLines(directory)) {
    const [nonce = '', hash = '', key = ''] = line.split(' ');
    if (byNonce.has(nonce)) throw new Error(`nonce ${nonce} was applied twice`);
    byNonce.set(nonce, hash);
    if (key === '') continue;
    if (placed.has(key)) throw new Error(`order ${key} was placed twice`);
    placed.add(key);
    placements.add(nonce);
  }
  const signed = new Map<bigint, string>();
  readLedger(join(directory, 'signer/signer.ledger'), (entry) => {
    const nonce = entry.readBigUInt64LE(20);
    const digest = entry.toString('hex', 28, 60);
    const earlier = signed.get(nonce);
    const isTotal = nonce === 0xffff_ffff_ffff_ffffn;
    if (!isTotal && earlier !== undefined && earlier !== digest) {
      throw new Error(`nonce ${nonce} has two digests in the ledger`);
    }
    signed.set(nonce, digest);
  });
  for (const [nonce, hash] of byNonce) {
    const digest = signed.get(BigInt(nonce));
    // A filler or a cancel places nothing and has no entry, or takes the place of the placement.
    if (placements.has(nonce) && digest !== hash) {
      throw new Error(`nonce ${nonce} was applied with a digest that the ledger does not have`);
    }
  }
  let rejected = 0;
  for (const line of linesOf(join(directory, 'statuses.log'))) {
    const [key = '', status = ''] = line.split(' ');
    const isRejected = status === 'rejected';
    if (isRejected) rejected += 1;
    if (isRejected && placed.has(key)) throw new Error(`order ${key} was rejected and placed`);
    if (!isRejected && status !== 'forgotten' && !placed.has(key)) {
      throw new Error(`order ${key} is ${status}, and the venue never had it`);
    }
  }
  let audited = 0;
  for (const { position } of auditRecordsIn(auditDirectoryIn(join(directory, 'signer')))) {
    audited = position;
  }
  return `${placed.size} orders placed, ${rejected} rejected, none lost or twice; ${byNonce.size} nonces, ${audited} records of the audit log in one chain`;
}
