/**
 * Messages of clients on which a transaction threw (docs/decisions/0032-transactions.md). The bridge exits in that
 * case, and the message's number was not consumed, so the client sends it again. Without this list it would end every
 * following process. A message is identified by its session and content, because a repeated request has another number.
 */
import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** The part of a message that stays the same when its client sends it again. */
export type ContentOf = (message: Uint8Array) => string;

export interface Handled {
  readonly session: string;
  readonly message: Uint8Array;
  readonly contentOf: ContentOf;
}

/**
 * The messages of the current transaction. Their bytes may be overwritten before the end of the transaction, so they
 * are copied into one buffer that every transaction reuses: a transaction may have hundreds, and hardly any transaction
 * throws.
 */
export class HandledMessages {
  #bytes = Buffer.alloc(4_096);
  #length = 0;
  #places: { session: string; contentOf: ContentOf; start: number; end: number }[] = [];

  add(session: string, message: Uint8Array, contentOf: ContentOf): void {
    const start = this.#length;
    const end = start + message.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    this.#bytes.set(message, start);
    this.#length = end;
    this.#places.push({ session, contentOf, start, end });
  }

  clear(): void {
    if (this.#length > 0) this.#places = [];
    this.#length = 0;
  }

  all(): Handled[] {
    return this.#places.map(({ start, end, ...rest }) => ({
      ...rest,
      message: this.#bytes.subarray(start, end),
    }));
  }
}

const stream = 'set-aside';
/** Beyond this number the oldest are forgotten. */
const maxKept = 1_000;

export class SetAside {
  readonly #store: Store;
  readonly #kept: Set<string>;

  static async open(store: Store): Promise<SetAside> {
    const kept = await store.snapshot(stream);
    const names: readonly string[] =
      kept === undefined ? [] : JSON.parse(Buffer.from(kept.payload).toString());
    return new SetAside(store, names);
  }

  constructor(store: Store, kept: readonly string[] = []) {
    this.#store = store;
    this.#kept = new Set(kept);
  }

  has(session: string, message: Uint8Array, contentOf: ContentOf): boolean {
    return this.#kept.size > 0 && this.#kept.has(nameOf({ session, message, contentOf }));
  }

  /** The messages are durable when it resolves, because the process is about to exit. */
  async add(messages: readonly Handled[]): Promise<void> {
    if (messages.length === 0) return;
    for (const message of messages) this.#kept.add(nameOf(message));
    const payload = Buffer.from(JSON.stringify([...this.#kept].slice(-maxKept)));
    // Only the last record is used, so any position is fine.
    await this.#store.keepNow({ kind: 'snapshot', stream, position: 0, payload });
  }
}

function nameOf({ session, message, contentOf }: Handled): string {
  return `${session} ${createHash('sha256').update(contentOf(message)).digest('hex')}`;
}
