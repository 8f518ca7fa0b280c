/** A configuration with all it names looked at, as far as one can without opening anything. */
import { type LoadedConfig, loadConfig } from '../gateway/config-file.ts';
import { enabledFeatures, requireSpoken } from '../gateway/features.ts';
import { checkSignerFiles } from '../gateway/signing.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { loadProfile, requireConfirmed } from '../venue/profile.ts';

export async function checkedConfig(file: string): Promise<LoadedConfig> {
  const loaded = loadConfig(file);
  const { config, path } = loaded;
  const profile = loadProfile(path(config.venue.profile));
  requireSpoken(profile);
  requireConfirmed(profile, config.environment, enabledFeatures(config, profile));
  checkGoldenVectors(profile, (await fastestBlake3()).blake3);
  checkSignerFiles(loaded);
  return loaded;
}
