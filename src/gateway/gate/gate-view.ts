/** The gate's view of one session on one account at this moment. */
import type { AdmissionRules } from '../../domain/admission.ts';
import type { Denial } from '../../domain/denial.ts';
import type { Instrument, InstrumentList } from '../../domain/instrument.ts';
import type { Gate } from '../../venue/gate.ts';
import type { Hops } from '../account/hops.ts';
import type { Refusals } from '../view/refusals.ts';
import type { GateView, TopOfBook } from './authorize.ts';
import type { PriceNeed } from './book-watch.ts';
import type { BoundAccount, Principal } from './principal.ts';

/** The context that all sessions share. */
export interface TradingContext {
  /** The instruments that the venue currently lists. */
  readonly instruments: () => InstrumentList;
  readonly gate: Gate;
  readonly top: (instrument: Instrument) => TopOfBook;
  /** Undefined if the books have the needed prices; otherwise resolves when they were read, or after a time limit. */
  readonly priced: (needs: readonly PriceNeed[]) => Promise<void> | undefined;
  readonly admission: Omit<AdmissionRules, 'dayOrders' | 'defaultStp'>;
  /** Why the bridge accepts no new orders from any session. */
  readonly closed: () => Denial | undefined;
  /** The operator's kill switch, by the account's alias and the session's name. */
  readonly killed: (account: string, session: string) => Denial | undefined;
  /** The name that the venue gets for a session's ClOrdID; undefined if it gets none. */
  readonly venueNameOf: (session: string, clOrdId: string) => string | undefined;
  /** The maximum number of legs of one action. */
  readonly maxLegs: (account: string) => number;
  /** The maximum number of conditional orders of an account that wait for their trigger (G20). */
  readonly maxStored: number;
  /** Whether a side of a quote that stays as it is keeps its order and its priority (contract C.8). */
  readonly skipUnchanged: boolean;
  readonly hops: Hops;
  readonly rejects: Refusals;
}

export function gateView(
  principal: Principal,
  bound: BoundAccount,
  context: TradingContext,
): GateView {
  const { actions, guard, known, markets, profile, rules, session } = principal;
  const { runner, name } = bound;
  const { dayOrders, maxOrderAgeMs, stp } = profile;
  return {
    closed: context.closed(),
    killed: context.killed(name, session),
    actions,
    markets,
    instruments: context.instruments(),
    venue: (market, isReducing) => {
      const refusal = context.gate.refusal(runner.account, market, isReducing);
      return refusal === null ? undefined : { ...refusal, number: null, isSpent: null };
    },
    top: context.top,
    rules: { ...context.admission, dayOrders, defaultStp: stp === 'none' ? null : stp },
    replaces: rules,
    maxOrderAgeMs,
    storable: () => context.maxStored - runner.orders.memory.index.stored,
    guards: [
      {
        guard,
        open: () => known.reduce((sum, each) => sum + each.runner.orders.openOf(session), 0),
      },
      { guard: bound.guard, open: () => runner.orders.openCount },
    ],
  };
}
