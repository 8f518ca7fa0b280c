/** What the venue's profile lets an order say, in this environment (contract C.10, C.11; R111, R135). */
import { maxSafeAtoms } from '../domain/units.ts';
import { isUsable, type Profile } from '../venue/profile.ts';
import type { Config } from './config.ts';
import type { Floor } from './order-entry.ts';

const algoKinds = ['iceberg', 'twap', 'vwap'] as const;

export function admissionRules(
  profile: Profile,
  environment: Config['environment'],
): Floor['admission'] {
  const usable = (key: string) => isUsable(profile, environment, key);
  const { triggerDirection, conditionalKind } = profile.enums;
  const directions = triggerDirection.filter((word) => usable(`enums.triggerDirection.${word}`));
  const kinds = conditionalKind.filter((word) => usable(`enums.conditionalKind.${word}`));
  return {
    acceptMarketPrice: profile.marketOrder.acceptPrice,
    collarBps: profile.marketOrder.collarBps,
    conditionals: new Set(directions.flatMap((way) => kinds.map((kind) => `${way}/${kind}`))),
    algos: new Set(algoKinds.filter((kind) => usable(`strategies.${kind}`))),
    localChecks: false,
    maxAtoms: maxSafeAtoms,
  };
}
