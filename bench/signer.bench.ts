/**
 * The signer's speed: canonical bytes and hash, what a process adds to a signature, and how much of the
 * backend's own rate is left through them. Both sides of each ratio take turns, so that a noisy neighbour hits both.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../src/domain/units.ts';
import { systemClock } from '../src/runtime/clock.ts';
import type { ActionEnvelope } from '../src/signer/action.ts';
import { fastestBlake3, referenceBlake3 } from '../src/signer/blake3.ts';
import { CanonicalEncoder } from '../src/signer/canonical.ts';
import { Derivation } from '../src/signer/digest.ts';
import { type Ecdsa, openEcdsa } from '../src/signer/ecdsa.ts';
import { sealKey, writeKeystore } from '../src/signer/keystore.ts';
import { LedgerAnchors } from '../src/signer/ledger-anchors.ts';
import { openSignerCore } from '../src/signer/open-signer.ts';
import { RemoteSigner } from '../src/signer/remote-signer.ts';
import type { Signer, SignRequest } from '../src/signer/signer.ts';
import { type SignerConfigInput, signerConfigSchema } from '../src/signer/signer-config.ts';
import { socketLink } from '../src/signer/signer-link.ts';
import { sandboxSigningContract as contract } from '../src/signer/signing-contract.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const account = `0x${'1'.repeat(40)}` as Account;
const key = new Uint8Array(32).fill(7);
const encoder = new CanonicalEncoder(contract);
const root = join(import.meta.dirname, '..');

export async function run(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signer-bench-'));
  try {
    return [...(await bytesAndHash()), ...(await signatures(directory))];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function order(nonce: number): ActionEnvelope {
  return {
    account,
    nonce: BigInt(nonce),
    nonce_reservation_id: null,
    client_order_id: 'ORD-1',
    ts: 1_700_000_000_000,
    action: {
      kind: 'SpotPlaceOrder',
      market: 1,
      side: 'Bid',
      price: 50_000_000_000n,
      qty: 1_000_000n,
      stp_mode: null,
      time_in_force: 'gtc',
      is_market: false,
      reduce_only: false,
      expires_at: null,
    },
  } as unknown as ActionEnvelope;
}

async function bytesAndHash(): Promise<Row[]> {
  const { blake3 } = await fastestBlake3();
  const fast = new Derivation(contract, blake3);
  const reference = new Derivation(contract, referenceBlake3);
  const orders = Array.from({ length: 256 }, (_, nonce) => order(nonce));
  const pick = (index: number) => orders[index & 255] as ActionEnvelope;
  const canonical = Uint8Array.from(encoder.encode(order(1)));
  // Many short turns: a neighbour on the same core spoils some of them, not all.
  const perCall = (count: number, call: (index: number) => unknown) =>
    best(() => {
      const start = performance.now();
      for (let index = 0; index < count; index += 1) call(index);
      return ((performance.now() - start) * 1000) / count;
    });
  const bytes = perCall(2000, (index) => encoder.encode(pick(index)));
  const hash = perCall(2000, () => fast.actionHash(canonical));
  const both = perCall(2000, (index) => fast.actionHash(encoder.encode(pick(index))));
  const noble = perCall(200, () => reference.actionHash(canonical));
  return [
    { name: 'canonical bytes of a SpotPlaceOrder', value: us(bytes) },
    { name: 'blake3 of it (hash-wasm)', value: us(hash) },
    { name: 'blake3 of it (noble)', value: us(noble) },
    {
      name: 'canonical bytes and hash, µs',
      value: us(both),
      ratio: both,
      demand: 1.5,
      atLeast: false,
    },
  ];
}

async function signatures(directory: string): Promise<Row[]> {
  const ecdsa = await openEcdsa();
  const rows: Row[] = [];
  for (const where of ['inline', 'process'] as const) {
    for (const durability of ['process', 'power'] as const) {
      const opened = await open(where, durability, join(directory, `${where}-${durability}`));
      const measuredRows = await measured(
        ecdsa,
        opened.signer,
        `${where}, durability ${durability}`,
      );
      rows.push(...measuredRows.map((row) => (where === 'inline' ? withoutDemand(row) : row)));
      await opened.close();
    }
  }
  return rows;
}

/** The demands are of what runs elsewhere. */
function withoutDemand({ name, value, ratio }: Row): Row {
  return { name, value, ...(ratio !== undefined && { ratio }) };
}

async function measured(ecdsa: Ecdsa, signer: Signer, name: string): Promise<Row[]> {
  let nonce = 0;
  const requests = (count: number): SignRequest[] =>
    Array.from({ length: count }, () => {
      nonce += 1;
      const canonical = Uint8Array.from(encoder.encode(order(nonce)));
      return { canonical, scheme: 'ecdsa' };
    });
  await Promise.all(requests(500).map((request) => signer.sign(request)));
  const digest = new Uint8Array(32).fill(9);
  const alone: number[] = [];
  const through: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const request of requests(200)) {
      alone.push(timed(() => ecdsa.sign(digest, key)));
      const start = performance.now();
      await signed(signer, request);
      through.push((performance.now() - start) * 1000);
    }
    const batch = requests(2000);
    const own = performance.now();
    for (let index = 0; index < batch.length; index += 1) ecdsa.sign(digest, key);
    const ownMs = performance.now() - own;
    const start = performance.now();
    await inFlight(signer, batch, 256);
    rates.push(ownMs / (performance.now() - start));
  }
  const added = median(through) - median(alone);
  return [
    {
      name: `${name}: added at depth 1, µs`,
      value: `${us(median(through))} against ${us(median(alone))}`,
      ratio: added,
      demand: 60,
      atLeast: false,
    },
    {
      name: `${name}: sustained, of the backend alone`,
      value: ecdsa.name,
      ratio: median(rates),
      demand: 0.8,
    },
  ];
}

/** Keeps `depth` requests open until all are signed. */
async function inFlight(signer: Signer, requests: readonly SignRequest[], depth: number) {
  let next = 0;
  const lane = async () => {
    for (;;) {
      const request = requests[next];
      next += 1;
      if (request === undefined) return;
      await signed(signer, request);
    }
  };
  await Promise.all(Array.from({ length: depth }, lane));
}

interface Opened {
  readonly signer: Signer;
  close(): Promise<void>;
}

async function open(
  where: 'inline' | 'process',
  durability: 'process' | 'power',
  directory: string,
): Promise<Opened> {
  mkdirSync(directory, { mode: 0o700 });
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'pass');
  writeKeystore(keystoreFile, await sealKey(key, 'pass', 'local', { n: 1024, r: 8, p: 1 }));
  writeFileSync(passphraseFile, 'pass\n', { mode: 0o600 });
  const policy = { accounts: [account], placementsPerSecond: 1_000_000, burst: 1_000_000 };
  const config: SignerConfigInput = {
    environment: 'local',
    profile: join(root, 'dictionaries/venue.sandbox.yaml'),
    socket: join(directory, 'signer.sock'),
    dataDir: directory,
    durability,
    keys: [{ keystoreFile, passphraseFile, policy }],
  };
  if (where === 'inline') {
    const askPassphrase = () => Promise.reject(new Error('not asked'));
    const parsed = signerConfigSchema.parse(config);
    const { core, close } = await openSignerCore({
      ...{ config: parsed, contract, askPassphrase },
      alarm: () => {},
      fatal: () => {},
      mayCreateLedger: true,
    });
    return { signer: core, close };
  }
  const file = join(directory, 'signer.yaml');
  writeFileSync(file, JSON.stringify(config));
  const words = [join(root, 'src/main.ts'), 'signer', '--config', file, '--new-ledger'];
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  const link = socketLink(config.socket ?? '');
  const signer = await RemoteSigner.open({
    contract,
    clock: systemClock,
    link,
    anchors: new LedgerAnchors(null, systemClock, () => {}),
    report: () => {},
  });
  return {
    signer,
    async close() {
      await signer.close();
      child.kill('SIGTERM');
      await new Promise((resolve) => child.on('exit', resolve));
    },
  };
}

/** On a busy machine the signer may miss its deadline; the bridge would ask again, too, and that costs time here. */
async function signed(signer: Signer, request: SignRequest): Promise<void> {
  for (;;) {
    const result = await signer.sign(request);
    if (result.kind === 'signed') return;
    if (result.code !== 'unavailable' && result.code !== 'unanswered')
      throw new Error(`${result.code}: ${result.text}`);
  }
}

function timed(call: () => void): number {
  const start = performance.now();
  call();
  return (performance.now() - start) * 1000;
}

function best(measure: () => number): number {
  return Math.min(...Array.from({ length: 200 }, measure));
}

function us(value: number): string {
  return `${value.toFixed(2)} µs`;
}
