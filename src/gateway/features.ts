/**
 * What a configuration switches on of the venue profile. In mainnet each feature stands on confirmed values, or the
 * start is refused and the key named; what no configuration switches is refused order by order (contract part B, R135).
 */
import { type Feature, isFeatureUsable, type Profile } from '../venue/profile.ts';
import { profileOf } from './client-names.ts';
import type { Config } from './config.ts';
import { copyFeatures } from './copy-desk.ts';

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
  // One kind that is confirmed is enough to be let in; the others are refused order by order.
  const hasAlgo = algoKinds.some((kind) => isFeatureUsable(profile, config.environment, kind));
  return [
    ...(may('quote') ? (['quotes'] as const) : []),
    ...(may('algo') && !hasAlgo ? algoKinds : []),
    ...(may('conditional') ? (['conditionals'] as const) : []),
    ...(endsDays ? (['goodTillDate'] as const) : []),
  ];
}
