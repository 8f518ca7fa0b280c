/** Reads the venue's records by the profile's pointers and checks each member (contract G49, G54, A.2). */
import { type Fill, venueStatuses } from '../domain/event.ts';
import type { Market } from '../domain/instrument.ts';
import {
  type Account,
  type Book,
  type FeeMicro,
  type MarketId,
  maxScale,
  type OrderId,
  type Price,
  type Qty,
} from '../domain/units.ts';
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

type Readers = Readonly<Record<string, (value: unknown, place: string) => unknown>>;
type ReadBy<T extends Readers> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

/** Returns a function that reads each member at its pointer; an error contains `where` and the member's name. */
function recordReader<T extends Readers>(
  readers: T,
  pointers: Readonly<Record<keyof T & string, string>>,
): (value: unknown, where: string) => ReadBy<T> {
  const at = compilePointers(pointers);
  const members = Object.entries(readers) as [keyof T & string, T[keyof T & string]][];
  return (value, where) =>
    Object.fromEntries(
      members.map(([name, read]) => [name, read(at[name](value), `${where}.${name}`)]),
    ) as ReadBy<T>;
}

const limit = optional((value, place) => {
  const read = natural(value, place);
  if (read === 0) throw new WireError(place, 'must be positive');
  return read;
});

/**
 * The values of the limits route; null if it has none, and then the profile's value applies (R83). What is left of the
 * rates is in the headers of every answer, which the pacer follows.
 */
const limitReaders = {
  jsonEnabled: optional(flag),
  maxActions: limit,
  maxLegs: limit,
  maxInFlight: limit,
  nonceWindow: limit,
};
export type LimitsRecord = ReadBy<typeof limitReaders>;

export function readLimits(rules: Records['limits'], value: unknown): LimitsRecord {
  return recordReader(limitReaders, rules)(value, 'limits');
}

const statusReaders = {
  placementReady: flag,
  placementReason: optional(text),
  sequencerCoreReachable: flag,
  tradingHalted: flag,
};
export type StatusRecord = ReadBy<typeof statusReaders>;

export function readStatus(rules: Records['status'], value: unknown): StatusRecord {
  return recordReader(statusReaders, rules)(value, 'status');
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
  if (read <= maxScale) return read;
  throw new WireError(place, `must be at most ${maxScale}, not ${read}`);
};
const longestName = 250;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** Part of many messages, and clients repeat it; with the name of a book it fits into a name of SBE. */
const name = (value: unknown, place: string) => {
  const read = text(value, place);
  if (printable.test(read) && Buffer.byteLength(read) <= longestName) return read;
  throw new WireError(place, `must be printable and have at most ${longestName} bytes`);
};

/** Prices and quantities are divided by their steps. */
function step<T extends bigint>(value: unknown, place: string): T {
  const read = amount<T>(value, place);
  if (read > 0n) return read;
  throw new WireError(place, 'must be positive');
}

const marketReaders = {
  marketId: (value: unknown, place: string) => natural(value, place) as MarketId,
  kind: oneOf(['spot', 'binary', 'prediction'] as const),
  symbol(value: unknown, place: string) {
    const read = name(value, place);
    if (read !== '') return read;
    throw new WireError(place, 'must not be empty');
  },
  base: name,
  quote: name,
  status: oneOf(['open', 'halted', 'closed', 'settled'] as const),
  priceScale: scale,
  qtyScale: scale,
  tick: step<Price>,
  lot: step<Qty>,
  minNotional: amount<Price>,
  maxQty: amount<Qty>,
  expiryMs: optional(natural),
};

/** With `skip`, a market that cannot be read hides no other one. */
export function readMarkets(
  rules: Pick<Records, 'market' | 'markets'>,
  value: unknown,
  skip?: (fault: WireError) => void,
): readonly Market[] {
  const read = recordReader(marketReaders, rules.market);
  const all = list(compilePointer(rules.markets.list)(value), 'markets', maxMarkets);
  const markets = all.flatMap((entry, index): Market[] => {
    try {
      return [read(entry, `markets[${index}]`)];
    } catch (error) {
      if (!(error instanceof WireError) || skip === undefined) throw error;
      skip(error);
      return [];
    }
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

const maxReceipts = 1000;
const maxFills = 10_000;
const receiptReaders = {
  seq: optional(natural),
  actionHash: optional(orderId),
  orderId: optional(orderId),
  clientOrderId: optional(text),
  nonce: optional<bigint>(amount),
  status: oneOf(venueStatuses),
  rejectCode: optional(text),
  rejectReason: optional(text),
  filledQty: optional<Qty>(amount),
  leavesQty: optional<Qty>(amount),
  feeMicro: optional<FeeMicro>(signedAmount),
  fills: optional((entries, place) => list(entries, place, maxFills)),
  engineTsMs: optional(natural),
};

/** The venue's durable record of one action (contract G49), which connects an acknowledgement with its final state. */
export type Receipt = Omit<ReadBy<typeof receiptReaders>, 'fills'> & {
  readonly fills: readonly Fill[];
};

export function readReceipts(
  rules: Pick<Records, 'receipt' | 'receipts'>,
  events: EventReader,
  value: unknown,
): readonly Receipt[] {
  const read = recordReader(receiptReaders, rules.receipt);
  const all = list(compilePointer(rules.receipts.list)(value), 'receipts', maxReceipts);
  return all.map((entry, index): Receipt => {
    const where = `receipts[${index}]`;
    const { fills, ...receipt } = read(entry, where);
    const readFill = (fill: unknown) =>
      within(
        () => `${where}.`,
        () => events.fill(fill),
      );
    return { ...receipt, fills: (fills ?? []).map(readFill) };
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
