/**
 * The contents of the stream in which the journal keeps the state of an account, part by part
 * (docs/decisions/0247-the-account-engine.md). A part is text of several lines: a description of its contents, then the
 * rows of a table, one for each order, so that a start can skip a row that a later part replaces without parsing it.
 */
import { exactJson } from '../domain/exact-json.ts';
import { members, optional, plain } from '../domain/form.ts';
import { orderForm } from '../domain/forms.ts';
import type { Order } from '../domain/order.ts';
import { type Heading, Rows } from '../domain/rows.ts';
import type { Kept } from './order-index.ts';

/** Consecutive names; the first has the number `from`. */
export interface SpentNames {
  readonly from: number;
  readonly names: readonly string[];
}

/** An order as it was when the piece started. */
export interface Pinned extends Kept {
  readonly arrival: number;
  readonly ending: number;
}

export interface StatePart {
  /** The journal position at which its piece started. */
  readonly at: number;
  /** A piece without its last part is void: the process ended before it was complete. */
  readonly isLast: boolean;
  readonly orders: readonly Pinned[];
  /** Arrival numbers of forgotten orders that an earlier part contains. */
  readonly gone: readonly number[];
  readonly spent: readonly SpentNames[];
}

interface Contents extends Omit<StatePart, 'orders'>, Tables {
  readonly v: typeof version | typeof objectsVersion;
  readonly orders: readonly (readonly [arrival: number, ending: number])[];
  readonly heading: Heading;
}

/** Only in `objectsVersion`. */
interface Tables {
  readonly senders: readonly object[];
  readonly instruments: readonly unknown[];
}

/** A part whose rows have not been parsed. */
export interface ReadPart extends Contents {
  order(index: number): Kept;
}

interface StoredOrder {
  readonly owner: { readonly of: number };
  readonly instrument: number;
}

/** A number refers to a name or id that the order itself contains; the list is absent if it has exactly these. */
type Listed = readonly (number | string)[] | undefined;

interface Row {
  readonly order: Order;
  readonly names: Listed;
  readonly venueIds: Listed;
}

const version = 3;
/** Before 2026-11-28: objects instead of rows, with their senders and instruments in tables. */
const objectsVersion = 2;

const rowForm = members<Row>({
  order: orderForm,
  names: optional(plain()),
  venueIds: optional(plain()),
});
const table = new Rows(rowForm);

export function encodePart({ orders, ...rest }: StatePart): Uint8Array {
  const numbers = orders.map(({ arrival, ending }) => [arrival, ending]);
  const { heading, rows } = table.write(
    orders.map(({ names, order, venueIds }) => ({
      order,
      names: listed(names, namesIn(order)),
      venueIds: listed(venueIds, idsIn(order)),
    })),
  );
  const head = exactJson({ v: version, ...rest, orders: numbers }).slice(0, -1);
  return Buffer.from([`${head},"heading":${heading}}`, ...rows].join('\n'));
}

export function decodePart(payload: Uint8Array, place: string): ReadPart {
  const [first = '', ...rows] = Buffer.from(payload).toString('utf8').split('\n');
  const contents = JSON.parse(first) as Contents;
  const { v } = contents;
  if (v !== version && v !== objectsVersion) {
    throw new Error(`${place} has version ${v}, which this version of Causeway cannot read`);
  }
  const row = v === version ? table.reader(contents.heading) : objectReader(contents);
  const read = (index: number) => {
    const { order, names, venueIds } = row(JSON.parse(rows[index] ?? ''));
    return {
      order,
      names: unlisted(names, namesIn(order)),
      venueIds: unlisted(venueIds, idsIn(order)),
    };
  };
  return { ...contents, order: read };
}

function objectReader({ instruments, senders }: Tables): (stored: unknown) => Row {
  return (stored) => {
    const { order, ...lists } = stored as { readonly order: StoredOrder };
    const { of, ...own } = order.owner;
    const owner = { ...senders[of], ...own };
    const instrument = instruments[order.instrument];
    return rowForm.read({ ...lists, order: { ...order, owner, instrument } });
  };
}

function namesIn({ clOrdId, owner }: Order): readonly string[] {
  return [`${owner.session}/${clOrdId}`];
}

function idsIn({ orderId, venueRef }: Order): readonly string[] {
  return [venueRef, orderId].filter((id) => id !== null);
}

function listed(texts: readonly string[], own: readonly string[]): Listed {
  const found = texts.map((text) => (own.includes(text) ? own.indexOf(text) : text));
  const isOwn = found.length === own.length && found.every((one, index) => one === index);
  return isOwn ? undefined : found;
}

function unlisted(texts: Listed, own: readonly string[]): readonly string[] {
  return texts?.map((one) => (typeof one === 'number' ? (own[one] ?? '') : one)) ?? own;
}
