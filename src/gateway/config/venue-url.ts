/** The venue's URL: from the configuration, otherwise the profile's address for the environment. */
import type { Profile } from '../../venue/profile.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-file.ts';

export function venueUrl(
  { environment, venue }: Pick<Config, 'environment' | 'venue'>,
  profile: Profile,
): string {
  const url = venue.baseUrl ?? profile.environments[environment].baseUrl;
  if (url !== null) return url;
  throw new ConfigError(`venue.baseUrl: the profile has no address for ${environment}`);
}
