/**
 * What readers of drop copies cost order entry: the time from an order to the report of its fill, on a bridge with none
 * and on one with many, turn by turn, so that the machine's noise hits both. Every reader must have every trade.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSessions } from '../src/cli/demo-files.ts';
import type { BenchClient } from './bridge/client.ts';
import { SinkVenue } from './bridge/sink-venue.ts';
import { ask, logon, type Server, startBridge, stop } from './bridge.bench.ts';
import type { Row } from './main.ts';

const seed = 1;
const readers = 50;
const rounds = 20;
const ordersARound = 50;
/** One order a so many milliseconds: a desk, not a flood. */
const pauseMs = 10;
const settleMs = 200;
/** For one order, on however busy a machine. */
const maxWaitMs = 30_000;
/** Looks without news before what has not come is taken for lost. */
const maxIdleLooks = 100;
const [user] = demoSessions(seed);

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-dropcopy-bench-'));
  const venue = await SinkVenue.start(seed);
  const children: ChildProcess[] = [];
  try {
    const durability = 'power';
    const without = await startBridge(venue, folder, { durability, accounts: ['desk-a'] });
    const copied = await startBridge(venue, folder, { durability, accounts: ['desk-b'], readers });
    children.push(without.child, copied.child);
    const watching = await startReaders(copied);
    children.push(watching);
    return await compare({ none: without, many: copied }, watching);
  } finally {
    for (const child of children) await stop(child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

async function startReaders({ port }: Server): Promise<ChildProcess> {
  const words = [String(port), user?.password ?? '', String(readers)];
  const child = fork(join(import.meta.dirname, 'dropcopy/readers-process.ts'), words);
  await once(child, 'message');
  return child;
}

async function compare(
  servers: { readonly none: Server; readonly many: Server },
  watching: ChildProcess,
): Promise<Row[]> {
  const clients = { none: await logon(servers.none), many: await logon(servers.many) };
  const cpuUs = { none: 0, many: 0 };
  const measured = { none: [] as number[], many: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['none', 'many'] as const) {
      // So that what one round leaves behind is not collected in the next, which may be the other's.
      const before = await ask(servers[name], 'collect and say');
      const times = await trade(clients[name]);
      // Until the readers have been told, so that it is no cost of the next round.
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      if (round === 0) continue;
      measured[name].push(...times);
      cpuUs[name] += (await ask(servers[name], 'collect and say')).cpuUs - before.cpuUs;
    }
  }
  const all = (rounds + 1) * ordersARound;
  const trades = await told(watching, all);
  for (const client of Object.values(clients)) client.close();
  const row = (what: string, part: number, demand?: number): Row => {
    const [none, many] = [quantile(measured.none, part), quantile(measured.many, part)];
    const value = `${many.toFixed(0)} to ${none.toFixed(0)} µs`;
    const name = `order to report, ${what}, ${readers} readers to none`;
    const ratio = many / none;
    return { name, value, ratio, ...(demand !== undefined && { demand, atLeast: false }) };
  };
  const orders = rounds * ordersARound;
  const [none, many] = [cpuUs.none / orders, cpuUs.many / orders];
  const least = Math.min(...trades) / all;
  return [
    row('p50', 0.5),
    row('p99', 0.99, 1.2),
    {
      name: 'the same: processor time of the bridge, all threads',
      value: `${many.toFixed(0)} to ${none.toFixed(0)} µs`,
      ratio: many / none,
    },
    {
      name: 'trades delivered to each reader, of all',
      value: String(Math.min(...trades)),
      ratio: least,
      demand: 1,
    },
  ];
}

async function trade(client: BenchClient): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < ordersARound; i += 1) {
    const filled = new Promise<void>((resolve, reject) => {
      const late = () =>
        reject(new Error(`an order is not filled; ${client.refused} were refused`));
      const timer = setTimeout(late, maxWaitMs);
      client.onFill = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    const sentMs = performance.now();
    client.order();
    await filled;
    times.push((performance.now() - sentMs) * 1000);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return times;
}

/** What each reader has been told, once all have been told everything, or nothing more comes. */
async function told(watching: ChildProcess, all: number): Promise<readonly number[]> {
  let least = 0;
  for (let idle = 0; ; idle += 1) {
    watching.send({});
    const [{ trades }] = (await once(watching, 'message')) as [{ trades: readonly number[] }];
    const now = Math.min(...trades);
    if (now >= all || idle > maxIdleLooks) return trades;
    if (now > least) idle = 0;
    least = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}
