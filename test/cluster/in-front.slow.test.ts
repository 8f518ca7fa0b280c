/**
 * What stands around a cluster, with the files that operators get (deploy/): HAProxy in front of the nodes, and Prometheus, whose alerts
 * fire for a lost node and a lost only standby. The alerts wait for seconds in place of half a minute.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { freePort } from '../../src/runtime/free-port.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, childrenOf, PostgresServer } from '../support/postgres.ts';
import type { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { clients, order, reported, Stand } from './stand.ts';

const host = '127.0.0.1';
const deploy = join(import.meta.dirname, '../../deploy');
const programs = { haproxy: '/usr/sbin/haproxy', prometheus: '/usr/bin/prometheus' } as const;
/** apt-get install haproxy prometheus */
const isSkipped = !Object.values(programs).every((program) => existsSync(program));
/** Of all that is waited for; a busy machine takes its time. */
const withinMs = 90_000;
const { alpha } = clients;
let folder: string;
let primary: PostgresServer;
let standby: PostgresServer;
let stand: Stand;
let nodes: readonly [RunProcess, RunProcess];
let balanced: number;
let monitor: string;
const others: ChildProcess[] = [];

beforeAll(async () => {
  if (isSkipped) return;
  folder = mkdtempSync(join(tmpdir(), 'in-front-'));
  primary = await PostgresServer.start({ fsync: 'off' });
  standby = await primary.standby();
  const admin = await primary.admin();
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  await admin.run(`grant pg_read_all_stats to ${bridgeRole}`);
  await admin.close();
  const hosts = [primary, standby].map(({ port }) => `${host}:${port}`);
  stand = await Stand.open(() => ({
    store: { postgres: { hosts, user: bridgeRole } },
    durability: 'replicated',
    fix: { listen: { port: 0 }, proxies: [host] },
  }));
  nodes = [stand.node('n1'), stand.node('n2')];
  for (const node of nodes) await until(() => node.said.includes('status on'), withinMs);
  await balance();
  await watch();
}, 240_000);

afterAll(async () => {
  if (isSkipped) return;
  for (const other of others) other.kill('SIGKILL');
  await stand.stop();
  for (const server of [standby, primary]) await server.stop();
  rmSync(folder, { recursive: true });
});

function start(program: string, args: readonly string[]): void {
  others.push(spawn(program, args, { stdio: 'ignore', cwd: folder }));
}

const statusOf = async (node: RunProcess) =>
  Number(await node.says(/status on http:\/\/[\d.]+:(\d+)/));

/** deploy/haproxy.cfg with the addresses of this machine. */
async function balance(): Promise<void> {
  balanced = await freePort({ host, port: 0 });
  const servers: string[] = [];
  for (const [at, node] of nodes.entries()) {
    const address = `${host}:${await node.port()}`;
    servers.push(`    server n${at + 1} ${address} port ${await statusOf(node)}`);
  }
  const text = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8');
  const fix = text
    .replace(/frontend fixp[\s\S]*/, '')
    // The unit of HAProxy may open as many descriptors as that takes; a test may not.
    .replace(/^ {4}maxconn 20000$/m, '    maxconn 200')
    .replace('bind :9880', `bind ${host}:${balanced}`)
    .replace(/( {4}server n\d .*\n)+/, `${servers.join('\n')}\n`);
  expect(fix.match(/^ {4}server /gm)).toHaveLength(nodes.length);
  writeFileSync(join(folder, 'haproxy.cfg'), fix);
  start(programs.haproxy, ['-db', '-f', 'haproxy.cfg']);
}

/** deploy/alerts.yaml, and the job that its comment names. */
async function watch(): Promise<void> {
  const alerts = parse(readFileSync(join(deploy, 'alerts.yaml'), 'utf8'));
  for (const { rules } of alerts.groups) for (const rule of rules) if (rule.for) rule.for = '2s';
  writeFileSync(join(folder, 'alerts.yaml'), stringify(alerts));
  const targets = await Promise.all(nodes.map(async (node) => `${host}:${await statusOf(node)}`));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [{ job_name: 'causeway-node', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  const port = await freePort({ host, port: 0 });
  monitor = `http://${host}:${port}`;
  start(programs.prometheus, [
    ...['--config.file=prometheus.yml', '--storage.tsdb.path=data'],
    `--web.listen-address=${host}:${port}`,
  ]);
}

/** The names of the alerts that fire. */
async function firing(): Promise<readonly string[]> {
  try {
    const answer = await fetch(`${monitor}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] };
    };
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels: { alertname } }) => alertname);
  } catch {
    return ['Prometheus does not answer'];
  }
}

const fires = (name: string) =>
  expect.poll(firing, { timeout: withinMs, interval: 200 }).toContain(name);
const fallsSilent = (name: string) =>
  expect.poll(firing, { timeout: withinMs, interval: 200 }).not.toContain(name);

async function loggedOn(before?: FixPeer): Promise<FixPeer> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const peer = await FixPeer.connect(balanced, alpha);
    if (before !== undefined) peer.nextOut = before.nextOut;
    const answer = await (before === undefined ? peer.logon() : peer.logon('')).catch(() => '');
    if (typeOf(answer) === 'A') return peer;
    if (Date.now() > endMs) throw new Error(`no logon: ${answer}`);
    peer.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test.skipIf(isSkipped)(
  'clients behind HAProxy go on after the loss of a node, and the alerts for a node and for commits that no standby confirms fire',
  async () => {
    for (const shard of ['desk-a', 'desk-b']) {
      await until(() => nodes.some(({ said }) => said.includes(`${shard} is served`)), withinMs);
    }
    await expect
      .poll(
        () =>
          fetch(`${monitor}/-/ready`).then(
            ({ status }) => status,
            () => 0,
          ),
        {
          timeout: withinMs,
        },
      )
      .toBe(200);
    for (const name of ['CausewayNodeDown', 'CausewayDatabaseAway', 'CausewayShardNotServed']) {
      await fallsSilent(name);
    }
    const before = await loggedOn();
    before.say(`D|11=rests|${order}`);
    await reported(before, 'rests', '0');
    const place = nodes.findIndex(({ said }) => said.includes('desk-a is served'));
    const owner = nodes[place]!;
    for (const pid of [...childrenOf(owner.pid), owner.pid]) process.kill(pid, 'SIGKILL');
    await until(() => before.isClosed, withinMs);
    const after = await loggedOn(before);
    after.say(`F|11=x|41=rests|55=BTC-USDC|54=1|60=now`);
    const canceled = await after.next((text) => fieldOf(text, '150') === '4');
    expect(stand.venue.order(fieldOf(canceled, '37') ?? '')?.state).toBe('canceled');
    await fires('CausewayNodeDown');
    await fallsSilent('CausewayDatabaseAway');
    // No commit is confirmed from now on, not even a node's renewal.
    await standby.kill();
    await fires('CausewayDatabaseAway');
    await fires('CausewayStandbyLost');
    await standby.run();
    for (const name of ['CausewayDatabaseAway', 'CausewayStandbyLost']) await fallsSilent(name);
    expect(await firing()).toContain('CausewayNodeDown');
    after.hangUp();
  },
  400_000,
);
