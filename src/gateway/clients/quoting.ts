/**
 * Quotes of one session: this class finds the account and instruments and asks the gate for each group. Each set and
 * market becomes one action (contract C.7). A QuoteCancel sends a separate cancel for each order: in a single action,
 * the first order that fills in the meantime would undo the cancels of all others.
 */
import type { Answer } from '../../domain/answer.ts';
import type { MassQuote, Quote, QuoteCancel, QuoteEntry, QuoteSet } from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Instrument, InstrumentRef } from '../../domain/instrument.ts';
import { answerOf } from '../../domain/quote-group.ts';
import {
  endsOnly,
  type PlannedOrder,
  planQuotes,
  type QuoteGroup,
} from '../../domain/quote-plan.ts';
import type { Instant } from '../../runtime/clock.ts';
import { mostLegs } from '../../signer/canonical.ts';
import { authorize, count, type GateView, resolve } from '../gate/authorize.ts';
import { gateView, type TradingContext } from '../gate/gate-view.ts';
import {
  accountNamed,
  type BoundAccount,
  cancelOrders,
  instrumentNamed,
  isSpent,
  type Principal,
} from '../gate/principal.ts';
import type { Refused } from './order-entry.ts';

/** Receives a session's answers. */
export interface QuoteOutput {
  answer(answer: Answer): void;
}

interface Asked {
  readonly command: MassQuote | Quote;
  readonly bound: BoundAccount;
  readonly now: Instant;
  /** Set for a Quote(S). */
  readonly single: Instrument | null;
}

/** With Quote(S), a session has one quote for each instrument, regardless of its QuoteID. */
const single = 'S';
const slotOfSingle = new RegExp(`^[^/]+/(?:Bid|Ask)/${single}$`);

export class Quoting {
  readonly #principal: Principal;
  readonly #context: TradingContext;
  readonly #output: QuoteOutput;

  constructor(principal: Principal, context: TradingContext, output: QuoteOutput) {
    this.#principal = principal;
    this.#context = context;
    this.#output = output;
  }

  massQuote(command: MassQuote, now: Instant): Refused | undefined {
    const bound = this.#admitted(command, now);
    if (bound === undefined || 'denial' in bound) return bound;
    this.#quote({ command, bound, now, single: null }, command.sets);
    return undefined;
  }

  quote(command: Quote, now: Instant): Refused | undefined {
    const bound = this.#admitted(command, now);
    if (bound === undefined || 'denial' in bound) return bound;
    const instrument = this.#resolve(command.entry);
    if (isDenial(instrument)) return { denial: instrument };
    const sets = [{ setId: single, entries: [{ ...command.entry, entryId: single }] }];
    this.#quote({ command, bound, now, single: instrument }, sets);
    return undefined;
  }

  /** The stream reports the end of each order; the answer only confirms that the cancels were sent. */
  cancel(command: QuoteCancel, now: Instant): Refused | undefined {
    const { reach, session } = this.#principal;
    const bound = accountNamed(this.#principal, command.account, reach);
    if (bound === undefined) return { denial: deny('bridge.unknown_account', command.account) };
    const only = new Set<string>();
    for (const ref of command.instruments ?? []) {
      const listed = this.#context.instruments();
      const instrument = instrumentNamed(this.#principal, ref, listed);
      if (isDenial(instrument)) return { denial: instrument };
      only.add(instrument.securityId);
    }
    const text = `quote cancel ${command.quoteId}`;
    const symbols = command.instruments === null ? null : [...only];
    const meant = { session, symbols, side: null, onlyQuotes: true };
    for (const each of command.account === null ? reach : [bound]) {
      cancelOrders(each, text, now.wallMs, meant);
    }
    if (command.response !== 'all') return undefined;
    this.#output.answer({
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

  /** Undefined for quotes that only come again: they were answered, and are not refused because of that. */
  #admitted(
    { account, origin: sent, quoteId }: MassQuote | Quote,
    now: Instant,
  ): BoundAccount | Refused | undefined {
    const bound = accountNamed(this.#principal, account);
    if (bound === undefined) return { denial: deny('bridge.unknown_account', account) };
    const name = spentName(quoteId);
    if (isSpent(this.#principal, name)) {
      const isAgain = sent.possDup || sent.possResend;
      return isAgain ? undefined : { denial: deny('bridge.duplicate_clordid', quoteId) };
    }
    // Quotes that are denied spend their QuoteID as well, so that a copy of them is not executed later.
    bound.runner.apply({ kind: 'spent', session: this.#principal.session, clOrdId: name });
    const message = { kind: 'quotes', places: [], seats: 0, sent } as const;
    const permit = authorize(message, this.#view(bound), now);
    return isDenial(permit) ? { denial: permit } : bound;
  }

  #quote(asked: Asked, sets: readonly QuoteSet[]): void {
    const { bound, command } = asked;
    const { session } = this.#principal;
    const book = {
      resolve: (entry: QuoteEntry) => this.#resolve(entry),
      marketOf: (ref: InstrumentRef) => this.#context.instruments().marketOf(ref),
      present: (slot: string) => bound.runner.orders.quoted(session, slotName(slot, asked)),
      isSpent: (clOrdId: string) => isSpent(this.#principal, clOrdId),
    };
    const { admission, maxLegs, skipUnchanged } = this.#context;
    const { maxAtoms } = admission;
    const policy = { postOnly: true, stp: 'cancel_maker' } as const;
    const legs = Math.min(maxLegs(bound.name), mostLegs);
    const rules = { ...policy, skipUnchanged, maxLegs: legs, maxAtoms };
    const groups = planQuotes(command.quoteId, sets, book, rules);
    for (const group of groups) this.#send(asked, group);
  }

  #send(asked: Asked, group: QuoteGroup): void {
    const { bound, command, now } = asked;
    const { session } = this.#principal;
    const { quoteId, response } = command;
    const { setId, entries, intent, awaits, olds } = group;
    const facts = { quoteId, accountName: bound.name, response, setId, entries, olds };
    const flight = { ...facts, single: asked.single };
    const denial = group.denial ?? this.#refusal(asked, group.places);
    if (denial !== null || intent === null) {
      const stands = (key: string) => bound.runner.orders.stands(key);
      for (const answer of answerOf(flight, denial, stands)) this.#output.answer(answer);
      return;
    }
    const [key = '', ...places] = bound.runner.orders.newKeys(bound.name, 1 + group.places.length);
    const { account } = bound.runner;
    const owner = { session, account, accountName: bound.name, tag: bound.name, quoteId };
    bound.runner.apply({
      kind: 'quotes',
      key,
      session,
      flight: { ...flight, key, places, cancels: group.cancels },
      orders: group.places.map(({ slot, takesPlace: _, ...placed }, index) => ({
        ...placed,
        owner: { ...owner, key: places[index] ?? '', slot: slotName(slot, asked) },
      })),
      intent,
      awaits,
      nowMs: now.wallMs,
    });
  }

  /** Only placements are checked by the gate and add risk. All legs are accepted together or not at all. */
  #refusal(
    { bound, command: { origin: sent, quoteId }, now }: Asked,
    planned: readonly PlannedOrder[],
  ): Denial | null {
    if (planned.length === 0) return null;
    const places = planned.map(({ instrument, terms }) => ({ instrument, terms, quoteId }));
    const seats = planned.filter(({ takesPlace }) => !takesPlace).length;
    const view = this.#view(bound);
    const permit = authorize({ kind: 'quotes', places, seats, sent }, view, now);
    if (isDenial(permit)) return permit;
    count(permit, view, now);
    return null;
  }

  #view(bound: BoundAccount): GateView {
    return gateView(this.#principal, bound, this.#context);
  }

  #resolve(entry: QuoteEntry): Instrument | Denial {
    const instruments = this.#context.instruments();
    if (endsOnly(entry)) return instrumentNamed(this.#principal, entry.instrument, instruments);
    const { markets } = this.#principal;
    return resolve(entry.instrument, { instruments, markets });
  }
}

/** A MassQuote(i) entry could use the id that a Quote(S) has here; no id can contain this character. */
function slotName(slot: string, asked: Asked): string {
  return asked.single === null && slotOfSingle.test(slot) ? `${slot}\u0001` : slot;
}

/** QuoteIDs are remembered as used like ClOrdIDs, in their own namespace: no ClOrdID can start like this. */
function spentName(quoteId: string): string {
  return `\u0001${quoteId}`;
}
