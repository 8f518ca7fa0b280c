/** What must be true of an account once everything of its random walk (`core-walk.ts`) has arrived. */
import { isOfOtherChannel, otherChannel } from '../../src/domain/order.ts';
import type { OrderId } from '../../src/domain/units.ts';
import type { Orders } from '../../src/engine/orders.ts';
import type { WalkBook } from './walk-book.ts';
import type { WalkOperator } from './walk-operator.ts';
import type { WalkTold } from './walk-told.ts';
import type { WalkVenue } from './walk-venue.ts';

export interface Judged {
  readonly orders: Orders;
  readonly venue: WalkVenue;
  readonly operator: WalkOperator;
  readonly told: WalkTold;
  readonly sessions: readonly string[];
  /** The keys of orders of which events were lost that no receipt tells. */
  readonly blurred: ReadonlySet<string>;
  /** The ids that events have named. */
  readonly heard: ReadonlySet<OrderId>;
  /** Whether events were lost, so that orders of other channels are not known. */
  readonly hasLost: boolean;
}

/** Returns what is wrong. */
export function judge(judged: Judged): readonly string[] {
  return [
    ...ofOpen(judged),
    ...ofFired(judged),
    ...ofOthers(judged),
    ...ofPlaced(judged),
    ...ofExposure(judged),
    ...ofGroups(judged),
  ];
}

/** The bridge and the venue have the same open orders, and those that had to end are none of them. */
function* ofOpen({ blurred, operator, orders, told, venue }: Judged): Generator<string> {
  const open = new Map([...orders.open()].map((order) => [order.owner.key, order]));
  const atVenue = venue.book.open();
  for (const [key, leaves] of atVenue) {
    if (blurred.has(key)) continue;
    const order = open.get(key);
    if (order === undefined) yield `${key} is open at the venue alone`;
    // What was busted is open again for the client, until the venue states what is left.
    else if (order.leavesQty < leaves || order.leavesQty > leaves + told.takenBack(key)) {
      yield `${key} has ${order.leavesQty} left, at the venue ${leaves}`;
    }
  }
  for (const [key, { ownCancel, pending, phase }] of open) {
    if (blurred.has(key)) continue;
    if (!atVenue.has(key)) yield `${key} is ${phase} here alone`;
    if (pending !== null) yield `${key} still waits for ${pending.kind}`;
    if (ownCancel !== null) yield `${key} waits to be canceled`;
    if (operator.isDoomed(key)) yield `${key} outlives its mass cancel`;
  }
}

/** Where the event of a trigger was lost, those of its order tell that it has fired. */
function* ofFired({ heard, operator, orders, venue }: Judged): Generator<string> {
  for (const { isFired, key, orderId } of venue.book.live.values()) {
    if (isFired !== true || key === null || !heard.has(orderId)) continue;
    const order = orders.get(key);
    const known = order?.orderId;
    if (known !== orderId) yield `${key} has fired as ${orderId}, here it is ${known}`;
    // Where the answer and the event of its cancel are lost, the next cancel waits until that is decided.
    const isLeaving = order !== undefined && order.pending !== null;
    if (operator.isDoomed(key) && !isLeaving) yield `${key} has fired and outlives its mass cancel`;
  }
}

function* ofOthers({ hasLost, orders, told, venue }: Judged): Generator<string> {
  if (hasLost) return;
  const known = new Map(
    [...orders.openOnVenue()].filter(isOfOtherChannel).map((order) => [order.orderId, order]),
  );
  for (const [id, { key, leaves }] of venue.book.live) {
    if (key !== null) continue;
    const order = known.get(id);
    const left = order?.leavesQty ?? -1n;
    // The key of an order that was replaced is its first id.
    if (left < leaves || left > leaves + told.takenBack(order?.owner.key ?? ''))
      yield `${id}: ${left} of ${leaves} left`;
    known.delete(id);
  }
  for (const id of known.keys()) yield `${id} of another channel is open here alone`;
}

function* ofPlaced({ venue }: Judged): Generator<string> {
  for (const [key, count] of venue.placed) {
    if (count > 1) yield `${key} was placed ${count} times`;
  }
}

/** Each open order counts once. */
function* ofExposure({ orders, sessions }: Judged): Generator<string> {
  const open = [...orders.open()].map(({ owner }) => owner.session);
  for (const session of [...sessions, otherChannel]) {
    const count = open.filter((one) => one === session).length;
    const stated = orders.openOf(session);
    if (stated !== count) yield `${session} has ${count} open orders, not ${stated}`;
  }
  if (orders.openCount !== open.length) {
    yield `${open.length} orders are open, not ${orders.openCount}`;
  }
}

/** A group of quotes is remembered until its outcome is known, and no longer. */
function* ofGroups({ blurred, orders }: Judged): Generator<string> {
  for (const { key, members } of orders.rest().quotes.groups) {
    if (!members.some((member) => blurred.has(member.key))) yield `group ${key} is remembered`;
  }
}

/** At no time has the venue more open orders of a session or the account than the limits allow. */
export function* beyondLimits(
  book: WalkBook,
  operator: WalkOperator,
  sessionOf: (key: string) => string | undefined,
): Generator<string> {
  const counts = new Map<string, number>();
  for (const key of book.open().keys()) {
    for (const name of [sessionOf(key) ?? '', 'desk']) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of counts) {
    const limit = operator.limitOf(name);
    if (count > limit) yield `${name} has ${count} orders at the venue, not ${limit}`;
  }
}
