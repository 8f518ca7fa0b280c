/**
 * The gate: it decides whether something may be placed at the venue (contract D.6). Every placement is checked here,
 * and again when it is about to be sent after a wait (for room at the venue, for the answer to its order, for the end
 * of another order). No other code grants permission. Cancels are never checked.
 */

import { type AdmissionRules, admit, stale } from '../../domain/admission.ts';
import type { Origin, RequestedTerms } from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import {
  hasSameDecimals,
  type Instrument,
  type InstrumentList,
  type InstrumentRef,
} from '../../domain/instrument.ts';
import { hasEnded, type Order } from '../../domain/order.ts';
import { decideReplace, type ReplaceRules } from '../../domain/replace.ts';
import type { Terms } from '../../domain/terms.ts';
import type { MarketId, Price, Side } from '../../domain/units.ts';
import type { Placement } from '../../engine/placement.ts';
import type { Instant } from '../../runtime/clock.ts';
import type { SessionConfig } from '../config/config.ts';
import type { RiskGuard, RiskQuestion } from './risk.ts';

type Entitlement = SessionConfig['actions'][number];

/** When the client sent its request, according to the client's clock. */
export type Sent = Pick<Origin, 'sendingTimeMs' | 'transactTimeMs'>;

export type GateRequest =
  /** NewOrderSingle(D): an order, an algo or a conditional order. */
  | {
      readonly kind: 'new';
      readonly instrument: InstrumentRef;
      readonly terms: RequestedTerms;
      readonly sent: Sent;
    }
  /** OrderCancelReplaceRequest(G). */
  | {
      readonly kind: 'replace';
      readonly order: Order;
      readonly terms: RequestedTerms;
      readonly sent: Sent;
    }
  /** A group of quotes; `seats` of them replace no order. Their message is first checked as a whole, without places. */
  | {
      readonly kind: 'quotes';
      readonly places: readonly Placement[];
      readonly seats: number;
      readonly sent: Sent;
    }
  /** A request that was accepted before and has waited; it has been counted already. */
  | { readonly kind: 'release'; readonly places: readonly Placement[] };

export interface TopOfBook {
  readonly bid: Price | null;
  readonly ask: Price | null;
}

/** What the gate needs to know about the moment, the session and its account. */
export interface GateView {
  readonly closed: Denial | undefined;
  readonly killed: Denial | undefined;
  readonly actions: ReadonlySet<Entitlement>;
  /** The permitted symbols; null permits every market. */
  readonly markets: ReadonlySet<string> | null;
  readonly instruments: InstrumentList;
  readonly venue: (market: MarketId, isReducing: boolean) => Denial | undefined;
  readonly top: (instrument: Instrument) => TopOfBook;
  readonly rules: AdmissionRules;
  readonly replaces: ReplaceRules;
  readonly maxOrderAgeMs: number;
  /** How many conditional orders of the account may still be stored (G20). */
  readonly storable: () => number;
  /** The guards of the session, followed by those of the account. */
  readonly guards: readonly Guarded[];
}

interface Guarded {
  readonly guard: Pick<RiskGuard, 'refusal' | 'recheck' | 'count'>;
  /** Returns how many orders are open, in flight or waiting. */
  readonly open: () => number;
}

/** The permitted placements, with the terms that were checked. */
export interface Permit {
  readonly wanted: readonly Placement[];
  /** The orders that the venue places anew; none for an amend. */
  readonly places: readonly Placement[];
}

/** A pure function: the caller counts the permit with `count` once the whole request is permitted. */
export function authorize(request: GateRequest, view: GateView, now: Instant): Permit | Denial {
  switch (request.kind) {
    case 'new':
      return newOrder(request, view, now);
    case 'replace':
      return replaced(request, view, now);
    case 'quotes': {
      const { places, seats, sent } = request;
      const refused = notEntitled('quote', view) ?? view.closed ?? tooOld(places, sent, view, now);
      return (
        refused ?? placing(places, view) ?? limited(places, seats, view, now) ?? permit(places)
      );
    }
    case 'release': {
      const { places } = request;
      const gone = places.find(({ instrument }) => asListed(instrument, view) === undefined);
      if (gone !== undefined) return deny('bridge.unknown_instrument', gone.instrument.symbol);
      return placing(places, view) ?? recheck(places, view, now) ?? permit(places);
    }
  }
}

/** Counts the orders of a permit against the rates of session and account. */
export function count({ places }: Permit, { guards }: GateView, { monoMs }: Instant): void {
  for (const { guard } of guards) for (const place of places) guard.count(place, monoMs);
}

export function resolve(
  ref: InstrumentRef,
  { instruments, markets }: Pick<GateView, 'instruments' | 'markets'>,
): Instrument | Denial {
  const found = instruments.resolve(ref);
  if (isDenial(found)) return found;
  return notListed(found, markets) ?? found;
}

function permit(places: readonly Placement[]): Permit {
  return { wanted: places, places };
}

function newOrder(
  { instrument: ref, terms: requested, sent }: Extract<GateRequest, { kind: 'new' }>,
  view: GateView,
  now: Instant,
): Permit | Denial {
  const refused = view.closed ?? view.killed ?? stale(sent, now.wallMs, view.maxOrderAgeMs);
  if (refused !== undefined) return refused;
  const instrument = resolve(ref, view);
  if (isDenial(instrument)) return instrument;
  const shut = view.venue(instrument.market.marketId, requested.reduceOnly);
  if (shut !== undefined) return shut;
  const terms = meaningOf(requested, instrument, view.rules, view, now);
  if (isDenial(terms)) return terms;
  if (terms.trigger !== null && view.storable() <= 0) {
    return deny('bridge.limit', 'the account has as many conditional orders as may be stored');
  }
  const places = [{ instrument, terms, quoteId: null }];
  return placing(places, view) ?? limited(places, 1, view, now) ?? permit(places);
}

/** Only a replace that places an order is checked and adds risk (R77); it takes over the seat of its order. */
function replaced(
  { order, terms: requested, sent }: Extract<GateRequest, { kind: 'replace' }>,
  view: GateView,
  now: Instant,
): Permit | Denial {
  const { owner } = order;
  const instrument = hasEnded(order) ? order.instrument : asListed(order.instrument, view);
  if (instrument === undefined)
    return deny(
      'bridge.replace_unsupported',
      'the market of the order is not offered any more, or its decimals have changed',
    );
  // A replace without an STP mode keeps that of the order.
  const rules = { ...view.rules, defaultStp: order.terms.stp };
  const terms = meaningOf(requested, instrument, rules, view, now);
  if (isDenial(terms)) return terms;
  const wanted = [{ instrument, terms, quoteId: owner.quoteId }];
  if (hasEnded(order)) return { wanted, places: [] };
  const decision = decideReplace(order, terms, view.replaces);
  if (isDenial(decision)) return decision;
  // While the venue's order is unknown, the replace may have to place its whole quantity.
  if (decision.way !== 'leg' && decision.way !== 'not_yet') return { wanted, places: [] };
  const refused = tooOld(wanted, sent, view, now) ?? placing(wanted, view);
  return refused ?? limited(wanted, 0, view, now) ?? permit(wanted);
}

/** Undefined if it is not listed, or with decimals that would make another price or quantity of an amount. */
function asListed({ market, book }: Instrument, { instruments }: GateView): Instrument | undefined {
  const listed = instruments.of(market.marketId, book);
  return listed && hasSameDecimals(listed.market, market) ? listed : undefined;
}

/** A message that is resent after a gap must not place orders at outdated prices; ending orders is never too late. */
function tooOld(
  places: readonly Placement[],
  sent: Sent,
  { maxOrderAgeMs }: GateView,
  { wallMs }: Instant,
): Denial | undefined {
  return places.length === 0 ? undefined : stale(sent, wallMs, maxOrderAgeMs);
}

function meaningOf(
  requested: RequestedTerms,
  instrument: Instrument,
  rules: AdmissionRules,
  { top }: GateView,
  { wallMs: nowMs }: Instant,
): Terms | Denial {
  const { bid: bestBid, ask: bestAsk } = top(instrument);
  return admit(requested, instrument, rules, { nowMs, bestBid, bestAsk });
}

/** The rules for every order that is placed, when it arrives and when it is sent. */
function placing(places: readonly Placement[], view: GateView): Denial | undefined {
  if (places.length === 0) return undefined;
  if (view.closed !== undefined) return view.closed;
  if (view.killed !== undefined) return view.killed;
  for (const { instrument, terms, quoteId } of places) {
    const denial =
      notEntitled(quoteId === null ? kindOf(terms) : 'quote', view) ??
      notListed(instrument, view.markets) ??
      view.venue(instrument.market.marketId, terms.reduceOnly);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** All guards are checked before any of them counts, so a refusal by one costs nothing at the other. */
function limited(
  places: readonly Placement[],
  seats: number,
  view: GateView,
  { monoMs: nowMs }: Instant,
): Denial | undefined {
  const question = { places: asked(places, view), seats, nowMs };
  for (const { guard, open } of view.guards) {
    const denial = guard.refusal({ ...question, open });
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** An order that has waited has a seat and has been counted; only its size and price are checked again. */
function recheck(
  places: readonly Placement[],
  view: GateView,
  { wallMs }: Instant,
): Denial | undefined {
  for (const { instrument, terms } of places) {
    if (terms.expiresAtMs !== null && terms.expiresAtMs <= wallMs) {
      return deny('bridge.expired', 'the order expired while it waited');
    }
    const { bid, ask } = view.top(instrument);
    const opposite = terms.side === 'Bid' ? ask : bid;
    if (terms.isMarket && terms.trigger === null && opposite === null) {
      return deny('bridge.no_reference_price', 'no price on the other side');
    }
  }
  const question = asked(places, view);
  for (const { guard } of view.guards) {
    const denial = guard.recheck(question);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** Adds the reference price of each placement: the best price of the opposite side, otherwise of its own side. */
function asked(places: readonly Placement[], { top }: GateView): RiskQuestion['places'] {
  return places.map(({ instrument, terms }) => {
    return { instrument, terms, reference: referenceOf(terms.side, top(instrument)) };
  });
}

export function referenceOf(side: Side, { ask, bid }: TopOfBook): Price | null {
  return side === 'Bid' ? (ask ?? bid) : (bid ?? ask);
}

function kindOf({ strategy, trigger }: Terms): Entitlement {
  return strategy !== null ? 'algo' : trigger !== null ? 'conditional' : 'order';
}

function notEntitled(action: Entitlement, { actions }: GateView): Denial | undefined {
  if (actions.has(action)) return undefined;
  if (action !== 'quote') {
    return deny('bridge.unsupported', `orders of kind ${action} are not open to this session`);
  }
  const denial = deny('bridge.unsupported', 'quotes are not open to this session');
  // QuoteRejectReason(300)=9: not authorized to quote.
  return { ...denial, refusal: { ...denial.refusal, quote: 9 } };
}

export function isListed({ market }: Instrument, markets: GateView['markets']): boolean {
  return markets === null || markets.has(market.symbol);
}

function notListed(instrument: Instrument, markets: GateView['markets']): Denial | undefined {
  if (isListed(instrument, markets)) return undefined;
  return deny('bridge.unknown_instrument', `${instrument.symbol} is not open to this session`);
}
