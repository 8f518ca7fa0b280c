/** A bridge and its standby as processes: the bridge is killed or hangs, and its clients go on where they were. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { CertifySigner } from '../../src/cli/certify/signer.ts';
import { demoFixpSessions, demoSessions } from '../../src/cli/demo-files.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { causeway } from '../support/program.ts';
import { quickProfile, writeQuickFiles } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';

const profileFile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const host = '127.0.0.1';
const seed = 1;
const order = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';
const [alpha, bravo] = demoSessions(seed);
const [delta] = demoFixpSessions(seed);
if (alpha === undefined || bravo === undefined || delta === undefined) throw new Error('no demo');

let sandbox: Sandbox;
let directory: string;
let configFile: string;
let backupFile: string;
let running: RunProcess[];

beforeAll(async () => {
  sandbox = await startSandbox({ seed, makers: false });
});
afterAll(() => sandbox.stop());

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'standby-'));
  running = [];
  configFile = await writeQuickFiles({
    directory,
    seed,
    fixHost: host,
    fixPort: await freePort({ host, port: 0 }),
    fixpPort: 0,
    venueUrl: sandbox.info.baseUrl,
    profileFile: quickProfile(directory),
    accounts: sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  backupFile = join(directory, 'backup.yaml');
  changed(configFile, backupFile, { fix: { listen: { host, port: 0 } } });
});

afterEach(async () => {
  for (const process of running) await process.kill();
  rmSync(directory, { recursive: true });
});

function changed(from: string, to: string, changes: object): void {
  const config = parse(readFileSync(from, 'utf8')) as object;
  writeFileSync(to, stringify({ ...config, ...changes }), { mode: 0o600 });
}

function run(configFile: string, ...options: string[]): RunProcess {
  const process = new RunProcess(configFile, options);
  running.push(process);
  return process;
}

async function standingBy(file: string): Promise<RunProcess> {
  const standby = run(file, '--standby');
  await standby.says(/standing by/);
  return standby;
}

/** The next report of an order with this ExecType(150). */
const reported = (peer: FixPeer | FixpPeer, clOrdId: string, execType: string) =>
  peer.next((text) => fieldOf(text, '11') === clOrdId && fieldOf(text, '150') === execType);

const venueOrder = (orderId = '') => sandbox.venue.state.exchange.order(orderId);

async function venueFault(method: 'POST' | 'DELETE', body?: object): Promise<void> {
  const answer = await fetch(`${sandbox.info.adminUrl}/faults`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
}

test('V-03: a standby takes over the address when the bridge is killed, and continues with its numbers and orders', async () => {
  // Given to both, it lets whoever comes first run.
  const primary = run(configFile, '--standby');
  const port = await primary.port();
  const standby = await standingBy(configFile);
  expect(standby.said).toContain(`process ${primary.pid} of `);
  const before = await FixPeer.connect(port, alpha);
  const contra = await FixPeer.connect(port, bravo);
  for (const peer of [before, contra]) expect(typeOf(await peer.logon())).toBe('A');
  before.say(`D|11=rests|${order}`);
  const placed = await reported(before, 'rests', '0');
  before.say(`D|11=trades|${order.replace('44=40000', '44=50000')}`);
  const crossed = await reported(before, 'trades', '0');
  await venueFault('POST', { kind: 'frame_delay', delayMs: 60_000, times: null });
  contra.say('D|11=takes|55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=1|60=now');
  await until(() => venueOrder(fieldOf(crossed, '37'))?.state === 'filled');
  await primary.kill();
  await venueFault('DELETE');
  expect(await standby.port()).toBe(port);

  const after = await FixPeer.connect(port, alpha);
  after.nextOut = before.nextOut;
  expect(fieldOf(await after.logon(''), '34')).toBe(String(Number(fieldOf(crossed, '34')) + 1));
  const traded = await reported(after, 'trades', 'F');
  expect([fieldOf(traded, '39'), fieldOf(traded, '14')]).toEqual(['2', '0.01']);
  expect(fieldOf(traded, '34')).toBe(String(Number(fieldOf(crossed, '34')) + 2));
  after.say(`2|7=${fieldOf(placed, '34')}|16=${fieldOf(placed, '34')}`);
  const again = await after.next((text) => fieldOf(text, '43') === 'Y');
  expect(fieldOf(again, '17')).toBe(fieldOf(placed, '17'));
  after.say('F|11=ends|41=rests|55=BTC-USDC|54=1|60=now');
  const canceled = await after.next((text) => fieldOf(text, '150') === '4');
  expect(venueOrder(fieldOf(canceled, '37'))?.state).toBe('canceled');
  expect(after.unasked().filter((text) => fieldOf(text, '150') === 'F')).toEqual([]);
  expect(standby.said).toMatch(/took over: clients are served \d+ ms after/);
});

test('V-10: sessions of FIX and FIXP continue at a backup site, although its file has become wrong meanwhile', async () => {
  const primary = run(configFile);
  const address = await primary.port();
  const backup = await standingBy(backupFile);
  const listed = listOf({ profile: loadProfile(profileFile) });
  const fix = await FixPeer.connect(address, alpha);
  const fixp = await FixpPeer.connect(await primary.fixpPort(), delta, listed);
  for (const peer of [fix, fixp]) {
    expect(typeOf(await peer.logon())).toBe('A');
    peer.say(`D|11=kept|${order}`);
    await reported(peer, 'kept', '0');
  }
  const right = readFileSync(backupFile, 'utf8');
  writeFileSync(backupFile, `${right}\nmisspelt: 1\n`);
  backup.signal('SIGHUP');
  await backup.says(/"alarm":true.*the configuration stays as it was: .*misspelt/);
  await primary.kill();

  expect(await backup.port()).not.toBe(address);
  const fixAgain = await FixPeer.connect(await backup.port(), alpha);
  fixAgain.nextOut = fix.nextOut;
  const fixpAgain = await FixpPeer.connect(await backup.fixpPort(), delta, listed, fixp);
  for (const peer of [fixAgain, fixpAgain]) {
    expect(typeOf(await peer.logon(''))).toBe('A');
    peer.say('F|11=ends|41=kept|55=BTC-USDC|54=1|60=now');
    const canceled = await peer.next((text) => fieldOf(text, '150') === '4');
    expect(venueOrder(fieldOf(canceled, '37'))?.state).toBe('canceled');
  }
});

test('while a bridge runs no second one starts, and a standby that is asked to stop exits cleanly', async () => {
  const primary = run(configFile);
  const peer = await FixPeer.connect(await primary.port(), alpha);
  await peer.logon();
  const second = run(backupFile);
  const standby = await standingBy(backupFile);
  standby.signal('SIGTERM');
  expect(await standby.ended()).toBe(0);
  expect(await second.ended()).toBe(1);
  expect(second.said).toContain(`gateway.lock is held by process ${primary.pid} of `);
  expect(second.said).toContain('causeway run --config FILE --standby');
  const forced = await causeway('run', '--config', backupFile, '--take-over');
  expect(forced.status).toBe(1);
  expect(forced.stderr).toContain('--take-over needs signer.mode process');
  peer.say(`D|11=still|${order}`);
  await reported(peer, 'still', '0');
});

test('a standby whose configuration is wrong does not stand by', async () => {
  changed(backupFile, backupFile, { signer: { mode: 'inline', configFile: 'nowhere.yaml' } });
  const standby = await causeway('run', '--config', backupFile, '--standby');
  expect(standby).toMatchObject({ status: 3, stdout: '' });
  expect(standby.stderr).toContain('nowhere.yaml');
});

async function stopped(process: RunProcess): Promise<void> {
  process.signal('SIGSTOP');
  await until(() => / T /.test(readFileSync(`/proc/${process.pid}/stat`, 'utf8')));
}

test.runIf(existsSync('/proc/self/stat'))(
  'V-03: a bridge that hangs is taken over by force, and once it wakes it ends and has sent nothing',
  async () => {
    const signer = new CertifySigner(join(directory, 'signer.yaml'));
    await signer.start();
    const process = { signer: { mode: 'process', socket: 'signer.sock' } };
    for (const file of [configFile, backupFile]) changed(file, file, process);
    const primary = run(configFile);
    const before = await FixPeer.connect(await primary.port(), alpha);
    await before.logon();
    before.say(`D|11=held|${order}`);
    await reported(before, 'held', '0');
    await stopped(primary);
    // It will read this when it wakes.
    before.say(`D|11=late|${order}`);

    const same = run(configFile, '--take-over');
    expect(await same.ended()).toBe(1);
    expect(same.said).toContain('Another program listens there');
    const next = run(backupFile, '--take-over');
    const after = await FixPeer.connect(await next.port(), alpha);
    after.nextOut = before.nextOut - 1;
    await after.logon('');
    after.say('F|11=ends|41=held|55=BTC-USDC|54=1|60=now');
    await after.next((text) => fieldOf(text, '150') === '4');

    primary.signal('SIGCONT');
    expect(await primary.ended()).toBe(1);
    expect(before.unasked()).toEqual([]);
    expect(primary.said).toMatch(/the bridge cannot continue|has taken over the data/);
    after.say('H|790=q|11=late|55=BTC-USDC|54=1');
    const unknown = await after.next((text) => fieldOf(text, '790') === 'q');
    expect(fieldOf(unknown, '39')).toBe('8');
    await next.kill();
    await signer.stop();
  },
);
