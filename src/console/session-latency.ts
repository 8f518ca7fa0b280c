/**
 * Latency by session: histograms per minute for an hour, per hour for a day and per six hours for a week. A session
 * takes 36 kB from its first message on, and at most 2,000 are kept, so memory is bounded. The counters are read every
 * two seconds; the order path only records an observation.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Latency } from '../runtime/latency.ts';
import { lookMinutes, type Range } from './history.ts';
import { addGrowth, copyLatency, latencySeries, latencyWidth } from './latency-series.ts';
import { addTo, type Cells, cellOf, TimeRing } from './time-ring.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
const rings = [
  { stepMs: minuteMs, steps: 60 },
  { stepMs: hourMs, steps: 24 },
  { stepMs: 6 * hourMs, steps: 28 },
] as const;
/** The ring of a time range, and the number of its steps that are displayed. */
const ranges: Readonly<Record<Range, readonly [ring: number, steps: number]>> = {
  '12m': [0, 12],
  '1h': [0, 60],
  '24h': [1, 24],
  '7d': [2, 28],
};
const maxSessions = 2_000;
/** A session that was quiet for this long may be replaced by another. */
const quietMs = 10 * minuteMs;

const texts = {
  reply: "from the client's bytes to the first bytes that answer them",
  inbound: "from the client's bytes to the HTTP request: the bridge's own share",
} as const;
type Measure = keyof typeof texts;
const measures = Object.keys(texts) as readonly Measure[];

export class SessionLatency {
  readonly #clock: Clock;
  /** In the order of their last activity. */
  readonly #sessions = new Map<string, { readonly rings: readonly TimeRing[]; activeMs: number }>();
  /** The number of samples in each step. */
  readonly #looks = ringsOf(1);
  /** The counts at the last sample, for as long as the counter exists. */
  readonly #before = new WeakMap<Latency, { count: number; readonly cells: Float64Array }>();
  readonly #now = new Float64Array(latencyWidth);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  look(): void {
    const { wallMs } = this.#clock.now();
    for (const ring of this.#looks) addTo(ring.at(wallMs), 0, 1);
  }

  /** Adds what a session's counters have counted since the last sample. */
  add(session: string, counted: Readonly<Partial<Record<Measure, Latency>>>): void {
    for (const [index, name] of measures.entries()) {
      const latency = counted[name];
      if (latency === undefined) continue;
      const before = this.#before.get(latency) ?? {
        ...{ count: 0, cells: new Float64Array(latencyWidth) },
      };
      if (latency.count === before.count) continue;
      this.#before.set(latency, before);
      before.count = latency.count;
      copyLatency(latency, this.#now);
      const { wallMs } = this.#clock.now();
      for (const ring of this.#active(session)) {
        addGrowth(ring.at(wallMs), index * latencyWidth, this.#now, before.cells);
      }
      before.cells.set(this.#now);
    }
  }

  /** Undefined if nothing was counted for the session. */
  series(session: string, range: Range) {
    const own = this.#sessions.get(session);
    if (own === undefined) return undefined;
    const { wallMs } = this.#clock.now();
    const [at, steps] = ranges[range];
    const ring = own.rings[at] as TimeRing;
    const rows = ring.rows(wallMs, steps);
    const looks = this.#looks[at]?.rows(wallMs, steps) ?? [];
    return {
      stepMs: ring.stepMs,
      endMs: ring.endMs,
      hops: measures.map((hop, index) => ({
        ...{ hop, text: texts[hop], ...latencySeries(rows, index * latencyWidth) },
      })),
      /** Replies per minute of the time during which the bridge ran. */
      perMinute: rows.map((row, step) => this.#perMinute([row], [looks[step] as Cells])),
    };
  }

  /** For the current and the previous minute; null if there were no replies. */
  latest(session: string): { readonly perMinute: number; readonly p99Us: number | null } {
    const { wallMs } = this.#clock.now();
    const rows = this.#sessions.get(session)?.rings[0]?.rows(wallMs, 2) ?? [];
    const { count, p99Us } = latencySeries(rows, 0);
    const perMinute = this.#perMinute(rows, this.#looks[0]?.rows(wallMs, 2) ?? []);
    return { perMinute: perMinute ?? 0, p99Us: count === 0 ? null : p99Us };
  }

  #perMinute(rows: readonly Cells[], looks: readonly Cells[]): number | null {
    const looked = looks.reduce((sum, row) => sum + cellOf(row, 0), 0);
    return looked === 0 ? null : latencySeries(rows, 0).count / (looked * lookMinutes);
  }

  /** The rings of an active session; empty if there is no room for another session. */
  #active(session: string): readonly TimeRing[] {
    const { monoMs } = this.#clock.now();
    const known = this.#sessions.get(session);
    if (known === undefined && this.#sessions.size >= maxSessions) {
      const [quietest] = this.#sessions;
      if (quietest === undefined || monoMs - quietest[1].activeMs < quietMs) return [];
      this.#sessions.delete(quietest[0]);
    }
    this.#sessions.delete(session);
    const rings = known?.rings ?? ringsOf(measures.length * latencyWidth);
    this.#sessions.set(session, { rings, activeMs: monoMs });
    return rings;
  }
}

function ringsOf(width: number): readonly TimeRing[] {
  return rings.map(
    ({ stepMs, steps }) => new TimeRing(stepMs, width, new Float32Array(steps * width)),
  );
}
