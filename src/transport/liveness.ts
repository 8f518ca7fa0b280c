/**
 * Tracks how long each side has been silent. We send a message when our interval ends. A silent peer gets one test
 * request, and is disconnected later. All arithmetic is on the monotonic clock, so that no step of the wall clock ends
 * a session.
 */
export type Silence = 'none' | 'speak' | 'warn' | 'lapsed';

/** The differences between FIX and FIXP. */
export interface LivenessRules {
  /** In multiples of the peer's interval. */
  readonly warnAfter: number;
  readonly lapsedAfter: number;
  /** Whether our test request replaces our regular heartbeat. */
  readonly isQuietOnceWarned: boolean;
}

/** FIX 4.4 volume 2, "Heartbeat", "Test Request": TestRequest(1) after 1.2 of HeartBtInt(108), disconnect after 2.4. */
export const fixLiveness: LivenessRules = {
  warnAfter: 1.2,
  lapsedAfter: 2.4,
  isQuietOnceWarned: true,
};

/** FIXP 1.1, "Keepalive": each side sends something within the interval that it announced. */
export const fixpLiveness: LivenessRules = {
  warnAfter: 1,
  lapsedAfter: 2,
  isQuietOnceWarned: false,
};

export class Liveness {
  readonly #rules: LivenessRules;
  #ourMs = 0;
  #theirMs = 0;
  #sentMs = 0;
  #receivedMs = 0;
  #isWarned = false;

  constructor(rules: LivenessRules) {
    this.#rules = rules;
  }

  /** Intervals of zero disable it. */
  start(ourMs: number, theirMs: number, monoMs: number): void {
    this.#ourMs = ourMs;
    this.#theirMs = theirMs;
    this.#sentMs = monoMs;
    this.received(monoMs);
  }

  sent(monoMs: number): void {
    this.#sentMs = monoMs;
  }

  received(monoMs: number): void {
    this.#receivedMs = monoMs;
    this.#isWarned = false;
  }

  /** Returns `warn` once for each silence of the peer. */
  check(monoMs: number): Silence {
    const { warnAfter, lapsedAfter } = this.#rules;
    if (monoMs < this.deadlineMs) return 'none';
    if (monoMs >= this.#receivedMs + lapsedAfter * this.#theirMs) return 'lapsed';
    if (this.#isWarned || monoMs < this.#receivedMs + warnAfter * this.#theirMs) return 'speak';
    this.#isWarned = true;
    return 'warn';
  }

  /** The time at which `check` will next return something other than `none`. */
  get deadlineMs(): number {
    if (this.#theirMs === 0) return Number.POSITIVE_INFINITY;
    const { warnAfter, lapsedAfter, isQuietOnceWarned } = this.#rules;
    const theirs = this.#receivedMs + (this.#isWarned ? lapsedAfter : warnAfter) * this.#theirMs;
    return this.#isWarned && isQuietOnceWarned
      ? theirs
      : Math.min(this.#sentMs + this.#ourMs, theirs);
  }
}
