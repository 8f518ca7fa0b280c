/**
 * The fills of all orders that are kept, as rows of one array of numbers; the rows of an order are linked, oldest
 * first. As objects, the garbage collector would copy and mark them for as long as their order is kept.
 */
import type { ExecutionFill } from './event.ts';

/** An order's position in the table, which only the table sets: the rows of its oldest and newest fill, or `noRow`. */
export interface Filled {
  firstFill: number;
  lastFill: number;
}

export const noRow = -1;

const column = { next: 0, price: 1, qty: 2, feeMicro: 3, tsMs: 4, asMaker: 5 } as const;
const columns = Object.keys(column).length;

export class FillTable {
  #cells = new Float64Array(columns * 1024);
  /** The fill id of each row. */
  readonly #ids: string[] = [];
  #firstFree = noRow;

  append(owner: Filled, fill: ExecutionFill): void {
    const row = this.#takeRow();
    this.#ids[row] = fill.fillId;
    const at = row * columns;
    const cells = this.#cells;
    cells[at + column.next] = noRow;
    cells[at + column.price] = fill.price;
    cells[at + column.qty] = fill.qty;
    cells[at + column.feeMicro] = fill.feeMicro;
    cells[at + column.tsMs] = fill.tsMs;
    cells[at + column.asMaker] = fill.liquidity === 'maker' ? 1 : 0;
    if (owner.lastFill === noRow) owner.firstFill = row;
    else cells[owner.lastFill * columns + column.next] = row;
    owner.lastFill = row;
  }

  /** Removes the newest fill; `before` is the previous `lastFill`. */
  takeBack(owner: Filled, before: number): void {
    this.#free(owner.lastFill, owner.lastFill);
    owner.lastFill = before;
    if (before === noRow) owner.firstFill = noRow;
    else this.#cells[before * columns + column.next] = noRow;
  }

  of({ firstFill }: Filled): ExecutionFill[] {
    const fills: ExecutionFill[] = [];
    for (let row = firstFill; row !== noRow; row = this.#cell(row, column.next)) {
      fills.push({
        fillId: this.#ids[row] ?? '',
        price: this.#cell(row, column.price),
        qty: this.#cell(row, column.qty),
        feeMicro: this.#cell(row, column.feeMicro),
        liquidity: this.#cell(row, column.asMaker) === 1 ? 'maker' : 'taker',
        tsMs: this.#cell(row, column.tsMs),
      });
    }
    return fills;
  }

  forget(owner: Filled): void {
    if (owner.firstFill !== noRow) this.#free(owner.firstFill, owner.lastFill);
    owner.firstFill = noRow;
    owner.lastFill = noRow;
  }

  #cell(row: number, at: number): number {
    return this.#cells[row * columns + at] ?? noRow;
  }

  #takeRow(): number {
    const row = this.#firstFree;
    if (row !== noRow) {
      this.#firstFree = this.#cell(row, column.next);
      return row;
    }
    if ((this.#ids.length + 1) * columns > this.#cells.length) {
      const cells = new Float64Array(2 * this.#cells.length);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    return this.#ids.push('') - 1;
  }

  #free(first: number, last: number): void {
    this.#cells[last * columns + column.next] = this.#firstFree;
    this.#firstFree = first;
  }
}
