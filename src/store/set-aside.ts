/**
 * Messages of clients on which a turn threw (docs/decisions/0221-a-turn-that-throws-ends-the-bridge.md). The bridge ends
 * then, and its number was not used up, so the client sends the message again: what threw once would end every process
 * after that one. A message is known by its session and its content, because a repeated request has another number.
 */
import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

export interface Handled {
  readonly session: string;
  readonly message: Uint8Array;
  /** What of a message stays the same when its client sends it again. */
  readonly contentOf: (message: Uint8Array) => string;
}

const stream = 'set-aside';
/** The oldest are forgotten beyond it. */
const mostKept = 1_000;

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

  has(handled: Handled): boolean {
    return this.#kept.size > 0 && this.#kept.has(nameOf(handled));
  }

  /** Written before it returns, because the process is about to end. */
  add(messages: readonly Handled[]): void {
    if (messages.length === 0) return;
    for (const message of messages) this.#kept.add(nameOf(message));
    const payload = Buffer.from(JSON.stringify([...this.#kept].slice(-mostKept)));
    // The last record counts; the position only has to be one.
    this.#store.keepNow({ kind: 'snapshot', stream, position: 0, payload });
  }
}

function nameOf({ session, message, contentOf }: Handled): string {
  return `${session} ${createHash('sha256').update(contentOf(message)).digest('hex')}`;
}
