/**
 * Reads the venue profile, one YAML file, and reports each error with its line and key. The venue has confirmed a value
 * or not. In `mainnet`, a feature that needs an unconfirmed value refuses to start (docs/venue/contract.md, part B,
 * safety rule; R135).
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Market } from '../domain/instrument.ts';
import type { MarketId } from '../domain/units.ts';
import { unreadable } from '../runtime/private-file.ts';
import { shippedText } from '../runtime/shipped.ts';
import { type Checked, FileFaults, parseYaml } from '../runtime/yaml.ts';
import { profileSchema, type RouteName } from './profile-schema.ts';

export type Profile = z.infer<typeof profileSchema>;
export type ProfileMarket = Profile['markets'][number];
export type Environment = keyof Profile['environments'];

/** The profile has errors; the message lists each with its location. */
export class ProfileError extends FileFaults {}

/** The profile of the built-in sandbox venue. */
export const sandboxProfile = 'dictionaries/venue.sandbox.yaml';

export function shippedProfile(): Profile {
  return parseProfile(shippedText(sandboxProfile), sandboxProfile);
}

let last: { readonly text: string; readonly profile: Profile } | undefined;

/** A start reads the profile in several places, so the last text is not parsed again: that takes 60 ms each time. */
export function loadProfile(file: string): Profile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong([unreadable(file, error)]);
  }
  if (last?.text !== text) {
    const checked = parseYaml(text, file, profileSchema, dirname(file));
    last = { text, profile: accepted(checked, file) };
  }
  return last.profile;
}

/** Its markets, for a start during which the venue cannot be reached. */
export function profileMarkets({ markets }: Profile): readonly Market[] {
  return markets.map(({ seedPrice: _, marketId, ...market }) => ({
    ...market,
    marketId: marketId as MarketId,
  }));
}

export function parseProfile(text: string, file: string): Profile {
  return accepted(parseYaml(text, file, profileSchema), file);
}

function accepted(checked: Checked<Profile>, file: string): Profile {
  if (checked.kind === 'faults') throw wrong(checked.faults);
  const profile = named(checked.value);
  const unknown = unknownConfirmations(profile);
  if (unknown.length > 0) {
    throw wrong(unknown.map((key) => `${file} confirmed: no key "${key}"`));
  }
  return profile;
}

function wrong(faults: readonly string[]): ProfileError {
  return new ProfileError('the venue profile is wrong:', faults);
}

/** Inserts the service's name, which is part of domains, one header and one content type (G01). */
function named(profile: Profile): Profile {
  const { name, slug } = profile.service;
  const filled = (text: string) => text.replaceAll('{NAME}', name).replaceAll('{slug}', slug);
  return {
    ...profile,
    signing: {
      ...profile.signing,
      domains: {
        action: filled(profile.signing.domains.action),
        orderId: filled(profile.signing.domains.orderId),
      },
    },
    compact: { ...profile.compact, contentType: filled(profile.compact.contentType) },
    headers: {
      ...profile.headers,
      responseMode: filled(profile.headers.responseMode),
    },
  };
}

function unknownConfirmations(profile: Profile): readonly string[] {
  if (typeof profile.confirmed === 'boolean') return [];
  return profile.confirmed.filter((key) => !exists(profile, key.split('.')));
}

/** An entry of a list of words counts as a key, so that a single word of an enumeration can be confirmed (G07). */
function exists(value: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (Array.isArray(value) && rest.length === 0 && value.includes(key)) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return exists((value as Record<string, unknown>)[key], rest);
}

export function isConfirmed(profile: Profile, key: string): boolean {
  if (typeof profile.confirmed === 'boolean') return profile.confirmed;
  return profile.confirmed.some((known) => key === known || key.startsWith(`${known}.`));
}

/** Whether the bridge may rely on the value: `local` runs with the defaults, `mainnet` with confirmed values only. */
export function isUsable(profile: Profile, environment: Environment, key: string): boolean {
  return environment === 'local' || isConfirmed(profile, key);
}

export function isFeatureUsable(
  profile: Profile,
  environment: Environment,
  feature: Feature,
): boolean {
  return featureKeys[feature].every((key) => isUsable(profile, environment, key));
}

/** The profile keys that each feature needs beyond the venue's own text. */
export const featureKeys = {
  orders: [
    'service',
    'environments.mainnet.baseUrl',
    'signing.domains',
    'clientOrderId',
    'nonce.scope',
    'auth.http',
    'families',
    'markets',
  ],
  stream: ['ws', 'stream', 'gapFill', 'routes.wsPrivate', 'routes.gapFill', 'records.receipt'],
  hashRoute: ['hashRoute', 'nonce.discovery'],
  nonceFiller: ['nonce.filler'],
  goodTillDate: ['types.expiresAt'],
  marketOrders: ['marketOrder'],
  amend: ['amend.newQty'],
  quotes: ['orderId.leg', 'limits.batch.legs'],
  iceberg: ['variants.PlaceAlgoOrder', 'variants.CancelAlgoOrder', 'strategies.iceberg'],
  twap: ['variants.PlaceAlgoOrder', 'variants.CancelAlgoOrder', 'strategies.twap'],
  vwap: ['variants.PlaceAlgoOrder', 'variants.CancelAlgoOrder', 'strategies.vwap'],
  /** Directions and kinds are confirmed one by one (G07). */
  conditionals: [
    'variants.PlaceConditionalOrder',
    'variants.CancelConditionalOrder',
    'nonce.nestedTrigger',
    'types.expiresAt',
  ],
  jsonBatch: ['lanes.jsonBatch', 'batch.derivedOrderIds', 'records.limits'],
  compactBatch: ['compact'],
  directTcp: ['lanes.directTcp'],
  eip191: ['signing.schemes.eip191'],
  cancelAllRoute: ['cancelAll', 'routes.cancelAll'],
  marketList: ['routes.markets', 'records.market', 'records.markets'],
  marketData: ['routes.orderbook', 'records.orderbook', 'marketData'],
  venueDropCopy: ['dropCopy', 'routes.dropCopy', 'records.dropCopy'],
} as const satisfies Record<string, readonly string[]>;
export type Feature = keyof typeof featureKeys;

/** Throws unless each enabled feature has confirmed values; the message names the feature and the key (R135). */
export function requireConfirmed(
  profile: Profile,
  environment: Environment,
  features: readonly Feature[],
): void {
  const missing = features.flatMap((feature) => {
    const keys = featureKeys[feature].filter((key) => !isUsable(profile, environment, key));
    if (keys.length === 0) return [];
    return [`${feature} needs ${keys.join(', ')}, which the profile does not confirm`];
  });
  if (missing.length === 0) return;
  throw new ProfileError(`profile "${profile.profile}" cannot serve ${environment}:`, missing);
}

/** Returns the path of a route with its parameters filled in. */
export function routePath(
  profile: Profile,
  name: RouteName,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  return profile.routes[name].replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = parameters[key];
    if (value === undefined) throw new Error(`route ${name} needs the parameter ${key}`);
    return encodeURIComponent(value);
  });
}
