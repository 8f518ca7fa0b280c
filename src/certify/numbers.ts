/**
 * Both sequence numbers of the session, derived from what is sent. A scenario may send out of sequence; in that case
 * the counterparty's expectation counts instead of our own.
 */
import { fieldOf, isFlagged, numberOf, type ReceivedMessage } from './received-message.ts';
import { Resends } from './resends.ts';

export class Numbers {
  /** The number that the counterparty expects next. */
  nextOut = 1;
  /** The number that we expect next; undefined until the counterparty has logged on once. */
  nextIn: number | undefined;
  /** What the counterparty sent under its numbers. */
  readonly resends = new Resends();
  /** Numbers after a gap that have already arrived. */
  readonly #ahead = new Set<number>();
  /** The side that has requested a reset with 141=Y and has no response yet. */
  #asked: 'us' | 'them' | undefined;

  /** Both sides start at 1. */
  begin(): void {
    this.resends.forget();
    this.#ahead.clear();
    this.#asked = undefined;
    this.nextOut = 1;
    this.nextIn = 1;
  }

  sent(message: ReceivedMessage): void {
    const seq = numberOf(message, 34) ?? 0;
    if (isReset(message)) {
      this.#ahead.clear();
      this.nextOut = 2;
      if (this.#asked !== 'them') this.nextIn = 1;
      this.#asked = this.#asked === 'them' ? undefined : 'us';
    } else if (message.msgType === '4') this.#filled(seq, message);
    else if (seq === this.nextOut) this.#advance(seq + 1);
    else if (seq > this.nextOut) this.#ahead.add(seq);
  }

  /** Returns the fault of the number; otherwise counts it and returns undefined. */
  received(message: ReceivedMessage): string | undefined {
    const seq = numberOf(message, 34);
    if (seq === undefined || seq === 0) return 'no number from 1 on';
    if (isReset(message)) {
      this.resends.forget();
      this.nextIn = seq + 1;
      if (this.#asked !== 'us') this.nextOut = 1;
      this.#asked = this.#asked === 'us' ? undefined : 'them';
      return seq === 1 ? undefined : `1 with ResetSeqNumFlag(141)=Y, not ${seq}`;
    }
    if (message.msgType === '4' && !isFlagged(message, 123)) {
      this.nextIn = Math.max(this.nextIn ?? 1, numberOf(message, 36) ?? 0);
      return undefined;
    }
    if (isFlagged(message, 43) && seq < (this.nextIn ?? 1)) return undefined;
    if (message.msgType === 'A' && seq >= (this.nextIn ?? 1)) {
      this.nextIn = seq + 1;
      return undefined;
    }
    const expected = this.nextIn ?? seq;
    const next = message.msgType === '4' ? (numberOf(message, 36) ?? seq + 1) : seq + 1;
    if (seq >= expected) this.nextIn = Math.max(expected, next);
    return seq === expected ? undefined : `expected ${expected}, not ${seq}`;
  }

  #filled(seq: number, message: ReceivedMessage): void {
    const next = numberOf(message, 36) ?? 0;
    const isGapFill = isFlagged(message, 123);
    if (isGapFill && seq !== this.nextOut) return;
    if (next > this.nextOut) this.#advance(next);
  }

  #advance(to: number): void {
    this.nextOut = to;
    while (this.#ahead.delete(this.nextOut)) this.nextOut += 1;
    for (const seq of this.#ahead) if (seq < this.nextOut) this.#ahead.delete(seq);
  }
}

function isReset(message: ReceivedMessage): boolean {
  return message.msgType === 'A' && fieldOf(message, 141) === 'Y';
}
