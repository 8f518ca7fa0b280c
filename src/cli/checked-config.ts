/**
 * Checks the configuration of a bridge, or of a cluster, and all of its files as far as possible without opening
 * anything.
 */
import { clusterParts, loadCluster } from '../cluster/cluster-config.ts';
import {
  checkConfig,
  credentialEnds,
  requireCredentials,
} from '../gateway/config/config-checks.ts';
import {
  ConfigError,
  configHeading,
  type LoadedConfig,
  type ReadConfig,
  readConfig,
} from '../gateway/config/config-file.ts';
import { planDescriptors } from '../gateway/config/descriptor-plan.ts';
import { enabledFeatures, requireSpoken } from '../gateway/features.ts';
import { isCheaperThanNew } from '../gateway/passwords/secret-hash.ts';
import { checkSignerFile } from '../gateway/signing.ts';
import { systemClock } from '../runtime/clock.ts';
import { endings } from '../runtime/expiry-watch.ts';
import { FileFaults, faultParts } from '../runtime/yaml.ts';
import type { KeyPath } from '../runtime/yaml-problem.ts';
import { type Blake3, fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { expiriesOf } from '../signer/open-signer.ts';
import type { SignerConfig } from '../signer/signer-config.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';

export interface CheckedConfig extends LoadedConfig {
  readonly profile: Profile;
  readonly warnings: readonly string[];
}

export function checkedConfig(file: string): Promise<CheckedConfig> {
  return checked(readConfig(file));
}

export async function checked({ loaded, faults }: ReadConfig): Promise<CheckedConfig> {
  const { config, path } = loaded;
  const { blake3 } = await fastestBlake3();
  const found = checkConfig(loaded);
  faults.push(...found.faults);
  const collect = <T>(key: KeyPath, read: () => T) => collected(faults, loaded.at(key), read);
  const profile = collect(['venue', 'profile'], () => checkedProfile(loaded, blake3));
  if (profile !== undefined) collect([], () => requireCredentials(loaded, profile));
  const { signer } = config;
  const notes = [...rotationNotes(loaded)];
  if (signer?.mode === 'inline') {
    const accounts = config.accounts.map(({ account }) => account);
    const key = ['signer', 'configFile'];
    const keys = collect(key, () =>
      checkSignerFile(path(signer.configFile), config.environment, accounts),
    );
    if (keys !== undefined) notes.push(...signerNotes(keys));
  }
  if (profile === undefined || faults.length > 0) throw new ConfigError(configHeading, faults);
  return { ...loaded, profile, warnings: [...found.warnings, ...notes] };
}

/** The bridge as each node of a cluster would run it. Without a node name, all nodes are checked with all files. */
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

/** Credentials that expire, and accounts with two credentials. */
function rotationNotes({ at, config }: LoadedConfig): readonly string[] {
  const twice = config.accounts.flatMap(({ older }, index) =>
    older
      ? [
          `${at(['accounts', index, 'older'])}: used for what the venue refuses with the newer credential`,
        ]
      : [],
  );
  return [...twice, ...endings(credentialEnds(config), systemClock.now().wallMs)];
}

/** Keys of a signer that expire, and accounts with two keys. */
export function signerNotes(config: SignerConfig): readonly string[] {
  const twice = config.keys.flatMap(({ older, policy }, index) =>
    older
      ? [
          `keys[${index}]: it signs first for ${[...policy.accounts].join(', ')}, and its older key what the venue refuses from it`,
        ]
      : [],
  );
  return [...twice, ...endings(expiriesOf(config), systemClock.now().wallMs)];
}

function checkedProfile({ config, path }: LoadedConfig, blake3: Blake3): Profile {
  const profile = loadProfile(path(config.venue.profile));
  requireSpoken(profile);
  requireConfirmed(profile, config.environment, enabledFeatures(config, profile));
  checkGoldenVectors(profile, blake3);
  return profile;
}

/** Collects the problems of another file. A missing file was reported already with the key that names it. */
function collected<T>(faults: string[], at: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    if (faults.some((known) => known.startsWith(`${at}: `))) return undefined;
    for (const fault of error.faults) {
      faults.push('file' in faultParts(fault) ? fault : `${at}: ${fault}`);
    }
    return undefined;
  }
}

/** Advice on a valid configuration. */
export function configNotes(checked: CheckedConfig): readonly string[] {
  const { config, operators, profile, users } = checked;
  const { shortage } = planDescriptors(checked, profile);
  const consoleOperators = config.console?.operators ?? [];
  const hashes = [
    ...config.users.map(({ name }, at) => [`users[${at}]`, users.get(name)] as const),
    ...consoleOperators.map(
      ({ name }, at) => [`console.operators[${at}]`, operators.get(name)] as const,
    ),
  ];
  const cheap = hashes.filter(([, secret]) => secret?.hash && isCheaperThanNew(secret.hash));
  return [
    ...(shortage === undefined ? [] : [shortage]),
    ...(cheap.length === 0 ? [] : [cheapHashes(cheap.map(([key]) => `${key}.secretHashFile`))]),
  ];
}

function cheapHashes(keys: readonly string[]): string {
  const what = keys.length === 1 ? 'this hash is' : `these ${keys.length} hashes are`;
  return `${keys.join(', ')}: ${what} faster to guess than a new one; "causeway keys hash" makes a new one`;
}
