/**
 * The shards of a bridge: sets of accounts and the sessions that use them, each with one owner at a time
 * (docs/decisions/0280-shards-nodes-and-postgresql.md).
 */
import { join } from 'node:path';
import type { Config, SessionConfig } from '../gateway/config/config.ts';
import { ConfigError, type LoadedConfig } from '../gateway/config/config-file.ts';
import { didYouMean } from '../runtime/spelling.ts';
import type { KeyPath } from '../runtime/yaml-problem.ts';

export interface Shard {
  readonly name: string;
  /** The aliases of its accounts, in the order of the configuration. */
  readonly accounts: readonly string[];
  /** The SenderCompID(49) of its sessions, which is unique among all sessions. */
  readonly sessions: readonly string[];
}

/** A shard as `cluster.yaml` defines it. */
export interface NamedShard {
  readonly name: string;
  readonly accounts: readonly string[];
}

/** The location of a key, in the cluster's or the bridge's file. */
export interface KeyPlaces {
  readonly cluster: (path: KeyPath) => string;
  readonly bridge: (path: KeyPath) => string;
}

const noPlaces: KeyPlaces = { cluster: () => 'cluster', bridge: () => 'bridge' };

/** Throws a ConfigError that lists every fault if the shards do not fit the configuration of the bridge. */
export function shardsOf(
  config: Config,
  named?: readonly NamedShard[],
  places = noPlaces,
): readonly Shard[] {
  const sets = named ?? derived(config);
  const faults = named === undefined ? [] : faultsOf(config, named, places);
  if (faults.length > 0) throw new ConfigError('the shards are wrong:', faults);
  return sets.map(({ name, accounts }, place) => ({
    name,
    accounts,
    // A session without accounts only reads markets, so any shard can serve it.
    sessions: config.sessions
      .filter(({ accounts: [first] }) =>
        first === undefined ? place === 0 : accounts.includes(first),
      )
      .map(({ senderCompId }) => senderCompId),
  }));
}

/** Puts accounts that a session has in common into one shard, whether the session trades on them or only reads them. */
function derived({ accounts, sessions }: Config): readonly NamedShard[] {
  let sets = accounts.map(({ name }) => new Set([name]));
  for (const session of sessions) {
    const touched = sets.filter((set) => session.accounts.some((alias) => set.has(alias)));
    const [first] = touched;
    if (first === undefined) continue;
    for (const other of touched) for (const alias of other) first.add(alias);
    sets = sets.filter((set) => set === first || !touched.includes(set));
  }
  return sets.map((set) => {
    const members = accounts.map(({ name }) => name).filter((name) => set.has(name));
    return { name: members[0] ?? '', accounts: members };
  });
}

function faultsOf(
  { accounts, sessions }: Config,
  named: readonly NamedShard[],
  { bridge, cluster }: KeyPlaces,
): string[] {
  const known = accounts.map(({ name }) => name);
  const owner = new Map<string, string>();
  const faults: string[] = [];
  for (const [index, { name, accounts: members }] of named.entries()) {
    for (const [place, alias] of members.entries()) {
      const at = cluster(['shards', index, 'accounts', place]);
      const other = owner.get(alias);
      if (other !== undefined) {
        faults.push(`${at}: account "${alias}" is in the shards ${other}, ${name}`);
      }
      if (!known.includes(alias)) {
        const meant = didYouMean(alias, known);
        faults.push(`${at}: the bridge has no account "${alias}".${meant}`);
      }
      owner.set(alias, name);
    }
  }
  for (const [index, alias] of known.entries()) {
    if (owner.has(alias)) continue;
    faults.push(`${bridge(['accounts', index, 'name'])}: account "${alias}" is in no shard`);
  }
  for (const [index, session] of sessions.entries()) {
    const crossed = new Set(session.accounts.flatMap((alias) => owner.get(alias) ?? []));
    if (crossed.size < 2) continue;
    faults.push(`${bridge(['sessions', index, 'accounts'])}: ${crossing(session, [...crossed])}`);
  }
  return faults;
}

function crossing({ role, senderCompId }: SessionConfig, shards: readonly string[]): string {
  const advice =
    role === 'drop-copy'
      ? 'give the reader one session for each shard, or let a relay serve it (roles: [drop-copy])'
      : 'put its accounts into one shard';
  return `session ${senderCompId} has accounts of the shards ${shards.join(', ')}: ${advice}`;
}

/**
 * Returns the configuration of one shard. All users remain, so that a logon with an unknown name costs the same on
 * every shard. The node listens for clients, so this configuration has neither ports nor their TLS.
 */
export function partOf(
  loaded: LoadedConfig,
  shard: Shard,
  node: string,
  consolePort = 0,
): LoadedConfig {
  const { config } = loaded;
  const { auditHeadFile, console, dataDir, fix, fixp, store } = config;
  const accounts = config.accounts.filter(({ name }) => shard.accounts.includes(name));
  const sessions = config.sessions.filter(({ senderCompId }) =>
    shard.sessions.includes(senderCompId),
  );
  const lists = {
    accounts: [accounts, config.accounts],
    sessions: [sessions, config.sessions],
  } as const;
  return {
    ...loaded,
    config: {
      ...config,
      // With a database, the directory has no data of the shard, only the temporary files of its worker.
      dataDir: store ? join(dataDir, node, shard.name) : join(dataDir, shard.name),
      ...(store && { store: { postgres: { ...store.postgres, shard: shard.name } } }),
      accounts,
      sessions,
      fix: unlistened(fix),
      ...(fixp && { fixp: unlistened(fixp) }),
      ...(auditHeadFile && { auditHeadFile: `${auditHeadFile}.${shard.name}` }),
      ...(console && {
        console: { ...console, listen: { host: console.listen.host, port: consolePort } },
      }),
    },
    at([list, index, ...rest]) {
      if (list === undefined || index === undefined) return loaded.at(list ? [list] : []);
      const [mine = [], all = []] = lists[list as keyof typeof lists] ?? [];
      const entry = mine[index as number];
      const place = (all as readonly unknown[]).indexOf(entry);
      return loaded.at([list, place < 0 ? index : place, ...rest]);
    },
  };
}

function unlistened<Port extends Config['fix']>({ proxies: _p, tls: _t, ...port }: Port) {
  return { ...port, listen: { ...port.listen, port: 0 } };
}
