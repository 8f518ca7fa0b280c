/** Reads an event of the execution stream by the profile's pointers and checks each member (contract G41). */

import type { Denial } from '../domain/denial.ts';
import { type EventKind, eventKinds, type Fill, venueStatuses } from '../domain/event.ts';
import type { FeeMicro, MarketId, Price, Qty } from '../domain/units.ts';
import { compilePointers, type Reads } from './json-pointer.ts';
import type { Profile } from './profile.ts';
import { denialOf } from './refusals.ts';
import type { VenueEvent } from './venue-event.ts';
import {
  account,
  amount,
  book,
  flag,
  natural,
  oneOf,
  optional,
  orderId,
  side,
  signedAmount,
  text,
  time,
  WireError,
  within,
} from './wire-value.ts';

type Rules = Pick<Profile['stream'], 'event' | 'fill' | 'kinds'>;

const status = optional(oneOf(venueStatuses));
const liquidity = oneOf(['maker', 'taker'] as const);
const maybeText = optional(text);
const maybeNatural = optional(natural);
const maybeOrderId = optional(orderId);
const maybeBook = optional(book);
const maybeSide = optional(side);
const maybeFlag = optional(flag);
const maybePrice = optional<Price>(amount);
const maybeQty = optional<Qty>(amount);
const maybeNonce = optional<bigint>(amount);
const marketId = optional((value, place) => natural(value, place) as MarketId);

export class EventReader {
  readonly #event: Reads<keyof Rules['event']>;
  readonly #fill: Reads<keyof Rules['fill']>;
  readonly #kinds: ReadonlyMap<unknown, EventKind>;

  constructor(rules: Rules) {
    this.#event = compilePointers(rules.event);
    this.#fill = compilePointers(rules.fill);
    this.#kinds = new Map(eventKinds.map((kind) => [rules.kinds[kind], kind]));
  }

  /** Throws `WireError`, which locates the error as `event SEQ MEMBER`. */
  read(value: unknown): VenueEvent {
    const at = this.#event;
    const seq = natural(at.seq(value), 'event seq');
    if (seq === 0) throw new WireError('event seq', 'must be positive');
    const kind = this.#kinds.get(at.kind(value));
    if (kind === undefined) {
      const word = JSON.stringify(at.kind(value))?.slice(0, 40);
      throw new WireError(`event ${seq} kind`, `${word} is not a kind in the profile`);
    }
    return within(
      () => `event ${seq} `,
      () => this.#members(value, seq, kind),
    );
  }

  #members(value: unknown, seq: number, kind: EventKind): VenueEvent {
    const at = this.#event;
    return {
      seq,
      prevSeq: maybeNatural(at.prevSeq(value), 'prevSeq'),
      kind,
      account: account(at.account(value), 'account'),
      market: marketId(at.market(value), 'market'),
      book: maybeBook(at.book(value), 'book'),
      orderId: maybeOrderId(at.orderId(value), 'orderId'),
      parentOrderId: maybeOrderId(at.parentOrderId(value), 'parentOrderId'),
      legIndex: maybeNatural(at.legIndex(value), 'legIndex'),
      clientOrderId: maybeText(at.clientOrderId(value), 'clientOrderId'),
      nonce: maybeNonce(at.nonce(value), 'nonce'),
      venueRef: maybeOrderId(at.actionHash(value), 'actionHash'),
      side: maybeSide(at.side(value), 'side'),
      price: maybePrice(at.price(value), 'price'),
      qty: maybeQty(at.qty(value), 'qty'),
      filledQty: maybeQty(at.filledQty(value), 'filledQty'),
      leavesQty: maybeQty(at.leavesQty(value), 'leavesQty'),
      status: status(at.status(value), 'status'),
      denial: this.#denial(kind, value),
      fill: this.#fillOf(kind, at.fill(value)),
      engineTsMs: time(at.engineTsMs(value), 'engineTsMs'),
      serverTsMs: time(at.serverTsMs(value), 'serverTsMs'),
    };
  }

  /** Reads an entry of `fill`; receipts use the same form. */
  fill(value: unknown): Fill {
    const at = this.#fill;
    return {
      fillId: text(at.fillId(value), 'fill.fillId'),
      price: amount<Price>(at.price(value), 'fill.price'),
      qty: amount<Qty>(at.qty(value), 'fill.qty'),
      feeMicro: signedAmount<FeeMicro>(at.feeMicro(value), 'fill.feeMicro'),
      liquidity: liquidity(at.liquidity(value), 'fill.liquidity'),
      tsMs: time(at.tsMs(value), 'fill.tsMs'),
    };
  }

  #fillOf(kind: EventKind, value: unknown): Fill | null {
    if (value !== undefined && value !== null) return this.fill(value);
    if (kind === 'fill') throw new WireError('fill', 'is missing on a fill');
    return null;
  }

  #denial(kind: EventKind, value: unknown): Denial | null {
    const at = this.#event;
    const code = maybeText(at.reasonCode(value), 'reason.code');
    const number = maybeNatural(at.reasonNumber(value), 'reason.number');
    const words = maybeText(at.reasonText(value), 'reason.text');
    const isSpent = maybeFlag(at.nonceConsumed(value), 'nonceConsumed');
    if (code === null && number === null && words === null) {
      return kind === 'rejected' ? denialOf(null, isSpent) : null;
    }
    return denialOf({ code: code ?? '', number, text: words ?? '' }, isSpent);
  }
}
