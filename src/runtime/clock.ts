/**
 * Time is injected. Liveness is arithmetic on the monotonic clock; the wall clock only stamps messages, so a step of
 * the wall clock never ends a session (docs/ARCHITECTURE.md, "Time").
 */
export interface Instant {
  /** Unix time in milliseconds, an integer. */
  readonly wallMs: number;
  /** Milliseconds from an arbitrary start, an integer that never decreases. */
  readonly monoMs: number;
}

export interface Clock {
  now(): Instant;
  /** Calls back once, at or after `monoMs`; the returned function cancels. */
  at(monoMs: number, callback: () => void): () => void;
}

/** Calls back again and again, each time this long after the previous call; the returned function ends that. */
export function every(clock: Clock, everyMs: number, callback: () => void): () => void {
  let isOver = false;
  let cancel = () => {};
  const wait = () => {
    cancel = clock.at(clock.now().monoMs + everyMs, () => {
      callback();
      if (!isOver) wait();
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}

/** Resolves after this time. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.at(clock.now().monoMs + ms, resolve);
  });
}

/** A Node timer with a longer delay fires at once. */
const longestTimerMs = 2 ** 31 - 1;
/**
 * A timer that is later than this shows that this process was stopped. Smaller delays are usual on a busy machine,
 * where heartbeats must not wait any longer.
 */
const stalledMs = 200;

export const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: Math.trunc(performance.now()) }),
  at(monoMs, callback) {
    let timer: NodeJS.Timeout;
    let afterReading: NodeJS.Immediate | undefined;
    const arm = () => {
      const armedMs = performance.now();
      const leftMs = Math.min(longestTimerMs, Math.max(0, Math.ceil(monoMs - armedMs)));
      timer = setTimeout(() => {
        const nowMs = performance.now();
        // Node's timers may fire a millisecond early; a caller that compares times would then wait for ever.
        if (nowMs < monoMs) arm();
        // What has arrived meanwhile is read first: after a stall of ours, nobody else was silent.
        else if (nowMs - armedMs > leftMs + stalledMs) afterReading = setImmediate(callback);
        else callback();
      }, leftMs);
    };
    arm();
    return () => {
      clearTimeout(timer);
      clearImmediate(afterReading);
    };
  },
};

interface Alarm {
  readonly monoMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A manual clock; timers fire in order of their time, then in the order in which they were set. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monoMs = 0;
  #count = 0;
  readonly #alarms = new Set<Alarm>();

  constructor(wallMs = Date.UTC(2026, 0, 5, 12)) {
    this.#wallMs = wallMs;
  }

  now(): Instant {
    return { wallMs: this.#wallMs, monoMs: this.#monoMs };
  }

  at(monoMs: number, callback: () => void): () => void {
    const alarm = { monoMs, order: this.#count++, callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  advance(byMs: number): void {
    const end = this.#monoMs + byMs;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#alarms.delete(next);
      const step = Math.max(0, next.monoMs - this.#monoMs);
      this.#monoMs += step;
      this.#wallMs += step;
      next.callback();
    }
    this.#wallMs += end - this.#monoMs;
    this.#monoMs = end;
  }

  /** Steps only the wall clock, as an operator or NTP would. */
  stepWall(byMs: number): void {
    this.#wallMs += byMs;
  }

  #next(end: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.monoMs > end) continue;
      if (first === undefined || alarm.monoMs < first.monoMs) first = alarm;
      else if (alarm.monoMs === first.monoMs && alarm.order < first.order) first = alarm;
    }
    return first;
  }
}
