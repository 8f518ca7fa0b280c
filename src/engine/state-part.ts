/**
 * The contents of the stream in which the journal keeps the state of an account, part by part
 * (docs/decisions/0247-the-account-engine.md). A part is text of several lines: a description of its contents, then one
 * line for each order, so that a start can skip a line that a later part replaces without parsing it.
 */
import { exactJson } from '../domain/exact-json.ts';
import { type Form, members, optional, plain, Table } from '../domain/form.ts';
import { instrumentForm, orderFormIn, type Sender, senderForm } from '../domain/forms.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Order } from '../domain/order.ts';
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

interface Contents extends Omit<StatePart, 'orders'> {
  readonly v: typeof version;
  readonly orders: readonly (readonly [arrival: number, ending: number])[];
  /** The order lines refer to these by index. */
  readonly senders: readonly unknown[];
  readonly instruments: readonly unknown[];
}

/** A part whose order lines have not been parsed. */
export interface ReadPart extends Contents {
  order(index: number): Kept;
}

/** A number refers to a name or id that the order itself contains; the list is absent if it has exactly these. */
type Listed = readonly (number | string)[] | undefined;

interface Line {
  readonly order: Order;
  readonly names: Listed;
  readonly venueIds: Listed;
}

const version = 2;

function lineForm(senders: Table<Sender>, instruments: Table<Instrument>): Form<Line> {
  return members<Line>({
    order: orderFormIn(senders, instruments),
    names: optional(plain()),
    venueIds: optional(plain()),
  });
}

export function encodePart({ orders, ...rest }: StatePart): Uint8Array {
  const numbers = orders.map(({ arrival, ending }) => [arrival, ending]);
  const senders = new Table(senderForm);
  const instruments = new Table(instrumentForm);
  const form = lineForm(senders, instruments);
  const lines = orders.map(({ names, order, venueIds }) =>
    form.write({
      order,
      names: listed(names, namesIn(order)),
      venueIds: listed(venueIds, idsIn(order)),
    }),
  );
  const head = exactJson({ v: version, ...rest, orders: numbers }).slice(0, -1);
  const contents = `${head},"senders":${senders.text},"instruments":${instruments.text}}`;
  return Buffer.from([contents, ...lines].join('\n'));
}

export function decodePart(payload: Uint8Array, place: string): ReadPart {
  const [first = '', ...lines] = Buffer.from(payload).toString('utf8').split('\n');
  const contents = JSON.parse(first) as Contents;
  if (contents.v !== version) {
    throw new Error(
      `${place} has version ${contents.v}, which this version of Causeway cannot read`,
    );
  }
  const form = lineForm(
    new Table(senderForm, contents.senders),
    new Table(instrumentForm, contents.instruments),
  );
  const read = (index: number) => {
    const { order, names, venueIds } = form.read(JSON.parse(lines[index] ?? ''));
    return {
      order,
      names: unlisted(names, namesIn(order)),
      venueIds: unlisted(venueIds, idsIn(order)),
    };
  };
  return { ...contents, order: read };
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
