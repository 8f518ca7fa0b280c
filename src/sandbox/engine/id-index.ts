/**
 * Finds records by id: a hash table whose chains run through rows of numbers. Ids end in hash digits, so the last few
 * characters are enough. Unlike a Map it neither hashes 66 characters nor allocates an entry, and it reads a record
 * only if the hash of its id matches: old records are in memory that is in no cache.
 */
export interface Indexed {
  readonly id: string;
  /** The row of the record in the index; -1 if it is not there. */
  indexRow: number;
}

const none = -1;

export class IdIndex<T extends Indexed> {
  /** The first row of each chain. */
  #heads: Int32Array;
  /** For each row, the next row in its chain or the next free row. */
  #next: Int32Array;
  #hashes: Int32Array;
  readonly #records: (T | null)[] = [];
  #firstFree = none;

  /** The table has room for `expected` records before it has to grow. */
  constructor(expected: number) {
    const rows = 2 ** Math.ceil(Math.log2(Math.max(16, expected)));
    this.#heads = new Int32Array(rows).fill(none);
    this.#next = new Int32Array(rows);
    this.#hashes = new Int32Array(rows);
  }

  get(id: string): T | undefined {
    const hash = hashOf(id);
    let row = this.#heads[this.#chainOf(hash)] ?? none;
    while (row !== none) {
      if (this.#hashes[row] === hash) {
        const found = this.#records[row];
        if (found?.id === id) return found;
      }
      row = this.#next[row] ?? none;
    }
    return undefined;
  }

  /** The id must not be in the index yet. */
  add(record: T): void {
    const row = this.#takeRow();
    this.#records[row] = record;
    record.indexRow = row;
    this.#hashes[row] = hashOf(record.id);
    this.#link(row);
  }

  delete(record: T): void {
    const { indexRow } = record;
    if (indexRow === none) return;
    const chain = this.#chainOf(this.#hashes[indexRow] ?? 0);
    const after = this.#next[indexRow] ?? none;
    let row = this.#heads[chain] ?? none;
    if (row === indexRow) this.#heads[chain] = after;
    else {
      while (this.#next[row] !== indexRow) row = this.#next[row] ?? none;
      this.#next[row] = after;
    }
    record.indexRow = none;
    this.#records[indexRow] = null;
    this.#next[indexRow] = this.#firstFree;
    this.#firstFree = indexRow;
  }

  *values(): Generator<T> {
    for (const record of this.#records) if (record !== null) yield record;
  }

  #takeRow(): number {
    const row = this.#firstFree;
    if (row === none) {
      if (this.#records.length === this.#heads.length) this.#grow();
      return this.#records.push(null) - 1;
    }
    this.#firstFree = this.#next[row] ?? none;
    return row;
  }

  #link(row: number): void {
    const chain = this.#chainOf(this.#hashes[row] ?? 0);
    this.#next[row] = this.#heads[chain] ?? none;
    this.#heads[chain] = row;
  }

  /** Runs only when no row is free, so all rows get new links. */
  #grow(): void {
    const rows = 2 * this.#heads.length;
    this.#heads = new Int32Array(rows).fill(none);
    this.#next = new Int32Array(rows);
    this.#hashes = withLength(this.#hashes, rows);
    for (let row = 0; row < this.#records.length; row += 1) this.#link(row);
  }

  #chainOf(hash: number): number {
    return hash & (this.#heads.length - 1);
  }
}

function withLength(numbers: Int32Array, length: number): Int32Array {
  const longer = new Int32Array(length);
  longer.set(numbers);
  return longer;
}

function hashOf(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - 8); at < id.length; at += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  }
  return hash ^ (hash >>> 15);
}
