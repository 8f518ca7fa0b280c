/** Messages that have arrived and were not read yet, in order, with a bounded wait for more. */
import { awaited } from './awaited.ts';
import type { Incoming } from './received-message.ts';

/** If a counterparty sends more than this unasked, the rest is not kept. */
const mostWaiting = 20_000;
/** A timer is late by this much only on a machine that has no time for us. */
const starvedMs = 100;
const mostExtensions = 5;

export class Inbox {
  readonly #waiting: Incoming[] = [];
  #wake = () => {};
  #watcher: (incoming: Incoming) => void = () => {};

  /** Called with each one as it comes, before anybody takes it. */
  watch(watcher: (incoming: Incoming) => void): void {
    this.#watcher = watcher;
  }

  /** The messages that were not taken yet. */
  get waiting(): readonly Incoming[] {
    return this.#waiting;
  }

  /** Comes next again. */
  putBack(incoming: Incoming): void {
    this.#waiting.unshift(incoming);
  }

  /** As `take`, but gives up as soon as something else is pending that will not go away. */
  async glance(
    isWanted: (incoming: Incoming) => boolean,
    isPending: (incoming: Incoming) => boolean,
    endMs: number,
    signal: AbortSignal,
  ): Promise<Incoming | undefined> {
    const found = await this.take(isPending, endMs, signal);
    if (found === undefined || isWanted(found)) return found;
    this.putBack(found);
    return undefined;
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  drop(isUnwanted: (incoming: Incoming) => boolean): void {
    const kept = this.#waiting.filter((incoming) => !isUnwanted(incoming));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
  }

  push(incoming: Incoming): void {
    this.#watcher(incoming);
    if (this.#waiting.length < mostWaiting) this.#waiting.push(incoming);
    this.#wake();
  }

  /** The first that is wanted, out of its turn if need be; undefined when the time is over. */
  async take(
    isWanted: (incoming: Incoming) => boolean,
    endMs: number,
    signal: AbortSignal,
  ): Promise<Incoming | undefined> {
    let untilMs = endMs;
    for (let extensions = 0; ; ) {
      const index = this.#waiting.findIndex(isWanted);
      if (index >= 0) return this.#waiting.splice(index, 1)[0];
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0 || signal.aborted) return undefined;
      await awaited(leftMs, signal, (wake) => {
        this.#wake = wake;
      });
      // While this process did not run, nobody was late but itself: what came meanwhile has not been read yet.
      const lateMs = performance.now() - untilMs;
      if (lateMs < starvedMs || extensions === mostExtensions) continue;
      extensions += 1;
      untilMs += 2 * lateMs;
    }
  }
}
