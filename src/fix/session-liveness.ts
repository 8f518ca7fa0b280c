/**
 * Silence, measured (FIX 4.4 volume 2, "Heartbeat" and "Test Request"): a Heartbeat(0) after HeartBtInt(108) without
 * a message of ours, a TestRequest(1) after 1.2 of it without one of theirs, the end after 2.4. Arithmetic on the
 * monotonic clock, so that no step of the wall clock ends a session.
 */
export type Silence = 'none' | 'heartbeat' | 'testRequest' | 'dead';

export class Liveness {
  #intervalMs = 0;
  #sentMs = 0;
  #heardMs = 0;
  #isTesting = false;

  /** Zero switches it off. */
  start(intervalS: number, monoMs: number): void {
    this.#intervalMs = intervalS * 1000;
    this.#sentMs = monoMs;
    this.#heardMs = monoMs;
    this.#isTesting = false;
  }

  sent(monoMs: number): void {
    this.#sentMs = monoMs;
  }

  heard(monoMs: number): void {
    this.#heardMs = monoMs;
    this.#isTesting = false;
  }

  tested(): void {
    this.#isTesting = true;
  }

  check(monoMs: number): Silence {
    if (this.#intervalMs === 0 || monoMs < this.deadlineMs) return 'none';
    if (monoMs >= this.#heardMs + this.#intervalMs * 2.4) return 'dead';
    if (this.#isTesting) return 'none';
    return monoMs >= this.#heardMs + this.#intervalMs * 1.2 ? 'testRequest' : 'heartbeat';
  }

  /** When `check` next has something to say. A TestRequest under way stands for our heartbeats too. */
  get deadlineMs(): number {
    if (this.#intervalMs === 0) return Number.POSITIVE_INFINITY;
    if (this.#isTesting) return this.#heardMs + this.#intervalMs * 2.4;
    return Math.min(this.#sentMs + this.#intervalMs, this.#heardMs + this.#intervalMs * 1.2);
  }
}
