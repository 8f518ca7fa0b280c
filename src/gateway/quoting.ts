/**
 * Quotes of one session: who, on which market, whether the venue is open, what risk each side bears; then one action
 * for each set and market (contract C.7). A QuoteCancel sends a cancel for each order: in one action the first order
 * that fills meanwhile would undo the cancels of all others.
 */
import type { Answer } from '../domain/answer.ts';
import type { MassQuote, Quote, QuoteCancel, QuoteSet } from '../domain/command.ts';
import { type Denial, deny, isDenial } from '../domain/denial.ts';
import type { Instrument, InstrumentRef } from '../domain/instrument.ts';
import { answerOf } from '../domain/quote-group.ts';
import {
  type PlannedOrder,
  planQuotes,
  type QuoteGroup,
  type QuoteRules,
} from '../domain/quote-plan.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Floor, Refused } from './order-entry.ts';
import { accountNamed, type BoundAccount, openOrders, type Principal } from './principal.ts';

/** Where the answers of a session go. */
export interface QuoteVoice {
  answer(answer: Answer): void;
}

interface Asked {
  readonly command: MassQuote | Quote;
  readonly bound: BoundAccount;
  readonly now: Instant;
  /** Set for a Quote(S). */
  readonly single: Instrument | null;
}

/** A session has one quote for an instrument by Quote(S), whatever its QuoteID. */
const single = 'S';

export class Quoting {
  readonly #principal: Principal;
  readonly #floor: Floor;
  readonly #rules: QuoteRules;
  readonly #voice: QuoteVoice;

  constructor(principal: Principal, floor: Floor, voice: QuoteVoice) {
    this.#principal = principal;
    this.#floor = floor;
    this.#voice = voice;
    this.#rules = {
      postOnly: true,
      stp: 'cancel_maker',
      skipUnchanged: true,
      maxLegs: floor.maxLegs,
      maxAtoms: floor.admission.maxAtoms,
    };
  }

  massQuote(command: MassQuote, now: Instant): Refused | undefined {
    const bound = this.#admitted(command);
    if (isDenial(bound)) return { denial: bound };
    this.#quote({ command, bound, now, single: null }, command.sets);
    return undefined;
  }

  quote(command: Quote, now: Instant): Refused | undefined {
    const bound = this.#admitted(command);
    if (isDenial(bound)) return { denial: bound };
    const instrument = this.#resolve(command.entry.instrument);
    if (isDenial(instrument)) return { denial: instrument };
    const sets = [{ setId: single, entries: [{ ...command.entry, entryId: single }] }];
    this.#quote({ command, bound, now, single: instrument }, sets);
    return undefined;
  }

  /** The end of each order is the stream's to tell; the answer says that the cancels are on their way. */
  cancel(command: QuoteCancel, now: Instant): Refused | undefined {
    const bound = accountNamed(this.#principal, command.account);
    if (bound === undefined) return { denial: deny('bridge.unknown_account', command.account) };
    const only = new Set<string>();
    for (const ref of command.instruments ?? []) {
      const instrument = this.#resolve(ref);
      if (isDenial(instrument)) return { denial: instrument };
      only.add(instrument.securityId);
    }
    const text = `quote cancel ${command.quoteId}`;
    for (const [{ line }, { owner, instrument }] of [...openOrders(this.#principal)]) {
      const isOurs = owner.quoteId !== null && owner.session === this.#principal.session;
      const isNamed = command.instruments === null || only.has(instrument.securityId);
      if (!isOurs || !isNamed || (command.account !== null && line !== bound.line)) continue;
      const input = { kind: 'own_cancel', text, nowMs: now.wallMs } as const;
      line.apply({ kind: 'order', key: owner.key, input });
    }
    if (command.response !== 'all') return undefined;
    this.#voice.answer({
      kind: 'quote',
      quoteId: command.quoteId,
      status: command.instruments === null ? 'canceled_all' : 'canceled',
      accountName: bound.name,
      denial: null,
      oldQuotesStand: null,
      sets: [],
    });
    return undefined;
  }

  #admitted({ account, quoteId }: MassQuote | Quote): BoundAccount | Denial {
    const { accounts, actions, session } = this.#principal;
    if (!actions.has('quote')) return notEntitled();
    const bound = accountNamed(this.#principal, account);
    if (bound === undefined) return deny('bridge.unknown_account', account);
    const name = spentName(quoteId);
    if (accounts.some(({ line }) => line.desk.isSpent(session, name))) {
      return deny('bridge.duplicate_clordid', quoteId);
    }
    const shut = this.#floor.closed();
    if (shut !== undefined) return shut;
    bound.line.apply({ kind: 'spent', session, clOrdId: name });
    return bound;
  }

  #quote(asked: Asked, sets: readonly QuoteSet[]): void {
    const { bound, command } = asked;
    const { session } = this.#principal;
    const book = {
      resolve: (ref: InstrumentRef) => this.#resolve(ref),
      live: (slot: string) => bound.line.desk.quoted(session, slot),
    };
    const groups = planQuotes(command.quoteId, sets, book, this.#rules);
    for (const group of groups) this.#send(asked, group);
  }

  #send(asked: Asked, group: QuoteGroup): void {
    const { bound, command, now } = asked;
    const { session, compId } = this.#principal;
    const { quoteId, response } = command;
    const { setId, entries, intent } = group;
    const facts = { quoteId, accountName: bound.name, response, setId, entries };
    const flight = { ...facts, single: asked.single };
    const denial = group.denial ?? this.#refusal(bound, group.places, now);
    if (denial !== null || intent === null) {
      for (const answer of answerOf(flight, denial)) this.#voice.answer(answer);
      return;
    }
    const keyOf = (clOrdId: string) => `${compId}:${clOrdId}`;
    const key = `${compId}:${quoteId}.${setId}.${intent.market}`;
    bound.line.apply({
      kind: 'quotes',
      key,
      session,
      flight: {
        ...flight,
        key,
        places: group.places.map(({ clOrdId }) => keyOf(clOrdId)),
        cancels: group.cancels,
      },
      orders: group.places.map(({ clOrdId, slot, instrument, terms, legIndex }) => ({
        owner: {
          session,
          account: bound.line.account,
          accountName: bound.name,
          tag: bound.name,
          key: keyOf(clOrdId),
          quoteId,
          slot,
        },
        clOrdId,
        instrument,
        terms,
        legIndex,
      })),
      intent,
      nowMs: now.wallMs,
    });
  }

  /** Only what places something needs the gate and bears risk. */
  #refusal(bound: BoundAccount, places: readonly PlannedOrder[], now: Instant): Denial | null {
    const kill = this.#floor.killed(bound.name, this.#principal.session);
    if (kill !== undefined && places.length > 0) return kill;
    for (const { instrument, terms } of places) {
      const { marketId } = instrument.market;
      const closed = this.#floor.gate.refusal(bound.line.account, marketId, false);
      if (closed !== null) return { ...closed, number: null, nonceConsumed: null };
      const { bid, ask } = this.#floor.top(instrument);
      const reference = terms.side === 'Bid' ? (ask ?? bid) : (bid ?? ask);
      const question = { terms, instrument, reference, nowMs: now.monoMs };
      const { desk } = bound.line;
      const denial =
        this.#principal.guard.check({
          ...question,
          openOrders: desk.openOf(this.#principal.session),
        }) ?? bound.guard.check({ ...question, openOrders: desk.openCount });
      if (denial !== undefined) return denial;
    }
    return null;
  }

  #resolve(ref: InstrumentRef): Instrument | Denial {
    const found = this.#floor.instruments().resolve(ref);
    if (isDenial(found)) return found;
    const { markets } = this.#principal;
    if (markets === null || markets.has(found.market.symbol)) return found;
    return deny('bridge.unknown_instrument', `${found.symbol} is not open to this session`);
  }
}

/** QuoteRejectReason(300)=9: not authorized to quote. */
function notEntitled(): Denial {
  const denial = deny('bridge.unsupported', 'quotes are not open to this session');
  return { ...denial, refusal: { ...denial.refusal, quote: 9 } };
}

/** QuoteIDs are spent like ClOrdIDs, but are names of their own: no ClOrdID can begin so. */
function spentName(quoteId: string): string {
  return `\u0001${quoteId}`;
}
