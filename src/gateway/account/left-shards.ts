/**
 * Reports the open orders of shards that the configuration of a cluster no longer has, because their last account was
 * removed. No worker opens them, so a node reads their journals (docs/decisions/0091-operating-a-running-bridge.md).
 */
import { join } from 'node:path';
import type { JournalSource } from '../../engine/journal.ts';
import type { RaiseAlarm } from '../../runtime/operator-line.ts';
import { realDisk } from '../../store/log/disk.ts';
import { LogReader, stepped } from '../../store/log/log-reader.ts';
import { recover } from '../../store/log/recover.ts';
import { withPrimary } from '../../store/postgres/connection.ts';
import { readShard } from '../../store/postgres/shard-contents.ts';
import { loadProfile } from '../../venue/profile.ts';
import type { LoadedConfig } from '../config/config-file.ts';
import { databaseOf } from '../data/shard-store.ts';
import { reportLeftAccounts } from './left-orders.ts';

export async function reportLeftShards(
  shards: readonly string[],
  loaded: LoadedConfig,
  alarm: RaiseAlarm,
): Promise<void> {
  const { config, path } = loaded;
  const place = databaseOf(loaded);
  for (const shard of shards) {
    const report = (store: JournalSource) => {
      const profile = loadProfile(path(config.venue.profile));
      return reportLeftAccounts({ store, config, profile, alarm });
    };
    try {
      if (place === undefined)
        await readLog(join(path(config.dataDir), shard, 'gateway-log'), report);
      else await withPrimary(place, 'process', (one) => readShard(one, place, shard, report));
    } catch (error) {
      const { message } = error as Error;
      const text = `shard ${shard}: the configuration no longer has this shard, and its open orders cannot be counted (${message})`;
      alarm(text, { event: 'orders_left' });
    }
  }
}

/** Reads a log that has no owner. */
async function readLog(
  folder: string,
  read: (source: JournalSource) => Promise<void>,
): Promise<void> {
  const { index, segments } = recover(realDisk, folder);
  const reader = new LogReader(index, segments);
  try {
    await read({
      end: async (stream) => index.end(stream),
      snapshot: async (stream) => reader.snapshot(stream),
      read: async (stream, after, limit) =>
        stepped(after + 1, (at) => reader.records(stream, at))
          .take(limit)
          .toArray(),
    });
  } finally {
    segments.close();
  }
}
