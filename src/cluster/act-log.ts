/** Numbers the acts for all shards: in the database, or in the memory of the only node. */

import { z } from 'zod';
import {
  type AskedForAll,
  askedActShape,
  type DoneAct,
  type NumberedAct,
  readDone,
  sharedActStream,
} from '../gateway/operator/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';
import { actsAfter, addAct, lastRecords } from '../store/postgres/acts.ts';
import { type Connection, sqlStateOf } from '../store/postgres/connection.ts';

export interface ShardDone extends DoneAct {
  readonly shard: string;
}

export interface ActLog {
  /**
   * Returns the act with its number. An act gets only one number, however often it is added. Returns undefined if it
   * can never be stored.
   */
  add(asked: AskedForAll): Promise<NumberedAct | undefined>;
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
  readonly #alarm: RaiseAlarm;
  /** The number of the last act with an alarm because it is not readable. */
  #unreadable = 0;

  /** Acts must be as durable as the records of the shards. */
  constructor(ask: AskDatabase, alarm: RaiseAlarm) {
    this.#ask = ask;
    this.#alarm = alarm;
  }

  async add(asked: AskedForAll): Promise<NumberedAct | undefined> {
    try {
      const numbers = await this.#ask((connection) => addAct(connection, asked.uid, asked));
      return { ...asked, ...numbers };
    } catch (error) {
      // A data exception: the database would refuse this act, and with it all later ones, for ever.
      if (sqlStateOf(error)?.startsWith('22') !== true) throw error;
      this.#lost(`the ${asked.act.kind} of ${asked.by.who} cannot be stored`, `${error}`);
      return undefined;
    }
  }

  async after(id: number): Promise<readonly NumberedAct[]> {
    const rows = await this.#ask((connection) => actsAfter(connection, id));
    return rows.flatMap(({ act, ...numbers }) => {
      const read = askedActShape.safeParse(act);
      if (read.success) return [{ ...read.data, ...numbers }];
      // A kill switch that comes after it must not wait for it.
      if (numbers.id > this.#unreadable) {
        this.#unreadable = numbers.id;
        this.#lost(`act ${numbers.id} cannot be read`, z.prettifyError(read.error));
      }
      return [];
    });
  }

  async done(): Promise<readonly ShardDone[]> {
    const rows = await this.#ask((connection) => lastRecords(connection, sharedActStream, maxDone));
    return rows.map(({ payload, shard }) => ({ shard, ...readDone(payload) }));
  }

  #lost(what: string, why: string): void {
    this.#alarm(`${what}, so no shard confirms it: ${why}`, { event: 'act_unconfirmed' });
  }
}

/** For a single node. It gets the records from its shards when they start, so nothing is lost with this process. */
export class LocalActLog implements ActLog {
  readonly #clock: Clock;
  /** Shards that have not reported their records yet. A shard ignores an act that is numbered below its last one. */
  readonly #unheard: Set<string>;
  #last = 0;

  constructor(clock: Clock, shards: readonly string[]) {
    this.#clock = clock;
    this.#unheard = new Set(shards);
  }

  /** Called when the numbers of all acts that the shard has recorded have been passed to `seen`. */
  heard(shard: string): void {
    this.#unheard.delete(shard);
  }

  /** Called with the number of an act that a shard has recorded. */
  seen(id: number): void {
    this.#last = Math.max(this.#last, id);
  }

  /** Throws until every shard has been heard. */
  async add(asked: AskedForAll): Promise<NumberedAct> {
    if (this.#unheard.size > 0) {
      const names = [...this.#unheard].join(', ');
      throw new Error(`the act waits for its number until these shards are served: ${names}`);
    }
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
