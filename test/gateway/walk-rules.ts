/** What random walks (`core-walk.ts`) differ in: the rules of the venue, and how the bridge is configured. */
import type { OrderRules } from '../../src/domain/order.ts';
import type { OrdersBounds } from '../../src/engine/orders-state.ts';
import { type EngineSettings, venueSettings } from '../../src/gateway/config/engine-settings.ts';
import { fullRules } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { sandboxProfile } from '../support/quick-files.ts';

export interface WalkRules {
  /** What there is more of than elsewhere. A crowd has many orders at once, as far as the limits allow. */
  readonly accent: 'triggers' | 'algos' | 'crowd' | null;
  readonly window: number;
  /** The venue loses events; its receipts tell everything about plain orders. */
  readonly isForgetful: boolean;
  /** The venue derives the ids of legs otherwise than the profile says (R10). */
  readonly isRenaming: boolean;
  /** When the venue reports the end of an order that a leg has displaced; the child's event says so in any case. */
  readonly displaced: 'silent' | 'before' | 'after';
  readonly amendQty: 'total' | 'remaining';
  /** The venue states no floor with a refusal for a nonce below it, as in the results of a batch. */
  readonly isTerse: boolean;
  /** Each event of an order states all that the venue knows of it. */
  readonly isDetailed: boolean;
  /** Each agent has nonces of its own, and other channels have other agents (G21). */
  readonly isOfAgent: boolean;
  /** The size of the window changes, and only refusals for it say so. */
  readonly isResized: boolean;
  /** There are receipts of orders that triggers fired. */
  readonly isReceipted: boolean;
  /** A further copy of an action that was taken gets no first answer again, but a refusal for its nonce or id (R28). */
  readonly isForgettingKeys: boolean;
  /** How many live orders the venue takes. */
  readonly mostLive: number;
  /** Every other nonce belongs to another writer, who uses them. */
  readonly isShared: boolean;
  readonly bounds: OrdersBounds;
  readonly maxLegs: number;
  readonly maxStored: number;
  readonly skipUnchanged: boolean;
}

const accents = [null, null, null, null, 'triggers', 'triggers', 'algos', 'crowd'] as const;

export function walkRules(dice: Dice): WalkRules {
  const isForgetful = dice.hits(150);
  const accent = dice.pick(accents);
  // What is forgotten cannot know the late events that its receipt contained.
  const isLong = accent === 'crowd' || isForgetful;
  const endedOrders = isLong ? 10_000 : dice.pick([10_000, 10_000, 30]);
  const isShared = dice.hits(100);
  return {
    accent,
    ...{ isForgetful, isRenaming: !isForgetful && dice.hits(100) },
    window: dice.pick([12, 12, 6, 6, 40]),
    displaced: isForgetful ? 'silent' : dice.pick(['silent', 'silent', 'before', 'after']),
    amendQty: dice.pick(['total', 'total', 'remaining']),
    ...{ isShared, isOfAgent: !isShared && dice.hits(100), isTerse: dice.hits(200) },
    isResized: dice.hits(100),
    bounds: { endedOrders, spentNames: 100_000 },
    isDetailed: dice.hits(400),
    isReceipted: dice.hits(500),
    isForgettingKeys: dice.hits(300),
    mostLive: dice.pick([1_000, 1_000, 1_000, 5]),
    maxLegs: dice.pick([64, 64, 3]),
    maxStored: dice.pick([32, 2]),
    skipUnchanged: dice.hits(800),
  };
}

/** The settings of a process; those of the next one may differ in the rules of the sessions. */
export function walkSettings(
  dice: Dice,
  { amendQty, isOfAgent, isShared, window }: WalkRules,
  before?: EngineSettings,
): EngineSettings {
  const sessionRules = { S: sessionRulesOf(dice, amendQty), T: sessionRulesOf(dice, amendQty) };
  if (before !== undefined) return dice.hits(300) ? { ...before, sessionRules } : before;
  const stride = isShared ? { offset: 1, step: 2 } : { offset: 0, step: 1 };
  const scope = isOfAgent ? 'agent' : 'account';
  const cancelReserve = Math.floor(window / 6);
  return {
    ...venueSettings(sandboxProfile, 5_000),
    sessionRules,
    otherRules: { ...fullRules, amendQty },
    nonces: {
      rules: { scope, window, stride, cancelReserve, fillAbove: Math.floor((2 * window) / 3) },
      nestedTrigger: dice.hits(900) ? 'consumed_on_store' : 'holds_floor',
      // Where writers take turns, the floor must be asked for.
      discovery: !isShared && dice.hits(300) ? 'first_reject' : 'hash_route',
    },
  };
}

/** The next process may have another configuration of what the profile leaves to the operator. */
export function restartSettings(
  dice: Dice,
  { isShared }: WalkRules,
  before: EngineSettings,
): EngineSettings {
  if (!dice.hits(300)) return before;
  const { nonces, submissions } = before;
  return {
    ...before,
    submissions: { ...submissions, patienceMs: dice.pick([1_000, 5_000, 20_000]) },
    nonces: {
      ...nonces,
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
