/** How long clients could not trade around each fault: the longest time without an accepted order, as each client saw it. */
export interface FaultTime {
  readonly kind: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Acceptances {
  readonly session: string;
  readonly shard: string;
  /** When orders were reported as accepted, in order. */
  readonly atMs: readonly number[];
}

export interface Outages {
  readonly kind: string;
  readonly faults: number;
  /** Of the sessions that noticed the fault, sorted. */
  readonly lengthsMs: readonly number[];
  /** The longest of each shard and fault, sorted. */
  readonly byShardMs: readonly number[];
}

/** Shorter ones are the rate of the client's orders, not an outage. */
export const noticedMs = 500;

export function outages(
  faults: readonly FaultTime[],
  clients: readonly Acceptances[],
): readonly Outages[] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const lengthsMs: number[] = [];
    const byShardMs: number[] = [];
    const ofKind = faults.filter((fault) => fault.kind === kind);
    for (const fault of ofKind) {
      const byShard = new Map<string, number>();
      for (const { atMs, shard } of clients) {
        const length = longestGap(atMs, fault);
        if (length < noticedMs) continue;
        lengthsMs.push(length);
        byShard.set(shard, Math.max(length, byShard.get(shard) ?? 0));
      }
      byShardMs.push(...byShard.values());
    }
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    return {
      ...{ kind, faults: ofKind.length },
      lengthsMs: sorted(lengthsMs),
      byShardMs: sorted(byShardMs),
    };
  });
}

/** A gap counts from the fault on, and one that has not ended counts to the end of what was seen. */
function longestGap(atMs: readonly number[], { fromMs, toMs }: FaultTime): number {
  let longest = 0;
  let before = fromMs;
  for (const at of atMs) {
    if (at < fromMs) continue;
    if (before >= toMs) break;
    longest = Math.max(longest, at - before);
    before = at;
  }
  return before < toMs ? Math.max(longest, toMs - before) : longest;
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
