/**
 * The session ids that a FIXP client has left for a new one: it asks for what was sent under them and did not arrive
 * (docs/FIXP.md). What was never sent comes first under the new id, and is in the range of the old one, too.
 */
import type { JsonObject } from '../../src/sbe/json.ts';

interface Earlier {
  readonly sessionId: readonly number[];
  nextIn: number;
  /** Known once a request was refused with the numbers that exist. */
  last: number | undefined;
}

/** More than there are, so that the answer says how many there are. */
const tooMany = 60_000;
const atOnce = 1_000;

export class EarlierIds {
  readonly #left: Earlier[] = [];
  /** The bytes that came under earlier ids after those were left. */
  readonly #fetched = new Set<string>();
  #isAsking = false;
  #askedFrom = 0;

  /** Whether something is still to come before what the present id has. */
  get isWaiting(): boolean {
    return this.#left.length > 0;
  }

  leave(sessionId: readonly number[], nextIn: number): void {
    this.#left.push({ sessionId, nextIn, last: undefined });
  }

  /** It has all of the last one, so what comes again from now on comes on purpose. */
  forget(): void {
    this.#fetched.clear();
  }

  /** A connection begins. */
  begin(): void {
    this.#isAsking = false;
  }

  /** The request for the next messages, unless one is under way. */
  next(): JsonObject | undefined {
    const [first] = this.#left;
    if (first === undefined || (this.#isAsking && !this.#isAnswered(first))) return undefined;
    if (first.last !== undefined && first.nextIn > first.last) {
      this.#left.shift();
      this.#isAsking = false;
      return this.next();
    }
    this.#isAsking = true;
    this.#askedFrom = first.nextIn;
    const count = first.last === undefined ? tooMany : first.last - first.nextIn + 1;
    return {
      SessionId: [...first.sessionId],
      FromSeqNo: first.nextIn,
      Count: first.last === undefined ? count : Math.min(atOnce, count),
    };
  }

  #isAnswered({ nextIn }: Earlier): boolean {
    return nextIn > this.#askedFrom;
  }

  /** False where it was not about an earlier id. */
  refused(reason: string): boolean {
    const [first] = this.#left;
    if (first === undefined || !this.#isAsking) return false;
    const [, from, to] = /the numbers (\d+) to (-?\d+)/.exec(reason) ?? [];
    first.last = first.last === undefined && to !== undefined ? Number(to) : first.nextIn - 1;
    first.nextIn = Math.max(first.nextIn, Number(from ?? 0));
    this.#isAsking = false;
    return true;
  }

  /** Whether a message under an earlier id is heard for the first time. */
  isNew(number: number, bytes: string): boolean {
    const [first] = this.#left;
    if (first === undefined || number < first.nextIn) return false;
    first.nextIn = number + 1;
    const isNew = !this.#fetched.has(bytes);
    this.#fetched.add(bytes);
    return isNew;
  }

  /** Whether it came under an earlier id. */
  hadAlready(bytes: string): boolean {
    return bytes !== '' && this.#fetched.has(bytes);
  }
}
