/**
 * What an order costs the bridge when many are open, and after a day of many: processor time, memory, disk, the longest
 * turn, and the time of a start. The bridge has a process of its own; the venue is a stand-in that leaves orders open.
 * `--full` has a day of 5,000,000 orders.
 */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSessions } from '../src/cli/demo-files.ts';
import { SinkVenue } from './bridge/sink-venue.ts';
import { bridgeFile, type Server, start, stop } from './bridge.bench.ts';
import { GrowthClient } from './growth/client.ts';
import { type Costs, type RecordKind, recordKinds } from './growth/turn-costs.ts';
import type { Row } from './main.ts';

const seed = 1;
const levels = { whole: [2_000, 20_000, 100_000], quick: [2_000, 20_000] } as const;
/** Orders that are entered, each with a cancel of the oldest one, while the costs are measured. */
const ordersAtLevel = { whole: 10_000, quick: 5_000 } as const;
const ordersOfDay = { full: 5_000_000, whole: 100_000, quick: 10_000 } as const;
/** Until the compiler has seen everything. */
const ordersBefore = 10_000;
const ordersSampled = 5_000;
const inFlight = 32;
const demands = { memory: 5_000, disk: 3_000, startMs: 3_000, turnMs: 10, cpu: 1.2 };
const [user] = demoSessions(seed);

/** What the bridge answers when it is asked. */
interface Said extends Costs {
  readonly memory: { readonly heap: number; readonly rss: number; readonly buffers: number };
  readonly cpuUs: number;
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
  readonly start: { readonly cpuMs: number; readonly ms: number };
}

interface Level {
  readonly open: number;
  readonly cpuUs: number;
  readonly heap: number;
  readonly rss: number;
  readonly longestTurnMs: number;
  readonly longestSnapshotMs: number;
  readonly loopDelayMs: Said['loopDelayMs'];
}

export async function run({ isQuick }: { readonly isQuick: boolean }): Promise<Row[]> {
  const size = isQuick ? 'quick' : 'whole';
  const isFull = process.argv.includes('--full');
  const dayOrders = isFull ? ordersOfDay.full : ordersOfDay[size];
  const folder = mkdtempSync(join(tmpdir(), 'causeway-growth-bench-'));
  const venue = await SinkVenue.start(seed, 'rest');
  let bridge: Server | undefined;
  try {
    const file = await bridgeFile(venue, folder, { readers: 1, accounts: ['desk-a'] });
    bridge = await startProcess(file);
    const client = await logon(bridge);
    await client.enter(1_000, inFlight);
    await client.replaceOldest(ordersBefore, inFlight);
    const measured: Level[] = [];
    for (const open of levels[size]) {
      measured.push(await atLevel(bridge, client, open, ordersAtLevel[size]));
    }
    const atMost = measured.at(-1)?.open ?? 0;
    await ask(bridge, 'sample');
    const dayMs = performance.now();
    await client.replaceOldest(ordersSampled, inFlight);
    const sample = await ask(bridge);
    const diskBefore = diskOf(folder);
    await client.replaceOldest(dayOrders, inFlight);
    const disk = diskOf(folder) - diskBefore;
    const day = await ask(bridge);
    const took = performance.now() - dayMs;
    const { refused } = client;
    client.close();
    bridge.child.kill('SIGKILL');
    await once(bridge.child, 'exit');
    bridge = await startProcess(file);
    const { start: afterKill } = await ask(bridge);
    const stopMs = performance.now();
    await stop(bridge.child);
    const stoppedMs = performance.now() - stopMs;
    bridge = await startProcess(file);
    const { start: afterStop } = await ask(bridge);
    const canceled = await massCancel(bridge, atMost);
    return [
      ...measured.flatMap((level) => levelRows(level, measured[0])),
      ...memoryRows(measured),
      ...diskRows(day, sample, dayOrders, disk),
      {
        name: `a day of ${dayOrders.toLocaleString('en')} orders, ${refused} refused`,
        value: `${(took / 1000).toFixed(0)} s, RSS after it ${mb(day.memory.rss)}`,
      },
      {
        name: `the longest turn of that day, ms of processor time; with a part of a snapshot`,
        value: `${longestOf(day)}; ${day.longestSnapshotMs.toFixed(1)} ms in ${day.snapshotTurns}`,
        ratio: day.longestTurnMs,
        demand: demands.turnMs,
        atLeast: false,
      },
      startRow(`a start after a kill, ${atMost.toLocaleString('en')} open and that day`, afterKill),
      startRow('a start after an orderly stop', afterStop),
      ...massCancelRows(canceled),
      { name: 'the orderly stop', value: `${stoppedMs.toFixed(0)} ms` },
    ];
  } finally {
    if (bridge !== undefined) await stop(bridge.child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

interface MassCanceled {
  readonly orders: number;
  readonly ms: number;
  readonly said: Said;
}

/** A client that has none of these orders open cancels those of its session, as many as a client may want to end at once. */
async function massCancel(bridge: Server, orders: number): Promise<MassCanceled> {
  const client = await logon(bridge);
  await ask(bridge, 'collect');
  const beganMs = performance.now();
  await client.cancelAll(orders);
  const ms = performance.now() - beganMs;
  client.close();
  return { orders, ms, said: await ask(bridge) };
}

function massCancelRows({ ms, orders, said }: MassCanceled): Row[] {
  return [
    {
      name: `a mass cancel of ${orders.toLocaleString('en')} orders: the longest turn`,
      value: `${longestOf(said)}, done in ${(ms / 1000).toFixed(1)} s`,
      ratio: said.longestTurnMs,
      demand: demands.turnMs,
      atLeast: false,
    },
  ];
}

function longestOf({ collectedInItMs, longestPauseMs, longestTurnMs }: Costs): string {
  const collected = `${collectedInItMs.toFixed(1)} of them collections`;
  return `${longestTurnMs.toFixed(1)} ms, ${collected}; the longest collection ${longestPauseMs.toFixed(1)} ms`;
}

async function atLevel(
  bridge: Server,
  client: GrowthClient,
  open: number,
  orders: number,
): Promise<Level> {
  await client.enter(open - client.open, inFlight);
  const { cpuUs: beganUs, memory } = await ask(bridge, 'collect');
  await client.replaceOldest(orders, inFlight);
  const after = await ask(bridge);
  return {
    open,
    cpuUs: (after.cpuUs - beganUs) / orders,
    heap: memory.heap + memory.buffers,
    rss: memory.rss,
    longestTurnMs: after.longestTurnMs,
    longestSnapshotMs: after.longestSnapshotMs,
    loopDelayMs: after.loopDelayMs,
  };
}

function levelRows(level: Level, first: Level | undefined): Row[] {
  const { cpuUs, loopDelayMs, longestSnapshotMs, longestTurnMs } = level;
  const open = `${level.open.toLocaleString('en')} open`;
  return [
    {
      name: `${open}: processor time of an order and its cancel, over that with the fewest open`,
      value: `${cpuUs.toFixed(0)} µs`,
      ratio: cpuUs / (first?.cpuUs ?? cpuUs),
      demand: demands.cpu,
      atLeast: false,
    },
    {
      name: `${open}: the longest turn, ms of processor time; with a part of a snapshot`,
      value: `${longestTurnMs.toFixed(1)} ms; ${longestSnapshotMs.toFixed(1)} ms`,
      ratio: longestTurnMs,
      demand: demands.turnMs,
      atLeast: false,
    },
    {
      name: `${open}: delay of the loop, with the machine's other work`,
      value: `p99 ${loopDelayMs.p99.toFixed(1)} ms, most ${loopDelayMs.max.toFixed(1)} ms`,
    },
  ];
}

/** What each further open order takes, from the fewest to the most. */
function memoryRows(levels: readonly Level[]): Row[] {
  const [few, many] = [levels[0], levels.at(-1)];
  if (few === undefined || many === undefined) return [];
  const perOrder = (of: (level: Level) => number) => (of(many) - of(few)) / (many.open - few.open);
  const heap = perOrder((level) => level.heap);
  const rss = perOrder((level) => level.rss);
  return [
    {
      name: 'memory of an open order in the bridge, heap and buffers after a collection',
      value: `${heap.toFixed(0)} bytes of ${mb(many.heap)}`,
      ratio: heap / demands.memory,
      demand: 1,
      atLeast: false,
    },
    {
      name: 'the same as resident memory',
      value: `${rss.toFixed(0)} bytes of ${mb(many.rss)}`,
      ratio: rss / demands.memory,
      demand: 1,
      atLeast: false,
    },
  ];
}

function diskRows(day: Said, sample: Said, orders: number, disk: number): Row[] {
  const packed = (kind: RecordKind) => {
    const { sampleRaw, sampleZstd } = sample.bytes[kind];
    return sampleRaw === 0 ? 1 : sampleZstd / sampleRaw;
  };
  const raw = (kind: RecordKind) => day.bytes[kind].raw / orders;
  const zstd = (kind: RecordKind) => raw(kind) * packed(kind);
  const sum = (of: (kind: RecordKind) => number) =>
    recordKinds.reduce((total, kind) => total + of(kind), 0);
  const rows = recordKinds.map((kind) => ({
    name: `bytes of an order and its cancel, ${kind}: as written; as zstd`,
    value: `${raw(kind).toFixed(0)}; ${zstd(kind).toFixed(0)} in ${(day.bytes[kind].writes / orders).toFixed(1)} writes`,
  }));
  return [
    ...rows,
    {
      name: 'bytes of an order and its cancel, all kinds: as written; as zstd',
      value: `${sum(raw).toFixed(0)}; ${sum(zstd).toFixed(0)}`,
      ratio: sum(raw) / demands.disk,
      demand: 1,
      atLeast: false,
    },
    {
      name: 'bytes on disk of an order and its cancel, files of the store',
      value: `${(disk / orders).toFixed(0)}`,
      ratio: disk / orders / demands.disk,
      demand: 1,
      atLeast: false,
    },
  ];
}

function startRow(name: string, { cpuMs, ms }: Said['start']): Row {
  return {
    name: `${name}, ms`,
    value: `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time`,
    ratio: ms / demands.startMs,
    demand: 1,
    atLeast: false,
  };
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function diskOf(folder: string): number {
  let total = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    total += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}

function startProcess(file: string): Promise<Server> {
  return start('../growth/bridge-process.ts', file);
}

function logon({ port }: Server): Promise<GrowthClient> {
  return GrowthClient.logon(port, 'CLIENT0', user?.password ?? '');
}

async function ask({ child }: Server, word: 'say' | 'collect' | 'sample' = 'say'): Promise<Said> {
  const answer = once(child, 'message');
  child.send(word);
  const [said] = await answer;
  return said as Said;
}
