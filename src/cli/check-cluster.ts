/** `causeway check` for a cluster: its own file, and the bridge as each node would run it. */
import { clusterParts, loadCluster } from '../cluster/cluster-config.ts';
import { ConfigError } from '../gateway/config-file.ts';
import { FileFaults } from '../runtime/yaml.ts';
import { type CheckedConfig, checked } from './checked-config.ts';

/** Without a node name, every node is checked with all of its files. */
export async function checkedCluster(file: string, node?: string): Promise<CheckedConfig> {
  const faults = new Set<string>();
  const warnings = new Set<string>();
  let first: CheckedConfig | undefined;
  for (const name of node === undefined ? clusterParts(file).nodes : [node]) {
    try {
      const { bridge } = loadCluster(file, name);
      const found = await checked({ loaded: bridge, faults: [] });
      for (const warning of found.warnings) warnings.add(warning);
      first ??= found;
    } catch (error) {
      if (!(error instanceof FileFaults)) throw error;
      for (const fault of error.faults) faults.add(fault);
    }
  }
  if (first === undefined || faults.size > 0) {
    throw new ConfigError('the configuration of the cluster is wrong:', [...faults]);
  }
  return { ...first, warnings: [...warnings] };
}
