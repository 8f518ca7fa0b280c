/** Reads the venue's records by the profile's pointers and checks each member (contract G49, G54, A.2). */
import type { Fill } from '../domain/event.ts';
import type { Market } from '../domain/instrument.ts';
import type { Account, Book, FeeMicro, MarketId, OrderId, Price, Qty } from '../domain/units.ts';
import { resultStatuses } from './answer.ts';
import type { EventReader } from './event-reader.ts';
import { compilePointer, compilePointers } from './json-pointer.ts';
import type { Profile } from './profile.ts';
import {
  amount,
  flag,
  list,
  natural,
  oneOf,
  optional,
  orderId,
  signedAmount,
  text,
  WireError,
  within,
} from './wire-value.ts';

type Records = Profile['records'];

/** The values of the limits route; null if it has none, and then the profile's value applies (R83). */
export interface LimitsRecord {
  readonly jsonEnabled: boolean | null;
  readonly maxActions: number | null;
  readonly maxLegs: number | null;
  readonly maxInFlight: number | null;
  readonly actionsPerSecond: number | null;
  readonly burst: number | null;
  readonly nonceWindow: number | null;
}

const limit = optional((value, place) => {
  const read = natural(value, place);
  if (read === 0) throw new WireError(place, 'must be positive');
  return read;
});

/** A rate of 0 disables the limit. */
const rate = optional((value, place) => {
  const read = natural(value, place);
  return read === 0 ? null : read;
});

export function readLimits(rules: Records['limits'], value: unknown): LimitsRecord {
  const at = compilePointers(rules);
  return {
    jsonEnabled: optional(flag)(at.jsonEnabled(value), 'limits.jsonEnabled'),
    maxActions: limit(at.maxActions(value), 'limits.maxActions'),
    maxLegs: limit(at.maxLegs(value), 'limits.maxLegs'),
    maxInFlight: limit(at.maxInFlight(value), 'limits.maxInFlight'),
    actionsPerSecond: rate(at.actionsPerSecond(value), 'limits.actionsPerSecond'),
    burst: limit(at.burst(value), 'limits.burst'),
    nonceWindow: limit(at.nonceWindow(value), 'limits.nonceWindow'),
  };
}

export interface StatusRecord {
  readonly placementReady: boolean;
  readonly placementReason: string | null;
  readonly sequencerCoreReachable: boolean;
  readonly tradingHalted: boolean;
}

export function readStatus(rules: Records['status'], value: unknown): StatusRecord {
  const at = compilePointers(rules);
  return {
    placementReady: flag(at.placementReady(value), 'status.placementReady'),
    placementReason: optional(text)(at.placementReason(value), 'status.placementReason'),
    sequencerCoreReachable: flag(at.sequencerCoreReachable(value), 'status.sequencerCoreReachable'),
    tradingHalted: flag(at.tradingHalted(value), 'status.tradingHalted'),
  };
}

/** Returns the names of build fields that are missing or defaulted, for an integrity warning (R81). */
export function unknownBuild(rules: Records['version'], value: unknown): readonly string[] {
  return rules.fields.filter((pointer) => {
    const field = compilePointer(pointer)(value);
    return typeof field !== 'string' || rules.unknown.includes(field.toLowerCase());
  });
}

const maxMarkets = 10_000;
const scale = (value: unknown, place: string) => {
  const read = natural(value, place);
  if (read <= 18) return read;
  throw new WireError(place, `must be at most 18, not ${read}`);
};
const kind = oneOf(['spot', 'binary', 'prediction'] as const);
const marketStatus = oneOf(['open', 'halted', 'closed', 'settled'] as const);

export function readMarkets(
  rules: Pick<Records, 'market' | 'markets'>,
  value: unknown,
): readonly Market[] {
  const at = compilePointers(rules.market);
  const all = list(compilePointer(rules.markets.list)(value), 'markets', maxMarkets);
  const markets = all.map((entry, index): Market => {
    const where = `markets[${index}].`;
    return {
      marketId: natural(at.marketId(entry), `${where}marketId`) as MarketId,
      kind: kind(at.kind(entry), `${where}kind`),
      symbol: text(at.symbol(entry), `${where}symbol`),
      base: text(at.base(entry), `${where}base`),
      quote: text(at.quote(entry), `${where}quote`),
      status: marketStatus(at.status(entry), `${where}status`),
      priceScale: scale(at.priceScale(entry), `${where}priceScale`),
      qtyScale: scale(at.qtyScale(entry), `${where}qtyScale`),
      tick: amount<Price>(at.tick(entry), `${where}tick`),
      lot: amount<Qty>(at.lot(entry), `${where}lot`),
      minNotional: amount<Price>(at.minNotional(entry), `${where}minNotional`),
      maxQty: amount<Qty>(at.maxQty(entry), `${where}maxQty`),
      expiryMs: optional(natural)(at.expiryMs(entry), `${where}expiryMs`),
    };
  });
  const ids = new Set(markets.map(({ marketId }) => marketId));
  if (ids.size !== markets.length) throw new WireError('markets', 'two share a marketId');
  return markets;
}

export interface BookLevel {
  readonly price: Price;
  readonly qty: Qty;
}

export interface OrderBook {
  readonly marketId: MarketId;
  readonly book: Book | null;
  readonly seq: number;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

const maxLevels = 10_000;
const maybeBook = optional(oneOf<Book>(['YES', 'NO']));

export function readOrderBook(rules: Records['orderbook'], value: unknown): OrderBook {
  const at = compilePointers(rules);
  const levels = (entries: unknown, place: string) =>
    list(entries, place, maxLevels).map((entry, index): BookLevel => {
      const [price, qty] = list(entry, `${place}[${index}]`, 2);
      return {
        price: amount<Price>(price, `${place}[${index}][0]`),
        qty: amount<Qty>(qty, `${place}[${index}][1]`),
      };
    });
  return {
    marketId: natural(at.marketId(value), 'orderbook.marketId') as MarketId,
    book: maybeBook(at.book(value), 'orderbook.book'),
    seq: natural(at.seq(value), 'orderbook.seq'),
    bids: levels(at.bids(value), 'orderbook.bids'),
    asks: levels(at.asks(value), 'orderbook.asks'),
  };
}

/** The venue's durable record of one action (contract G49), which connects an acknowledgement with its final state. */
export interface Receipt {
  readonly seq: number | null;
  readonly actionHash: OrderId | null;
  readonly orderId: OrderId | null;
  readonly clientOrderId: string | null;
  readonly nonce: bigint | null;
  readonly status: (typeof resultStatuses)[number];
  readonly rejectCode: string | null;
  readonly rejectReason: string | null;
  readonly filledQty: Qty | null;
  readonly leavesQty: Qty | null;
  readonly feeMicro: FeeMicro | null;
  readonly fills: readonly Fill[];
  readonly engineTsMs: number | null;
}

const maxReceipts = 1000;
const maxFills = 10_000;
const status = oneOf(resultStatuses);

export function readReceipts(
  rules: Pick<Records, 'receipt' | 'receipts'>,
  events: EventReader,
  value: unknown,
): readonly Receipt[] {
  const at = compilePointers(rules.receipt);
  const all = list(compilePointer(rules.receipts.list)(value), 'receipts', maxReceipts);
  return all.map((entry, index): Receipt => {
    const where = `receipts[${index}].`;
    const fills = optional((entries, place) => list(entries, place, maxFills));
    return {
      seq: optional(natural)(at.seq(entry), `${where}seq`),
      actionHash: optional(orderId)(at.actionHash(entry), `${where}actionHash`),
      orderId: optional(orderId)(at.orderId(entry), `${where}orderId`),
      clientOrderId: optional(text)(at.clientOrderId(entry), `${where}clientOrderId`),
      nonce: optional<bigint>(amount)(at.nonce(entry), `${where}nonce`),
      status: status(at.status(entry), `${where}status`),
      rejectCode: optional(text)(at.rejectCode(entry), `${where}rejectCode`),
      rejectReason: optional(text)(at.rejectReason(entry), `${where}rejectReason`),
      filledQty: optional<Qty>(amount)(at.filledQty(entry), `${where}filledQty`),
      leavesQty: optional<Qty>(amount)(at.leavesQty(entry), `${where}leavesQty`),
      feeMicro: optional<FeeMicro>(signedAmount)(at.feeMicro(entry), `${where}feeMicro`),
      fills: (fills(at.fills(entry), `${where}fills`) ?? []).map((fill) =>
        within(
          () => where,
          () => events.fill(fill),
        ),
      ),
      engineTsMs: optional(natural)(at.engineTsMs(entry), `${where}engineTsMs`),
    };
  });
}

/** Returns the path of an account's receipts, restricted to an action or an order if the venue supports it. */
export function receiptsTarget(
  { routes, records }: Pick<Profile, 'routes' | 'records'>,
  account: Account,
  by: { readonly actionHash?: string; readonly orderId?: OrderId } = {},
): string {
  const { accountParam, orderIdParam, actionHashParam } = records.receipts;
  const query = new URLSearchParams({ [accountParam]: account });
  if (by.orderId !== undefined) query.set(orderIdParam, by.orderId);
  if (by.actionHash !== undefined) query.set(actionHashParam, by.actionHash);
  return `${routes.receipts}?${query}`;
}
