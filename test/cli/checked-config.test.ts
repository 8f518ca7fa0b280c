/** `causeway check` of a cluster, as a program. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { causeway } from '../support/program.ts';

let bridge: Bridge;
let folder: string;
const file = () => join(folder, 'cluster.yaml');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-check-'));
  bridge = await startBridge({ session: {} });
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as object;
  const signer = { mode: 'process', socket: 'signer.sock' };
  writeFileSync(bridge.configFile, stringify({ ...config, signer }), { mode: 0o600 });
});

afterAll(async () => {
  await bridge.stop();
  rmSync(folder, { recursive: true });
});

async function check(cluster: object, ...options: readonly string[]) {
  writeFileSync(file(), stringify({ bridge: bridge.configFile, ...cluster }));
  const { status, stderr, stdout } = await causeway('check', '--config', file(), ...options);
  return { status, text: stderr + stdout };
}

test('a sound cluster is OK, with what is to be said of its bridge once and not for each node', async () => {
  const nodes = [{ name: 'n1' }, { name: 'n2' }];
  const { status, text } = await check({ nodes }, '--json');
  const { ok, warnings } = JSON.parse(text) as { ok: boolean; warnings: string[] };
  expect([status, ok, new Set(warnings).size]).toEqual([0, true, warnings.length]);
});

test('faults of the file, of its shards and of its nodes have their places, and a likely word', async () => {
  const nodes = [
    { name: 'n1', fix: { listen: { host: '10.0.0.1', port: 9880 } } },
    { name: 'n2', fix: { listen: { host: '10.0.0.1', port: 9880 } } },
  ];
  const shards = [{ name: 'east', accounts: ['main', 'mian'] }];
  const { status, text } = await check({ nodes, shards });
  expect(status).toBe(3);
  expect(text).toMatch(/cluster\.yaml:\d+:\d+ nodes\[1\]\.fix\.listen\.port: port 9880 of the fix/);
  expect(text).toMatch(
    /cluster\.yaml:\d+:\d+ shards\[0\]\.accounts\[\d\]: the bridge has no account/,
  );
  expect((await check({ nodes: [{ name: 'n1' }, { name: 'n1' }] })).text).toMatch(
    /cluster\.yaml:\d+:\d+ nodes\[1\]\.name: duplicate name "n1"/,
  );
  expect((await check({ nodes, nods: [] })).text).toContain('Did you mean nodes?');
  expect((await check({ bridge: 'none.yaml', nodes: [{ name: 'n1' }] })).text).toMatch(
    /cluster\.yaml:\d+:\d+ bridge: .*none\.yaml does not exist/,
  );
});

test('files that a node names are checked on that node', async () => {
  const tls = { certFile: 'n2.pem', keyFile: 'n2.key' };
  const nodes = [{ name: 'n1' }, { name: 'n2', fix: { listen: { port: 9880 }, tls } }];
  expect((await check({ nodes }, '--node', 'n1')).status).toBe(0);
  const { status, text } = await check({ nodes });
  expect(status).toBe(3);
  expect(text).toMatch(/nodes\[1\]\.fix\.tls\.certFile: .*n2\.pem does not exist/);
  expect((await check({ nodes }, '--node', 'n22')).text).toContain('Did you mean n2?');
});

test('a node can be named of a cluster only', async () => {
  const { status, stderr } = await causeway('check', '--config', bridge.configFile, '--node', 'n1');
  expect([status, stderr]).toEqual([2, expect.stringContaining('--node needs --config FILE')]);
});
