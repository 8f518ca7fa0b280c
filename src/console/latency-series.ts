/** Latencies over time: a histogram and the sum of its values in each row of a ring, and what a chart shows of them. */
import { Latency, latencyBoundsUs } from '../runtime/latency.ts';
import { addTo, type Cells } from './time-ring.ts';

/** A value for each step of a range; null for a step without any. */
export type Series = readonly (number | null)[];

export interface LatencySeries {
  readonly count: number;
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly counts: readonly number[];
  readonly p50s: Series;
  readonly p99s: Series;
}

const buckets = latencyBoundsUs.length + 1;
/** The cells of a histogram in a row: its buckets and its sum. */
export const latencyWidth = buckets + 1;

/** Writes what was observed so far. */
export function copyLatency({ counts, sumUs }: Latency, into: Float64Array, start = 0): void {
  into.set(counts, start);
  into[start + buckets] = sumUs;
}

/** Adds to a row by how much each cell has grown. */
export function addGrowth(row: Cells, start: number, now: Cells, before: Cells): void {
  for (let cell = 0; cell < now.length; cell += 1) {
    const grown = (now[cell] as number) - (before[cell] as number);
    if (grown > 0) addTo(row, start + cell, grown);
  }
}

/**
 * One pass over the cells without an object for each step: it runs between the messages of clients, and takes well under a
 * millisecond for all hops.
 */
export function latencySeries(rows: readonly Cells[], start: number): LatencySeries {
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
function boundAt(row: Cells, start: number, rank: number): number {
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
