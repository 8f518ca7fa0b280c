/**
 * What a signature costs: its canonical bytes and hash, and each way to a signature against the library's own. The ways differ in where
 * the signer runs, where its key is and where its ledger is. Both sides of each ratio take turns, so that a noisy neighbour hits both.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../src/domain/units.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { freePort } from '../src/runtime/free-port.ts';
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
import { socketLink, tlsLink } from '../src/signer/signer-link.ts';
import { sandboxSigningContract as contract } from '../test/signer/sandbox-contract.ts';
import { PostgresServer } from '../test/support/postgres.ts';
import { pin, SoftToken } from '../test/support/soft-token.ts';
import { Authority } from '../test/transport/authority.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const ofKeystore = `0x${'1'.repeat(40)}` as Account;
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

function order(nonce: number, account = ofKeystore): ActionEnvelope {
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

/** One way to a signature. A ledger in a database and a key in a token take most of the time there, so they have no demand. */
interface Way {
  readonly name: string;
  readonly where: 'inline' | 'socket' | 'tls';
  readonly durability: 'process' | 'power';
  readonly account?: Account;
  readonly key?: Partial<SignerConfigInput['keys'][number]>;
  readonly ledger?: SignerConfigInput['ledger'];
  readonly hasDemand?: boolean;
}

const plainWays: readonly Way[] = [
  { name: 'inline', where: 'inline', durability: 'process' },
  { name: 'inline', where: 'inline', durability: 'power' },
  { name: 'socket', where: 'socket', durability: 'process', hasDemand: true },
  { name: 'socket', where: 'socket', durability: 'power', hasDemand: true },
  { name: 'TLS', where: 'tls', durability: 'process' },
  { name: 'TLS', where: 'tls', durability: 'power' },
];

async function signatures(directory: string): Promise<Row[]> {
  const ecdsa = await openEcdsa();
  const rows: Row[] = [];
  const measure = async (way: Way) => {
    const opened = await open(way, join(directory, String(rows.length)));
    rows.push(...(await measured(ecdsa, opened.signer, way)));
    await opened.close();
  };
  for (const way of plainWays) await measure(way);
  await withToken(directory, measure);
  await withDatabase(measure);
  return rows;
}

/** Debian's SoftHSM2. A real token is slower; what is compared is the way to it. */
async function withToken(directory: string, measure: (way: Way) => Promise<void>): Promise<void> {
  const token = new SoftToken();
  try {
    const pinFile = join(directory, 'pin');
    writeFileSync(pinFile, `${pin}\n`, { mode: 0o600 });
    const address = token.addKey('desk-1');
    const { module, token: label, keyLabel } = token.place('desk-1');
    await measure({
      ...{ name: 'PKCS#11 behind the socket', where: 'socket', durability: 'process' },
      account: address,
      key: {
        keystoreFile: undefined,
        passphraseFile: undefined,
        token: { module, label, ...(keyLabel && { keyLabel }), pinFile, address },
      },
    });
  } finally {
    token.close();
  }
}

/** A primary of Debian's PostgreSQL on the same machine, with the settings that the package has. */
async function withDatabase(measure: (way: Way) => Promise<void>): Promise<void> {
  const server = await PostgresServer.start();
  try {
    const { database, hosts, user } = await server.ledger();
    await measure({
      ...{ name: 'ledger in PostgreSQL behind the socket', where: 'socket', durability: 'power' },
      ledger: {
        postgres: { hosts: hosts.map(({ host, port }) => `${host}:${port}`), database, user },
      },
    });
  } finally {
    await server.stop();
  }
}

async function measured(ecdsa: Ecdsa, signer: Signer, way: Way): Promise<Row[]> {
  const { account, durability, hasDemand = false } = way;
  const name = `${way.name}, durability ${durability}`;
  // A token signs a hundred times as slowly as the library.
  const [atOnce, alone] = way.key === undefined ? [2_000, 200] : [500, 100];
  let nonce = 0;
  const requests = (count: number): SignRequest[] =>
    Array.from({ length: count }, () => {
      nonce += 1;
      const canonical = Uint8Array.from(encoder.encode(order(nonce, account)));
      return { canonical, scheme: 'ecdsa' };
    });
  await inFlight(signer, requests(500), 32);
  const digest = new Uint8Array(32).fill(9);
  const bare: number[] = [];
  const through: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const request of requests(alone)) {
      bare.push(timed(() => ecdsa.sign(digest, key)));
      const start = performance.now();
      await signed(signer, request);
      through.push((performance.now() - start) * 1000);
    }
    const batch = requests(atOnce);
    const own = performance.now();
    for (let index = 0; index < batch.length; index += 1) ecdsa.sign(digest, key);
    const ownMs = performance.now() - own;
    const start = performance.now();
    await inFlight(signer, batch, 256);
    rates.push(ownMs / (performance.now() - start));
  }
  const [first, second] = [median(through), median(bare)];
  const demands = hasDemand ? [{ demand: 60, atLeast: false }, { demand: 0.8 }] : [{}, {}];
  return [
    {
      name: `${name}: added at depth 1, µs`,
      value: `${us(first)} against ${us(second)}, ${(first / second).toFixed(1)} times`,
      ratio: first - second,
      ...demands[0],
    },
    {
      name: `${name}: sustained, of the backend alone`,
      value: ecdsa.name,
      ratio: median(rates),
      ...demands[1],
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

async function open(way: Way, directory: string): Promise<Opened> {
  const { account = ofKeystore, durability, ledger, where } = way;
  mkdirSync(directory, { mode: 0o700 });
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'pass');
  writeKeystore(keystoreFile, await sealKey(key, 'pass', 'local', { n: 1024, r: 8, p: 1 }));
  writeFileSync(passphraseFile, 'pass\n', { mode: 0o600 });
  const policy = { accounts: [account], placementsPerSecond: 1_000_000, burst: 1_000_000 };
  const socket = join(directory, 'signer.sock');
  const tls = where === 'tls' ? await tlsEnds(directory) : undefined;
  const config: SignerConfigInput = {
    environment: 'local',
    profile: join(root, 'dictionaries/venue.sandbox.yaml'),
    ...(tls === undefined ? { socket } : { tls: tls.signer }),
    ...(ledger && { ledger }),
    dataDir: directory,
    durability,
    keys: [{ keystoreFile, passphraseFile, ...way.key, policy }],
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
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const signer = await RemoteSigner.open({
    contract,
    clock: systemClock,
    link: tls === undefined ? socketLink(socket) : tlsLink(tls.bridge),
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

/** Both ends of a connection with certificates of one authority. */
async function tlsEnds(directory: string) {
  const authority = new Authority();
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const identity = (name: string) => {
    const { cert, key } = authority.issue(name);
    return { certFile: file(`${name}.crt`, cert), keyFile: file(`${name}.key`, key) };
  };
  const caFile = file('ca.crt', authority.cert);
  const host = '127.0.0.1';
  const port = await freePort({ host, port: 0 });
  const [signer, bridge] = [identity('signer'), identity('bridge')];
  authority.remove();
  return {
    signer: { host, port, ...signer, clientCaFile: caFile, clientName: 'bridge' },
    bridge: { host, port, ...bridge, caFile, serverName: 'signer' },
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
