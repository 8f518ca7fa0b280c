/** What a venue answers to a request in a random walk (`core-walk.ts`) without its engine, or instead of its answer. */
import type { Verdict } from '../../src/venue/verdict.ts';
import type { Dice } from '../simulation/dice.ts';
import { refusedBy } from '../venue/outbox/outbox-bench.ts';

/** The same request may be taken a little later. */
const busy = [
  ...['rate_limited', 'RATE_LIMITED', 'AGENT_POLICY_RATE_LIMITED', 'edge_limit', 'backpressure'],
  ...['QUEUE_LIMIT', 'SHARD_BUSY', 'runtime_unavailable', 'NONCE_EXHAUSTED'],
];
const final = ['trading_halted', 'MARKET_HALTED', 'KILL_SWITCH', 'INVALID_SCOPE', 'FORBIDDEN'];
/** These leave open whether the engine has the request. */
const open = [
  ...['no_answer', 'no_answer', 'no_answer', 'CONFLICT', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  ...['WriteLeaseFenced', 'DurabilityUnknown'],
];

/** The venue does not take the request. Most answers do not say that its nonce is not used. */
export function shut(dice: Dice): Verdict {
  const name = dice.pick(dice.hits(850) ? busy : final);
  const isStated = dice.hits(300);
  return late(dice, refusedBy(name, isStated ? { nonceConsumed: false } : {}));
}

/** Nobody knows from this answer whether the venue has the request. */
export function unclear(dice: Dice): Verdict {
  return late(dice, refusedBy(dice.pick(open)));
}

/** The answer to a further copy, from a venue that does not give its first answer again (R28). */
export function seenBefore(dice: Dice, isPlacement: boolean, isBelow: boolean): Verdict {
  const names = isBelow
    ? ['nonce_below_floor', 'nonce_below_floor', 'nonce_mismatch']
    : ['nonce_replayed', 'nonce_replayed', 'DUPLICATE_NONCE'];
  const name = isPlacement && dice.hits(300) ? 'duplicate_order_id' : dice.pick(names);
  return refusedBy(name, dice.hits(500) ? { nonceConsumed: false } : {});
}

/** Some answers say when to come again. */
function late(dice: Dice, verdict: Verdict): Verdict {
  const retryAfterMs = dice.pick([null, null, 1_000, 3_000, 30_000]);
  return { ...verdict, retryAfterMs } as Verdict;
}
