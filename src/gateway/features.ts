/**
 * The features of the venue profile that a configuration uses. On mainnet each needs confirmed values; otherwise the
 * start is refused with the name of the key. Features that no configuration uses are refused order by order (contract
 * part B, R135).
 */
import { type Feature, isFeatureUsable, type Profile, ProfileError } from '../venue/profile.ts';
import { type Config, profileOf, type SessionConfig } from './config.ts';
import { copyFeatures } from './copy-readers.ts';

export const algoKinds = ['iceberg', 'twap', 'vwap'] as const;

export function enabledFeatures(config: Config, profile: Profile): readonly Feature[] {
  if (!config.roles.includes('order-entry')) return ['stream', ...copyFeatures(profile)];
  const { cancelAll, lanes, nonce } = profile;
  const trading = config.sessions.filter(({ role }) => role === 'order-entry');
  const may = (action: SessionConfig['actions'][number]) =>
    trading.some(({ actions }) => actions.includes(action));
  // One confirmed kind is enough; other kinds are refused order by order.
  const hasAlgo = algoKinds.some((kind) => isFeatureUsable(profile, config.environment, kind));
  const used: Partial<Record<Feature, boolean>> = {
    hashRoute: nonce.discovery === 'hash_route',
    nonceFiller: nonce.filler !== 'none',
    jsonBatch: lanes.order.includes('jsonBatch') && lanes.jsonBatch !== 'never',
    directTcp: lanes.directTcp,
    cancelAllRoute: cancelAll.mode === 'route',
    quotes: may('quote'),
    ...Object.fromEntries(algoKinds.map((kind) => [kind, may('algo') && !hasAlgo])),
    conditionals: may('conditional'),
    goodTillDate: trading.some((one) => profileOf(one, config).dayOrders === 'end_of_day'),
  };
  const named = (Object.keys(used) as Feature[]).filter((feature) => used[feature]);
  return ['orders', 'stream', ...copyFeatures(profile), ...named];
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
