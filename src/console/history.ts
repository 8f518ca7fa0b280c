/**
 * Order flow, refusals and latency over time, for the charts of the console. Each range is a ring of 360 steps of equal
 * length, so memory stays the same however long the bridge runs and however much passes through it.
 */
import type { ConsoleView } from '../gateway/console-view.ts';
import { type Hop, hopNames, hopTexts } from '../gateway/hops.ts';
import type { Clock } from '../runtime/clock.ts';
import { Latency, latencyBoundsUs } from '../runtime/latency.ts';

export const ranges = { '12m': 2_000, '1h': 10_000, '24h': 240_000, '7d': 1_680_000 } as const;
export type Range = keyof typeof ranges;
const rangeNames = Object.keys(ranges) as readonly Range[];
const steps = 360;

const hops: readonly (Hop | 'commit')[] = [...hopNames, 'commit'];
const texts = { ...hopTexts, commit: 'from the end of a turn until it is durable' };
/** Counters that only grow; each step holds how much they grew. */
const flows = ['commands', 'requests', 'reports', 'refusals'] as const;
/** How often the bridge was looked at during a step, and at how many of these times it was not ready. */
const looks = ['looks', 'notReady', 'loggedOn'] as const;
const buckets = latencyBoundsUs.length + 1;
const hopWidth = buckets + 1;
const firstHop = flows.length + looks.length;
const width = firstHop + hops.length * hopWidth;
/** Sessions whose answer times are kept by step; the one that was quiet longest makes room for another. */
const mostSessions = 500;

const lastSteps = 60_000 / ranges['1h'];
/** The bridge is looked at every two seconds. */
export const lookMs = 2_000;
const lookMinutes = lookMs / 60_000;

/** A ring of rows of numbers, one for each step of wall time. */
class Ring {
  readonly #stepMs: number;
  readonly #width: number;
  readonly #cells: Float64Array;
  #last = -1;

  constructor(stepMs: number, width: number) {
    this.#stepMs = stepMs;
    this.#width = width;
    this.#cells = new Float64Array(steps * width);
  }

  /** The row of this moment. A clock that was set back adds to the latest row; by more than a range, the range starts again. */
  at(wallMs: number): Float64Array {
    const now = Math.floor(wallMs / this.#stepMs);
    if (now <= this.#last - steps) this.#last = now - steps;
    const step = Math.max(this.#last, now);
    const first = Math.max(this.#last + 1, step - steps + 1);
    for (let each = first; each <= step; each += 1) this.#row(each).fill(0);
    this.#last = step;
    return this.#row(step);
  }

  /** Every row of the range that ends now, the oldest first. */
  rows(wallMs: number): readonly Float64Array[] {
    this.at(wallMs);
    return Array.from({ length: steps }, (_, index) => this.#row(this.#last - steps + 1 + index));
  }

  /** The end of the latest step. */
  get endMs(): number {
    return (this.#last + 1) * this.#stepMs;
  }

  #row(step: number): Float64Array {
    const start = (((step % steps) + steps) % steps) * this.#width;
    return this.#cells.subarray(start, start + this.#width);
  }
}

/** A value for each step of a range; null for a step in which the bridge did not run. */
export type Series = readonly (number | null)[];

interface Span {
  readonly stepMs: number;
  readonly endMs: number;
}

export interface FlowSeries extends Span {
  /** Per minute of the time in which the bridge ran. */
  readonly flows: Readonly<Record<(typeof flows)[number], Series>>;
  /** The share of the step in which the bridge was not ready. */
  readonly notReady: Series;
  readonly loggedOn: Series;
}

export interface HopSeries {
  readonly hop: Hop | 'commit';
  readonly text: string;
  readonly count: number;
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly counts: readonly number[];
  readonly p50s: Series;
  readonly p99s: Series;
}

type SessionRings = Readonly<Record<Range, Ring>> & { count: number; sumUs: number };

export class History {
  readonly #view: ConsoleView;
  readonly #clock: Clock;
  readonly #rings = ringsOf(width);
  readonly #sessions = new Map<string, SessionRings>();
  readonly #before = new Float64Array(width);
  /** Computed once for all pages that ask between two looks. */
  readonly #latencies = new Map<Range, readonly HopSeries[]>();

  constructor(view: ConsoleView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
    // Events before the first look belong to no step.
    this.#read(this.#before);
  }

  /** Adds what happened since the last look. */
  look(loggedOn: number): void {
    const { wallMs } = this.#clock.now();
    const now = new Float64Array(width);
    this.#read(now);
    const rows = rangeNames.map((name) => this.#rings[name].at(wallMs));
    for (let cell = 0; cell < width; cell += 1) {
      const grown = (now[cell] as number) - (this.#before[cell] as number);
      if (grown > 0) for (const row of rows) row[cell] = (row[cell] as number) + grown;
    }
    this.#before.set(now);
    this.#latencies.clear();
    for (const row of rows) {
      addTo(row, flows.length, 1);
      addTo(row, flows.length + 1, Number(this.#view.notReady.length > 0));
      addTo(row, flows.length + 2, loggedOn);
    }
  }

  /** Adds the answers that a session got since the last look. */
  answered(session: string, { count, sumUs }: { readonly count: number; readonly sumUs: number }) {
    const known = this.#sessions.get(session);
    if (known === undefined && count === 0) return;
    const rings = known ?? { ...ringsOf(2), count: 0, sumUs: 0 };
    const more = count - rings.count;
    const moreUs = sumUs - rings.sumUs;
    Object.assign(rings, { count, sumUs });
    if (more <= 0) return;
    this.#sessions.delete(session);
    const [quietest] = this.#sessions.keys();
    if (this.#sessions.size >= mostSessions && quietest) this.#sessions.delete(quietest);
    this.#sessions.set(session, rings);
    const { wallMs } = this.#clock.now();
    for (const name of rangeNames) {
      const row = rings[name].at(wallMs);
      addTo(row, 0, more);
      addTo(row, 1, moreUs);
    }
  }

  /** The steps of a range: their length, and the end of the last one. */
  span(range: Range): Span {
    const ring = this.#rings[range];
    ring.at(this.#clock.now().wallMs);
    return { stepMs: ranges[range], endMs: ring.endMs };
  }

  flow(range: Range): FlowSeries {
    const rows = this.#rings[range].rows(this.#clock.now().wallMs);
    const looked = (read: (row: Float64Array, count: number) => number): Series =>
      rows.map((row) => {
        const count = cellOf(row, flows.length);
        return count === 0 ? null : read(row, count);
      });
    return {
      ...this.span(range),
      flows: Object.fromEntries(
        flows.map((name, at) => [
          name,
          looked((row, count) => cellOf(row, at) / (count * lookMinutes)),
        ]),
      ) as FlowSeries['flows'],
      notReady: looked((row, count) => cellOf(row, flows.length + 1) / count),
      loggedOn: looked((row, count) => Math.round(cellOf(row, flows.length + 2) / count)),
    };
  }

  latency(range: Range): readonly HopSeries[] {
    const known = this.#latencies.get(range) ?? this.#latency(range);
    this.#latencies.set(range, known);
    return known;
  }

  #latency(range: Range): readonly HopSeries[] {
    const rows = this.#rings[range].rows(this.#clock.now().wallMs);
    return hops.map((hop, index) => hopSeries(rows, hop, firstHop + index * hopWidth));
  }

  /** The mean answer time of a session and its answers per minute, step by step; empty if it had none. */
  session(name: string, range: Range): { readonly meansUs: Series; readonly perMinute: Series } {
    const { wallMs } = this.#clock.now();
    const rows = this.#sessions.get(name)?.[range].rows(wallMs) ?? [];
    const looked = this.#rings[range].rows(wallMs).map((row) => cellOf(row, flows.length));
    return {
      meansUs: rows.map((row) => (cellOf(row, 0) === 0 ? null : cellOf(row, 1) / cellOf(row, 0))),
      perMinute: rows.map((row, step) => {
        const count = looked[step] as number;
        return count === 0 ? null : cellOf(row, 0) / (count * lookMinutes);
      }),
    };
  }

  /** The answers of the last minute and their mean time, null without any. */
  lastMinute(name: string): { readonly count: number; readonly meanUs: number | null } {
    const rows = this.#sessions.get(name)?.['1h'].rows(this.#clock.now().wallMs).slice(-lastSteps);
    const [count, sumUs] = [0, 1].map((at) =>
      (rows ?? []).reduce((sum, row) => sum + cellOf(row, at), 0),
    ) as [number, number];
    return { count, meanUs: count === 0 ? null : sumUs / count };
  }

  #read(into: Float64Array): void {
    const { latencies, rejects } = this.#view;
    const all = { ...latencies.hops, commit: latencies.commits };
    into[0] = all.command.count;
    into[1] = all.send.count;
    into[2] = all.report.count;
    into[3] = [...rejects.values()].reduce((sum, count) => sum + count, 0);
    for (const [index, hop] of hops.entries()) {
      const start = firstHop + index * hopWidth;
      into.set(all[hop].counts, start);
      into[start + buckets] = all[hop].sumUs;
    }
  }
}

function ringsOf(width: number): Readonly<Record<Range, Ring>> {
  return Object.fromEntries(
    rangeNames.map((name) => [name, new Ring(ranges[name], width)]),
  ) as Record<Range, Ring>;
}

/**
 * One pass over the cells without an object for each step: it runs between the messages of clients, and takes well under a
 * millisecond for all hops.
 */
function hopSeries(rows: readonly Float64Array[], hop: HopSeries['hop'], start: number): HopSeries {
  const all = new Latency();
  const p50s: (number | null)[] = [];
  const p99s: (number | null)[] = [];
  for (const row of rows) {
    let count = 0;
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const cell = row[start + bucket] as number;
      count += cell;
      all.counts[bucket] = (all.counts[bucket] as number) + cell;
    }
    all.count += count;
    all.sumUs += row[start + buckets] as number;
    p50s.push(count === 0 ? null : boundAt(row, start, Math.ceil(count * 0.5)));
    p99s.push(count === 0 ? null : boundAt(row, start, Math.ceil(count * 0.99)));
  }
  return {
    hop,
    text: texts[hop],
    count: all.count,
    meanUs: all.count === 0 ? 0 : all.sumUs / all.count,
    p50Us: finite(all.quantileUs(0.5)),
    p99Us: finite(all.quantileUs(0.99)),
    counts: [...all.counts],
    p50s,
    p99s,
  };
}

/** The upper bound of the bucket in which this rank lies. */
function boundAt(row: Float64Array, start: number, rank: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < buckets - 1; bucket += 1) {
    seen += row[start + bucket] as number;
    if (seen >= rank) return latencyBoundsUs[bucket] as number;
  }
  return finite(Number.POSITIVE_INFINITY);
}

/** JSON has no infinity; the page shows what is above the highest bound as more than 10 s. */
function finite(us: number): number {
  return Number.isFinite(us) ? us : 2 * (latencyBoundsUs.at(-1) as number);
}

function cellOf(row: Float64Array, at: number): number {
  return row[at] as number;
}

function addTo(row: Float64Array, at: number, value: number): void {
  row[at] = (row[at] as number) + value;
}
