/**
 * What logons cost those who trade: one order at a time while nobody logs on, and while all other sessions do at once, as
 * after a cut of the network.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SinkVenue } from './bridge/sink-venue.ts';
import { logon, oneOrder, type Server, startBridge, stop } from './bridge.bench.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';

const seed = 1;
const sessions = 200;
const ordersBefore = 3_000;
const ordersAlone = 1_000;
/** What two or three passwords take. */
const maxMs = 20;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-logons-bench-'));
  const venue = await SinkVenue.start(seed);
  const servers: Server[] = [];
  const rows: Row[] = [];
  try {
    for (const durability of ['process', 'power'] as const) {
      const make = { durability, sessions, accounts: ['desk-a'] };
      const server = await startBridge(venue, folder, make);
      servers.push(server);
      rows.push(...(await storm(venue, server, durability)));
      await stop(server.child);
    }
    return rows;
  } finally {
    for (const { child } of servers) await stop(child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

async function storm(venue: SinkVenue, server: Server, durability: string): Promise<Row[]> {
  const client = await logon(server);
  const timeOf = async () => {
    const { outUs, backUs } = await oneOrder(venue, client);
    return outUs + backUs;
  };
  for (let i = 0; i < ordersBefore; i += 1) await timeOf();
  const alone: number[] = [];
  for (let i = 0; i < ordersAlone; i += 1) alone.push(await timeOf());
  const names = Array.from({ length: sessions - 1 }, (_, i) => `CLIENT${i + 1}`);
  let isOver = false;
  const beganMs = performance.now();
  const logons = Promise.all(names.map((name) => logon(server, name))).finally(() => {
    isOver = true;
  });
  const beside: number[] = [];
  while (!isOver) beside.push(await timeOf());
  const tookMs = performance.now() - beganMs;
  for (const each of [client, ...(await logons)]) each.close();
  const [quietUs, busyUs] = [median(alone), median(beside)];
  const slowMs = (beside.toSorted((a, b) => b - a)[Math.floor(beside.length / 100)] ?? 0) / 1_000;
  return [
    {
      name: `${durability}: one order while ${names.length} sessions log on at once, against a quiet port, p50`,
      value: `${busyUs.toFixed(0)} to ${quietUs.toFixed(0)} µs`,
      ratio: busyUs / quietUs,
      demand: 4,
      atLeast: false,
    },
    {
      name: `${durability}: 99 of 100 of ${beside.length} orders meanwhile, of ${maxMs} ms`,
      value: `${slowMs.toFixed(1)} ms, all logged on after ${tookMs.toFixed(0)} ms`,
      ratio: slowMs / maxMs,
      demand: 1,
      atLeast: false,
    },
  ];
}
