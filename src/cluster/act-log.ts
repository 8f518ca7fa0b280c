/** Where the acts for all shards have their numbers: in the database, or in the memory of the only node. */

import {
  type AskedForAll,
  askedActShape,
  type DoneAct,
  type NumberedAct,
  readDone,
  sharedActStream,
} from '../gateway/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import { actsAfter, addAct, lastRecords } from '../store/postgres/acts.ts';
import type { Connection } from '../store/postgres/connection.ts';

export interface ShardDone extends DoneAct {
  readonly shard: string;
}

export interface ActLog {
  /** Returns it with its number; the same act has only one, however often it is added. */
  add(asked: AskedForAll): Promise<NumberedAct>;
  /** In the order of their numbers, those of other nodes too. */
  after(id: number): Promise<readonly NumberedAct[]>;
  /** What shards have recorded of the last acts, on all nodes. */
  done(): Promise<readonly ShardDone[]>;
}

/** As many as a page shows. */
const mostDone = 50;

/** Asks the primary, one call at a time. */
export type AskDatabase = <T>(call: (connection: Connection) => Promise<T>) => Promise<T>;

export class DatabaseActLog implements ActLog {
  readonly #ask: AskDatabase;

  /** What is added must be as durable as the records of the shards. */
  constructor(ask: AskDatabase) {
    this.#ask = ask;
  }

  async add(asked: AskedForAll): Promise<NumberedAct> {
    const numbers = await this.#ask((connection) => addAct(connection, asked.uid, asked));
    return { ...asked, ...numbers };
  }

  async after(id: number): Promise<readonly NumberedAct[]> {
    const rows = await this.#ask((connection) => actsAfter(connection, id));
    return rows.map(({ act, ...numbers }) => ({ ...askedActShape.parse(act), ...numbers }));
  }

  async done(): Promise<readonly ShardDone[]> {
    const rows = await this.#ask((connection) =>
      lastRecords(connection, sharedActStream, mostDone),
    );
    return rows.map(({ payload, shard }) => ({ shard, ...readDone(payload) }));
  }
}

/** The only node. What its shards have recorded it learns from them when they start, so nothing is lost with this process. */
export class LocalActLog implements ActLog {
  readonly #clock: Clock;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A shard knows an act with this number. */
  seen(id: number): void {
    this.#last = Math.max(this.#last, id);
  }

  async add(asked: AskedForAll): Promise<NumberedAct> {
    const { wallMs } = this.#clock.now();
    // Times, so that a shard that moves into a database keeps the order.
    this.#last = Math.max(Math.floor(wallMs), this.#last + 1);
    return { ...asked, id: this.#last, atMs: Math.floor(wallMs) };
  }

  async after(): Promise<readonly NumberedAct[]> {
    return [];
  }

  async done(): Promise<readonly ShardDone[]> {
    return [];
  }
}
