/** Messages that have arrived but were not processed yet, in order, with a bounded wait for more. */
import { awaited } from './awaited.ts';
import type { Incoming } from './received-message.ts';

/** If a counterparty sends more unexpected messages, the rest is dropped, but not the end of a connection. */
const maxWaiting = 20_000;
/** A timer is only this late on an overloaded machine. */
const starvedMs = 100;
const maxExtensions = 5;

export class Inbox {
  readonly #waiting: Incoming[] = [];
  #wake = () => {};
  #watcher: (incoming: Incoming) => void = () => {};

  /** Calls the watcher with each message on arrival, before it is taken. */
  watch(watcher: (incoming: Incoming) => void): void {
    this.#watcher = watcher;
  }

  /** The messages that were not taken yet. */
  get waiting(): readonly Incoming[] {
    return this.#waiting;
  }

  /** Puts the message back as the next one. */
  putBack(incoming: Incoming): void {
    this.#waiting.unshift(incoming);
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
    const hasRoom = this.#waiting.length < maxWaiting || incoming.kind === 'closed';
    if (hasRoom) this.#waiting.push(incoming);
    this.#wake();
  }

  /** Takes the first matching message, out of order if necessary; undefined after the time limit. */
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
      // If this process was suspended, the delay is its own: messages that arrived in the meantime have not been read
      // yet.
      const lateMs = performance.now() - untilMs;
      if (lateMs < starvedMs || extensions === maxExtensions) continue;
      extensions += 1;
      untilMs += 2 * lateMs;
    }
  }
}
