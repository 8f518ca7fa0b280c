/**
 * The ledger's file, written by the signer's own thread: that thread has nothing else to do while the disk works,
 * and a second thread between would cost more than the write (docs/decisions/0041-signer-ledger.md).
 */

import { SqliteFile } from '../store/sqlite-file.ts';
import { defaultSqliteLimits } from '../store/sqlite-store.ts';
import { type Durability, PositionConflict, type Store } from '../store/store.ts';

/** What the ledger needs of a store. */
export type LedgerStore = Pick<Store, 'commit' | 'read' | 'snapshot' | 'close'>;

export function openLedgerFile(path: string, durability: Durability): LedgerStore {
  const file = new SqliteFile({ ...defaultSqliteLimits, path, durability });
  return {
    async commit(writes) {
      const [conflict] = file.commit([writes]);
      if (conflict === undefined) return;
      throw new PositionConflict(conflict.stream, conflict.expected, conflict.actual);
    },
    read: async (stream, afterPosition, limit) => file.read(stream, afterPosition, limit),
    snapshot: async (stream) => file.snapshot(stream),
    close: async () => file.close(),
  };
}
