/** The real store of one process of a bridge on a simulated disk, where nothing happens by the system's time. */
import { constants, zstdCompressSync } from 'node:zlib';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** Segments of a few hundred records, so that they are left, compressed and carried forward in a run. */
const small = { segmentBytes: 64 * 1024, blockBytes: 8 * 1024, stateShare: 2 };
export const reserveBytes = 64 * 1024;
/** How small it becomes is not what a run is about. */
const fast = { [constants.ZSTD_c_compressionLevel]: 1 };

/** In one piece: when a thread of the system is done with it would be another chance than the seed's. */
export const compress = async (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params: fast, pledgedSrcSize: bytes.length });

export async function simulatedLog(
  options: { readonly path: string; readonly maxBytes?: number },
  { disk }: SimulatedDisk,
): Promise<Store> {
  const durability = 'power';
  const own = { durability, disk, compress, reserveBytes, ...small } as const;
  const store = await openLogStore({ ...options, ...own });
  return new Proxy(store, {
    get(target, name) {
      // What may wait, waits for a timer of the system.
      if (name === 'commit')
        return (...[writes, { onWritten } = {}]: Parameters<Store['commit']>) =>
          store.commit(writes, onWritten === undefined ? {} : { onWritten });
      // As if it had just looked whether it is still the owner, which it does by the system's time.
      if (name === 'confirmed') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
