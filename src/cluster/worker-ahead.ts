/**
 * What a spare worker has read of the shard that it will probably get. It holds two database connections, so it is
 * discarded after a while.
 */
import type { LoadedConfig } from '../gateway/config-file.ts';
import { ReadAhead } from '../gateway/read-ahead.ts';
import type { Clock } from '../runtime/clock.ts';

/** After this time the shard most likely stays with its owner. */
export const aheadKeptMs = 30_000;

export class WorkerAhead {
  readonly #clock: Clock;
  #shard = '';
  #reading: Promise<ReadAhead | undefined> | undefined;
  #cancelDrop = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves once the shard is read, or cannot be. Errors are reported when the shard is opened. */
  async read(shard: string, load: () => LoadedConfig): Promise<void> {
    const { monoMs } = this.#clock.now();
    if (this.#shard !== shard) this.#drop();
    this.#shard = shard;
    this.#reading ??= (async () => ReadAhead.of(load()))().catch(() => undefined);
    this.#cancelDrop();
    this.#cancelDrop = this.#clock.at(monoMs + aheadKeptMs, () => this.#drop());
    await this.#reading;
  }

  /** Returns what was read, if it still fits the shard as it is configured now. */
  async of(shard: string, loaded: LoadedConfig): Promise<ReadAhead | undefined> {
    this.#cancelDrop();
    const ahead = this.#shard === shard ? await this.#reading : undefined;
    if (ahead?.isFor(loaded) === true) return ahead;
    this.#drop();
    return undefined;
  }

  #drop(): void {
    void this.#reading?.then((ahead) => ahead?.close());
    this.#reading = undefined;
  }
}
