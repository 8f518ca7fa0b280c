/** The markets that the venue lists now, asked with the credential of the first account. */
import type { Market } from '../domain/instrument.ts';
import type { LoadedConfig } from '../gateway/config-file.ts';
import { venueUrl } from '../gateway/venue-url.ts';
import { systemClock } from '../runtime/clock.ts';
import { HttpClient } from '../venue/http-client.ts';
import { loadProfile } from '../venue/profile.ts';
import { RequestAuth } from '../venue/request-auth.ts';
import { VenueReads } from '../venue/venue-reads.ts';

export async function listedMarkets(loaded: LoadedConfig): Promise<readonly Market[]> {
  const { config, credentials, path } = loaded;
  const profile = loadProfile(path(config.venue.profile));
  const [credential] = credentials.values();
  if (credential === undefined) throw new Error('no account has a credential');
  const http = new HttpClient({
    baseUrl: venueUrl(config, profile),
    rules: profile.http,
    clock: systemClock,
    auth: new RequestAuth(profile.auth.http, credential),
    maxSkewMs: profile.auth.http.maxSkewMs,
  });
  try {
    return await new VenueReads(http, profile).markets();
  } finally {
    await http.close();
  }
}
