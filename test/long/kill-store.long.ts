/**
 * kill -9 of a process that only commits, and a second owner that opens the store while the first one commits: every
 * commit that was told to be durable is there afterwards, whole and once, and none of two owners' commits are mixed up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { LongRun } from './main.ts';
import { conflictCode, recordOf, session, stream } from './store-writes.ts';

const keptBytesPerSession = 1024 ** 3;

interface Life {
  readonly child: ChildProcess;
  /** By which code, or by none when it was killed. */
  readonly ended: Promise<number | null>;
  /** Where it writes what it was told. */
  readonly told: string;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-kill-store-'));
  const path = join(directory, 'store.db');
  let state = seed >>> 0;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const told = new Map<number, number>();
  let takeovers = 0;
  const lives = short ? 8 : 60;
  try {
    let running = await start(path, 0);
    for (let life = 1; life <= lives; life += 1) {
      await new Promise((resolve) => setTimeout(resolve, random(short ? 300 : 1_500)));
      const isTakeover = random(3) === 0;
      if (!isTakeover) running.child.kill('SIGKILL');
      const next = isTakeover ? await start(path, life) : undefined;
      const code = await running.ended;
      if (code !== (isTakeover ? conflictCode : null))
        throw new Error(`life ${life - 1} ended with ${code}`);
      note(told, running, life - 1);
      if (isTakeover) takeovers += 1;
      running = next ?? (await start(path, life));
    }
    running.child.kill('SIGKILL');
    await running.ended;
    note(told, running, lives);
    const found = await check(path, told);
    return `${lives + 1 - takeovers} kills, ${takeovers} takeovers: ${told.size} commits told, all of ${found} there and whole`;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function start(path: string, life: number): Promise<Life> {
  const filler = join(import.meta.dirname, 'store-filler.ts');
  const told = `${path}.told-${life}`;
  const child = spawn(process.execPath, [filler, path, told, String(life)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const isOpen = await Promise.race([once(child.stdout, 'data').then(() => true), ended]);
  if (isOpen !== true) throw new Error(`life ${life} did not open the store`);
  return { child, ended, told };
}

/** The last line may be cut off by the kill; its commit is durable all the same. */
function note(told: Map<number, number>, { told: file }: Life, life: number): void {
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const position = Number(line);
    if (told.has(position)) throw new Error(`position ${position} was told by two lives`);
    told.set(position, life);
  }
}

/** How many commits the next start finds; throws where one that was told is missing, or not what was written. */
async function check(path: string, told: ReadonlyMap<number, number>): Promise<number> {
  const store = await openLogStore({ path, durability: 'process', keptBytesPerSession });
  try {
    const end = await store.end(stream);
    const { nextIn, nextOut } = await store.numbers(session);
    const cursor = await store.cursor('venue');
    if (nextIn !== end || nextOut !== end + 1 || cursor !== end)
      throw new Error(`a part of commit ${end} is missing`);
    for (let after = 0; after < end; after += 1_000) {
      const records = await store.read(stream, after, 1_000);
      for (const { position, payload } of records) {
        const life = told.get(position);
        if (life !== undefined && Buffer.compare(payload, recordOf(life, position)) !== 0)
          throw new Error(`record ${position} is not what life ${life} was told of`);
      }
      const messages = await store.messages(session, after + 1, after + records.length, 1e9);
      if (messages.length !== records.length)
        throw new Error(`of the messages behind ${after} there are ${messages.length}`);
    }
    const highest = Math.max(...[...told.keys()].slice(-1_000));
    if (highest > end) throw new Error(`position ${highest} was told, the store ends at ${end}`);
    return end;
  } finally {
    await store.close();
  }
}
