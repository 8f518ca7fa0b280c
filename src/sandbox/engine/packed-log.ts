/**
 * A sequence of records that keeps the newest `limit` and holds them as rows of two arrays, one of numbers and one of
 * references. A record that is kept for a long time as an object of its own is copied twice and marked for ever by the
 * garbage collector; rows are built into a record again only when somebody reads them.
 */
export interface Packing<T> {
  readonly numbersPerRow: number;
  readonly refsPerRow: number;
  write(entry: T, numbers: Float64Array, atNumber: number, refs: unknown[], atRef: number): void;
  read(numbers: Float64Array, atNumber: number, refs: readonly unknown[], atRef: number): T;
}

/** NaN, which no amount, time or sequence number is, stands for null. */
export function packed(value: number | null): number {
  return value === null ? Number.NaN : value;
}

export function unpacked(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** A chunk is small, so that it is young when it is filled and costs little where an account does little. */
const chunkShift = 7;
const chunkRows = 1 << chunkShift;

interface Chunk {
  readonly numbers: Float64Array;
  readonly refs: unknown[];
}

export class PackedLog<T> {
  readonly limit: number;
  readonly #packing: Packing<T>;
  readonly #chunks: Chunk[] = [];
  #length = 0;
  #first = 0;
  #dropped = 0;

  constructor(limit: number, packing: Packing<T>) {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`limit ${limit}`);
    this.limit = limit;
    this.#packing = packing;
  }

  get length(): number {
    return this.#length;
  }

  /** How many entries were pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  push(entry: T): void {
    let row = this.#length;
    if (row < this.limit) this.#length += 1;
    else {
      row = this.#first;
      this.#first = (row + 1) % this.limit;
      this.#dropped += 1;
    }
    const { numbersPerRow, refsPerRow } = this.#packing;
    const { numbers, refs } = this.#chunks[row >> chunkShift] ?? this.#addChunk();
    const within = row & (chunkRows - 1);
    this.#packing.write(entry, numbers, within * numbersPerRow, refs, within * refsPerRow);
  }

  /** Pushes the entry, and returns the one that had to go. */
  displace(entry: T): T | undefined {
    const oldest = this.#length === this.limit ? this.at(0) : undefined;
    this.push(entry);
    return oldest;
  }

  /** `index` counts from the oldest entry. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const row = (this.#first + index) % this.limit;
    const chunk = this.#chunks[row >> chunkShift];
    if (chunk === undefined) return undefined;
    const { numbersPerRow, refsPerRow } = this.#packing;
    const within = row & (chunkRows - 1);
    return this.#packing.read(
      chunk.numbers,
      within * numbersPerRow,
      chunk.refs,
      within * refsPerRow,
    );
  }

  /** One reference of the entry, for a search that must not build every record. */
  refAt(index: number, ref: number): unknown {
    const row = (this.#first + index) % this.limit;
    const { refs } = this.#chunks[row >> chunkShift] ?? { refs: [] };
    return refs[(row & (chunkRows - 1)) * this.#packing.refsPerRow + ref];
  }

  slice(from: number, to: number): T[] {
    const taken: T[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.#length); index += 1) {
      taken.push(this.at(index) as T);
    }
    return taken;
  }

  toArray(): T[] {
    return this.slice(0, this.#length);
  }

  fill(entries: readonly T[], dropped: number): void {
    this.#length = 0;
    this.#first = 0;
    for (const entry of entries.slice(-this.limit)) this.push(entry);
    this.#dropped = dropped + entries.length - this.#length;
  }

  #addChunk(): Chunk {
    const rows = Math.min(chunkRows, this.limit);
    const chunk = {
      numbers: new Float64Array(rows * this.#packing.numbersPerRow),
      refs: new Array(rows * this.#packing.refsPerRow).fill(null),
    };
    this.#chunks.push(chunk);
    return chunk;
  }
}
