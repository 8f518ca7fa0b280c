/** What a cluster.yaml may say, and what it takes from the bridge. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadCluster } from '../../src/cluster/cluster-config.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';

let directory: string;
let bridgeFile: string;
const file = () => join(directory, 'cluster.yaml');

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cluster-config-'));
  const sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  await sandbox.stop();
  bridgeFile = await writeQuickFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 9880,
    fixpPort: 9882,
    venueUrl: 'http://127.0.0.1:1',
    profileFile: quickProfile(directory),
    accounts: sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(bridgeFile, 'utf8')) as object;
  const signer = { mode: 'process', socket: 'signer.sock' };
  writeFileSync(bridgeFile, stringify({ ...config, signer }), { mode: 0o600 });
});

afterAll(() => rmSync(directory, { recursive: true }));

function load(cluster: object, name = 'n1') {
  writeFileSync(file(), stringify({ bridge: 'gateway.yaml', nodes: [{ name: 'n1' }], ...cluster }));
  return loadCluster(file(), name);
}

test('the smallest file takes ports and shards from the bridge', () => {
  const { bridge, consolePort, holdMs, shards, status } = load({});
  expect(bridge.config.fix.listen.port).toBe(9880);
  expect(bridge.config.fixp?.listen.port).toBe(9882);
  // The drop-copy sessions of the demo read both accounts.
  expect(shards.map(({ accounts }) => accounts)).toEqual([['desk-a', 'desk-b']]);
  expect([holdMs, status, consolePort('desk-a')]).toEqual([5_000, undefined, 0]);
});

test("a node's own ports replace the bridge's, and the byte order of FIXP stays", () => {
  const own = { name: 'n1', fixp: { listen: { port: 7 } }, fix: { listen: { port: 8 } } };
  const { bridge } = load({ nodes: [own] });
  expect(bridge.config.fix.listen.port).toBe(8);
  expect(bridge.config.fixp).toMatchObject({ listen: { port: 7 }, byteOrder: 'big' });
});

test.each<[string, object, RegExp]>([
  ['an unknown node', { nodes: [{ name: 'n2' }] }, /there is no node "n1", but n2/],
  ['a node twice', { nodes: [{ name: 'n1' }, { name: 'n1' }] }, /nodes\[1\]\.name: duplicate name/],
  ['a misspelt key', { node: [] }, /unknown key/],
  ['a hold that is too long', { holdMs: 6_000 }, /holdMs/],
  [
    'a reader that crosses shards',
    { shards: ['desk-a', 'desk-b'].map((name) => ({ name, accounts: [name] })) },
    /session DROP has accounts of the shards desk-a, desk-b/,
  ],
  [
    'a certificate that is missing',
    { nodes: [{ name: 'n1', fix: { listen: { port: 8 }, tls: { certFile: 'a', keyFile: 'b' } } }] },
    /cluster\.yaml:\d+:\d+ nodes\[0\]\.fix\.tls\.certFile: .*/,
  ],
])('%s is refused with its place', (_, cluster, text) => {
  expect(() => load(cluster)).toThrow(text);
});

test('a signer inside the bridge serves one shard and no more', () => {
  const config = parse(readFileSync(bridgeFile, 'utf8')) as { sessions: { role: string }[] };
  const sessions = config.sessions.filter(({ role }) => role === 'order-entry');
  const signer = { mode: 'inline', configFile: 'signer.yaml' };
  writeFileSync(join(directory, 'inline.yaml'), stringify({ ...config, signer }), { mode: 0o600 });
  expect(load({ bridge: 'inline.yaml' }).shards).toHaveLength(1);
  const two = { ...config, signer, sessions };
  writeFileSync(join(directory, 'inline.yaml'), stringify(two), { mode: 0o600 });
  expect(() => load({ bridge: 'inline.yaml' })).toThrow(
    /signer\.mode: must be process, because the shards desk-a, desk-b share it/,
  );
});

test('shards in a database need the signer as a process, even if there is only one', () => {
  const config = parse(readFileSync(bridgeFile, 'utf8')) as object;
  const store = { postgres: { hosts: ['127.0.0.1:5432'] } };
  const write = (more: object) =>
    writeFileSync(join(directory, 'database.yaml'), stringify({ ...config, store, ...more }), {
      mode: 0o600,
    });
  write({});
  expect(load({ bridge: 'database.yaml' }).shards).toHaveLength(1);
  write({ signer: { mode: 'inline', configFile: 'signer.yaml' } });
  expect(() => load({ bridge: 'database.yaml' })).toThrow(
    /signer\.mode: must be process, because shards in a database move between nodes/,
  );
});
