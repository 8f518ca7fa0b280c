/** A configuration with all it names looked at, as far as one can without opening anything. */
import { checkConfig } from '../gateway/config-checks.ts';
import { ConfigError, type LoadedConfig, loadConfig } from '../gateway/config-file.ts';
import { enabledFeatures, requireSpoken } from '../gateway/features.ts';
import { checkSignerFiles } from '../gateway/signing.ts';
import { faultList } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { loadProfile, requireConfirmed } from '../venue/profile.ts';

export interface CheckedConfig extends LoadedConfig {
  readonly warnings: readonly string[];
}

export async function checkedConfig(file: string): Promise<CheckedConfig> {
  const loaded = loadConfig(file);
  const { config, path } = loaded;
  const profile = loadProfile(path(config.venue.profile));
  requireSpoken(profile);
  requireConfirmed(profile, config.environment, enabledFeatures(config, profile));
  checkGoldenVectors(profile, (await fastestBlake3()).blake3);
  checkSignerFiles(loaded);
  const { faults, warnings } = checkConfig(loaded);
  if (faults.length > 0) throw new ConfigError(faultList('the configuration is wrong:', faults));
  return { ...loaded, warnings };
}
