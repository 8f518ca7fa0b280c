/**
 * The features of the venue profile that a configuration uses. On mainnet each needs confirmed values; otherwise the
 * start is refused with the name of the key. Features that no configuration uses are refused order by order (contract
 * part B, R135).
 */
import { type Feature, isFeatureUsable, type Profile, ProfileError } from '../venue/profile.ts';
import { type Config, profileOf } from './config.ts';
import { copyFeatures } from './copy-readers.ts';

export const algoKinds = ['iceberg', 'twap', 'vwap'] as const;

export function enabledFeatures(config: Config, profile: Profile): readonly Feature[] {
  if (!config.roles.includes('order-entry')) return ['stream', ...copyFeatures(profile)];
  return [
    'orders',
    'stream',
    ...copyFeatures(profile),
    ...ofProfile(profile),
    ...ofSessions(config, profile),
  ];
}

/** Throws if the profile requires something that this bridge does not support; the message names the keys. */
export function requireSpoken(profile: Profile): void {
  const { cancelAll, families, lanes, marketOrder, nonce, reduceOnly } = profile;
  const spoken = [
    ['cancelAll.mode', cancelAll.mode, 'fanout'],
    ['lanes.directTcp', lanes.directTcp, false],
    ['marketOrder.price', marketOrder.price, 'collar'],
    ['marketOrder.tif', marketOrder.tif, 'ioc'],
    ['reduceOnly.spot', reduceOnly.spot, 'ask_only'],
    ['families.spot', families.spot, 'SpotPlaceOrder'],
    ['families.binary', families.binary, 'PlaceOrder'],
    ['families.prediction', families.prediction, 'PlaceOrder'],
    ['nonce.consumedByEngineReject', nonce.consumedByEngineReject, true],
  ] as const;
  const faults = spoken.filter(([, configured, known]) => configured !== known);
  if (faults.length === 0) return;
  const lines = faults.map(
    ([key, configured, known]) => `${key} is ${configured}; only ${known} is supported`,
  );
  throw new ProfileError(`profile "${profile.profile}":`, lines);
}

function ofProfile({ cancelAll, lanes, nonce }: Profile): readonly Feature[] {
  const isBatched = lanes.order.includes('jsonBatch') && lanes.jsonBatch !== 'never';
  return [
    ...(nonce.discovery === 'hash_route' ? (['hashRoute'] as const) : []),
    ...(nonce.filler === 'none' ? [] : (['nonceFiller'] as const)),
    ...(isBatched ? (['jsonBatch'] as const) : []),
    ...(lanes.directTcp ? (['directTcp'] as const) : []),
    ...(cancelAll.mode === 'route' ? (['cancelAllRoute'] as const) : []),
  ];
}

function ofSessions(config: Config, profile: Profile): readonly Feature[] {
  const trading = config.sessions.filter(({ role }) => role === 'order-entry');
  const may = (action: (typeof trading)[number]['actions'][number]) =>
    trading.some(({ actions }) => actions.includes(action));
  const endsDays = trading.some((one) => profileOf(one, config).dayOrders === 'end_of_day');
  // One confirmed kind is enough; other kinds are refused order by order.
  const hasAlgo = algoKinds.some((kind) => isFeatureUsable(profile, config.environment, kind));
  return [
    ...(may('quote') ? (['quotes'] as const) : []),
    ...(may('algo') && !hasAlgo ? algoKinds : []),
    ...(may('conditional') ? (['conditionals'] as const) : []),
    ...(endsDays ? (['goodTillDate'] as const) : []),
  ];
}
