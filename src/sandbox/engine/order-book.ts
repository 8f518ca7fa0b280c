/** One side of an order book: price levels in an array, best last, so that changes near the best move little. */
import type { Side } from '../../domain/units.ts';
import { firstIndex } from '../../runtime/first-index.ts';
import type { UndoLog } from './undo-log.ts';

/** The part of an order that a ladder needs; the ladder owns its level. */
export interface Rests<T> {
  readonly price: number;
  readonly qty: number;
  readonly filledQty: number;
  level: Level<T> | null;
}

export interface Level<T> {
  readonly price: number;
  qty: number;
  /** In order of arrival. */
  readonly orders: T[];
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
    const level = this.levelAt(order.price) ?? this.#insert(order.price);
    this.#undo.save(level);
    level.orders.push(order);
    level.qty += order.qty - order.filledQty;
    order.level = level;
    if (!this.#undo.active) return;
    this.#undo.step(() => {
      level.orders.pop();
      order.level = null;
    });
  }

  /** `leavesQty` is the quantity that the level counts for the order. */
  remove(order: T, leavesQty: number): void {
    const { level } = order;
    if (level === null) throw new Error('order does not rest');
    this.#undo.save(level);
    const place = level.orders.indexOf(order);
    level.orders.splice(place, 1);
    level.qty -= leavesQty;
    order.level = null;
    if (this.#undo.active) {
      this.#undo.step(() => {
        level.orders.splice(place, 0, order);
        order.level = level;
      });
    }
    if (level.orders.length === 0) this.#drop(level);
  }

  /** Reduces the quantity of an order that keeps its place. */
  reduce(order: T, byQty: number): void {
    if (order.level === null) throw new Error('order does not rest');
    this.#undo.save(order.level);
    order.level.qty -= byQty;
  }

  /** Best first. */
  orders(): T[] {
    return this.levels.toReversed().flatMap(({ orders }) => orders);
  }

  /** The index of the first level at `price` or better. */
  #place(price: number): number {
    const { levels, side } = this;
    return firstIndex(levels.length, (index) => {
      const at = (levels[index] as Level<T>).price;
      return side === 'Bid' ? at >= price : at <= price;
    });
  }

  #insert(price: number): Level<T> {
    const level: Level<T> = { price, qty: 0, orders: [] };
    this.levels.splice(this.#place(price), 0, level);
    if (this.#undo.active) this.#undo.step(() => this.levels.splice(this.levels.indexOf(level), 1));
    return level;
  }

  #drop(level: Level<T>): void {
    const place = this.#place(level.price);
    this.levels.splice(place, 1);
    if (this.#undo.active) this.#undo.step(() => this.levels.splice(place, 0, level));
  }
}
