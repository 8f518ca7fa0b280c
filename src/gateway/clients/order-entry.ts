/**
 * New orders, cancels and replaces of one session: this class finds the account and order and asks the gate. After that
 * the request belongs to the account (contract C.5, C.6, D.6).
 */
import type {
  CancelOrder,
  NewOrder,
  OrderRef,
  Origin,
  ReplaceOrder,
} from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import { InstrumentList, type InstrumentRef } from '../../domain/instrument.ts';
import { type Order, type OrdStatus, statusOf } from '../../domain/order.ts';
import type { OrderInput } from '../../domain/transition.ts';
import { toAtoms } from '../../domain/units.ts';
import type { Instant } from '../../runtime/clock.ts';
import { authorize, count, type GateRequest } from '../gate/authorize.ts';
import { gateView, type TradingContext } from '../gate/gate-view.ts';
import { accountNamed, type BoundAccount, isSpent, type Principal } from '../gate/principal.ts';

/** A refusal, and the order that it concerns. */
export interface Refused {
  readonly denial: Denial;
  readonly about?: { readonly order: Order; readonly ordStatus: OrdStatus } | undefined;
}

/** A request that was known already: it has no effect, but its order is restated if the client requested that. */
export interface Known {
  readonly known: Order;
}

interface Found {
  readonly bound: BoundAccount;
  readonly order: Order;
}

export class OrderEntry {
  readonly #principal: Principal;
  readonly #context: TradingContext;

  constructor(principal: Principal, context: TradingContext) {
    this.#principal = principal;
    this.#context = context;
  }

  newOrder(command: NewOrder, now: Instant): Refused | Known | undefined {
    const { clOrdId, instrument, origin, terms } = command;
    const repeated = this.#repeated(clOrdId, origin);
    if (repeated !== undefined) return repeated;
    const bound = accountNamed(this.#principal, command.account);
    if (bound === undefined) return this.#refused('bridge.unknown_account', command.account);
    if (this.#wasSent(bound, command)) {
      return this.#refused('bridge.duplicate_clordid', `${clOrdId} was sent to the venue before`);
    }
    const request = { kind: 'new', instrument, terms, sent: origin } as const;
    const permit = this.#permit(bound, clOrdId, request, now);
    if (isDenial(permit)) return { denial: permit };
    const [wanted] = permit.wanted;
    if (wanted === undefined) return undefined;
    const [key = ''] = bound.runner.orders.newKeys(bound.name, 1);
    bound.runner.apply({
      kind: 'entry',
      owner: {
        session: this.#principal.session,
        account: bound.runner.account,
        accountName: bound.name,
        tag: bound.name,
        key,
        quoteId: null,
      },
      clOrdId,
      instrument: wanted.instrument,
      terms: wanted.terms,
      nowMs: now.wallMs,
    });
    return undefined;
  }

  cancel(command: CancelOrder, now: Instant): Refused | Known | undefined {
    const { clOrdId, origModTimeMs } = command;
    const found = this.#changeable(command);
    if (!('bound' in found)) return found;
    return apply(found, { kind: 'cancel', clOrdId, origModTimeMs, nowMs: now.wallMs });
  }

  replace(command: ReplaceOrder, now: Instant): Refused | Known | undefined {
    const { clOrdId, origin: sent, origModTimeMs, terms: asked } = command;
    const found = this.#changeable(command);
    if (!('bound' in found)) return found;
    const { bound, order } = found;
    if (!this.#principal.accounts.includes(bound)) {
      const text = `orders on ${bound.name} can only be canceled by this session`;
      return this.#refused('bridge.unknown_account', text, order);
    }
    const request = { kind: 'replace', order, terms: asked, sent } as const;
    const permit = this.#permit(bound, clOrdId, request, now);
    if (isDenial(permit)) return this.#about(permit, order);
    const [wanted] = permit.wanted;
    if (wanted === undefined) return undefined;
    const { terms } = wanted;
    return apply(found, { kind: 'replace', clOrdId, terms, origModTimeMs, nowMs: now.wallMs });
  }

  /** The order of a cancel or replace, provided that its ClOrdID is new and its order details match. */
  #changeable(command: CancelOrder | ReplaceOrder): Found | Refused | Known {
    const { clOrdId, origin, target } = command;
    const found = this.#target(target);
    if ('denial' in found) return found;
    const { order } = found;
    const repeated = this.#repeated(clOrdId, origin, order);
    if (repeated !== undefined) return repeated;
    const mismatch = this.#mismatch(command, order);
    return mismatch === undefined ? found : this.#about(mismatch, order);
  }

  /**
   * The answer to a request whose ClOrdID is used. A client that only sends it again, because it may have been lost,
   * must not be told that it is refused. `about` is the order that a refusal names, if not the one with this ClOrdID.
   */
  #repeated(
    clOrdId: string,
    { possDup, possResend }: Pick<Origin, 'possDup' | 'possResend'>,
    about?: Order,
  ): Refused | Known | undefined {
    if (!isSpent(this.#principal, clOrdId)) return undefined;
    const known = this.named(clOrdId)?.order;
    if (known !== undefined && (possDup || possResend)) return { known };
    return this.#refused('bridge.duplicate_clordid', clOrdId, about ?? known);
  }

  /** Returns an order of this session by a ClOrdID of its chain. */
  named(clOrdId: string): Found | undefined {
    for (const bound of this.#principal.reach) {
      const order = bound.runner.orders.byClOrdId(this.#principal.session, clOrdId);
      if (order !== undefined) return { bound, order };
    }
    return undefined;
  }

  /** An order of this session, with its status. */
  standing(target: OrderRef): Refused['about'] {
    const order = this.find(target)?.order;
    return order?.owner.session === this.#principal.session ? this.#status(order) : undefined;
  }

  /** The order that a request names, by ClOrdID or OrderID; if each of them names an order, it must be the same. */
  find({ origClOrdId, orderId }: OrderRef): Found | undefined {
    const named = origClOrdId === null ? undefined : this.named(origClOrdId);
    if (orderId === null) return named;
    const { accounts, reach, session } = this.#principal;
    for (const bound of reach) {
      const order = bound.runner.orders.byVenueId(orderId);
      if (order === undefined) continue;
      if (order.owner.session !== session && !accounts.includes(bound)) continue;
      return named === undefined || named.order === order ? { bound, order } : undefined;
    }
    return undefined;
  }

  /** A permitted request counts against the rates at once, as it is entered next. A denied one spends its ClOrdID. */
  #permit(bound: BoundAccount, clOrdId: string, request: GateRequest, now: Instant) {
    const view = gateView(this.#principal, bound, this.#context);
    const permit = authorize(request, view, now);
    if (isDenial(permit)) {
      bound.runner.apply({ kind: 'spent', session: this.#principal.session, clOrdId });
    } else count(permit, view, now);
    return permit;
  }

  /**
   * Whether this order is at the venue already and the bridge has forgotten it, because an older backup was restored.
   * Only FIX clients must mark what they send again. Without a mark, another channel may have used the same ClOrdID for
   * another order, so the terms are compared, except for the quantity, which an amend may have changed.
   */
  #wasSent({ runner }: BoundAccount, { clOrdId, instrument, origin, terms }: NewOrder): boolean {
    const name = this.#context.venueNameOf(this.#principal.session, clOrdId);
    const order = name === undefined ? undefined : runner.orders.fromOtherChannel(name);
    if (order === undefined || origin.possDup || origin.possResend) return order !== undefined;
    const price = terms.price && toAtoms(terms.price, order.instrument.market.priceScale);
    const isAtPrice = price === null || price === order.terms.price;
    return isAtPrice && terms.side === order.terms.side && this.#isIn(order, instrument);
  }

  #target(target: OrderRef): Found | Refused {
    const found = this.find(target);
    if (found === undefined) {
      const { origClOrdId, orderId } = target;
      const named = origClOrdId === null ? undefined : this.named(origClOrdId);
      const ids = [origClOrdId, orderId].filter((id) => id !== null);
      const text = named === undefined ? ids.join(', ') : `${ids.join(' and ')} are two orders`;
      return this.#refused('bridge.unknown_order', text, named?.order);
    }
    if (found.order.owner.session === this.#principal.session) return found;
    return this.#refused('bridge.unknown_account', 'the order is of another session', found.order);
  }

  /** The order details in a request must match the order. */
  #mismatch(request: CancelOrder | ReplaceOrder, order: Order): Denial | undefined {
    const refused = (ofCancel: string, text: string) =>
      deny(request.kind === 'replace_order' ? 'bridge.replace_unsupported' : ofCancel, text);
    if (!this.#isIn(order, request.instrument)) {
      return refused('bridge.instrument_conflict', `the order is in ${order.instrument.symbol}`);
    }
    const named = request.account ?? order.owner.accountName;
    const bound = accountNamed(this.#principal, named, this.#principal.reach);
    if (bound?.runner.account === order.owner.account) return undefined;
    return refused('bridge.unknown_account', 'Account(1) is not that of the order');
  }

  /** A request that names no instrument is accepted, because its ids already identify the order. */
  #isIn({ instrument }: Order, ref: InstrumentRef): boolean {
    if (ref.symbol === null && ref.securityId === null) {
      return ref.book === null || ref.book === instrument.book;
    }
    const listed = this.#context.instruments().resolve(ref);
    // The venue may no longer list the market of an order that is still open.
    const named = isDenial(listed) ? new InstrumentList([instrument.market]).resolve(ref) : listed;
    return !isDenial(named) && named.securityId === instrument.securityId;
  }

  #refused(name: string, text: string | null, order?: Order): Refused {
    return this.#about(deny(name, text), order);
  }

  #about(denial: Denial, order: Order | undefined): Refused {
    return order === undefined ? { denial } : { denial, about: this.#status(order) };
  }

  #status(order: Order) {
    return { order, ordStatus: statusOf(order, this.#principal.rules) };
  }
}

function apply({ bound, order }: Found, input: OrderInput): undefined {
  bound.runner.apply({ kind: 'order', key: order.owner.key, input });
}
