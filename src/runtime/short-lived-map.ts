/**
 * A map whose entries come and go (docs/decisions/0260-what-costs-more-than-it-earns.md). A Map that is
 * emptied as it is filled moves to a new table every few dozen entries, and the table that it leaves points to the next
 * one. To the collector of young objects whatever an old object points to is alive, even where that object is garbage
 * itself: so once one table has grown old, all that stood in any table after it outlives its use, until the whole heap
 * is collected. Here the tables hold cells, and a cell whose entry is deleted is empty.
 */
export class ShortLivedMap<Key, Value> {
  readonly #cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.#cells.size;
  }

  has(key: Key): boolean {
    return this.#cells.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, { value });
    else cell.value = value;
  }

  delete(key: Key): boolean {
    const cell = this.#cells.get(key);
    if (cell === undefined) return false;
    cell.value = undefined;
    return this.#cells.delete(key);
  }

  clear(): void {
    for (const cell of this.#cells.values()) cell.value = undefined;
    this.#cells.clear();
  }

  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    for (const [key, cell] of this.#cells) if (cell.value !== undefined) yield [key, cell.value];
  }

  *values(): IterableIterator<Value> {
    for (const [, value] of this) yield value;
  }
}

interface Cell<Value> {
  value: Value | undefined;
}
