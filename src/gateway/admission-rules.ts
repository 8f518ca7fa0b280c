/** The order features that the venue's profile allows in this environment (contract C.10, C.11; R111, R135). */
import { maxSafeAtoms } from '../domain/units.ts';
import { type Feature, isFeatureUsable, isUsable, type Profile } from '../venue/profile.ts';
import type { Config } from './config.ts';
import { algoKinds } from './features.ts';
import type { TradingContext } from './gate-view.ts';

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
    algos: new Set(algoKinds.filter(may)),
    marketOrders: may('marketOrders') && may('marketData'),
    goodTillDate: may('goodTillDate'),
    expiryStepMs: profile.types.expiresAt === 'unix_s' ? 1000 : 1,
    localChecks: profile.localChecks && (usable('markets') || may('marketList')),
    maxAtoms: maxSafeAtoms,
  };
}
