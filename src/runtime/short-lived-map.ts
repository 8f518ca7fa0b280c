/**
 * A map for short-lived entries (docs/decisions/0260-performance-choices.md). A Map that is emptied as fast as it is
 * filled moves to a new table every few dozen entries, and the old table points to the new one. The young-generation
 * collector treats everything referenced by an old object as alive, even if that object is garbage itself. So once one
 * table has become old, all entries of later tables stay in memory until the whole heap is collected. Here the tables
 * contain cells, and the cell of a deleted entry is empty.
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
