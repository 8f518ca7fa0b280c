/**
 * An acceptor that answers each NewOrderSingle(D) with an ExecutionReport(8), full dictionary validation on: our engine
 * against QuickFIX C++ (built here where Debian's libquickfix-dev is) and against a bare socket loop, all with the same
 * client in the same run. Server and client have a core each.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './main.ts';
import { type Load, type Measured, measure, type Server } from './session/measure.ts';

const here = join(import.meta.dirname, 'session');
const dictionary = join(import.meta.dirname, '../dictionaries/FIX44.xml');
const one: Load = { sessions: 1, inFlight: 256, total: 100_000 };
const fifty: Load = { sessions: 50, inFlight: 256, total: 200_000 };
const single: Load = { sessions: 1, inFlight: 1, total: 10_000 };

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-session-bench-'));
  try {
    return await compare(folder, buildQuickfix(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(folder: string, quickfix: string | undefined): Promise<Row[]> {
  const engine = (store: string, { sessions }: Load): Server => [
    process.execPath,
    join(here, 'engine-acceptor.ts'),
    store,
    mkdtempSync(join(folder, 'engine-')),
    String(sessions),
  ];
  const peer = async (store: string, load: Load): Promise<Measured | undefined> =>
    quickfix === undefined
      ? undefined
      : measure(
          [
            ...[quickfix, String(await freePort()), store, mkdtempSync(join(folder, 'peer-'))],
            ...[dictionary, String(load.sessions)],
          ],
          load,
        );
  const bare = await measure([process.execPath, join(here, 'bare-acceptor.ts')], single);
  const rows: Row[] = [];
  for (const [name, load] of Object.entries({ 'one session': one, '50 sessions': fifty })) {
    const [memory, power] = [
      await measure(engine('memory', load), load),
      await measure(engine('power', load), load),
    ];
    rows.push(
      against(`${name}, 256 in flight, memory store`, memory, await peer('memory', load), 2.5),
      against(
        `${name}, 256 in flight, power, QuickFIX FileStore`,
        power,
        await peer('file', load),
        2,
      ),
      cpu(`${name}, 256 in flight, server CPU, memory store`, memory),
    );
  }
  const alone = await measure(engine('memory', single), single);
  return [
    ...rows,
    slower('one in flight, p50, against a bare socket loop', alone, bare, 1.5),
    slower('one in flight, p50, against QuickFIX', alone, await peer('memory', single)),
  ];
}

function against(name: string, ours: Measured, theirs: Measured | undefined, demand: number): Row {
  const value = `${Math.round(ours.perSecond)}/s to ${Math.round(theirs?.perSecond ?? 0)}`;
  if (theirs === undefined) return { name: `${name} (no QuickFIX here)`, value };
  return { name, value, ratio: ours.perSecond / theirs.perSecond, demand };
}

function slower(name: string, ours: Measured, theirs: Measured | undefined, demand?: number): Row {
  const value = `${ours.p50Us.toFixed(1)} µs to ${theirs?.p50Us.toFixed(1) ?? '?'}`;
  if (theirs === undefined) return { name: `${name} (none here)`, value };
  const ratio = ours.p50Us / theirs.p50Us;
  return { name, value, ratio, atLeast: false, ...(demand !== undefined && { demand }) };
}

/** Of the five microseconds that a request may cost. */
function cpu(name: string, { cpuUs }: Measured): Row {
  return { name, value: `${cpuUs.toFixed(2)} µs`, ratio: cpuUs / 5, demand: 1, atLeast: false };
}

function buildQuickfix(folder: string): string | undefined {
  const program = join(folder, 'quickfix-acceptor');
  const words = ['-O2', '-std=c++14', '-w', '-o', program, join(here, 'quickfix-acceptor.cpp')];
  return spawnSync('g++', [...words, '-lquickfix']).status === 0 ? program : undefined;
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
