/**
 * The features of the venue profile that a configuration uses. On mainnet each needs confirmed values; otherwise the
 * start is refused with the name of the key. Features that no configuration uses are refused order by order (contract
 * part B, R135).
 */
import { maxSafeAtoms } from '../domain/units.ts';
import {
  type Feature,
  isFeatureUsable,
  isUsable,
  type Profile,
  ProfileError,
} from '../venue/profile.ts';
import { type Config, profileOf, type SessionConfig } from './config/config.ts';
import { copyFeatures } from './copies/copy-readers.ts';
import type { TradingContext } from './gate/gate-view.ts';

const algoKinds = ['iceberg', 'twap', 'vwap'] as const;

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
    // Only the venue knows how far the other writers are.
    [
      'nonce.discovery, with a nonce.stride.step above 1,',
      nonce.discovery,
      nonce.stride.step === 1 ? nonce.discovery : 'hash_route',
    ],
  ] as const;
  const faults = spoken.filter(([, configured, known]) => configured !== known);
  if (faults.length === 0) return;
  const lines = faults.map(
    ([key, configured, known]) => `${key} is ${configured}; only ${known} is supported`,
  );
  throw new ProfileError(`profile "${profile.profile}":`, lines);
}

/** Two keys would have a set of nonces each, so no fence of one proves anything about an action of the other. */
export function reasonForOneKey({ nonce }: Profile): string | undefined {
  if (nonce.scope === 'account') return undefined;
  return 'each agent has its own nonces (nonce.scope of the profile), so an account has one key';
}

/** The order features that the venue's profile allows in this environment (contract C.10, C.11; R111, R135). */
export function admissionRules(
  profile: Profile,
  environment: Config['environment'],
): TradingContext['admission'] {
  const usable = (key: string) => isUsable(profile, environment, key);
  const { triggerDirection, conditionalKind } = profile.enums;
  const may = (feature: Feature) => isFeatureUsable(profile, environment, feature);
  const directions = triggerDirection.filter((word) => usable(`enums.triggerDirection.${word}`));
  const kinds = conditionalKind.filter((word) => usable(`enums.conditionalKind.${word}`));
  const pairs = directions.flatMap((way) => kinds.map((kind) => `${way}/${kind}`));
  return {
    acceptMarketPrice: profile.marketOrder.acceptPrice,
    collarBps: profile.marketOrder.collarBps,
    conditionals: new Set(may('conditionals') ? pairs : []),
    algos: new Set(algoKinds.filter((kind) => may(kind) && hasOurParams(profile, kind))),
    marketOrders: may('marketOrders') && may('marketData'),
    goodTillDate: may('goodTillDate'),
    expiryStepMs: profile.types.expiresAt === 'unix_s' ? 1000 : 1,
    localChecks: profile.localChecks && (usable('markets') || may('marketList')),
    maxAtoms: maxSafeAtoms,
  };
}

/** Of a strategy with other parameters no action can be made, which would stop the bridge when a client asks for it. */
function hasOurParams({ strategies }: Profile, kind: (typeof algoKinds)[number]): boolean {
  const ours = kind === 'iceberg' ? ['slice_qty'] : ['slice_qty', 'interval_ms'];
  return (
    strategies[kind].length === ours.length && strategies[kind].every((one) => ours.includes(one))
  );
}
