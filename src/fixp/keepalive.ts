/**
 * Silence, measured (FIXP 1.1, "Keepalive"): each side speaks within the interval that it announced. We speak when our
 * interval is over; a peer whose interval is over is warned once by our speaking up, and given up after another one.
 * Arithmetic on the monotonic clock, so that no step of the wall clock ends a session.
 */
export type Silence = 'none' | 'speak' | 'warn' | 'lapsed';

/** The peer is given up after so many of its intervals. */
const patience = 2;

export class Keepalive {
  #ourMs = 0;
  #theirMs = 0;
  #saidMs = 0;
  #heardMs = 0;
  #isWarned = false;

  start(ourMs: number, theirMs: number, monoMs: number): void {
    this.#ourMs = ourMs;
    this.#theirMs = theirMs;
    this.#saidMs = monoMs;
    this.#heardMs = monoMs;
    this.#isWarned = false;
  }

  said(monoMs: number): void {
    this.#saidMs = monoMs;
  }

  heard(monoMs: number): void {
    this.#heardMs = monoMs;
    this.#isWarned = false;
  }

  check(monoMs: number): Silence {
    if (monoMs >= this.#heardMs + patience * this.#theirMs) return 'lapsed';
    if (!this.#isWarned && monoMs >= this.#heardMs + this.#theirMs) {
      this.#isWarned = true;
      return 'warn';
    }
    return monoMs >= this.#saidMs + this.#ourMs ? 'speak' : 'none';
  }

  /** When `check` next has something to say. */
  get deadlineMs(): number {
    const theirs = this.#isWarned ? patience * this.#theirMs : this.#theirMs;
    return Math.min(this.#saidMs + this.#ourMs, this.#heardMs + theirs);
  }
}
