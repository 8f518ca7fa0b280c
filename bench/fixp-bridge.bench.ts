/**
 * The second lane against the first: one bridge, one venue that only fills, a client of FIX and one of FIXP that take
 * turns order by order, so that the machine's noise hits both. The demand is that FIXP is ahead.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { demoFixpSessions, demoSessions, writeDemoFiles } from '../src/cli/demo-files.ts';
import { BenchClient } from './bridge/client.ts';
import { FixpBenchClient } from './bridge/fixp-client.ts';
import { profileFile } from './bridge/profile-file.ts';
import { SinkVenue } from './bridge/sink-venue.ts';
import {
  ask,
  type OrderSender,
  oneOrder,
  type Server,
  start,
  stop,
  together,
} from './bridge.bench.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const seed = 1;
const ordersBefore = 1_000;
const ordersAlone = 2_000;
const rounds = 15;
const ordersTogether = 500;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-fixp-bench-'));
  const venue = await SinkVenue.start(seed);
  let server: Server | undefined;
  try {
    server = await start('gateway-process.ts', await configured(venue, folder));
    return await compare(venue, server);
  } finally {
    if (server !== undefined) await stop(server.child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

async function compare(venue: SinkVenue, server: Server): Promise<Row[]> {
  const { port, fixpPort = 0 } = server;
  const [fixUser] = demoSessions(seed);
  const [fixpUser] = demoFixpSessions(seed);
  if (fixUser === undefined || fixpUser === undefined) throw new Error('the demo has no sessions');
  const fix = await BenchClient.logon(port, fixUser.senderCompId, fixUser.password);
  const fixp = await FixpBenchClient.logon(fixpPort, fixpUser.username, fixpUser.password);
  const lanes: readonly OrderSender[] = [fix, fixp];
  const measured = lanes.map(() => ({
    out: [] as number[],
    back: [] as number[],
    rate: [] as number[],
    cpu: [] as number[],
  }));
  for (const client of lanes) await together(client, ordersBefore);
  for (let order = 0; order < ordersAlone; order += 1) {
    for (const [lane, client] of lanes.entries()) {
      const { outUs, backUs } = await oneOrder(venue, client);
      measured[lane]?.out.push(outUs);
      measured[lane]?.back.push(backUs);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [lane, client] of lanes.entries()) {
      const before = await ask(server);
      measured[lane]?.rate.push(await together(client, ordersTogether));
      const after = await ask(server);
      measured[lane]?.cpu.push((after.cpuUs - before.cpuUs) / ordersTogether);
    }
  }
  for (const client of [fix, fixp]) client.close();
  const of = (what: 'out' | 'back' | 'rate' | 'cpu') => measured.map((one) => median(one[what]));
  return [
    less('client bytes in to HTTP bytes out, p50, FIXP to FIX', of('out')),
    less('event to report, p50, FIXP to FIX', of('back')),
    throughput('orders a second, 32 in flight, FIXP to FIX', of('rate')),
    less('processor time of the bridge for an order, FIXP to FIX', of('cpu')),
  ];
}

function less(name: string, [fix = 0, fixp = 0]: readonly number[]): Row {
  const value = `${fixp.toFixed(0)} to ${fix.toFixed(0)} µs`;
  return { name, value, ratio: fixp / fix, demand: 1, atLeast: false };
}

function throughput(name: string, [fix = 0, fixp = 0]: readonly number[]): Row {
  return { name, value: `${fixp.toFixed(0)} to ${fix.toFixed(0)}`, ratio: fixp / fix, demand: 1 };
}

/** The demo's configuration, with one session of each protocol on the same account and no limits in the way. */
async function configured(venue: SinkVenue, directory: string): Promise<string> {
  const file = await writeDemoFiles({
    directory,
    seed,
    fixHost: '127.0.0.1',
    fixPort: 0,
    fixpPort: 0,
    venueUrl: venue.baseUrl,
    profileFile,
    accounts: venue.sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(file, 'utf8'));
  const signerFile = join(directory, 'signer.yaml');
  const signer = parse(readFileSync(signerFile, 'utf8'));
  const policy = { placementsPerSecond: 1_000_000, burst: 1_000_000 };
  const keys = signer.keys.map((key: { readonly policy: object }) => ({
    ...key,
    policy: { ...key.policy, ...policy },
  }));
  const durability = 'process';
  writeFileSync(signerFile, stringify({ ...signer, durability, keys }));
  const sessions = config.sessions.map((session: object) => ({ ...session, profile: 'bench' }));
  const profiles = { bench: { pending: 'reduced' } };
  const inline = { mode: 'inline', configFile: 'signer.yaml' };
  writeFileSync(
    file,
    stringify(
      { ...config, durability, signer: inline, profiles, sessions },
      { aliasDuplicateObjects: false },
    ),
  );
  return file;
}
