/**
 * Where the time of a takeover goes: for each fault and each shard that it gave another owner, when the database had the new epoch, when
 * the new worker served, and when a client traded there. All of it is read from what others wrote down.
 */
import type { ShardChange } from './history.ts';
import type { FaultTime } from './outages.ts';

export interface Served {
  readonly shard: string;
  readonly atMs: number;
}

export interface Steps {
  readonly kind: string;
  /** From the fault on, sorted. */
  readonly takenMs: readonly number[];
  readonly servedMs: readonly number[];
}

export function takeovers(
  faults: readonly FaultTime[],
  changes: readonly ShardChange[],
  served: readonly Served[],
): readonly Steps[] {
  const owned = ownersOf(changes);
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const takenMs: number[] = [];
    const servedMs: number[] = [];
    for (const { fromMs, kind: of, toMs } of faults) {
      if (of !== kind) continue;
      const isWithin = ({ atMs }: Served) => atMs >= fromMs && atMs <= toMs;
      for (const taken of owned.filter(isWithin)) {
        takenMs.push(Math.round(taken.atMs - fromMs));
        const serving = served.find(
          ({ atMs, shard }) => shard === taken.shard && atMs >= taken.atMs,
        );
        if (serving !== undefined) servedMs.push(Math.round(serving.atMs - fromMs));
      }
    }
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    return { kind, takenMs: sorted(takenMs), servedMs: sorted(servedMs) };
  });
}

/** The first change of each epoch of each shard. */
function ownersOf(changes: readonly ShardChange[]): readonly Served[] {
  const last = new Map<string, number>();
  return changes.filter(({ epoch, shard }) => {
    const isNew = epoch > (last.get(shard) ?? 0);
    if (isNew) last.set(shard, epoch);
    return isNew;
  });
}

/** The lines of a node's log that say that a shard is served there, if its log has the time in each line. */
export function servedIn(log: string): readonly Served[] {
  return log.split('\n').flatMap((line) => {
    const [, time, shard] =
      /"time":"([^"]+)","event":"shard_serving".*"shard (\S+) is served/.exec(line) ?? [];
    return time === undefined || shard === undefined ? [] : [{ shard, atMs: Date.parse(time) }];
  });
}
