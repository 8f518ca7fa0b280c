/** Runs seeds of legal streams in a thread, one after the other. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { noCounts } from './stream-counts.ts';
import type { StreamResult, StreamTask } from './stream-worker.ts';

/** A thread keeps some memory of each seed, so a new one takes its place after so many. */
const seedsOfThread = 100;

export class StreamRunner {
  readonly #file: string;
  #worker: Worker | undefined;
  #seeds = 0;
  #settle: (result: StreamResult) => void = () => {};

  /** `root`: the sources that are run. */
  constructor(root: string) {
    this.#file = join(root, 'test/simulation/stream-worker.ts');
  }

  /** What ends the thread itself is a fault of the seed, too. */
  async run(task: StreamTask): Promise<StreamResult> {
    if (this.#seeds === seedsOfThread) await this.close();
    this.#seeds += 1;
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve) => {
      this.#settle = (result) => resolve({ ...result, seed: task.seed });
      worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#seeds = 0;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 3_000 },
    });
    const died = (reason: string) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle({ seed: 0, counts: noCounts(), faults: [`its thread ended: ${reason}`] });
    };
    worker.on('message', (result) => this.#settle(result));
    worker.on('error', (error) => died(error instanceof Error ? `${error.stack}` : `${error}`));
    worker.on('exit', (code) => died(`exit code ${code}`));
    this.#worker = worker;
    return worker;
  }
}
