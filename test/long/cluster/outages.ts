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

/** Lists the gaps that each session noticed during each fault, so that a slow takeover can be found. */
export function details(faults: readonly FaultTime[], clients: readonly Acceptances[]): string[] {
  return faults.flatMap((fault) => [
    `${fault.kind} at ${new Date(fault.fromMs).toISOString()}, ${fault.toMs - fault.fromMs} ms in all`,
    ...clients.flatMap(({ atMs, session, shard }) => {
      const gaps = gapsIn(atMs, fault).filter(({ lengthMs }) => lengthMs >= noticedMs);
      if (gaps.length === 0) return [];
      const texts = gaps.map(({ afterMs, lengthMs }) => `${lengthMs} ms from ${afterMs}`);
      return `  ${session} of ${shard}: ${texts.join(', ')}`;
    }),
  ]);
}

/** A gap counts from the fault on, and one that has not ended counts to the end of what was seen. */
function gapsIn(atMs: readonly number[], { fromMs, toMs }: FaultTime) {
  const inside = atMs.filter((at) => at >= fromMs);
  const ends = inside.filter((_, place) => (inside[place - 1] ?? fromMs) < toMs);
  if ((ends.at(-1) ?? fromMs) < toMs) ends.push(toMs);
  return ends.map((at, place) => {
    const before = ends[place - 1] ?? fromMs;
    return { afterMs: before - fromMs, lengthMs: at - before };
  });
}

function longestGap(atMs: readonly number[], fault: FaultTime): number {
  return Math.max(0, ...gapsIn(atMs, fault).map(({ lengthMs }) => lengthMs));
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
