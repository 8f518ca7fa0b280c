/** The markets of the venue profile, for a start during which the venue cannot be reached. */
import type { Market } from '../../domain/instrument.ts';
import type { MarketId } from '../../domain/units.ts';
import type { Profile } from '../../venue/profile.ts';

export function profileMarkets({ markets }: Profile): readonly Market[] {
  return markets.map(({ seedPrice: _, marketId, ...market }) => ({
    ...market,
    marketId: marketId as MarketId,
  }));
}
