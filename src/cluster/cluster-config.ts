/**
 * The configuration of a cluster: the bridge that its nodes run, the shards, and the addresses of each node. All nodes
 * read the same file. The bridge's own settings are in the bridge's file only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { Config } from '../gateway/config/config.ts';
import {
  ConfigError,
  fileFaults,
  type LoadedConfig,
  readConfig,
} from '../gateway/config/config-file.ts';
import {
  clientPort,
  file,
  listen,
  milliseconds,
  name,
  port,
} from '../gateway/config/config-keys.ts';
import { didYouMean } from '../runtime/spelling.ts';
import { readYaml } from '../runtime/yaml.ts';
import { type KeyPath, key } from '../runtime/yaml-problem.ts';
import { portConflicts } from './port-conflicts.ts';
import {
  type Announcement,
  absolute,
  advertise,
  announcedOf,
  type OpenPorts,
  relay,
  relayFaults,
  relayFileFaults,
} from './relay-config.ts';
import { type Shard, shardsOf } from './shards.ts';

const shard = z.strictObject({
  name: key(
    name,
    'The name of the shard, and of its directory in `dataDir` of the bridge.',
    'emea',
  ),
  accounts: key(
    z.array(name).min(1),
    'The accounts of the shard. A session belongs to the shard of its accounts, so all of them must be in one shard.',
    ['desk-1', 'desk-2'],
  ),
  consolePort: key(
    port.default(0),
    "The port of this shard's console, on the host that `console.listen` of the bridge names; 0 takes a free port, which `/shards` of the node shows.",
    9891,
  ),
});

const node = z.strictObject({
  name: key(name, 'The name of the node, as in `causeway node --name`.', 'n1'),
  fix: z
    .strictObject(clientPort)
    .optional()
    .describe('The port for FIX clients of all shards. If absent, `fix` of the bridge.'),
  fixp: z
    .strictObject(clientPort)
    .optional()
    .describe('The port for FIXP clients of all shards. If absent, `fixp` of the bridge.'),
  relay: relay.optional(),
  advertise: advertise.default({}),
  status: z
    .strictObject({ listen })
    .optional()
    .describe(
      'Where `/healthz`, `/readyz`, `/metrics` and `/shards` of the node are served, without login: keep it to this machine or a private network.',
    ),
});

const heading = 'the configuration of the cluster is wrong:';

/** The maximum time that a client waits for a shard without an owner. */
const longestHoldMs = 5_000;

export const clusterSchema = z.strictObject({
  bridge: key(file, 'The configuration of the bridge that the nodes run.', 'gateway.yaml'),
  shards: z
    .array(shard)
    .min(1)
    .optional()
    .describe(
      'The shards, if they are not to be derived: accounts that a session has in common are then in one shard, which has the name of its first account.',
    ),
  nodes: z.array(node).min(1).describe('The nodes, one for each machine.'),
  holdMs: key(
    milliseconds.max(longestHoldMs).default(longestHoldMs),
    'How long a connection waits if its shard is starting or moving. After that the client gets a Logout(5), or the reject of FIXP, and has to try again.',
    2_000,
  ),
});

type ClusterConfig = z.output<typeof clusterSchema>;
type NodeEntry = ClusterConfig['nodes'][number];

export interface LoadedCluster {
  /** The bridge's configuration, with this node's ports instead of the bridge's own. */
  readonly bridge: LoadedConfig;
  readonly shards: readonly Shard[];
  readonly status: NodeEntry['status'];
  /** File names in it are absolute. */
  readonly relay: NodeEntry['relay'];
  readonly holdMs: number;
  /** The addresses of open ports that this node announces to the others. */
  announced(ports: OpenPorts): Announcement;
  consolePort(shard: string): number;
}

/** Checks for the keys that only a cluster's file has. An unreadable file is reported later, when it is loaded. */
export function isClusterFile(file: string): boolean {
  try {
    const document = parseDocument(readFileSync(file, 'utf8'));
    return document.has('nodes') || document.has('bridge');
  } catch {
    return false;
  }
}

/** Reads the file for all nodes. Throws a ConfigError if it does not match the schema. */
export function clusterParts(file: string) {
  const checked = readYaml(file, clusterSchema);
  if (checked.kind === 'faults') throw new ConfigError(heading, checked.faults);
  const { bridge, nodes, shards } = checked.value;
  const names = nodes.map(({ name }) => name);
  return { bridgeFile: resolve(dirname(file), bridge), nodes: names, shards };
}

/** Throws a ConfigError if the settings of the cluster, its bridge or this node are invalid. */
export function loadCluster(file: string, nodeName: string): LoadedCluster {
  const checked = readYaml(file, clusterSchema);
  if (checked.kind === 'faults') throw new ConfigError(heading, checked.faults);
  const { at, value } = checked;
  const { bridge: bridgeName, holdMs, nodes, shards: named } = value;
  const place = nodes.findIndex(({ name }) => name === nodeName);
  const node = nodes[place];
  if (node === undefined) {
    const names = nodes.map(({ name }) => name);
    const others = `${names.join(', ')}.${didYouMean(nodeName, names)}`;
    throw new ConfigError(`${at(['nodes'])}: there is no node "${nodeName}", but ${others}`);
  }
  const folder = dirname(resolve(file));
  const bridgeFile = resolve(folder, bridgeName);
  if (!existsSync(bridgeFile)) {
    throw new ConfigError(heading, [`${at(['bridge'])}: ${bridgeFile} does not exist`]);
  }
  const { loaded: whole, faults: bridgeFaults } = readConfig(bridgeFile);
  const bridge = withPortsOf(node, folder, whole, (path) => at(['nodes', place, ...path]));
  const ownRelay = node.relay && { ...node.relay, tls: absolute(node.relay.tls, folder) };
  const faults = [
    ...relayFaults(value, whole.config, at),
    ...relayFileFaults(ownRelay, (path) => at(['nodes', place, 'relay', ...path])),
    ...portConflicts(value, whole.config).map(([key, text]) => `${at(key)}: ${text}`),
    ...bridgeFaults,
    ...fileFaults(bridge.config, bridge.path).map(([key, text]) => `${bridge.at(key)}: ${text}`),
  ];
  let shards: readonly Shard[] = [];
  try {
    shards = shardsOf(bridge.config, named, { cluster: at, bridge: bridge.at });
    faults.push(...unfit(bridge, shards));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  if (faults.length > 0) throw new ConfigError(heading, [...new Set(faults)]);
  return {
    bridge,
    shards,
    holdMs,
    status: node.status,
    relay: ownRelay,
    announced: (ports) => announcedOf(node, bridge.config, ports),
    consolePort: (shard) => named?.find(({ name }) => name === shard)?.consolePort ?? 0,
  };
}

function withPortsOf(
  node: NodeEntry,
  folder: string,
  whole: LoadedConfig,
  at: (path: KeyPath) => string,
): LoadedConfig {
  const { config } = whole;
  const fix = node.fix && { ...node.fix, ...withFiles(node.fix.tls, folder) };
  const fixp = node.fixp && { ...node.fixp, ...withFiles(node.fixp.tls, folder) };
  return {
    ...whole,
    config: {
      ...config,
      ...(fix && { fix }),
      ...(config.fixp && { fixp: { ...config.fixp, ...fixp } }),
    },
    at(path) {
      const [section] = path;
      const isOwn = (section === 'fix' && fix) || (section === 'fixp' && fixp);
      return isOwn ? at(path) : whole.at(path);
    },
  };
}

type Tls = NonNullable<Config['fix']['tls']>;

/** Resolves file names relative to the configuration that names them. */
function withFiles(tls: Tls | undefined, folder: string): { readonly tls?: Tls } {
  return tls === undefined ? {} : { tls: absolute(tls, folder) };
}

/** Lists settings that a single bridge supports and a cluster does not. */
function unfit({ at, config }: LoadedConfig, shards: readonly Shard[]): string[] {
  const faults: string[] = [];
  if (!config.roles.includes('order-entry')) {
    faults.push(`${at(['roles'])}: a relay of drop copies runs by itself: causeway run`);
  }
  // Each worker would open the same nonce ledger, and only one process may.
  if (config.signer?.mode === 'inline' && shards.length > 1) {
    const names = shards.map(({ name }) => name).join(', ');
    faults.push(`${at(['signer', 'mode'])}: must be process, because the shards ${names} share it`);
  }
  // The nonce ledger would stay on the machine that the shard leaves.
  else if (config.signer?.mode === 'inline' && config.store !== undefined) {
    faults.push(
      `${at(['signer', 'mode'])}: must be process, because shards in a database move between nodes`,
    );
  }
  return faults;
}
