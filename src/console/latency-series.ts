/** Latencies over time: a histogram with the sum of its values in each row of a ring, and the values for charts. */
import { Latency, latencyBoundsUs } from '../runtime/latency.ts';
import { addTo, type Cells } from './time-ring.ts';

/** A value for each step of a range; null for a step without any. */
export type Series = readonly (number | null)[];

export type LatencySeries = Readonly<ReturnType<typeof latencySeries>>;

const buckets = latencyBoundsUs.length + 1;
/** The cells of a histogram in a row: its buckets and its sum. */
export const latencyWidth = buckets + 1;

export function copyLatency({ counts, sumUs }: Latency, into: Float64Array, start = 0): void {
  into.set(counts, start);
  into[start + buckets] = sumUs;
}

/** Adds the increase of each cell to a row. */
export function addGrowth(row: Cells, start: number, now: Cells, before: Cells): void {
  for (let cell = 0; cell < now.length; cell += 1) {
    const grown = (now[cell] as number) - (before[cell] as number);
    if (grown > 0) addTo(row, start + cell, grown);
  }
}

/** A single pass without an object for each step: it runs between clients' messages, in well under a millisecond. */
export function latencySeries(rows: readonly Cells[], start: number) {
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

/** The upper bound of the bucket that contains this rank. */
function boundAt(row: Cells, start: number, rank: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < buckets - 1; bucket += 1) {
    seen += row[start + bucket] as number;
    if (seen >= rank) return latencyBoundsUs[bucket] as number;
  }
  return finite(Number.POSITIVE_INFINITY);
}

/** JSON has no infinity; the page displays values above the highest bound as more than 10 s. */
function finite(us: number): number {
  return Number.isFinite(us) ? us : 2 * (latencyBoundsUs.at(-1) as number);
}
