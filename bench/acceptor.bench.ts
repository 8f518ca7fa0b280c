/**
 * An acceptor that answers each NewOrderSingle(D) with an ExecutionReport(8), full dictionary validation on: our engine
 * against QuickFIX C++ (built here where Debian's libquickfix-dev is) and against a bare socket loop, all with the same
 * client in the same run. The client is in C++, because one in Node would cost more than the servers do.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './main.ts';
import { type Load, type Measured, measure } from './session/measure.ts';

const here = join(import.meta.dirname, 'session');
const dictionary = join(import.meta.dirname, '../dictionaries/FIX44.xml');
const loads: Record<string, Load> = {
  'one session': { sessions: 1, inFlight: 256, total: 100_000 },
  '50 sessions': { sessions: 50, inFlight: 256, total: 150_000 },
};
const single: Load = { sessions: 1, inFlight: 1, total: 10_000 };

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-acceptor-bench-'));
  try {
    return await compare(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(folder: string): Promise<Row[]> {
  const client = [built(folder, 'load.cpp')];
  const quickfix = built(folder, 'quickfix-acceptor.cpp', '-lquickfix');
  const newFolder = () => mkdtempSync(join(folder, 'store-'));
  const ours = (store: string, { sessions }: Load) => [
    ...[process.execPath, join(here, 'engine-acceptor.ts'), store, newFolder(), String(sessions)],
  ];
  const theirs = async (store: string, { sessions }: Load) => [
    ...[quickfix, String(await freePort()), store, newFolder(), dictionary, String(sessions)],
  ];
  const both = async (store: string, theirStore: string, load: Load): Promise<Pair> => {
    const servers = [ours(store, load), await theirs(theirStore, load)];
    return pairOf(
      await measure(
        load,
        servers.map((server) => [server, client] as const),
      ),
    );
  };
  const rows: Row[] = [];
  for (const [name, load] of Object.entries(loads)) {
    const memory = await both('memory', 'memory', load);
    rows.push(faster(`${name}, 256 in flight, in memory`, memory, 5));
    rows.push(cheaper(`${name}, 256 in flight, in memory`, memory));
    const durable = await both('power', 'file', load);
    rows.push(faster(`${name}, 256 in flight, ours synced, QuickFIX FileStore`, durable, 4.5));
    rows.push(cheaper(`${name}, 256 in flight, ours synced, QuickFIX FileStore`, durable));
  }
  const alone = await both('memory', 'memory', single);
  const bare = [process.execPath, join(here, 'bare-acceptor.ts')];
  const floor = pairOf(
    await measure(single, [
      [ours('memory', single), client],
      [bare, client],
    ]),
  );
  return [
    ...rows,
    slower('one in flight, p50', alone, 1),
    cheaper('one in flight', alone, 1),
    { ...slower('one in flight, p50', floor, 1.5), name: 'one in flight, p50, to a bare loop' },
  ];
}

type Pair = readonly [ours: Measured, theirs: Measured];

function pairOf([ours, theirs]: readonly Measured[]): Pair {
  if (ours === undefined || theirs === undefined) throw new Error('two servers were measured');
  return [ours, theirs];
}

function faster(name: string, [ours, theirs]: Pair, demand: number): Row {
  const value = `${Math.round(ours.perSecond)}/s to ${Math.round(theirs.perSecond)}`;
  return { name, value, ratio: ours.perSecond / theirs.perSecond, demand };
}

function slower(name: string, [ours, theirs]: Pair, demand: number): Row {
  const value = `${ours.p50Us.toFixed(1)} µs to ${theirs.p50Us.toFixed(1)}`;
  return { name, value, ratio: ours.p50Us / theirs.p50Us, demand, atLeast: false };
}

function cheaper(name: string, [ours, theirs]: Pair, demand?: number): Row {
  const value = `${ours.cpuUs.toFixed(2)} µs to ${theirs.cpuUs.toFixed(2)}`;
  const ratio = ours.cpuUs / theirs.cpuUs;
  return {
    name: `${name}: processor time of a request`,
    ...{ value, ratio, atLeast: false },
    ...(demand !== undefined && { demand }),
  };
}

function built(folder: string, source: string, ...libraries: string[]): string {
  const program = join(folder, source.replace('.cpp', ''));
  // The headers of QuickFIX have exception specifications, which C++17 no longer knows.
  const standard = libraries.length > 0 ? '-std=c++14' : '-std=c++17';
  const words = ['-O2', standard, '-w', '-o', program, join(here, source), ...libraries];
  const { status } = spawnSync('g++', words, { stdio: 'inherit' });
  if (status !== 0) throw new Error('this bench needs g++ and libquickfix-dev');
  return program;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
