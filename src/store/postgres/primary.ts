/** A connection to the primary for occasional queries. It prefers no answer to that of an old primary. */
import { OneAtATime } from '../../runtime/one-at-a-time.ts';
import type { Durability } from '../store.ts';
import { type Connection, connectToPrimary, type DatabasePlace, within } from './connection.ts';

export interface PrimaryOptions {
  readonly place: DatabasePlace;
  /** The durability of writes on this connection. */
  readonly durability?: Durability;
  /** The maximum time for an answer. */
  readonly answerMs?: number;
}

export class Primary {
  readonly #options: Required<PrimaryOptions>;
  readonly #oneAtATime = new OneAtATime();
  #connection: Connection | undefined;
  #timeline = 0;

  constructor(options: PrimaryOptions) {
    this.#options = { durability: 'process', answerMs: 2_000, ...options };
  }

  /** Throws `ConnectionLost` if no primary answers in time; the next call connects again. */
  ask<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    const { answerMs, durability, place } = this.#options;
    return this.#oneAtATime.run(async () => {
      if (this.#connection?.lost !== undefined) this.#connection = undefined;
      const timeline = this.#timeline;
      this.#connection ??= await connectToPrimary(place, durability, { timeline });
      this.#timeline = this.#connection.timeline;
      return await within(this.#connection, answerMs, call(this.#connection));
    });
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.#connection = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
