/**
 * Finds conflicting ports of a cluster on one machine: those of one node, and those of two nodes with a common address.
 * Addresses that every machine has, such as 127.0.0.1 and 0.0.0.0, do not prove that two nodes share a machine.
 */
import { isLoopback } from '../gateway/config/config-keys.ts';
import type { KeyPath } from '../runtime/yaml-problem.ts';

interface Port {
  /** The section that decides it. */
  readonly path: KeyPath;
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

interface Section {
  readonly listen: { readonly host: string; readonly port: number };
}

export interface Listeners {
  readonly nodes: readonly {
    readonly name: string;
    readonly fix?: Section | undefined;
    readonly fixp?: Section | undefined;
    readonly relay?: Section | undefined;
    readonly status?: Section | undefined;
  }[];
  readonly shards?: readonly { readonly name: string; readonly consolePort: number }[] | undefined;
}

/** The bridge's ports, which a node uses if its own entry has none. */
export interface BridgeListeners {
  readonly fix: Section;
  readonly fixp?: Section | undefined;
  readonly console?: Section | undefined;
}

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export function portConflicts(
  cluster: Listeners,
  bridge: BridgeListeners,
): readonly (readonly [path: KeyPath, text: string])[] {
  const faults: [KeyPath, string][] = [];
  const before: Port[][] = [];
  for (const [index, { name }] of cluster.nodes.entries()) {
    const own = [...portsOf(cluster, bridge, index)];
    for (const [place, port] of own.entries()) {
      const neighbours = before.filter((other) => isOneMachine(other, own)).flat();
      const taken = [...own.slice(0, place), ...neighbours].find((other) => meet(other, port));
      if (taken === undefined) continue;
      const text = `port ${port.port} of the ${port.name} of node ${name} is also that of the ${taken.name}`;
      faults.push([port.path, text]);
    }
    before.push(own.map((port) => ({ ...port, name: `${port.name} of node ${name}` })));
  }
  // The console of a shard is the same on every node.
  return faults.filter(([path], at) => path[0] !== 'shards' || isFirst(faults, path, at));
}

function isFirst(faults: readonly (readonly [KeyPath, string])[], path: KeyPath, at: number) {
  return faults.findIndex(([other]) => other.join() === path.join()) === at;
}

function* portsOf(
  { nodes, shards = [] }: Listeners,
  bridge: BridgeListeners,
  index: number,
): Generator<Port> {
  const node = nodes[index];
  for (const name of ['fix', 'fixp', 'relay', 'status'] as const) {
    const section = node?.[name] ?? (name === 'fix' || name === 'fixp' ? bridge[name] : undefined);
    if (section === undefined) continue;
    const path = ['nodes', index, ...(node?.[name] === undefined ? [] : [name, 'listen', 'port'])];
    yield { path, name, ...section.listen };
  }
  if (bridge.console === undefined) return;
  const { host } = bridge.console.listen;
  for (const [place, { consolePort, name }] of shards.entries()) {
    const path = ['shards', place, 'consolePort'];
    yield { path, name: `console of shard ${name}`, host, port: consolePort };
  }
}

function meet(a: Port, b: Port): boolean {
  if (a.port === 0 || a.port !== b.port) return false;
  // Two nodes on one machine never serve the same shard at once.
  if (a.path[0] === 'shards' && a.path.join() === b.path.join()) return false;
  return a.host === b.host || everywhere.has(a.host) || everywhere.has(b.host);
}

function isOneMachine(a: readonly Port[], b: readonly Port[]): boolean {
  const own = ({ host }: Port) => !everywhere.has(host) && !isLoopback(host);
  const hosts = new Set(a.filter(own).map(({ host }) => host));
  return b.some(({ host }) => hosts.has(host));
}
