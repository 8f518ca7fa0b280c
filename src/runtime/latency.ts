/**
 * Latency histograms. An observation is a search in a table and two additions, so that the hot path can always be
 * measured; prom-client's own histogram costs a hundred times as much.
 */

/** Six buckets per decade, from 10 µs to 10 s. */
export const latencyBoundsUs: readonly number[] = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6]
  .flatMap((decade) => [1, 1.5, 2, 3, 5, 7].map((step) => Math.round(step * decade)))
  .concat(1e7);

const bounds = Float64Array.from(latencyBoundsUs);

export class Latency {
  /** The count of each bucket; the last one counts values above the highest bound. */
  readonly counts = new Float64Array(bounds.length + 1);
  count = 0;
  sumUs = 0;

  observe(us: number): void {
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((bounds[middle] as number) < us) low = middle + 1;
      else high = middle;
    }
    this.counts[low] = (this.counts[low] as number) + 1;
    this.count += 1;
    this.sumUs += us;
  }

  /** The upper bound of this quantile; 0 if there are no values. */
  quantileUs(share: number): number {
    const rank = Math.ceil(this.count * share);
    let seen = 0;
    for (let step = 0; step < bounds.length && rank > 0; step += 1) {
      seen += this.counts[step] as number;
      if (seen >= rank) return bounds[step] as number;
    }
    return rank === 0 ? 0 : Number.POSITIVE_INFINITY;
  }
}

/** Microseconds from an arbitrary start; never decreases. */
export function nowUs(): number {
  return performance.now() * 1_000;
}
