/** Certificates of a running bridge, renewed by SIGHUP: the ports of clients and the console, over real connections. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import { Authority } from '../transport/authority.ts';

const authority = new Authority();
const ports = ['fix', 'fixp', 'console'] as const;
type Port = (typeof ports)[number];
let directory: string;
let sandbox: Sandbox;
let bridge: RunProcess;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  const file = await writeQuickFiles({
    ...{ directory, seed: 1, fixHost: '127.0.0.1', fixPort: 0, fixpPort: 0, consolePort: 0 },
    cancelOnDisconnect: false,
    venueUrl: sandbox.info.baseUrl,
    profileFile: quickProfile(directory),
    accounts: sandbox.info.accounts,
  });
  const config = parse(readFileSync(file, 'utf8'));
  for (const port of ports) {
    renew(port);
    const tls = { certFile: `${port}.crt`, keyFile: `${port}.key` };
    config[port] = { ...config[port], listen: { host: '127.0.0.1', port: 0 }, tls };
  }
  writeFileSync(file, stringify(config), { mode: 0o600 });
  bridge = new RunProcess(file);
}, 240_000);

afterAll(async () => {
  await bridge.kill();
  await sandbox.stop();
  authority.remove();
  rmSync(directory, { recursive: true });
});

function renew(port: Port, key?: string): void {
  const fresh = authority.issue('localhost');
  writeFileSync(join(directory, `${port}.crt`), fresh.cert);
  writeFileSync(join(directory, `${port}.key`), key ?? fresh.key, { mode: 0o600 });
}

async function connected(port: Port): Promise<TLSSocket> {
  const at = {
    fix: () => bridge.port(),
    fixp: () => bridge.fixpPort(),
    console: async () => Number(await bridge.says(/console on https:\/\/[^:]+:(\d+)/)),
  };
  const options = { host: '127.0.0.1', ca: authority.cert, servername: 'localhost' };
  const socket = connect({ ...options, port: await at[port]() });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

async function shown(port: Port): Promise<string> {
  const socket = await connected(port);
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

const all = () => Promise.all(ports.map(shown));

test('SIGHUP puts renewed certificates in force for new connections, a broken one is refused by name and changes nothing', async () => {
  const [before, kept] = [await all(), await connected('console')];
  for (const port of ports) renew(port);
  bridge.signal('SIGHUP');
  await bridge.says(/config_read/);
  const after = await all();
  expect(after.filter((one) => before.includes(one))).toEqual([]);
  const answer = once(kept, 'data');
  kept.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 [24]/);
  kept.destroy();
  renew('fix');
  renew('console', authority.issue('localhost').key);
  bridge.signal('SIGHUP');
  await bridge.says(/console\.tls \(console\.crt, console\.key\) cannot be used: .*mismatch/);
  expect(bridge.said).toMatch(/config_refused/);
  expect(await all()).toEqual(after);
}, 240_000);
