/** An event of the execution stream, from wire form by the profile's pointers, each member checked (contract G41). */
import {
  type EventKind,
  eventKinds,
  type Fill,
  type Reason,
  type StreamEvent,
  venueStatuses,
} from '../domain/event.ts';
import type { FeeMicro, MarketId, Price, Qty } from '../domain/units.ts';
import { compilePointers, type Reads } from './json-pointer.ts';
import type { Profile } from './profile.ts';
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
  WireError,
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

  /** The seq alone, where the rest cannot be read; null when that cannot be read either. */
  seqOf(value: unknown): number | null {
    const seq = this.#event.seq(value);
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : null;
  }

  /** Throws `WireError`; its place is `event SEQ MEMBER`. */
  read(value: unknown): StreamEvent {
    const at = this.#event;
    const seq = natural(at.seq(value), 'event seq');
    if (seq === 0) throw new WireError('event seq', 'must be positive');
    const where = `event ${seq} `;
    const kind = this.#kinds.get(at.kind(value));
    if (kind === undefined) {
      const word = JSON.stringify(at.kind(value))?.slice(0, 40);
      throw new WireError(`${where}kind`, `${word} is no kind of the profile`);
    }
    return {
      seq,
      prevSeq: maybeNatural(at.prevSeq(value), `${where}prevSeq`),
      kind,
      account: account(at.account(value), `${where}account`),
      market: marketId(at.market(value), `${where}market`),
      book: maybeBook(at.book(value), `${where}book`),
      orderId: maybeOrderId(at.orderId(value), `${where}orderId`),
      parentOrderId: maybeOrderId(at.parentOrderId(value), `${where}parentOrderId`),
      legIndex: maybeNatural(at.legIndex(value), `${where}legIndex`),
      clientOrderId: maybeText(at.clientOrderId(value), `${where}clientOrderId`),
      nonce: maybeNonce(at.nonce(value), `${where}nonce`),
      actionHash: maybeOrderId(at.actionHash(value), `${where}actionHash`),
      side: maybeSide(at.side(value), `${where}side`),
      price: maybePrice(at.price(value), `${where}price`),
      qty: maybeQty(at.qty(value), `${where}qty`),
      filledQty: maybeQty(at.filledQty(value), `${where}filledQty`),
      leavesQty: maybeQty(at.leavesQty(value), `${where}leavesQty`),
      status: status(at.status(value), `${where}status`),
      reason: this.#reason(value, where),
      fill: this.#fillOf(kind, at.fill(value), where),
      nonceConsumed: maybeFlag(at.nonceConsumed(value), `${where}nonceConsumed`),
      engineTsMs: natural(at.engineTsMs(value), `${where}engineTsMs`),
      serverTsMs: natural(at.serverTsMs(value), `${where}serverTsMs`),
    };
  }

  /** An entry of `fill`, also as receipts hold them. */
  fill(value: unknown, where: string): Fill {
    const at = this.#fill;
    return {
      fillId: text(at.fillId(value), `${where}fill.fillId`),
      price: amount<Price>(at.price(value), `${where}fill.price`),
      qty: amount<Qty>(at.qty(value), `${where}fill.qty`),
      feeMicro: signedAmount<FeeMicro>(at.feeMicro(value), `${where}fill.feeMicro`),
      liquidity: liquidity(at.liquidity(value), `${where}fill.liquidity`),
      tsMs: natural(at.tsMs(value), `${where}fill.tsMs`),
    };
  }

  #fillOf(kind: EventKind, value: unknown, where: string): Fill | null {
    if (value !== undefined && value !== null) return this.fill(value, where);
    if (kind === 'fill') throw new WireError(`${where}fill`, 'is missing on a fill');
    return null;
  }

  #reason(value: unknown, where: string): Reason | null {
    const at = this.#event;
    const code = maybeText(at.reasonCode(value), `${where}reason.code`);
    const number = maybeNatural(at.reasonNumber(value), `${where}reason.number`);
    const words = maybeText(at.reasonText(value), `${where}reason.text`);
    if (code === null && number === null && words === null) return null;
    return { code: code ?? '', number, text: words ?? '' };
  }
}
