/**
 * The store as one process has it: it outlives the process, what a dead one writes comes to nothing, and where the disk is
 * slow, so does what was not written yet when the process died.
 */

import type { CommitOptions, Store, Write } from '../../src/store/store.ts';
import type { MemoryStore } from '../support/memory-store.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface SlowDisk {
  readonly time: VirtualTime;
  /** How long the next commit takes, half of it until it is written; undefined where it takes no time. */
  syncMs: (() => number) | undefined;
}

export function mortalStore(store: MemoryStore, isAlive: () => boolean, disk: SlowDisk): Store {
  let before: Promise<void> = Promise.resolve();
  let waiting = 0;
  const commit = (writes: readonly Write[], options?: CommitOptions): Promise<void> => {
    if (!isAlive()) return new Promise(() => {});
    if (disk.syncMs === undefined && waiting === 0) return store.commit(writes, options);
    const after = before;
    const halfMs = Math.floor((disk.syncMs?.() ?? 0) / 2);
    waiting += 1;
    before = passed(disk.time, halfMs).then(async () => {
      await after;
      if (!isAlive()) await new Promise(() => {});
      await store.commit(writes, options);
      await passed(disk.time, halfMs);
      waiting -= 1;
    });
    return before;
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') return commit;
      if (name === 'close') return async () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export function passed(time: VirtualTime, ms: number): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    time.after(ms, resolve);
  });
}
