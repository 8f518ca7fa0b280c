/**
 * What a spare process reads of a shard that it will probably get: all accounts from their journals, while another
 * owner still writes (docs/decisions/0287-nodes-own-shards-by-leases.md). It is used only if the shard is then taken
 * through the connection on which it was read: that server's history contains everything that was read, whatever was
 * promoted or restored in the meantime.
 */
import { readFileSync } from 'node:fs';
import type { Account } from '../../domain/units.ts';
import { fastestBlake3 } from '../../signer/blake3.ts';
import { connectToPrimary } from '../../store/postgres/connection.ts';
import type { ShardConnections } from '../../store/postgres/lease.ts';
import { readShard } from '../../store/postgres/shard-contents.ts';
import { loadProfile, type Profile } from '../../venue/profile.ts';
import { ConfigError, type LoadedConfig } from '../config/config-file.ts';
import { settingsBook } from '../config/engine-settings.ts';
import { databaseOf, durabilityOf, shardOf } from '../data/shard-store.ts';
import { type EngineReading, readEngine } from './open-engine.ts';

export class ReadAhead {
  readonly profile: Profile;
  readonly connections: ShardConnections;
  readonly #engines = new Map<string, EngineReading>();
  /** The contents of the files that it depends on. */
  readonly #text: string;

  static async of(loaded: LoadedConfig): Promise<ReadAhead> {
    const place = databaseOf(loaded);
    if (place === undefined) throw new ConfigError('only a shard in a database is read ahead');
    const commits = await connectToPrimary(place, durabilityOf(loaded.config));
    const reads = await connectToPrimary(place, 'process').catch((error) => {
      commits.destroy();
      throw error;
    });
    const ahead = new ReadAhead(loaded, { commits, reads });
    try {
      const { blake3 } = await fastestBlake3();
      const configured = settingsBook(() => loaded.config, ahead.profile);
      await readShard(commits, place, shardOf(loaded.config), async (source) => {
        for (const { account: alias } of loaded.config.accounts) {
          const account = alias as Account;
          const parts = { account, blake3, contract: ahead.profile };
          ahead.#engines.set(account, await readEngine(source, parts, configured()));
        }
      });
      return ahead;
    } catch (error) {
      ahead.close();
      throw error;
    }
  }

  private constructor(loaded: LoadedConfig, connections: ShardConnections) {
    this.connections = connections;
    this.profile = loadProfile(loaded.path(loaded.config.venue.profile));
    this.#text = textOf(loaded);
  }

  /** Whether the configuration is still the same and no connection was lost. */
  isFor(loaded: LoadedConfig): boolean {
    const { commits, reads } = this.connections;
    const isOpen = commits.lost === undefined && reads.lost === undefined;
    return isOpen && textOf(loaded) === this.#text;
  }

  /** Undefined if the shard had no data of the account. */
  engineOf(account: string): EngineReading | undefined {
    return this.#engines.get(account);
  }

  /** Called if it was not needed. */
  close(): void {
    for (const connection of Object.values(this.connections)) connection.destroy();
  }
}

function textOf({ config, path }: LoadedConfig): string {
  return JSON.stringify(config) + readFileSync(path(config.venue.profile), 'utf8');
}
