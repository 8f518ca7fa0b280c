/** The configured location of a bridge's or shard's data: a directory, or the database. */
import { basename, join } from 'node:path';
import { clusterParts, isClusterFile } from '../../cluster/cluster-config.ts';
import { shardsOf } from '../../cluster/shards.ts';
import { type LoadedConfig, loadConfig } from '../../gateway/config/config-file.ts';
import { databaseOf, shardOf, storePath } from '../../gateway/data/shard-store.ts';
import type { DatabasePlace } from '../../store/postgres/connection.ts';
import { UsageError } from '../verb.ts';

export type DataPlace = ReturnType<typeof dataPlaceOf>;

/** `shard` selects one of a cluster's shards. */
export function dataPlaceOf(file: string, shard: string | undefined) {
  const loaded = bridgeOf(file);
  const directory = loaded.path(loaded.config.dataDir);
  const place = databaseOf(loaded);
  const isCluster = isClusterFile(file);
  const names = isCluster
    ? shardsOf(loaded.config, clusterParts(file).shards).map(({ name }) => name)
    : [shardOf(loaded.config)];
  const own = shard ?? (names.length === 1 ? names[0] : undefined);
  if (own === undefined || !names.includes(own)) {
    throw new UsageError(`--shard names one of ${names.join(', ')}`);
  }
  return {
    /** The process's files on this machine, including the journal if there is no database. */
    directory: isCluster ? join(directory, own) : directory,
    /** With the name that its store has in a directory; undefined if the journal is in the directory. */
    database: place && { place, shard: own, storeName: basename(storePath(loaded)) },
  };
}

/** The database of all shards; undefined if there is none. */
export function databaseIn(file: string): DatabasePlace | undefined {
  return databaseOf(bridgeOf(file));
}

function bridgeOf(file: string): LoadedConfig {
  return loadConfig(isClusterFile(file) ? clusterParts(file).bridgeFile : file);
}
