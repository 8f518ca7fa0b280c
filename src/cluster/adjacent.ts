/**
 * Determines which versions may share one database, as during a rolling upgrade
 * (docs/decisions/0287-nodes-own-shards-by-leases.md).
 */
import { leaseMs } from '../store/postgres/lease.ts';
import type { NodeRow } from '../store/postgres/nodes.ts';

/** The same major version, and the same minor version or the one before or after it. */
function areAdjacent(a: string, b: string): boolean {
  const [major, minor = 0] = a.split('.').map(Number);
  const [otherMajor, otherMinor = 0] = b.split('.').map(Number);
  return major === otherMajor && Math.abs(minor - otherMinor) <= 1;
}

/** Returns why a node of this version must not start beside the nodes that are alive; undefined if it may. */
export function versionFault(
  { node: self, version }: Pick<NodeRow, 'node' | 'version'>,
  nodes: readonly Pick<NodeRow, 'ageMs' | 'node' | 'version'>[],
): string | undefined {
  const isOther = ({ ageMs, node, version: its }: (typeof nodes)[number]) =>
    node !== self && ageMs <= leaseMs && !areAdjacent(its, version);
  const other = nodes.find(isOther);
  if (other === undefined) return undefined;
  return `node ${other.node} runs version ${other.version}, and this program is ${version}: only adjacent minor versions run side by side. Upgrade one minor version at a time, or stop all nodes first (docs/DEPLOY.md, "A rolling upgrade")`;
}
