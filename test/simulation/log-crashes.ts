/**
 * The log store on a simulated disk: random writes, and the process dies before any operation, with or without the power, or
 * the disk fails under it. Whatever was acknowledged must be there when the next process has opened the log, and of what was
 * not, the first so many commits and no part of another.
 */
import { isDeepStrictEqual } from 'node:util';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Store } from '../../src/store/store.ts';
import { answersOf, WriteMaker } from '../store/log/random-writes.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { Dice } from './dice.ts';
import { type Operation, SimulatedDisk } from './simulated-disk.ts';
import { compress } from './simulated-log.ts';

/** What chooses the writes of a commit. */
type Choices = readonly (readonly [choice: number, size: number])[];

/** Segments of a few records, so that all that is done with them is done all the time. */
const tiny = { segmentBytes: 2_000, blockBytes: 300, stateShare: 0, reserveBytes: 0 };
/** What fails with which code. */
const failures: readonly (readonly [Operation, string])[] = [
  ...(['open', 'write', 'sync', 'rename', 'remove', 'syncDirectory'] as const).map(
    (operation) => [operation, 'EIO'] as const,
  ),
  ...(['open', 'write', 'rename'] as const).map((operation) => [operation, 'ENOSPC'] as const),
];

export class LogCrashes {
  /** What the store did that it may not do; the first is the end of the run. */
  fault: string | undefined;
  readonly counts = { commits: 0, deaths: 0, losses: 0, failures: 0, lost: 0 };
  /** What was to happen, for whoever looks for the reason of a fault. */
  readonly plan: string[] = [];
  readonly #dice: Dice;
  readonly #disk: SimulatedDisk;
  readonly #path: string;
  readonly #losesPower: boolean;
  /** All commits whose writes the log may hold, in their order. */
  #issued: Choices[] = [];
  /** So many of them were acknowledged. */
  #acknowledged = 0;
  #failedWith: unknown;

  /** `path` is in a directory that exists: the store's reserve is not on the simulated disk. */
  constructor(seed: number, path: string) {
    this.#dice = new Dice(seed);
    this.#disk = new SimulatedDisk(seed);
    this.#path = path;
    this.#losesPower = this.#dice.hits(700);
  }

  async run(processes: number): Promise<void> {
    for (let i = 0; i < processes && this.fault === undefined; i += 1) await this.#process();
    if (this.fault === undefined) await this.#process(true);
  }

  async #process(isLast = false): Promise<void> {
    const disk = this.#disk;
    this.#failedWith = undefined;
    if (!isLast) this.#plan();
    const store = await this.#open();
    if (store !== undefined) {
      const isRight = await this.#compare(store);
      if (isRight && !isLast) await this.#work(store);
      if (isLast) await store.close();
    } else if (isLast && this.fault === undefined) this.fault = 'it cannot be opened';
    const losesPower = this.#losesPower && this.#dice.hits(700);
    if (losesPower) this.counts.losses += 1;
    if (losesPower) this.plan.push('power lost');
    disk.fault = () => undefined;
    disk.end(losesPower);
  }

  /** When this process dies, or what fails under it. */
  #plan(): void {
    const disk = this.#disk;
    const at = disk.operations + 1 + this.#dice.below(this.#dice.pick([10, 50, 200]));
    if (this.#dice.hits(300)) {
      const [what, code] = this.#dice.pick(failures);
      this.plan.push(`${what} fails with ${code} from ${at} on`);
      disk.fault = (operation) => {
        if (disk.operations < at || operation !== what) return undefined;
        this.counts.failures += 1;
        return code;
      };
    } else if (this.#dice.hits(850)) disk.diesBefore = at;
    this.plan.push(`dies before ${disk.diesBefore}`);
  }

  async #open(): Promise<Store | undefined> {
    const { disk } = this.#disk;
    const durability = this.#losesPower ? 'power' : 'process';
    try {
      const options = { path: this.#path, durability, disk, compress, ...tiny } as const;
      return await this.#alive(openLogStore(options));
    } catch (error) {
      if (!this.#isOfDisk(error)) this.fault = `it cannot be opened: ${String(error)}`;
      return undefined;
    }
  }

  /** The log must hold what is acknowledged, and then so many whole commits; false where that cannot be read, too. */
  async #compare(store: Store): Promise<boolean> {
    let answers: object | undefined;
    try {
      answers = await this.#alive(answersOf(store));
    } catch (error) {
      if (!this.#isOfDisk(error)) this.fault = `what it holds cannot be read: ${String(error)}`;
    }
    if (answers === undefined) return false;
    for (let count = this.#acknowledged; count <= this.#issued.length; count += 1) {
      const { model } = await replayed(this.#issued.slice(0, count));
      if (!isDeepStrictEqual(answers, await answersOf(model))) continue;
      this.counts.lost += this.#issued.length - count;
      this.#issued = this.#issued.slice(0, count);
      this.#acknowledged = count;
      return true;
    }
    const [from, to] = [this.#acknowledged, this.#issued.length];
    this.fault = `it holds what no ${from} to ${to} commits make: ${JSON.stringify(answers)}`;
    return false;
  }

  async #work(store: Store): Promise<void> {
    const { maker } = await replayed(this.#issued);
    let told: Promise<void> = Promise.resolve();
    for (let i = this.#dice.below(60); i > 0 && !this.#disk.hasDied; i -= 1) {
      const choices = Array.from({ length: this.#dice.below(6) }, () => {
        return [this.#dice.below(12), this.#dice.below(2_000)] as const;
      });
      if (this.#failedWith === undefined) told = this.#commit(store, maker, choices);
      else if (await this.#takesMore(store)) return;
      if (this.#dice.hits(400)) await this.#alive(told);
      if (this.#dice.hits(150)) await rest();
    }
    await this.#alive(told);
    if (this.#disk.hasDied) this.counts.deaths += 1;
  }

  /** A commit that was issued while the process was alive, and its acknowledgement. */
  #commit(store: Store, maker: WriteMaker, choices: Choices): Promise<void> {
    const writes = choices.map(([choice, size]) => maker.make(choice, size));
    const place = this.#issued.push(choices);
    this.counts.commits += 1;
    return store.commit(writes).then(
      () => {
        if (this.#failedWith !== undefined) this.fault = 'a commit behind one that failed is told';
        if (place !== this.#acknowledged + 1) this.fault = 'commits are told out of their order';
        this.#acknowledged = place;
      },
      (error) => {
        this.#failedWith ??= error;
      },
    );
  }

  /** After a failure the memory is ahead of the disk, so nothing may be taken any more. */
  async #takesMore(store: Store): Promise<boolean> {
    try {
      await this.#alive(store.commit([{ kind: 'cursor', name: 'a', value: 0 }]));
    } catch {
      return false;
    }
    if (!this.#disk.hasDied) this.fault = `it goes on behind ${String(this.#failedWith)}`;
    return true;
  }

  /** Anything else would be a log that the next process cannot read either. */
  #isOfDisk(error: unknown): boolean {
    return this.#disk.hasDied || /EIO|ENOSPC/.test(String(error));
  }

  /** What comes of the promise, or nothing if the process dies before. */
  async #alive<T>(promise: Promise<T>): Promise<T | undefined> {
    let result: { readonly value: T } | { readonly error: unknown } | undefined;
    promise.then(
      (value) => {
        result = { value };
      },
      (error) => {
        result = { error };
      },
    );
    for (let i = 0; result === undefined && i < 200_000; i += 1) {
      await new Promise(setImmediate);
      if (this.#disk.hasDied) break;
    }
    if (result === undefined && !this.#disk.hasDied) this.fault = 'it never comes to an end';
    if (result !== undefined && 'error' in result) throw result.error;
    return result?.value;
  }
}

async function replayed(commits: readonly Choices[]) {
  const model = new MemoryStore();
  const maker = new WriteMaker();
  for (const choices of commits) {
    await model.commit(choices.map(([choice, size]) => maker.make(choice, size)));
  }
  return { model, maker };
}

/** Long enough for what goes on beside the commits to come to something. */
async function rest(): Promise<void> {
  for (let round = 0; round < 60; round += 1) await new Promise(setImmediate);
}
