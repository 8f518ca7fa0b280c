/**
 * Keeps the venue in a directory across restarts: `state-N` is the complete state; `inputs-N` and later files contain
 * the inputs since. An input is appended before its response is sent, so a venue that is killed loses nothing that it
 * has answered. After many inputs a thread writes the next state and removes the files that it replaces; the venue's
 * own thread never writes more than one input at a time.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { ProcessLock } from '../runtime/process-lock.ts';
import { startThread } from '../runtime/shipped.ts';
import { writeAll } from '../runtime/write-all.ts';
import { checkedLine, DamagedFile, readCheckedLines } from './checked-lines.ts';
import type { SavedVenue, VenueOptions } from './embedded-venue.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import type { VenueInput } from './venue-input.ts';

/** When a new state is written, so that a start has few inputs to apply. */
export interface SaveLimits {
  readonly inputs: number;
  readonly bytes: number;
}

/** The input of the thread: it builds the state before the inputs of number `next`. */
export interface Compaction {
  readonly directory: string;
  readonly next: number;
  readonly options: Omit<VenueOptions, 'clock' | 'reportFault'>;
}

const usualLimits: SaveLimits = { inputs: 5_000, bytes: 8 * 1024 ** 2 };
/** The thread builds a state of that many inputs in two seconds; a venue whose clock causes more of them waits. */
const fullTimes = 4;
const stateName = (number: number) => `state-${number}`;
const inputsName = (number: number) => `inputs-${number}`;

export class Saves {
  readonly #directory: string;
  readonly #limits: SaveLimits;
  readonly #lock: ProcessLock;
  #number = 1;
  #descriptor: number | undefined;
  #bytes = 0;
  #inputs = 0;
  #thread: Worker | undefined;

  constructor(directory: string, limits: SaveLimits = usualLimits) {
    this.#directory = directory;
    this.#limits = limits;
    makePrivateDirectory(directory);
    if (existsSync(join(directory, 'sandbox.sqlite'))) {
      throw new Error(
        `${directory} holds the state of an earlier version of the sandbox, which this version cannot read. Remove the directory, and that of the bridge that traded there, or use another.`,
      );
    }
    const lock = ProcessLock.take(join(directory, 'lock'));
    if (lock === undefined) throw new Error(`another process runs a venue on ${directory}`);
    this.#lock = lock;
  }

  /** Undefined in a new directory. */
  load(): ReturnType<typeof loadUpTo> {
    const kept = loadUpTo(this.#directory, Number.POSITIVE_INFINITY);
    if (kept === undefined) return undefined;
    this.#number = kept.last;
    this.#inputs = kept.inputs.length;
    this.#open(kept.lastBytes);
    return kept;
  }

  /** Writes the initial state of a new directory. */
  create(saved: SavedVenue): void {
    writeStateFile(join(this.#directory, stateName(this.#number)), saved);
    this.#open(0);
  }

  record(input: VenueInput): void {
    const line = checkedLine(input);
    writeAll(this.#descriptor ?? -1, line, this.#bytes);
    this.#bytes += line.length;
    this.#inputs += 1;
  }

  /** Whether the inputs after the state that is being written are so many that a start would take too long. */
  get isFull(): boolean {
    return this.#thread !== undefined && this.#inputs >= fullTimes * this.#limits.inputs;
  }

  /** Starts writing a new state if a restart would have many inputs to apply. */
  compact(options: Compaction['options'], failed: (error: Error) => void): void {
    const isLong = this.#inputs >= this.#limits.inputs || this.#bytes >= this.#limits.bytes;
    if (!isLong || this.#thread !== undefined) return;
    this.#number += 1;
    this.#open(0);
    this.#inputs = 0;
    const workerData: Compaction = { directory: this.#directory, next: this.#number, options };
    const thread = startThread('sandbox/compaction-thread', workerData);
    thread.on('error', failed);
    thread.on('exit', () => {
      this.#thread = undefined;
    });
    this.#thread = thread;
  }

  /** The next start repeats the work of a thread that did not finish. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#lock.release();
  }

  #open(bytes: number): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    const file = join(this.#directory, inputsName(this.#number));
    this.#descriptor = openSync(file, existsSync(file) ? 'r+' : 'w', 0o600);
    // A line that was torn by a kill was never answered.
    ftruncateSync(this.#descriptor, bytes);
    this.#bytes = bytes;
  }
}

/**
 * The newest state and the inputs after it, except those numbered `before` or later; `last` is the number of the newest
 * inputs, and `lastBytes` the end of the valid ones.
 */
export function loadUpTo(directory: string, before: number) {
  const names = new Set(readdirSync(directory));
  const number = newestState(names);
  if (number === undefined) {
    if (![...names].some((name) => name.startsWith('inputs-'))) return undefined;
    throw new DamagedFile(`${directory} has inputs and no state`);
  }
  const inputs: VenueInput[] = [];
  let last = number;
  let lastBytes = 0;
  for (let at = number; at < before && names.has(inputsName(at)); at += 1) {
    const file = join(directory, inputsName(at));
    const { bytes, isTorn, values } = readCheckedLines(file);
    if (isTorn && names.has(inputsName(at + 1))) {
      throw new DamagedFile(`${file} is damaged at byte ${bytes}`);
    }
    inputs.push(...(values as readonly VenueInput[]));
    last = at;
    lastBytes = bytes;
  }
  return { saved: readStateFile(join(directory, stateName(number))), inputs, last, lastBytes };
}

/** Makes the state before the inputs of this number the newest, and removes the files that it replaces. */
export function replaceState(directory: string, number: number, saved: SavedVenue): void {
  writeStateFile(join(directory, stateName(number)), saved);
  for (const name of readdirSync(directory)) {
    const [, given] = /^(?:state|inputs)-(\d+)(?:\.new|\.draft)?$/.exec(name) ?? [];
    if (given !== undefined && Number(given) < number) rmSync(join(directory, name));
  }
}

function newestState(names: ReadonlySet<string>): number | undefined {
  const numbers = [...names].flatMap((name) => /^state-(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
