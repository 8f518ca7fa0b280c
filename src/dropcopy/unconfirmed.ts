/** The batches of copies that a reader has been sent and has not confirmed. */
import { type Mark, shownAt } from './reader-state.ts';

/** By account: how far the copies had been sent with a batch. */
export type Marks = Readonly<Record<string, Mark>>;

interface Batch {
  /** The sequence numbers of its messages. */
  readonly fromSeq: number;
  readonly seq: number;
  readonly marks: Marks;
  /** Whether the peer rejected one of them: its engine has received it, but the reader has not processed it. */
  readonly isRejected: boolean;
}

/** How many batches are tracked separately; beyond this number, two are merged. */
const most = 1024;

export class Unconfirmed {
  #batches: Batch[] = [];

  get isRejected(): boolean {
    return this.#batches.some(({ isRejected }) => isRejected);
  }

  /** Everything that was sent before, by an earlier process, too, is one batch. */
  begin(seq: number, marks: Marks, isRejected: boolean): void {
    this.#batches = [{ fromSeq: 0, seq, marks, isRejected }];
  }

  add(fromSeq: number, seq: number, marks: Marks): void {
    const last = this.#batches.length < most ? undefined : this.#batches.pop();
    const isRejected = last?.isRejected ?? false;
    this.#batches.push({ fromSeq: last?.fromSeq ?? fromSeq, seq, marks, isRejected });
  }

  /** Removes what was received up to this number, except from the first rejected batch on; returns how far it goes. */
  takeTo(seq: number): Marks | undefined {
    const open = this.#batches.findIndex((batch) => batch.seq > seq || batch.isRejected);
    return this.#batches.splice(0, open === -1 ? this.#batches.length : open).at(-1)?.marks;
  }

  /** Returns false if the message is in none of them. */
  reject(seq: number): boolean {
    const at = this.#batches.findIndex((batch) => batch.fromSeq <= seq && seq <= batch.seq);
    const batch = this.#batches[at];
    if (batch === undefined) return false;
    this.#batches[at] = { ...batch, isRejected: true };
    return true;
  }

  /** Returns the mark of the last batch of an account with which nothing beyond this position was sent. */
  markTo(account: string, position: number): Mark | undefined {
    const last = this.#batches.findLast(({ marks }) => {
      const mark = marks[account];
      return mark !== undefined && shownAt(mark) <= position;
    });
    return last?.marks[account];
  }

  /** Removes the batches of which everything is acknowledged. */
  forget(acknowledged: (account: string) => number): void {
    this.#batches = this.#batches.filter(({ marks }) =>
      Object.entries(marks).some(([account, { position }]) => position > acknowledged(account)),
    );
  }

  clear(): void {
    this.#batches = [];
  }
}
