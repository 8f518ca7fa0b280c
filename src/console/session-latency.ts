/**
 * How fast each session was served: histograms by minute for an hour, by hour for a day and by six hours for a week. A session
 * takes 36 kB from its first message, and at most 2,000 are kept, so memory is bounded. The counters are read every two seconds; on
 * the path of an order there is only the observation.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Latency } from '../runtime/latency.ts';
import type { Range } from './history.ts';
import {
  addGrowth,
  copyLatency,
  type LatencySeries,
  latencySeries,
  latencyWidth,
  type Series,
} from './latency-series.ts';
import { addTo, type Cells, cellOf, TimeRing } from './time-ring.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
const rings = [
  { stepMs: minuteMs, steps: 60 },
  { stepMs: hourMs, steps: 24 },
  { stepMs: 6 * hourMs, steps: 28 },
] as const;
/** Which ring has a range, and in how many of its last steps. */
const ranges: Readonly<Record<Range, readonly [ring: number, steps: number]>> = {
  '12m': [0, 12],
  '1h': [0, 60],
  '24h': [1, 24],
  '7d': [2, 28],
};
const mostSessions = 2_000;
/** A session that was quiet so long makes room for another. */
const quietMs = 10 * minuteMs;

const texts = {
  reply: "from the client's bytes to the first bytes that answer them",
  inbound: "from the client's bytes to the HTTP request: the bridge's own share",
} as const;
type Measure = keyof typeof texts;
const measures = Object.keys(texts) as readonly Measure[];

export interface SessionSeries {
  readonly stepMs: number;
  readonly endMs: number;
  readonly hops: readonly (LatencySeries & { readonly hop: Measure; readonly text: string })[];
  /** Replies per minute of the time in which the bridge ran. */
  readonly perMinute: Series;
}

export class SessionLatency {
  readonly #clock: Clock;
  readonly #lookMinutes: number;
  /** Those that were active last are at the end. */
  readonly #sessions = new Map<string, { readonly rings: readonly TimeRing[]; activeMs: number }>();
  /** How often the bridge was looked at in each step. */
  readonly #looks = ringsOf(1);
  /** What was counted at the last look, as long as its counter exists. */
  readonly #before = new WeakMap<Latency, { count: number; readonly cells: Float64Array }>();
  readonly #now = new Float64Array(latencyWidth);

  constructor(clock: Clock, lookMs: number) {
    this.#clock = clock;
    this.#lookMinutes = lookMs / minuteMs;
  }

  look(): void {
    const { wallMs } = this.#clock.now();
    for (const ring of this.#looks) addTo(ring.at(wallMs), 0, 1);
  }

  /** Adds what a session's counters have counted since the last look. */
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
  series(session: string, range: Range): SessionSeries | undefined {
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
      perMinute: rows.map((row, step) => this.#perMinute([row], [looks[step] as Cells])),
    };
  }

  /** Of this minute and the one before it; null without replies. */
  latest(session: string): { readonly perMinute: number; readonly p99Us: number | null } {
    const { wallMs } = this.#clock.now();
    const rows = this.#sessions.get(session)?.rings[0]?.rows(wallMs, 2) ?? [];
    const { count, p99Us } = latencySeries(rows, 0);
    const perMinute = this.#perMinute(rows, this.#looks[0]?.rows(wallMs, 2) ?? []);
    return { perMinute: perMinute ?? 0, p99Us: count === 0 ? null : p99Us };
  }

  #perMinute(rows: readonly Cells[], looks: readonly Cells[]): number | null {
    const looked = looks.reduce((sum, row) => sum + cellOf(row, 0), 0);
    return looked === 0 ? null : latencySeries(rows, 0).count / (looked * this.#lookMinutes);
  }

  /** The rings of a session that was just active; empty while there is no room for another session. */
  #active(session: string): readonly TimeRing[] {
    const { monoMs } = this.#clock.now();
    const known = this.#sessions.get(session);
    if (known === undefined && this.#sessions.size >= mostSessions) {
      const [[quietest, { activeMs }]] = this.#sessions as unknown as [
        [string, { activeMs: number }],
      ];
      if (monoMs - activeMs < quietMs) return [];
      this.#sessions.delete(quietest);
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
