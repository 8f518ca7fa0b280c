/**
 * Two signers on addresses of their own with one ledger in PostgreSQL, and a bridge that turns to the other one when it loses one: over
 * TLS, with real processes, under a client that trades all the time. Each order has a price of its own, by which it is known at the venue.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { PostgresServer } from '../support/postgres.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import { Authority } from '../transport/authority.ts';

const host = '127.0.0.1';
const [session] = demoSessions(1);
let directory: string;
let server: PostgresServer;
let sandbox: Sandbox;
let bridge: RunProcess;
let peer: FixPeer;
const signers: RunProcess[] = [];
let price = 30_000;
const open = new Set<string>();
const accepted = new Set<string>();
const rejected = new Map<string, string>();

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fallbacks-'));
  server = await PostgresServer.start({ fsync: 'off' });
  sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  const configFile = await writeQuickFiles({
    ...{ directory, seed: 1, fixHost: host, fixPort: 0, cancelOnDisconnect: false },
    venueUrl: sandbox.info.baseUrl,
    profileFile: quickProfile(directory),
    accounts: sandbox.info.accounts,
  });
  const authority = new Authority();
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return name;
  };
  const identity = (name: string) => {
    const { cert, key } = authority.issue(name);
    return { certFile: file(`${name}.crt`, cert), keyFile: file(`${name}.key`, key) };
  };
  const caFile = file('ca.crt', authority.cert);
  const [atSigner, atBridge] = [identity('signer'), identity('bridge')];
  authority.remove();
  const { database, user } = await server.ledger();
  const ports = [await freePort({ host, port: 0 }), await freePort({ host, port: 0 })];
  const { socket: _, ...common } = parse(readFileSync(join(directory, 'signer.yaml'), 'utf8'));
  for (const [place, port] of ports.entries()) {
    mkdirSync(join(directory, `signer-${place}`), { mode: 0o700 });
    const config = {
      ...common,
      tls: { host, port, ...atSigner, clientCaFile: caFile, clientName: 'bridge' },
      dataDir: `signer-${place}`,
      durability: 'power',
      ledger: { postgres: { hosts: [`${host}:${server.port}`], database, user } },
    };
    file(`signer-${place}.yaml`, stringify(config));
  }
  const [first, second] = ports;
  const gateway = parse(readFileSync(configFile, 'utf8')) as object;
  const signer = {
    ...{ mode: 'remote', host, port: first, fallbacks: [`${host}:${second}`] },
    ...{ serverName: 'signer', caFile, ...atBridge },
  };
  file('gateway.yaml', stringify({ ...gateway, signer, dataDir: 'data' }));
  for (const place of [0, 1]) await start(place, ['--new-ledger']);
  bridge = new RunProcess(join(directory, 'gateway.yaml'));
  if (session === undefined) throw new Error('the demo has no session');
  peer = await FixPeer.connect(await bridge.port(), session);
  await peer.logon();
}, 180_000);

afterAll(async () => {
  peer?.hangUp();
  for (const process of [bridge, ...signers]) await process?.kill();
  await sandbox.stop();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(place: number, options: string[] = []): Promise<void> {
  const signer = new RunProcess(join(directory, `signer-${place}.yaml`), options, [], 'signer');
  await signer.says(/signer_ready/);
  signers[place] = signer;
}

function send(count: number): void {
  for (let sent = 0; sent < count; sent += 1) {
    price += 1;
    open.add(`o${price}`);
    peer.say(`D|11=o${price}|55=BTC-USDC|54=1|38=0.001|40=2|44=${price}|59=1|60=now`);
  }
}

/** Until each order has its outcome. */
async function settled(): Promise<void> {
  while (open.size > 0) {
    const report = await peer.next((one) => /\|150=[08]\|/.test(one));
    const id = fieldOf(report, '11') ?? '';
    open.delete(id);
    if (fieldOf(report, '150') === '8') rejected.set(id.slice(1), fieldOf(report, '58') ?? '');
    else accepted.add(id.slice(1));
  }
}

/** Until an order is accepted again: with no signer it is refused, which is an answer as well. */
async function trading(): Promise<void> {
  const before = accepted.size;
  await expect
    .poll(async () => {
      send(1);
      await settled();
      return accepted.size > before;
    })
    .toBe(true);
}

test.each([
  ['kill -9', 'SIGKILL'],
  ['SIGTERM', 'SIGTERM'],
] as const)(
  'after %s of a signer the other one signs, and no order is lost, placed twice or falsely refused',
  async (_, signal) => {
    await trading();
    for (const place of [0, 1]) {
      send(20);
      signers[place]?.signal(signal);
      send(20);
      await settled();
      await trading();
      await signers[place]?.ended();
      await start(place);
      await trading();
    }
    const account = sandbox.info.accounts[0]?.account ?? '';
    const placed = sandbox.venue.state.exchange
      .openOrders(account as never, {})
      .map((order) => String(order.price).slice(0, 5));
    expect(new Set(placed).size).toBe(placed.length);
    expect([...accepted].filter((one) => !placed.includes(one))).toEqual([]);
    expect([...rejected].filter(([one]) => placed.includes(one))).toEqual([]);
    // Those that met no signer are refused with that reason and no other.
    expect([...rejected.values()].filter((text) => !/signer/.test(text))).toEqual([]);
    expect(accepted.size).toBeGreaterThan(rejected.size);
  },
);
