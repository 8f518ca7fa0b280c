/**
 * The durable journal of one account's copies (docs/DROPCOPY.md): one record per copy, written in the transaction of
 * the report, so that the report to the client and its copies are one commit. Each reader follows the journal at its
 * own position; the newest copies are in memory. Retention is limited by count and by age.
 */
import type { Transactions } from '../store/transactions.ts';
import { type Copy, type CopyFacts, decodeCopy, encodeCopy, leanCopy } from './copy.ts';

export interface Retention {
  readonly copies: number;
  readonly ms: number;
}

/** How many of the newest copies are in memory. */
const maxRecent = 4096;
/** The position from which a start checks the journal. */
const snapshotEvery = 4096;
/** The maximum number of records that one transaction removes. */
const maxForgotten = 1000;

export class CopyJournal {
  /** The alias of the account, as in Account(1). */
  readonly account: string;
  /** The position of the last end of a day; 0 before the first. */
  dayEnd = 0;
  readonly #transactions: Transactions;
  readonly #stream: string;
  #first = 1;
  #end = 0;
  /** The newest copies; at least one as soon as there are any. */
  #recent: Copy[] = [];
  #snapshotAt = 0;

  /** `key` identifies the account in the store. */
  static async open(
    transactions: Transactions,
    account: string,
    key: string,
  ): Promise<CopyJournal> {
    const stream = `copies/${key}`;
    const { store } = transactions;
    const journal = new CopyJournal(transactions, account, stream);
    const end = await store.end(stream);
    const [oldest] = await store.read(stream, 0, 1);
    const snapshot = await store.snapshot(stream);
    journal.#first = oldest?.position ?? 1;
    journal.#end = end;
    journal.dayEnd = (await store.cursor(`${stream}/day`)) ?? 0;
    journal.#snapshotAt = snapshot?.position ?? 0;
    journal.#keepRecent(await journal.read(Math.max(0, end - maxRecent), maxRecent));
    return journal;
  }

  private constructor(transactions: Transactions, account: string, stream: string) {
    this.#transactions = transactions;
    this.account = account;
    this.#stream = stream;
  }

  /** The position of the oldest copy that is kept. */
  get first(): number {
    return this.#first;
  }

  /** The position of the newest copy; 0 before the first. */
  get end(): number {
    return this.#end;
  }

  /** Called within a transaction. `seq` is the position in the account's stream. */
  append(facts: CopyFacts, seq: number, nowMs: number): void {
    const last = this.#recent.at(-1);
    const atMs = Math.max(nowMs, last?.atMs ?? 0);
    const reached = Math.max(seq, last?.seq ?? 0);
    const kept = leanCopy(facts);
    const payload = encodeCopy(kept, atMs, reached);
    this.#transactions.write({
      kind: 'append',
      stream: this.#stream,
      expected: this.#end,
      payload,
    });
    this.#keepRecent([{ ...kept, position: this.#end + 1, atMs, seq: reached }]);
    this.#end += 1;
    if (facts.kind === 'day') {
      this.dayEnd = this.#end;
      this.#transactions.write({ kind: 'cursor', name: `${this.#stream}/day`, value: this.#end });
    }
    if (this.#end - this.#snapshotAt >= snapshotEvery) this.#snapshot(this.#end);
  }

  /** Returns at most `limit` copies after a position, if memory has them. */
  recent(after: number, limit: number): readonly Copy[] | undefined {
    const start = after - (this.#end - this.#recent.length);
    return start < 0 ? undefined : this.#recent.slice(start, start + limit);
  }

  /** Returns at most `limit` copies after a position, from memory or the store. */
  async read(after: number, limit: number): Promise<readonly Copy[]> {
    const records = await this.#transactions.store.read(this.#stream, after, limit);
    return records.map(({ payload, position }) => decodeCopy(payload, position, this.#stream));
  }

  /** Returns the first kept position whose copy is `reached`, or one after the end, by binary search. */
  async search(reached: (copy: Copy) => boolean): Promise<number> {
    let low = this.#first;
    let high = this.#end + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [copy] = await this.read(middle - 1, 1);
      if (copy !== undefined && !reached(copy)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Removes some copies beyond retention, but not the newest; returns whether there are more. Not for use in a
   * transaction.
   */
  async retain({ copies, ms }: Retention, nowMs: number): Promise<boolean> {
    const byCount = this.#end - copies;
    const byAge = (await this.search(({ atMs }) => atMs > nowMs - ms)) - 1;
    const upTo = Math.min(Math.max(byCount, byAge), this.#end - 1);
    if (upTo < this.#first) return false;
    const position = Math.min(upTo, this.#first + maxForgotten - 1);
    this.#transactions.run(() => {
      if (position > this.#snapshotAt) this.#snapshot(position);
      this.#transactions.write({ kind: 'forget', stream: this.#stream, position });
    });
    this.#first = position + 1;
    return position < upTo;
  }

  #snapshot(position: number): void {
    const payload = Buffer.from('{}');
    this.#transactions.write({ kind: 'snapshot', stream: this.#stream, position, payload });
    this.#snapshotAt = position;
  }

  #keepRecent(copies: readonly Copy[]): void {
    this.#recent.push(...copies);
    // Many are dropped at a time, so that a full list is not shifted at each copy.
    if (this.#recent.length > maxRecent * 1.5) this.#recent = this.#recent.slice(-maxRecent);
  }
}
