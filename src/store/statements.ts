/** Statements of one connection, each prepared once. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Row } from './sqlite-rows.ts';

export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  of(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }

  get(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.of(sql).get(...values);
  }

  run(sql: string, ...values: (string | number | Uint8Array)[]): void {
    this.of(sql).run(...values);
  }

  /** The first column of a pragma's first row, whatever its name. */
  pragma(name: string): unknown {
    return Object.values(this.get(`PRAGMA ${name}`) ?? {})[0];
  }
}
