/** A configuration and everything that it names, checked as far as possible without opening anything. */
import { checkConfig } from '../gateway/config-checks.ts';
import { ConfigError, type LoadedConfig, loadConfig } from '../gateway/config-file.ts';
import { planDescriptors } from '../gateway/descriptor-plan.ts';
import { enabledFeatures, requireSpoken } from '../gateway/features.ts';
import { isCheaperThanNew } from '../gateway/secret-hash.ts';
import { checkSignerFiles } from '../gateway/signing.ts';
import { faultList } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';

interface CheckedConfig extends LoadedConfig {
  readonly profile: Profile;
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
  return { ...loaded, profile, warnings };
}

/** What an operator may want to change in a valid configuration. */
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
    ...cheap.map(
      ([key]) =>
        `${key}.secretHashFile: this hash is faster to guess than a new one; renew it with "causeway keys hash"`,
    ),
  ];
}
