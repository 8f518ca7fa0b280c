/**
 * What a spare worker has read of the shard that it will probably get. It holds two database connections, so it is
 * discarded after a while.
 */

import { ReadAhead } from '../gateway/account/read-ahead.ts';
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import { greetSigner } from '../gateway/signing.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';

/** After this time the shard most likely stays with its owner. */
export const aheadKeptMs = 30_000;
/** A signer that runs has answered by then, and the node that gives the shard up waits for the answer. */
const greetingMs = 5_000;

export class WorkerAhead {
  readonly #clock: Clock;
  #shard = '';
  #reading: Promise<ReadAhead> | undefined;
  #cancelDrop = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves once the shard is read and its signer has answered; throws if this worker could not serve it. */
  async read(shard: string, loaded: LoadedConfig, alarm: RaiseAlarm): Promise<void> {
    const { monoMs } = this.#clock.now();
    if (this.#shard !== shard) this.#drop();
    this.#shard = shard;
    this.#reading ??= ReadAhead.of(loaded);
    const reading = this.#reading;
    // What could not be read is read again when it is asked for again.
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#cancelDrop();
    this.#cancelDrop = this.#clock.at(monoMs + aheadKeptMs, () => this.#drop());
    const { profile } = await reading;
    await greetSigner(loaded, profile, alarm, greetingMs);
  }

  /** Returns what was read, if it still fits the shard as it is configured now. */
  async of(shard: string, loaded: LoadedConfig): Promise<ReadAhead | undefined> {
    this.#cancelDrop();
    const reading = this.#shard === shard ? this.#reading : undefined;
    const ahead = await reading?.catch(() => undefined);
    if (ahead?.isFor(loaded) === true) return ahead;
    this.#drop();
    return undefined;
  }

  #drop(): void {
    void this.#reading?.then((ahead) => ahead.close()).catch(() => {});
    this.#reading = undefined;
  }
}
