/**
 * Has a thread carry over into the tables what was appended to the front file: all that came within a while in one
 * transaction, and at once what a read waits for. The reads of a start do not wait for a thread that starts, too.
 */
import { Worker } from 'node:worker_threads';
import { beside } from '../runtime/beside.ts';
import { type CarryAnswer, carryOver } from './carry-over.ts';
import type { FrontFile, Uncarried } from './front-file.ts';
import type { FrontRow } from './schema.ts';
import type { SqliteTables, TableLimits } from './sqlite-tables.ts';
import { type Durability, StoreFailed } from './store.ts';

export interface CarrierSetup {
  readonly path: string;
  readonly owner: FrontRow;
  readonly durability: Durability;
  readonly limits: TableLimits;
}

export type CarrierAnswer = CarryAnswer | 'checkpointed';

/** What this thread has of the store. */
export interface CarrierParts {
  readonly front: FrontFile;
  readonly tables: SqliteTables;
}

export interface CarrierTold {
  /** There is no room for the tables to grow: true when there is some now. */
  makeRoom(): boolean;
  failed(error: StoreFailed): void;
}

interface Waiting {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How far the tables may lie behind while nobody reads: this long, or by so much. */
const patienceMs = 1_000;
const patienceBytes = 1024 ** 2;

export class Carrier {
  readonly #setup: CarrierSetup;
  readonly #front: FrontFile;
  readonly #tables: SqliteTables;
  readonly #told: CarrierTold;
  #thread: Worker | undefined;
  #underWay: Uncarried | undefined;
  #timer: NodeJS.Timeout | undefined;
  #carried = 0;
  #waiting: Waiting[] = [];
  #failure: StoreFailed | undefined;

  constructor(setup: CarrierSetup, { front, tables }: CarrierParts, told: CarrierTold) {
    this.#setup = setup;
    this.#front = front;
    this.#tables = tables;
    this.#told = told;
  }

  /** Something was appended. */
  look(): void {
    if (this.#underWay !== undefined) return;
    if (this.#front.uncarriedBytes > patienceBytes) this.#ask();
    else this.#timer ??= setTimeout(() => this.#ask(), patienceMs).unref();
  }

  /** Resolves when all that was appended until now is in the tables. */
  async all(): Promise<void> {
    const { sequence } = this.#front;
    if (sequence === this.#carried) return;
    await new Promise<void>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ sequence, resolve, reject });
      this.#carry();
    });
  }

  /** Resolves when the thread is there, while there are descriptors for it; a thread that cannot start is a failure. */
  async ready(): Promise<void> {
    if (this.#failure !== undefined || this.#thread !== undefined) return;
    const thread = this.#start();
    this.#thread = thread;
    await new Promise((resolve) => thread.once('online', resolve).once('exit', resolve));
    if (this.#underWay === undefined) thread.unref();
  }

  /** What is not carried over yet stays in the front file. */
  async close(): Promise<void> {
    this.#failure ??= new StoreFailed('the store is closed');
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread !== undefined) {
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.ref();
      // Asked, because a thread that is interrupted inside SQLite takes the process with it.
      thread.postMessage('close');
      await ended;
    }
    this.#refuse(this.#failure);
  }

  /** Nobody waits for it, so it is left to the thread. */
  #ask(): void {
    if (this.#failure === undefined) this.#thread ??= this.#start();
    this.#carry();
  }

  #carry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#underWay !== undefined || this.#failure !== undefined) return;
    this.#underWay = this.#front.uncarried();
    this.#send(this.#underWay);
  }

  #send(work: Uncarried): void {
    if (this.#thread === undefined) {
      this.#answered(carryOver(this.#tables, this.#setup.owner, work));
      return;
    }
    this.#thread.ref();
    this.#thread.postMessage(work);
  }

  #start(): Worker {
    const entry = beside(import.meta.url, 'carrier-thread');
    const thread = new Worker(entry, { workerData: this.#setup });
    thread.on('message', (answer: CarrierAnswer) => this.#answered(answer));
    thread.on('error', ({ message }) => this.#failed(message));
    thread.on('exit', () => {
      this.#thread = undefined;
      if (this.#failure === undefined) this.#failed('their thread has ended');
    });
    return thread;
  }

  #answered(answer: CarrierAnswer): void {
    const work = this.#underWay;
    if (typeof answer === 'object') this.#failed(answer.problem);
    else if (answer === 'checkpointed' || work === undefined) return;
    else if (answer === 'carried') this.#settle(work);
    else if (this.#told.makeRoom()) this.#send(work);
    else this.#failed('the disk or the data is full');
  }

  #settle(work: Uncarried): void {
    this.#rest();
    this.#front.carried(work);
    this.#carried = work.lastSequence;
    const isDone = ({ sequence }: Waiting) => sequence <= this.#carried;
    const done = this.#waiting.filter(isDone);
    this.#waiting = this.#waiting.filter((waiting) => !isDone(waiting));
    for (const { resolve } of done) resolve();
    if (this.#waiting.length > 0) this.#carry();
    else if (this.#front.sequence > this.#carried) this.look();
  }

  #failed(problem: string): void {
    this.#rest();
    const failure = new StoreFailed(`the store cannot write its tables: ${problem}`);
    this.#failure ??= failure;
    this.#refuse(failure);
    this.#told.failed(failure);
  }

  /** Nothing is under way: the thread does not keep the process, unless its end is waited for. */
  #rest(): void {
    this.#underWay = undefined;
    if (this.#failure === undefined) this.#thread?.unref();
  }

  #refuse(failure: StoreFailed): void {
    for (const { reject } of this.#waiting) reject(failure);
    this.#waiting = [];
  }
}
