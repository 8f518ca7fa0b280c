/** Numbers the acts for all shards: in the database, or in the memory of the only node. */

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
  /** Returns the act with its number. An act gets only one number, however often it is added. */
  add(asked: AskedForAll): Promise<NumberedAct>;
  /** Returns the acts after this number in numeric order, including those of other nodes. */
  after(id: number): Promise<readonly NumberedAct[]>;
  /** Returns the records of the latest acts by shard, for all nodes. */
  done(): Promise<readonly ShardDone[]>;
}

/** A console page shows this many records. */
const maxDone = 50;

/** Queries the primary, one call at a time. */
export type AskDatabase = <T>(call: (connection: Connection) => Promise<T>) => Promise<T>;

export class DatabaseActLog implements ActLog {
  readonly #ask: AskDatabase;

  /** Acts must be as durable as the records of the shards. */
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
    const rows = await this.#ask((connection) => lastRecords(connection, sharedActStream, maxDone));
    return rows.map(({ payload, shard }) => ({ shard, ...readDone(payload) }));
  }
}

/** For a single node. It gets the records from its shards when they start, so nothing is lost with this process. */
export class LocalActLog implements ActLog {
  readonly #clock: Clock;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called with the number of an act that a shard has recorded. */
  seen(id: number): void {
    this.#last = Math.max(this.#last, id);
  }

  async add(asked: AskedForAll): Promise<NumberedAct> {
    const { wallMs } = this.#clock.now();
    // Numbers are times, so a shard that moves into a database keeps the order of its acts.
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
