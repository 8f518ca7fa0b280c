/** The address of the venue. */
import { expect, test } from 'vitest';
import { venueUrl } from '../../../src/gateway/config/venue-url.ts';
import type { Profile } from '../../../src/venue/profile.ts';

const profile = {
  environments: { production: { baseUrl: 'https://venue' }, sandbox: { baseUrl: null } },
} as unknown as Profile;
const urlFor = (environment: string, baseUrl?: string) =>
  venueUrl({ environment, venue: { baseUrl } } as never, profile);

test('it is that of the configuration, or else the one of the profile for the environment', () => {
  expect(urlFor('production', 'http://127.0.0.1:1')).toBe('http://127.0.0.1:1');
  expect(urlFor('production')).toBe('https://venue');
});

test('without either the configuration is wrong, and the error names the key', () => {
  expect(() => urlFor('sandbox')).toThrow(/venue\.baseUrl: the profile has no address for sandbox/);
});
