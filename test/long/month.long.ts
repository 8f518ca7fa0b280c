/**
 * A venue with market makers that runs on one data directory for a month of its time, while a client trades and an
 * operator works its switches. The clock jumps a second at a time, so the makers quote one book a second and not six. In
 * the end: an operator's call and the event loop were never late, directory and memory have not grown, and a process that
 * starts on what a kill leaves is ready soon and knows everything. How soon is judged by what a start on an empty directory
 * costs on the same machine, which is loading the program for the most part.
 *
 * What is judged is the time that the thread, or the process, has worked: on a machine with other work the clock on the
 * wall measures that work. Both are told.
 *
 * The thread that makes the next state needs two seconds, in which a venue with makers has a dozen inputs and this one
 * thousands. So the venue's time stands still now and then until that thread is done, and starts are judged at their
 * slowest, on what a kill leaves while the next state is being made.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock, Instant } from '../../src/runtime/clock.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { Client, spot } from '../sandbox/client.ts';
import type { LongRun } from './main.ts';

const most = { gatesMs: 50, lagMs: 20, emptyStarts: 4, directoryMiB: 64 };
const day = 86_400;
/** So little that a week of trading fills it: what grows after that grows for ever. */
const retention = { eventsPerAccount: 4_000, receipts: 2_000, closedOrders: 2_000, trades: 100 };
/** Of the heap, between these tenths of the time. */
const growth = {
  month: { from: 3, maxMiB: 6 },
  hours: { from: 1, maxMiB: 24 },
};
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** The venue works so long before others have their turn. */
const sliceMs = 3;
const tradeEverySeconds = 300;
const restEverySeconds = 1_800;
/** In tenths of the whole time. */
const startsAfter = [1, 5, 10];
const keptSandbox = join(import.meta.dirname, 'kept-sandbox.ts');

export async function run({ short, seed }: LongRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-month-'));
  const data = join(folder, 'data');
  const clock = new JumpingClock();
  const sandbox = await startSandbox({ seed, clock, makers: true, data, retention });
  try {
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    const { took: emptyStart } = await startedOn(copy, seed);
    const start = () => startOnWhatAKillLeaves(sandbox, data, copy, seed);
    const figures = await passTime(sandbox, clock, data, short ? day / 4 : 30 * day, start);
    return judged(figures, emptyStart);
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Rings once for all that was due in between, as a machine does that was asleep. */
class JumpingClock implements Clock {
  readonly #alarms = new Set<{ readonly monoMs: number; readonly callback: () => void }>();
  #monoMs = 0;

  now(): Instant {
    return { wallMs: Date.UTC(2026, 0, 5, 12) + this.#monoMs, monoMs: this.#monoMs };
  }

  at(monoMs: number, callback: () => void): () => void {
    const alarm = { monoMs, callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  jump(ms: number): void {
    this.#monoMs += ms;
    for (const alarm of [...this.#alarms]) {
      if (alarm.monoMs > this.#monoMs) continue;
      this.#alarms.delete(alarm);
      alarm.callback();
    }
  }
}

/** How long something took, and how long it would have taken on a machine without other work. */
interface Took {
  readonly wallMs: number;
  readonly workMs: number;
}

/** The first of many measurements, in a place that does not grow with them. */
class Times {
  readonly #wallMs = new Float64Array(200_000);
  readonly #workMs = new Float64Array(200_000);
  #count = 0;

  add({ wallMs, workMs }: Took): void {
    this.#wallMs[this.#count] = wallMs;
    this.#workMs[this.#count] = workMs;
    this.#count = Math.min(this.#count + 1, this.#wallMs.length);
  }

  percentile(share: number): Took {
    const at = Math.ceil(share * this.#count) - 1;
    const of = (times: Float64Array) => times.slice(0, this.#count).sort()[at] ?? 0;
    return { wallMs: of(this.#wallMs), workMs: of(this.#workMs) };
  }
}

interface Figures {
  readonly seconds: number;
  readonly gates: Times;
  /** Of each turn of the event loop. */
  readonly turns: Times;
  readonly directoryMiB: number;
  readonly heapMiB: readonly number[];
  readonly starts: readonly Took[];
}

async function passTime(
  sandbox: Sandbox,
  clock: JumpingClock,
  data: string,
  seconds: number,
  start: () => Promise<Took>,
): Promise<Figures> {
  const trader = new Trader(sandbox, clock);
  const gates = new Times();
  const turns = new Times();
  const heapMiB: number[] = [];
  const starts: Took[] = [];
  let directoryMiB = 0;
  for (let passed = 1; passed <= seconds || starts.length < startsAfter.length; ) {
    const untilMs = performance.now() + sliceMs;
    const turn = stopwatch();
    do {
      clock.jump(1_000);
      passed += 1;
    } while (passed % 60 !== 0 && performance.now() < untilMs);
    await nextTurn();
    turns.add(turn());
    if (passed % tradeEverySeconds === 0) await trader.act();
    if (passed % 900 === 0) gates.add(await callGates(sandbox));
    if (passed % 3_600 === 0) directoryMiB = Math.max(directoryMiB, sizeOf(data));
    if (passed % (seconds / 10) === 0) heapMiB.push(heapAfterCollection());
    const isStartDue = heapMiB.length >= (startsAfter[starts.length] ?? Number.POSITIVE_INFINITY);
    if (isStartDue && filesOfInputs(data) > 1) starts.push(await start());
    if (passed % restEverySeconds === 0) await statesAreMade(data);
  }
  return { seconds, gates, turns, directoryMiB, heapMiB, starts };
}

/** More than one while the next state is being made. */
function filesOfInputs(data: string): number {
  return readdirSync(data).filter((name) => name.startsWith('inputs-')).length;
}

async function statesAreMade(data: string): Promise<void> {
  for (let waits = 0; filesOfInputs(data) > 1; waits += 1) {
    if (waits > 6_000) throw new Error('the next state is not made');
    await pause(10);
  }
}

function stopwatch(): () => Took {
  const startMs = performance.now();
  const before = process.threadCpuUsage();
  return () => {
    const { system, user } = process.threadCpuUsage(before);
    return { wallMs: performance.now() - startMs, workMs: (system + user) / 1_000 };
  };
}

/** Has one order at a time far from the market, and sometimes one that trades. */
class Trader {
  readonly #client: Client;
  #resting: string | null = null;
  #count = 0;

  constructor({ info }: Sandbox, clock: Clock) {
    const [facts] = info.accounts;
    if (facts === undefined) throw new Error('the sandbox has no account');
    this.#client = new Client({ info }, facts, clock);
  }

  async act(): Promise<void> {
    this.#count += 1;
    if (this.#resting !== null) await this.#apply({ Cancel: { order_id: this.#resting } });
    const side = this.#count % 2 === 0 ? 'Bid' : 'Ask';
    if (this.#count % 10 === 0) {
      await this.#apply(spot({ side, is_market: true, time_in_force: 'ioc', qty: 100_000 }));
    }
    this.#resting = await this.#apply(spot({ price: 10_000_000_000 }));
  }

  async #apply(action: object): Promise<string | null> {
    const { body, status } = await this.#client.act(action);
    if (body.accepted !== true) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body.derivedOrderId;
  }
}

async function callGates({ info }: Sandbox): Promise<Took> {
  const call = stopwatch();
  const answer = await fetch(`${info.adminUrl}/gates`, { method: 'POST', body: '{}' });
  if (!answer.ok) throw new Error(`POST /gates: ${answer.status}`);
  await answer.text();
  return call();
}

function sizeOf(directory: string): number {
  let bytes = 0;
  for (const name of readdirSync(directory)) {
    bytes += statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes / 1024 ** 2;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapAfterCollection(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

async function startOnWhatAKillLeaves(
  sandbox: Sandbox,
  data: string,
  copy: string,
  seed: number,
): Promise<Took> {
  copyAtOnce(data, copy);
  const { hash, took } = await startedOn(copy, seed);
  if (hash !== sandbox.venue.state.exchange.hash())
    throw new Error('a venue that was killed is another one when it is back');
  return took;
}

async function startedOn(data: string, seed: number): Promise<{ took: Took; hash: string }> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [keptSandbox, JSON.stringify({ seed, data, retention })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [adminUrl] = (await once(child.stdout, 'data')) as [Buffer];
  const took = { wallMs: performance.now() - startMs, workMs: workOf(child.pid ?? 0) };
  const { hash } = (await (await fetch(`${String(adminUrl).trim()}/ledger/hash`)).json()) as {
    hash: string;
  };
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { took, hash };
}

/** Again where a state has appeared meanwhile: a kill leaves what was there at one moment. */
function copyAtOnce(data: string, copy: string): void {
  const names = () => readdirSync(data).filter((name) => !name.endsWith('.new'));
  for (let before = names(), isWhole = false; !isWhole; ) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    for (const name of before) {
      if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copy, name));
    }
    const after = names();
    isWhole = after.join() === before.join();
    before = after;
  }
}

/** Of a process so far, as Linux counts it: in hundredths of a second. */
function workOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function told({ wallMs, workMs }: Took): string {
  return `${workMs.toFixed(1)} ms (${wallMs.toFixed(1)} on the wall)`;
}

function judged(figures: Figures, emptyStart: Took): string {
  const { directoryMiB, gates, heapMiB, seconds, starts, turns } = figures;
  const slowestGates = gates.percentile(1);
  const turn = turns.percentile(0.99);
  const slowestStart = Math.max(...starts.map(({ workMs }) => workMs));
  const { from, maxMiB } = seconds > day ? growth.month : growth.hours;
  const heapGrowthMiB = (heapMiB.at(-1) ?? 0) - (heapMiB[from] ?? 0);
  const text = [
    `${(seconds / day).toFixed(1)} days`,
    `POST /gates ${told(gates.percentile(0.5))} in the middle and ${told(slowestGates)} at most`,
    `a turn of the event loop ${told(turn)} at the 99th percentile and ${told(turns.percentile(1))} at most`,
    `starts ${starts.map(told).join(', ')}, on an empty directory ${told(emptyStart)}`,
    `directory ${directoryMiB.toFixed(1)} MiB at most`,
    `heap ${heapMiB.map((each) => Math.round(each)).join(' ')} MiB`,
  ].join(', ');
  const isKept =
    slowestGates.workMs < most.gatesMs &&
    turn.workMs < most.lagMs &&
    slowestStart < most.emptyStarts * emptyStart.workMs &&
    directoryMiB < most.directoryMiB &&
    heapGrowthMiB < maxMiB;
  if (!isKept) throw new Error(`beyond ${JSON.stringify({ ...most, maxMiB })}: ${text}`);
  return text;
}
