/**
 * The embedded store: SQLite in WAL mode behind a thread. All commits that wait while the disk is busy go into the
 * next transaction together, so the price of one sync is shared (docs/decisions/0030-store-thread.md).
 */
import { Worker } from 'node:worker_threads';
import { sizeOf } from './schema.ts';
import type { Outcome, SqliteOptions } from './sqlite-file.ts';
import {
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Numbers,
  PositionConflict,
  type Room,
  type Store,
  StoreFailed,
  type Write,
} from './store.ts';

/** What the thread is asked. */
export type Ask =
  | { readonly kind: 'commit'; readonly commits: readonly (readonly Write[])[] }
  | { readonly kind: 'end' | 'snapshot'; readonly stream: string }
  | {
      readonly kind: 'read';
      readonly stream: string;
      readonly afterPosition: number;
      readonly limit: number;
    }
  | { readonly kind: 'numbers'; readonly session: string }
  | {
      readonly kind: 'messages';
      readonly session: string;
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly maxBytes: number;
    }
  | {
      readonly kind: 'held';
      readonly session: string;
      readonly afterPosition: number;
      readonly limit: number;
    }
  | { readonly kind: 'cursor'; readonly name: string }
  | { readonly kind: 'trim'; readonly session: string; readonly belowSeq: number }
  | { readonly kind: 'close' };

export interface Answer {
  /** The number of the ask; 0 tells that the file is open. */
  readonly id: number;
  readonly room: Room;
  readonly result?: unknown;
  readonly fault?: { readonly message: string; readonly record?: string };
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

interface Commit extends Waiting {
  readonly writes: readonly Write[];
}

export const defaultSqliteLimits = {
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  maxWaitingBytes: 256 * 1024 ** 2,
} as const;

export async function openSqliteStore(
  options: Pick<SqliteOptions, 'path' | 'durability'> & Partial<SqliteOptions>,
): Promise<Store> {
  const store = new SqliteStore({ ...defaultSqliteLimits, ...options });
  try {
    await store.opened;
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class SqliteStore implements Store {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #maxWaitingBytes: number;
  readonly #asked = new Map<number, Waiting>();
  #lastId = 0;
  #commits: Commit[] = [];
  #waitingBytes = 0;
  #isCommitting = false;
  #room: Room = 'plenty';
  #failure: Error | undefined;

  constructor(options: SqliteOptions) {
    this.#maxWaitingBytes = options.maxWaitingBytes;
    // The source and the built file lie side by side under the same name but for their ending.
    const entry = new URL(`./sqlite-worker${import.meta.url.slice(-3)}`, import.meta.url);
    this.#worker = new Worker(entry, { workerData: options });
    this.opened = new Promise((resolve, reject) => this.#asked.set(0, { resolve, reject }));
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
    this.#worker.on('error', (error: Error) => this.#fail(new StoreFailed(error.message)));
    this.#worker.on('exit', () => this.#fail(new StoreFailed('the store is closed')));
  }

  commit(writes: readonly Write[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#commits.push({ writes: writes.map(exact), resolve, reject });
      for (const write of writes) this.#waitingBytes += sizeOf(write);
      if (!this.#isCommitting) this.#commitNext();
      else if (this.#waitingBytes > this.#maxWaitingBytes)
        this.#fail(new StoreFailed(`the disk does not keep up: ${this.#waitingBytes} bytes wait`));
    });
  }

  room(): Room {
    return this.#room;
  }

  end(stream: string): Promise<number> {
    return this.#ask({ kind: 'end', stream });
  }

  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]> {
    return this.#ask({ kind: 'read', stream, afterPosition, limit });
  }

  snapshot(stream: string): Promise<JournalRecord | undefined> {
    return this.#ask({ kind: 'snapshot', stream });
  }

  numbers(session: string): Promise<Numbers> {
    return this.#ask({ kind: 'numbers', session });
  }

  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    return this.#ask({ kind: 'messages', session, fromSeq, toSeq, maxBytes });
  }

  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]> {
    return this.#ask({ kind: 'held', session, afterPosition, limit });
  }

  cursor(name: string): Promise<number | undefined> {
    return this.#ask({ kind: 'cursor', name });
  }

  trim(session: string, belowSeq: number): Promise<void> {
    return this.#ask({ kind: 'trim', session, belowSeq });
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) await this.#ask({ kind: 'close' });
    // A thread that lives on would keep the process.
    await this.#worker.terminate();
  }

  /** Reads come after all commits made before them, so a group that still gathers is sent first. */
  #ask<T>(ask: Ask): Promise<T> {
    if (this.#commits.length > 0) this.#commitNext();
    return this.#send<T>(ask);
  }

  #send<T>(ask: Ask): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#lastId += 1;
      this.#asked.set(this.#lastId, { resolve, reject });
      this.#worker.postMessage({ id: this.#lastId, ask });
    });
  }

  #commitNext(): void {
    const group = this.#commits;
    this.#commits = [];
    this.#waitingBytes = 0;
    this.#isCommitting = true;
    this.#send<readonly Outcome[]>({
      kind: 'commit',
      commits: group.map(({ writes }) => writes),
    }).then(
      (outcomes) => {
        this.#isCommitting = false;
        if (this.#commits.length > 0) this.#commitNext();
        settle(group, outcomes);
      },
      (error: Error) => {
        this.#fail(error);
        for (const { reject } of group) reject(error);
      },
    );
  }

  #answered({ id, room, result, fault }: Answer): void {
    this.#room = room;
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    if (fault === undefined) {
      waiting?.resolve(result as never);
      return;
    }
    const error = errorOf(fault);
    if (id === 0) this.#failure = error;
    waiting?.reject(error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of [...this.#asked.values(), ...this.#commits]) reject(this.#failure);
    this.#asked.clear();
    this.#commits = [];
  }
}

function settle(group: readonly Commit[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const conflict = outcomes[index];
    if (conflict === undefined) resolve(undefined as never);
    else reject(new PositionConflict(conflict.stream, conflict.expected, conflict.actual));
  }
}

function errorOf({ message, record }: NonNullable<Answer['fault']>): Error {
  return record === undefined ? new StoreFailed(message) : new CorruptRecord(record, message);
}

/** A view of a larger buffer would be sent to the thread with all of that buffer. */
function exact(write: Write): Write {
  switch (write.kind) {
    case 'append':
    case 'snapshot':
      return { ...write, payload: exactBytes(write.payload) };
    case 'messages':
    case 'hold':
      return { ...write, bytes: exactBytes(write.bytes) };
    case 'numbers':
    case 'reset':
    case 'mark':
    case 'cursor':
    case 'forget':
      return write;
  }
}

function exactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
