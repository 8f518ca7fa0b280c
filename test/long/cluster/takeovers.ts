/**
 * Where the time of a takeover goes: for each fault and each shard that it gave another owner, when the database had the new epoch, when
 * the new worker served, and for how long no worker served a shard that was handed over. All of it is read from what others wrote down.
 */
import type { ShardChange } from './history.ts';
import type { FaultTime } from './outages.ts';

export interface ShardMoment {
  readonly shard: string;
  readonly atMs: number;
}

export interface Steps {
  readonly kind: string;
  /** From the fault on, sorted. */
  readonly takenMs: readonly number[];
  readonly servedMs: readonly number[];
  /** From the stop of the old worker until the new one serves, sorted. */
  readonly unservedMs: readonly number[];
}

export function takeovers(
  faults: readonly FaultTime[],
  changes: readonly ShardChange[],
  served: readonly ShardMoment[],
  stopped: readonly ShardMoment[],
): readonly Steps[] {
  const owned = ownersOf(changes);
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const takenMs: number[] = [];
    const servedMs: number[] = [];
    const unservedMs: number[] = [];
    const nextServed = (after: ShardMoment) =>
      served.find(({ atMs, shard }) => shard === after.shard && atMs >= after.atMs);
    for (const { fromMs, kind: of, toMs } of faults) {
      if (of !== kind) continue;
      const isWithin = ({ atMs }: ShardMoment) => atMs >= fromMs && atMs <= toMs;
      for (const taken of owned.filter(isWithin)) {
        takenMs.push(Math.round(taken.atMs - fromMs));
        const serving = nextServed(taken);
        if (serving !== undefined) servedMs.push(Math.round(serving.atMs - fromMs));
      }
      for (const stop of stopped.filter(isWithin)) {
        const serving = nextServed(stop);
        if (serving !== undefined) unservedMs.push(serving.atMs - stop.atMs);
      }
    }
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    return {
      ...{ kind, takenMs: sorted(takenMs), servedMs: sorted(servedMs) },
      unservedMs: sorted(unservedMs),
    };
  });
}

/** The first change of each epoch of each shard. */
function ownersOf(changes: readonly ShardChange[]): readonly ShardMoment[] {
  const last = new Map<string, number>();
  return changes.filter(({ epoch, shard }) => {
    const isNew = epoch > (last.get(shard) ?? 0);
    if (isNew) last.set(shard, epoch);
    return isNew;
  });
}

/** The moments at which a shard was served or stopped, by a node's log, if its log has the time in each line. */
export function momentsIn(
  log: string,
  event: 'shard_serving' | 'shard_stopping',
): readonly ShardMoment[] {
  return log.split('\n').flatMap((line) => {
    const [, time, of, shard] =
      /"time":"([^"]+)","event":"(shard_\w+)".*"shard (\S+) /.exec(line) ?? [];
    if (time === undefined || shard === undefined || of !== event) return [];
    return [{ shard, atMs: Date.parse(time) }];
  });
}
