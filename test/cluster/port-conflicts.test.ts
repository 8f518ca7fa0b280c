/** Ports that two parts of a cluster cannot both have. */
import { expect, test } from 'vitest';
import { type Listeners, portConflicts } from '../../src/cluster/port-conflicts.ts';

const at = (host: string, port: number) => ({ listen: { host, port } });

function conflicts(
  nodes: readonly Omit<Listeners['nodes'][number], 'name'>[],
  shards: Listeners['shards'] = [],
  { fix = at('127.0.0.1', 0), fixp = at('127.0.0.1', 0) } = {},
): readonly string[] {
  const named = nodes.map((node, index) => ({ name: `n${index + 1}`, ...node }));
  const bridge = { fix, fixp, console: at('127.0.0.1', 9888) };
  const found = portConflicts({ nodes: named, shards }, bridge);
  return found.map(([path, text]) => `${path.join('.')}: ${text}`);
}

test('two ports of one node are not the same', () => {
  for (const name of ['status', 'relay'] as const) {
    expect(conflicts([{ fix: at('10.0.0.1', 9880), [name]: at('0.0.0.0', 9880) }])).toContain(
      `nodes.0.${name}.listen.port: port 9880 of the ${name} of node n1 is also that of the fix`,
    );
  }
});

test('ports on different addresses, and ports that the system chooses, do not meet', () => {
  expect(conflicts([{ fix: at('10.0.0.1', 9880), status: at('127.0.0.1', 9880) }])).toEqual([]);
  expect(conflicts([{ fix: at('10.0.0.1', 0), status: at('10.0.0.1', 0) }])).toEqual([]);
});

test('nodes with the same address are on one machine, and all of their ports are compared', () => {
  const fixps = [9882, 9883].map((port) => at('10.0.0.1', port));
  const nodes = fixps.map((fixp) => ({ fixp, status: at('127.0.0.1', 9889) }));
  expect(conflicts(nodes)).toEqual([
    'nodes.1.status.listen.port: port 9889 of the status of node n2 is also that of the status of node n1',
  ]);
});

test('a port that two nodes take from the bridge is theirs only where its address is of one machine', () => {
  const one = { fix: at('10.0.0.1', 9880) };
  expect(conflicts([{}, {}], [], one)).toEqual([
    'nodes.1: port 9880 of the fix of node n2 is also that of the fix of node n1',
  ]);
  expect(conflicts([{}, {}], [], { fix: at('0.0.0.0', 9880) })).toEqual([]);
});

test('consoles of two shards are not on one port, which is reported once for all nodes', () => {
  const shards = ['east', 'west'].map((name) => ({ name, consolePort: 9891 }));
  expect(conflicts([{}, {}], shards)).toEqual([
    'shards.1.consolePort: port 9891 of the console of shard west of node n1 is also that of the console of shard east',
  ]);
});
