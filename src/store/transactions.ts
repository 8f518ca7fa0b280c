/**
 * Record, then transmit (docs/ARCHITECTURE.md, "Durability"). A transaction is one synchronous call into the bridge:
 * bytes from a client, an event of the venue, or a timer. Everything that it records becomes one commit, and everything
 * that must wait for the record runs when the commit is durable, in the order of the transactions.
 */
import { Latency, nowUs } from '../runtime/latency.ts';
import { type ContentOf, type Handled, HandledMessages, SetAside } from './set-aside.ts';
import type { HeldMessage, KeptMessage, Store, Write } from './store.ts';

/**
 * A transaction threw, so memory is in an intermediate state. The owner exits when `onFailure` is called, which is
 * after the messages of the transaction have been set aside.
 */
export class TransactionFailed extends Error {}

/** Held messages are returned in pieces, so that a long queue never fills the memory. */
const heldAtOnce = 256;

export class Transactions {
  readonly store: Store;
  /** The time from the end of a transaction until its commit is durable. */
  readonly commits = new Latency();
  readonly #onFailure: (error: unknown) => void;
  readonly #aside: SetAside;
  #open = false;
  #writes: Write[] = [];
  #settling: (() => void)[] = [];
  #afterWrite: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  readonly #handled = new HandledMessages();
  #failure: TransactionFailed | undefined;
  #uncommitted = 0;
  #isOver = false;
  #startedUs = 0;

  /**
   * `onFailure` ends the process: memory is ahead of the disk after a failed commit, or inconsistent after an
   * exception.
   */
  constructor(
    store: Store,
    onFailure: (error: unknown) => void,
    aside: SetAside = new SetAside(store),
  ) {
    this.store = store;
    this.#onFailure = onFailure;
    this.#aside = aside;
  }

  /** When the current transaction started, which is when its input arrived. */
  get startedUs(): number {
    return this.#startedUs;
  }

  /** The number of transactions whose commit is not durable yet. */
  get uncommitted(): number {
    return this.#uncommitted;
  }

  /**
   * Runs `call` as a transaction, or as part of the current transaction. After a transaction that threw, no other runs.
   */
  run<T>(call: () => T): T {
    if (this.#open) return call();
    if (this.#failure !== undefined) throw this.#failure;
    this.#open = true;
    this.#startedUs = nowUs();
    let isSettling = false;
    let result: T;
    try {
      result = call();
      isSettling = true;
      // A callback may add writes and further callbacks.
      for (let i = 0; i < this.#settling.length; i += 1) this.#settling[i]?.();
    } catch (error) {
      const handled = this.#handled.all();
      throw this.#broken(error, isSettling ? handled : handled.slice(-1));
    } finally {
      this.#open = false;
    }
    this.#commit();
    return result;
  }

  /**
   * Within a transaction: a client's message is about to be handled. Returns false if a transaction threw on this
   * message before.
   */
  takes(session: string, message: Uint8Array, contentOf: ContentOf): boolean {
    if (this.#aside.has(session, message, contentOf)) return false;
    this.#handled.add(session, message, contentOf);
    return true;
  }

  /** Within a transaction: adds a write to its commit. */
  write(write: Write): void {
    this.#assertOpen();
    this.#writes.push(write);
  }

  /** Within a transaction: the callback runs once at its end, while writes may still be added. */
  atEnd(settle: () => void): void {
    this.#assertOpen();
    this.#settling.push(settle);
  }

  /**
   * Within a transaction: the callback runs when its commit would survive the end of this process; only `after` means
   * that it would survive a power loss. The next start may repeat work that starts here, so its results must not leave
   * the bridge yet.
   */
  afterWrite(callback: () => void): void {
    this.#assertOpen();
    this.#afterWrite.push(callback);
  }

  /** Within a transaction: the callback runs when its commit, and all commits before it, are durable. */
  after(callback: () => void): void {
    this.#assertOpen();
    this.#waiting.push(callback);
  }

  /** Behaves from now on as if the process had ended: nothing is recorded, so nothing is sent. */
  close(): void {
    this.#isOver = true;
  }

  async stored(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<{ readonly messages: readonly KeptMessage[]; readonly oldestKept: number }> {
    const messages = await this.store.messages(session, fromSeq, toSeq, maxBytes);
    const { oldestKept } = await this.store.numbers(session);
    return { messages, oldestKept };
  }

  held(session: string, afterPosition: number): Promise<readonly HeldMessage[]> {
    return this.store.held(session, afterPosition, heldAtOnce);
  }

  #commit(): void {
    const writes = this.#writes;
    const written = this.#afterWrite;
    const waiting = this.#waiting;
    this.#forget();
    if (this.#isOver || writes.length + written.length + waiting.length === 0) return;
    if (writes.length === 0 && this.#uncommitted === 0) {
      for (const callback of [...written, ...waiting]) callback();
      return;
    }
    this.#uncommitted += 1;
    const askedUs = nowUs();
    const onWritten = () => {
      if (!this.#isOver) for (const callback of written) callback();
    };
    // A transaction that sends nothing may be lost in a crash, as if its input had not arrived.
    const mayWait = written.length + waiting.length === 0;
    this.store.commit(writes, { onWritten, mayWait }).then(
      () => {
        this.commits.observe(nowUs() - askedUs);
        this.#release(waiting);
      },
      (error) => this.#fail(error),
    );
  }

  #release(waiting: readonly (() => void)[]): void {
    this.#uncommitted -= 1;
    if (this.#isOver) return;
    for (const callback of waiting) callback();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onFailure(error);
  }

  /** It is not known on which message of a transaction it threw, so all of them are set aside. */
  #broken(error: unknown, messages: readonly Handled[]): unknown {
    this.#forget();
    if (this.#isOver) return error;
    this.#isOver = true;
    const text = `a transaction threw: ${reasonOf(error)}`;
    const about = messages.map(({ session }) => session);
    const aside = about.length === 0 ? '' : `; set aside: a message of ${about.join(', ')}`;
    const fail = (outcome: string) =>
      this.#onFailure(new TransactionFailed(text + outcome, { cause: error }));
    this.#aside.add(messages).then(
      () => fail(aside),
      (problem) => fail(`; what it was about could not be set aside: ${reasonOf(problem)}`),
    );
    this.#failure = new TransactionFailed(text, { cause: error });
    return this.#failure;
  }

  #forget(): void {
    this.#writes = [];
    this.#settling = [];
    this.#afterWrite = [];
    this.#waiting = [];
    this.#handled.clear();
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error('a record was made outside of a transaction');
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
