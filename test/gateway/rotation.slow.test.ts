/**
 * A rotation of an agent's key with the signer in a process of its own, while orders are in flight, the venue does not know the new key
 * yet, and the bridge is killed in the middle. Each order has a price of its own, by which it is known at the venue.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { openPolicy } from '../../src/sandbox/identity.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { addressOfKey, sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';

const newKey = Buffer.alloc(32, 5);
let directory: string;
let sandbox: Sandbox;
let configFile: string;
let signer: RunProcess;
let bridge: RunProcess;
let peer: FixPeer;
let price: number;
/** The prices of orders that the bridge has acknowledged, which it may not lose any more. */
let received: Set<string>;
let refused: string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rotation-'));
  sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  configFile = await writeQuickFiles({
    ...{ directory, seed: 1, fixHost: '127.0.0.1', fixPort: 0, cancelOnDisconnect: false },
    venueUrl: sandbox.info.baseUrl,
    profileFile: quickProfile(directory),
    accounts: sandbox.info.accounts,
  });
  mkdirSync(join(directory, 'run'), { mode: 0o700 });
  edit('signer.yaml', (config) => ({ ...config, socket: 'run/signer.sock' }));
  const signerOf = { mode: 'process', socket: 'run/signer.sock' };
  // A bridge on a busy machine may take seconds to start again, and sends what is older than that no more.
  const patienceMs = 30_000;
  edit('gateway.yaml', (config) => ({ ...config, signer: signerOf, dataDir: 'data', patienceMs }));
  writeFileSync(join(directory, 'new.pass'), 'new\n', { mode: 0o600 });
  const sealed = await sealKey(newKey, 'new', 'local', { n: 1024, r: 8, p: 1 });
  writeKeystore(join(directory, 'new.json'), sealed);
  signer = new RunProcess(join(directory, 'signer.yaml'), ['--new-ledger'], [], 'signer');
  await signer.says(/signer_ready/);
  bridge = new RunProcess(configFile);
  [price, received, refused] = [30_000, new Set(), []];
});

afterEach(async () => {
  peer?.hangUp();
  for (const process of [bridge, signer]) await process.kill();
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

function edit(name: string, change: (config: Record<string, unknown>) => object): void {
  const file = join(directory, name);
  const config = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, stringify(change(config)), { mode: 0o600 });
}

interface KeyEntry {
  keystoreFile: string;
  passphraseFile: string;
  policy: { accounts: string[] };
}

function own() {
  const alias = session().accounts[0];
  const { accounts } = parse(readFileSync(configFile, 'utf8')) as {
    accounts: { name: string; account: string }[];
  };
  const { account } = accounts.find(({ name }) => name === alias) ?? {};
  const found = sandbox.info.accounts.find((each) => each.account === account);
  if (found === undefined) throw new Error('ALPHA has no account');
  return found;
}

function session() {
  const [first] = demoSessions(1);
  if (first === undefined) throw new Error('the demo has no session');
  return first;
}

function keys(change: (entry: KeyEntry) => object): void {
  edit('signer.yaml', (config) => ({
    ...config,
    keys: (config['keys'] as KeyEntry[]).map((entry) =>
      entry.policy.accounts[0] === own().account ? change(entry) : entry,
    ),
  }));
}

async function logOn(): Promise<void> {
  peer = await FixPeer.connect(await bridge.port(), session());
  await peer.logon();
}

function order(): void {
  price += 1;
  peer.say(`D|11=o${price}|55=BTC-USDC|54=1|38=0.001|40=2|44=${price}|59=1|60=now`);
}

/** Sends orders, and reads reports until each has its outcome. */
async function trade(count: number): Promise<void> {
  const open = new Set<string>();
  for (let done = 0; done < count; done += 1) {
    order();
    open.add(`o${price}`);
  }
  while (open.size > 0) {
    const report = await peer.next((one) => /\|150=[08]\|/.test(one));
    const id = fieldOf(report, '11') ?? '';
    if (fieldOf(report, '150') === '8') refused.push(report);
    else received.add(id.slice(1));
    open.delete(id);
  }
}

function atVenue(): string[] {
  const open = sandbox.venue.state.exchange.openOrders(own().account, {});
  return open.map(({ price }) => String(price).slice(0, 5));
}

test('a key rotates over a kill of the bridge, and no order is lost, placed twice or refused', async () => {
  await logOn();
  await trade(10);
  // Too early: the venue does not know the new key. Orders are in flight while the signer takes it up.
  keys(({ keystoreFile, passphraseFile, policy }) => ({
    keystoreFile: 'new.json',
    passphraseFile: 'new.pass',
    older: { keystoreFile, passphraseFile },
    policy,
  }));
  for (let count = 0; count < 10; count += 1) order();
  signer.signal('SIGHUP');
  await signer.says(/config_read/);
  for (let count = 0; count < 10; count += 1) order();
  // Some are acknowledged and not settled when the bridge dies.
  for (let count = 0; count < 14; count += 1) {
    const report = await peer.next((one) => /\|150=A\|/.test(one));
    received.add((fieldOf(report, '11') ?? '').slice(1));
  }
  await bridge.kill();
  peer.hangUp();
  bridge = new RunProcess(configFile);
  await logOn();
  await trade(10);
  await bridge.says(/key_refused/);
  // In time: now the venue knows it, and the bridge is told to look again.
  const { agents, account } = own();
  sandbox.venue.state.identities.addAgent({
    ...{ agentId: 'new-desk', account, address: addressOfKey(newKey), policy: openPolicy },
    ...{ agentType: 'institutional_agent', expiresAtMs: null, revoked: false },
    scopes: agents[0]?.scopes ?? [],
  });
  bridge.signal('SIGHUP');
  await bridge.says(/config_read/);
  await trade(10);
  const old = sandbox.venue.state.identities.agents.get(agents[0]?.agentId ?? '');
  if (old !== undefined) old.revoked = true;
  await trade(10);
  keys(({ policy }) => ({ keystoreFile: 'new.json', passphraseFile: 'new.pass', policy }));
  signer.signal('SIGHUP');
  await signer.says(/config_read[\s\S]*config_read/);
  await trade(10);

  expect(received.size).toBeGreaterThanOrEqual(64);
  // What was on its way when the bridge died is looked up first.
  const placed = () => new Set(atVenue());
  await expect.poll(() => [...received].filter((one) => !placed().has(one))).toEqual([]);
  expect(placed().size).toBe(atVenue().length);
  expect(refused).toEqual([]);
  expect(peer.unasked().filter((one) => one.includes('|150=8|'))).toEqual([]);
}, 180_000);
