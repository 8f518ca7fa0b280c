/**
 * Says whose records of a store will be read (docs/decisions/0219-a-token-is-believed-for-a-moment.md): an empty file
 * that an opening makes, and that the next one takes away before it reads. An owner looks for it behind what it has
 * written, and believes for a moment what it saw; so who takes it away reads only when that moment is long over.
 */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';

/** For so long an owner believes what it saw. */
export const believedMs = 10;
/** And twice as long does the next one wait: the clocks of two processes need not run alike. */
const waitMs = 2 * believedMs;

const tokenPath = (path: string, opening: number) => `${path}-front-${opening}-owner`;

export class OwnerToken {
  readonly #path: string;
  readonly #now: () => number;
  #seenMs = Number.NEGATIVE_INFINITY;

  /** `now` goes on while the process sleeps, and is asked behind each write. */
  constructor(path: string, opening: number, now = () => performance.now()) {
    this.#path = tokenPath(path, opening);
    this.#now = now;
    closeSync(openSync(this.#path, 'w', 0o600));
  }

  /** Whether what was written until now will be read by whoever opens the store next. */
  get isBelieved(): boolean {
    const now = this.#now();
    return now - this.#seenMs < believedMs || this.#look(now);
  }

  /** Whether nobody has taken it away. */
  get isThere(): boolean {
    return this.#look(this.#now());
  }

  #look(now: number): boolean {
    if (!existsSync(this.#path)) return false;
    this.#seenMs = now;
    return true;
  }
}

/** When this returns, what the owner of this opening still writes it does not believe in. */
export function takeToken(path: string, opening: number, wait = sleep): void {
  rmSync(tokenPath(path, opening), { force: true });
  wait(waitMs);
}

/** Nothing else runs in a process that opens its store. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
