/**
 * One side of an order book: price levels in an array, best last, so that changes near the best move little. Within
 * each level the orders are in order of arrival, linked through the orders themselves.
 */
import type { Side } from '../../domain/units.ts';
import type { UndoLog } from './undo-log.ts';

/** The part of an order that a ladder needs; the ladder owns the last three fields. */
export interface Rests<T> {
  readonly price: number;
  readonly qty: number;
  readonly filledQty: number;
  level: Level<T> | null;
  prev: T | null;
  next: T | null;
}

export interface Level<T> {
  readonly price: number;
  qty: number;
  count: number;
  head: T | null;
  tail: T | null;
}

export class Ladder<T extends Rests<T>> {
  /** Worst price first, best last. */
  readonly levels: Level<T>[] = [];
  readonly side: Side;
  readonly #undo: UndoLog;

  constructor(side: Side, undo: UndoLog) {
    this.side = side;
    this.#undo = undo;
  }

  best(): Level<T> | undefined {
    return this.levels[this.levels.length - 1];
  }

  levelAt(price: number): Level<T> | undefined {
    const level = this.levels[this.#place(price)];
    return level?.price === price ? level : undefined;
  }

  /** Appends after all orders of the same price. */
  add(order: T): void {
    const place = this.#place(order.price);
    let level = this.levels[place];
    if (level?.price !== order.price) {
      level = { price: order.price, qty: 0, count: 0, head: null, tail: null };
      this.#insert(place, level);
    }
    this.#undo.save(level);
    this.#saveLinks(order);
    order.level = level;
    order.prev = level.tail;
    order.next = null;
    if (level.tail === null) level.head = order;
    else {
      this.#saveLinks(level.tail);
      level.tail.next = order;
    }
    level.tail = order;
    level.count += 1;
    level.qty += order.qty - order.filledQty;
  }

  /** `leavesQty` is the quantity that the level counts for the order. */
  remove(order: T, leavesQty: number): void {
    const { level, prev, next } = order;
    if (level === null) throw new Error('order does not rest');
    this.#undo.save(level);
    this.#saveLinks(order);
    if (prev === null) level.head = next;
    else {
      this.#saveLinks(prev);
      prev.next = next;
    }
    if (next === null) level.tail = prev;
    else {
      this.#saveLinks(next);
      next.prev = prev;
    }
    order.level = null;
    order.prev = null;
    order.next = null;
    level.count -= 1;
    level.qty -= leavesQty;
    if (level.count === 0) this.#drop(level);
  }

  /** Reduces the quantity of an order that keeps its place. */
  reduce(order: T, byQty: number): void {
    if (order.level === null) throw new Error('order does not rest');
    this.#undo.save(order.level);
    order.level.qty -= byQty;
  }

  *orders(): Generator<T> {
    for (let index = this.levels.length - 1; index >= 0; index -= 1) {
      for (let order = this.levels[index]?.head ?? null; order !== null; order = order.next) {
        yield order;
      }
    }
  }

  #saveLinks(order: T): void {
    if (!this.#undo.active) return;
    const { level, prev, next } = order;
    this.#undo.step(() => {
      order.level = level;
      order.prev = prev;
      order.next = next;
    });
  }

  /** The index of the first level at `price` or better. */
  #place(price: number): number {
    const { levels } = this;
    let low = 0;
    let high = levels.length;
    const bid = this.side === 'Bid';
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = (levels[middle] as Level<T>).price;
      if (bid ? at < price : at > price) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(place: number, level: Level<T>): void {
    if (place === this.levels.length) this.levels.push(level);
    else this.levels.splice(place, 0, level);
    if (this.#undo.active) this.#undo.step(() => this.levels.splice(this.levels.indexOf(level), 1));
  }

  #drop(level: Level<T>): void {
    const place = this.#place(level.price);
    if (place === this.levels.length - 1) this.levels.pop();
    else this.levels.splice(place, 1);
    if (this.#undo.active) this.#undo.step(() => this.levels.splice(place, 0, level));
  }
}
