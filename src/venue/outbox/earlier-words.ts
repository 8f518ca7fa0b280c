/** Translates inputs and events of versions before 0.2 into today's names. */
import { underTodaysNames } from '../../domain/earlier-names.ts';
import { denialOf, type Reason } from '../refusals.ts';

type Facts = Readonly<Record<string, unknown>>;

export function inTodaysWords(value: unknown): unknown {
  return underTodaysNames(value, (facts) => ('prevSeq' in facts ? event(facts) : facts));
}

/** The earlier version kept the venue's reason, but not its FIX equivalent. */
function event({ kind, nonceConsumed, reason, ...rest }: Facts): Facts {
  const why = reason as Reason | null;
  const isExplained = why !== null || kind === 'rejected';
  const denial = isExplained ? denialOf(why, nonceConsumed as boolean | null) : null;
  return { kind, ...rest, denial };
}
