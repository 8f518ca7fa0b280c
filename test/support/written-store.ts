/** A store in memory that can be written out as the data directory of a bridge. */
import { join } from 'node:path';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { CommitOptions, Write } from '../../src/store/store.ts';
import { MemoryStore } from './memory-store.ts';

export class WrittenStore extends MemoryStore {
  readonly #commits: (readonly Write[])[] = [];

  /** Told of each commit. */
  committed: (writes: readonly Write[]) => void = () => {};

  override async commit(writes: readonly Write[], options?: CommitOptions): Promise<void> {
    await super.commit(writes, options);
    this.#commits.push(writes);
    this.committed(writes);
  }

  /** `change` may make other writes of those that were committed. */
  async save(directory: string, change = (writes: readonly Write[]) => writes): Promise<void> {
    const path = join(directory, 'gateway.db');
    const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
    for (const writes of this.#commits) await store.commit(change(writes));
    await store.close();
  }
}
