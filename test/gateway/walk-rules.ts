/** What random walks (`core-walk.ts`) differ in: the rules of the venue, and how the bridge is configured. */
import type { OrderRules } from '../../src/domain/order.ts';
import type { OrdersBounds } from '../../src/engine/orders-state.ts';
import { type EngineSettings, venueSettings } from '../../src/gateway/engine-settings.ts';
import { fullRules } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { sandboxProfile } from '../support/quick-files.ts';

export interface WalkRules {
  readonly window: number;
  /** The venue loses events, and then has only orders whose receipts tell everything. */
  readonly isForgetful: boolean;
  /** The venue derives the ids of legs otherwise than the profile says (R10). */
  readonly isRenaming: boolean;
  /** When the venue reports the end of an order that a leg has displaced; the child's event says so in any case. */
  readonly displaced: 'silent' | 'before' | 'after';
  readonly amendQty: 'total' | 'remaining';
  /** The venue states no floor with a refusal for a nonce below it, as in the results of a batch. */
  readonly isTerse: boolean;
  /** Every other nonce belongs to another writer, who uses them. */
  readonly isShared: boolean;
  readonly bounds: OrdersBounds;
  readonly maxLegs: number;
  readonly maxStored: number;
  readonly skipUnchanged: boolean;
}

export function walkRules(dice: Dice): WalkRules {
  const isForgetful = dice.hits(150);
  const endedOrders = dice.pick([10_000, 10_000, 30]);
  return {
    ...{ isForgetful, isRenaming: !isForgetful && dice.hits(100) },
    window: dice.pick([12, 12, 6, 6, 40]),
    displaced: isForgetful ? 'silent' : dice.pick(['silent', 'silent', 'before', 'after']),
    amendQty: dice.pick(['total', 'total', 'remaining']),
    ...{ isShared: dice.hits(100), isTerse: dice.hits(200) },
    bounds: { endedOrders, spentNames: 100_000 },
    maxLegs: dice.pick([64, 64, 3]),
    maxStored: dice.pick([32, 2]),
    skipUnchanged: dice.hits(800),
  };
}

/** The settings of a process; those of the next one may differ in the rules of the sessions. */
export function walkSettings(
  dice: Dice,
  { amendQty, isShared, window }: WalkRules,
  before?: EngineSettings,
): EngineSettings {
  const sessionRules = { S: sessionRulesOf(dice, amendQty), T: sessionRulesOf(dice, amendQty) };
  if (before !== undefined) return dice.hits(300) ? { ...before, sessionRules } : before;
  const stride = isShared ? { offset: 1, step: 2 } : { offset: 0, step: 1 };
  const cancelReserve = Math.floor(window / 6);
  return {
    ...venueSettings(sandboxProfile, 5_000),
    sessionRules,
    otherRules: { ...fullRules, amendQty },
    nonces: {
      rules: { window, stride, cancelReserve, fillAbove: Math.floor((2 * window) / 3) },
      nestedTrigger: dice.hits(900) ? 'consumed_on_store' : 'holds_floor',
      // Where writers take turns, the floor must be asked for.
      discovery: !isShared && dice.hits(300) ? 'first_reject' : 'hash_route',
    },
  };
}

function sessionRulesOf(dice: Dice, amendQty: OrderRules['amendQty']): OrderRules {
  return {
    ...fullRules,
    amendQty: dice.hits(850) ? amendQty : 'unknown',
    strictPriority: dice.hits(100),
    pendingStates: dice.hits(700),
    iocRemainder: dice.pick(['canceled', 'expired']),
  };
}
