/** Finds one page of the orders in a given sort order, without sorting all orders of an account. */
import type { Order } from '../../domain/order.ts';
import { sideTexts } from '../../domain/sent-order.ts';
import { parseDecimal, tenTo, toAtoms } from '../../domain/units.ts';
import type { OrderRow } from './order-row.ts';

type Value = bigint | number | string;

/** Quantities and prices of all markets are compared at one scale. */
const commonScale = 18;
const noAmount = -1n;

/** The members by which orders can be sorted. Equal orders are sorted by their keys. */
const sorts = {
  changed: ({ modTimeMs }: Order): Value => modTimeMs,
  clOrdId: ({ clOrdId }: Order): Value => clOrdId,
  status: ({ phase }: Order): Value => phase,
  symbol: ({ instrument }: Order): Value => instrument.symbol,
  side: ({ terms }: Order): Value => sideTexts[terms.side],
  account: ({ owner }: Order): Value => owner.accountName,
  session: ({ owner }: Order): Value => owner.session,
  qty: ({ instrument, terms }: Order): Value => scaled(terms.qty, instrument.market.qtyScale),
  cumQty: ({ cumQty, instrument }: Order): Value => scaled(cumQty, instrument.market.qtyScale),
  leavesQty: ({ instrument, leavesQty }: Order): Value =>
    scaled(leavesQty, instrument.market.qtyScale),
  price: ({ instrument, terms }: Order): Value =>
    terms.price === null ? noAmount : scaled(terms.price, instrument.market.priceScale),
} as const;
export type OrderSort = keyof typeof sorts;
export const orderSorts = Object.keys(sorts) as [OrderSort, ...OrderSort[]];

/** The last order of the previous page: its sort value as text, and its key. */
export interface OrderPlace {
  readonly value: string;
  readonly key: string;
}

export interface Page {
  readonly limit: number;
  readonly sort?: OrderSort;
  /** Whether the smallest come first; by default the largest do, such as the latest. */
  readonly isRising?: boolean;
  /** The page starts after this order, or with the first one. */
  readonly before?: OrderPlace | undefined;
}

/** An order, or one that the bridge refused, which exists only as the row that the console shows. */
export type Listed = Order | OrderRow;

interface Entry {
  readonly order: Listed;
  readonly key: string;
  readonly value: Value;
}

export class LatestOrders {
  readonly #limit: number;
  readonly #sort: OrderSort;
  readonly #compare: (a: Entry, key: string, value: Value) => number;
  readonly #before: { readonly key: string; readonly value: Value } | undefined;
  #kept: Entry[] = [];
  #count = 0;
  #newer = 0;
  /** Orders after this one do not fit on the page. */
  #last: Entry | undefined;

  constructor({ before, isRising = false, limit, sort = 'changed' }: Page) {
    const sign = isRising ? 1 : -1;
    this.#limit = limit;
    this.#sort = sort;
    this.#compare = (entry, key, value) => {
      if (entry.value !== value) return entry.value < value ? -sign : sign;
      if (entry.key === key) return 0;
      return entry.key < key ? -sign : sign;
    };
    this.#before = before && { key: before.key, value: parsed(before.value, sort) };
  }

  /** The number of all matching orders, on the page or not. */
  get count(): number {
    return this.#count;
  }

  /** The number of orders before the page. */
  get newer(): number {
    return this.#newer;
  }

  get rows(): readonly Listed[] {
    this.#trim();
    return this.#kept.map(({ order }) => order);
  }

  add(order: Listed): void {
    this.#count += 1;
    const entry = { order, key: keyOf(order), value: sortedBy(order, this.#sort) };
    if (this.#before && this.#compare(entry, this.#before.key, this.#before.value) <= 0) {
      this.#newer += 1;
      return;
    }
    if (this.#last && this.#compare(entry, this.#last.key, this.#last.value) > 0) return;
    this.#kept.push(entry);
    if (this.#kept.length >= 2 * this.#limit) this.#trim();
  }

  #trim(): void {
    this.#kept.sort((a, b) => this.#compare(a, b.key, b.value));
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    if (this.#kept.length === this.#limit) this.#last = this.#kept.at(-1);
  }
}

/** The place of the last order of a page, for the next one. */
export function placeOf(order: Listed, sort: OrderSort = 'changed'): OrderPlace {
  return { value: String(sortedBy(order, sort)), key: keyOf(order) };
}

function keyOf(order: Listed): string {
  return 'owner' in order ? order.owner.key : order.key;
}

/** What a row shows is sorted by the same value as an order that would show it. */
function sortedBy(order: Listed, sort: OrderSort): Value {
  if ('owner' in order) return sorts[sort](order);
  if (sort === 'changed') return order.changedMs;
  const text = order[sort] ?? '';
  if (!amounts.has(sort)) return text;
  const decimal = parseDecimal(text);
  return (decimal && toAtoms(decimal, commonScale)) ?? noAmount;
}

const amounts: ReadonlySet<OrderSort> = new Set(['qty', 'cumQty', 'leavesQty', 'price']);

/** Whether this text can be a sort value. */
export function isPlace(text: string, sort: OrderSort): boolean {
  if (sort === 'changed') return /^\d{1,16}$/.test(text);
  return !amounts.has(sort) || /^-?\d{1,60}$/.test(text);
}

function parsed(text: string, sort: OrderSort): Value {
  if (sort === 'changed') return Number(text);
  return amounts.has(sort) ? BigInt(text) : text;
}

function scaled(atoms: bigint, scale: number): bigint {
  return atoms * tenTo(Math.max(0, commonScale - scale));
}
