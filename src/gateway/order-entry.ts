/**
 * New orders, cancels and replaces of one session: whose account, which instrument, whether the venue is open, what
 * the terms mean, whether the risk is borne; and then the desk's (contract C.5, C.6, D.6).
 */
import { type AdmissionRules, admit, stale } from '../domain/admission.ts';
import type { CancelOrder, NewOrder, OrderRef, ReplaceOrder } from '../domain/command.ts';
import { type Denial, deny, isDenial } from '../domain/denial.ts';
import type { Instrument, InstrumentList, InstrumentRef } from '../domain/instrument.ts';
import { hasEnded, type Order, type OrdStatus, statusOf } from '../domain/order.ts';
import { decideReplace } from '../domain/replace.ts';
import type { Terms } from '../domain/terms.ts';
import type { Price } from '../domain/units.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Gate } from '../venue/gate.ts';
import type { Hops } from './hops.ts';
import { accountNamed, type BoundAccount, type Principal } from './principal.ts';
import type { Tally } from './tally.ts';

export interface TopOfBook {
  readonly bid: Price | null;
  readonly ask: Price | null;
}

/** What every session shares. */
export interface Floor {
  /** As the venue lists them now. */
  readonly instruments: () => InstrumentList;
  readonly gate: Gate;
  readonly top: (instrument: Instrument) => TopOfBook;
  readonly admission: Omit<AdmissionRules, 'dayOrders' | 'defaultStp'>;
  /** Why nothing new is taken on by anybody. */
  readonly closed: () => Denial | undefined;
  /** The operator's kill switch, by the account's alias and the session's name. */
  readonly killed: (account: string, session: string) => Denial | undefined;
  /** How many legs one action may have. */
  readonly maxLegs: number;
  readonly hops: Hops;
  /** Refusals by their name. */
  readonly rejects: Tally;
}

/** A refusal, and the order that it is about. */
export interface Refused {
  readonly denial: Denial;
  readonly about?: { readonly order: Order; readonly ordStatus: OrdStatus } | undefined;
}

/** A request that was known already: nothing is done, its order is stated where the client asked for that. */
export interface Known {
  readonly known: Order;
}

interface Found {
  readonly bound: BoundAccount;
  readonly order: Order;
}

interface Admitted {
  readonly instrument: Instrument;
  readonly terms: Terms;
}

export class OrderEntry {
  readonly #principal: Principal;
  readonly #floor: Floor;
  readonly #rules: AdmissionRules;

  constructor(principal: Principal, floor: Floor) {
    const { dayOrders, stp } = principal.profile;
    this.#principal = principal;
    this.#floor = floor;
    this.#rules = { ...floor.admission, dayOrders, defaultStp: stp === 'none' ? null : stp };
  }

  newOrder(command: NewOrder, now: Instant): Refused | Known | undefined {
    const { clOrdId, origin } = command;
    if (this.#isSpent(clOrdId)) {
      const known = this.named(clOrdId)?.order;
      if (known !== undefined && (origin.possDup || origin.possResend)) return { known };
      return this.#refused('bridge.duplicate_clordid', clOrdId, known);
    }
    const bound = accountNamed(this.#principal, command.account);
    if (bound === undefined) return this.#refused('bridge.unknown_account', command.account);
    const admitted = this.#admitted(command, bound, now);
    if (isDenial(admitted)) {
      bound.line.apply({ kind: 'spent', session: this.#principal.session, clOrdId });
      return { denial: admitted };
    }
    bound.line.apply({
      kind: 'entry',
      owner: {
        session: this.#principal.session,
        account: bound.line.account,
        accountName: bound.name,
        tag: bound.name,
        key: `${this.#principal.compId}:${clOrdId}`,
        quoteId: null,
      },
      clOrdId,
      instrument: admitted.instrument,
      terms: admitted.terms,
      nowMs: now.wallMs,
    });
    return undefined;
  }

  cancel(command: CancelOrder, now: Instant): Refused | undefined {
    const { clOrdId } = command;
    const found = this.#changeable(command);
    if ('denial' in found) return found;
    const { bound, order } = found;
    bound.line.apply({
      kind: 'order',
      key: order.owner.key,
      input: {
        kind: 'cancel',
        clOrdId,
        origModTimeMs: command.origModTimeMs,
        nowMs: now.wallMs,
      },
    });
    return undefined;
  }

  replace(command: ReplaceOrder, now: Instant): Refused | undefined {
    const { clOrdId } = command;
    const found = this.#changeable(command);
    if ('denial' in found) return found;
    const { bound, order } = found;
    const { bid, ask } = this.#floor.top(order.instrument);
    const moment = { nowMs: now.wallMs, bestBid: bid, bestAsk: ask };
    // A replace that names no STP mode leaves the order's own.
    const rules = { ...this.#rules, defaultStp: order.terms.stp };
    const terms = admit(command.terms, order.instrument, rules, moment);
    if (isDenial(terms)) return this.#about(terms, order);
    const risk = hasEnded(order) ? undefined : this.#replaceRisk(bound, order, terms, now);
    if (risk !== undefined) return this.#about(risk, order);
    bound.line.apply({
      kind: 'order',
      key: order.owner.key,
      input: {
        kind: 'replace',
        clOrdId,
        terms,
        origModTimeMs: command.origModTimeMs,
        nowMs: now.wallMs,
      },
    });
    return undefined;
  }

  /** The order that a cancel or replace is of, where its ClOrdID is new and what it says of the order is right. */
  #changeable(command: CancelOrder | ReplaceOrder): Found | Refused {
    const { clOrdId, target } = command;
    const found = this.#target(target);
    if ('denial' in found) return found;
    const { order } = found;
    if (this.#isSpent(clOrdId)) return this.#refused('bridge.duplicate_clordid', clOrdId, order);
    const mismatch = this.#mismatch(command, order);
    return mismatch === undefined ? found : this.#about(mismatch, order);
  }

  /** An order of this session by a ClOrdID of its chain. */
  named(clOrdId: string): Found | undefined {
    for (const bound of this.#principal.accounts) {
      const order = bound.line.desk.byClOrdId(this.#principal.session, clOrdId);
      if (order !== undefined) return { bound, order };
    }
    return undefined;
  }

  /** The order that a request names: by ClOrdID, by OrderID, or by both, which must agree (D.6). */
  find({ origClOrdId, orderId }: OrderRef): Found | undefined {
    const named = origClOrdId === null ? undefined : this.named(origClOrdId);
    if (orderId === null) return named;
    for (const bound of this.#principal.accounts) {
      const order = bound.line.desk.byVenueId(orderId);
      if (order === undefined) continue;
      const isSame = origClOrdId === null || named?.order.owner.key === order.owner.key;
      return isSame ? { bound, order } : undefined;
    }
    return undefined;
  }

  /** What an instrument of the client is, if this session may trade it. */
  #instrument(ref: InstrumentRef): Instrument | Denial {
    const found = this.#floor.instruments().resolve(ref);
    if (isDenial(found)) return found;
    const { markets } = this.#principal;
    if (markets === null || markets.has(found.market.symbol)) return found;
    return deny('bridge.unknown_instrument', `${found.symbol} is not open to this session`);
  }

  /** The order's terms, once everything that the bridge itself checks is checked. */
  #admitted(command: NewOrder, bound: BoundAccount, now: Instant): Admitted | Denial {
    const { gate, closed: bridgeClosed, killed, top } = this.#floor;
    const shut = bridgeClosed() ?? killed(bound.name, this.#principal.session);
    if (shut !== undefined) return shut;
    const { origin } = command;
    const sent = [origin.sendingTimeMs, origin.transactTimeMs];
    const old = stale(sent, now.wallMs, this.#principal.profile.maxOrderAgeMs);
    if (old !== undefined) return old;
    const instrument = this.#instrument(command.instrument);
    if (isDenial(instrument)) return instrument;
    const closed = gate.refusal(
      bound.line.account,
      instrument.market.marketId,
      command.terms.reduceOnly,
    );
    if (closed !== null) {
      return { ...closed, number: null, nonceConsumed: null };
    }
    const { bid, ask } = top(instrument);
    const moment = { nowMs: now.wallMs, bestBid: bid, bestAsk: ask };
    const terms = admit(command.terms, instrument, this.#rules, moment);
    if (isDenial(terms)) return terms;
    const denial = this.#entitled(terms) ?? this.#risk(bound, instrument, terms, now);
    return denial ?? { instrument, terms };
  }

  #entitled({ strategy, trigger }: Terms): Denial | undefined {
    const action = strategy !== null ? 'algo' : trigger !== null ? 'conditional' : 'order';
    if (this.#principal.actions.has(action)) return undefined;
    return deny('bridge.unsupported', `orders of kind ${action} are not open to this session`);
  }

  #risk(
    bound: BoundAccount,
    instrument: Instrument,
    terms: Terms,
    now: Instant,
  ): Denial | undefined {
    const { bid, ask } = this.#floor.top(instrument);
    const reference = terms.side === 'Bid' ? (ask ?? bid) : (bid ?? ask);
    const { desk } = bound.line;
    const question = { terms, instrument, reference, nowMs: now.monoMs };
    return (
      this.#principal.guard.check({
        ...question,
        openOrders: desk.openOf(this.#principal.session),
      }) ?? bound.guard.check({ ...question, openOrders: desk.openCount })
    );
  }

  /** Only what places something new needs the gate and bears new risk (R77). */
  #replaceRisk(bound: BoundAccount, order: Order, terms: Terms, now: Instant): Denial | undefined {
    const decision = decideReplace(order, terms, this.#principal.rules);
    if ('refusal' in decision || decision.way !== 'leg') return undefined;
    const { account } = bound.line;
    const { marketId } = order.instrument.market;
    const closed = this.#floor.gate.refusal(account, marketId, terms.reduceOnly);
    if (closed !== null) return { ...closed, number: null, nonceConsumed: null };
    const { closed: bridgeClosed, killed } = this.#floor;
    const shut = bridgeClosed() ?? killed(bound.name, this.#principal.session);
    return shut ?? this.#risk(bound, order.instrument, terms, now);
  }

  #target(target: OrderRef): Found | Refused {
    const found = this.find(target);
    if (found === undefined) return this.#refused('bridge.unknown_order', describe(target));
    if (found.order.owner.session === this.#principal.session) return found;
    return this.#refused('bridge.unknown_account', 'the order is of another session', found.order);
  }

  /** What a request says of its order must be so. */
  #mismatch(
    { instrument, account }: Pick<CancelOrder | ReplaceOrder, 'instrument' | 'account'>,
    order: Order,
  ): Denial | undefined {
    const named = this.#floor.instruments().resolve(instrument);
    if (isDenial(named) || named.securityId !== order.instrument.securityId) {
      return deny('bridge.replace_unsupported', 'the instrument is not that of the order');
    }
    const bound = accountNamed(this.#principal, account ?? order.owner.accountName);
    if (bound?.line.account === order.owner.account) return undefined;
    return deny('bridge.replace_unsupported', 'Account(1) is not that of the order');
  }

  #isSpent(clOrdId: string): boolean {
    const { accounts, session } = this.#principal;
    return accounts.some(({ line }) => line.desk.isSpent(session, clOrdId));
  }

  #refused(name: string, text: string | null, order?: Order): Refused {
    return this.#about(deny(name, text), order);
  }

  #about(denial: Denial, order: Order | undefined): Refused {
    if (order === undefined) return { denial };
    return { denial, about: { order, ordStatus: statusOf(order, this.#principal.rules) } };
  }
}

function describe({ origClOrdId, orderId }: OrderRef): string {
  return [origClOrdId, orderId].filter((name) => name !== null).join(', ');
}
