/**
 * A sequence that keeps the newest `limit` records, as rows of two arrays, one of numbers and one of references. The
 * garbage collector copies every long-lived object twice and marks it again and again; rows are converted back to
 * records only when they are read.
 */
export interface Packing<T> {
  readonly numbersPerRow: number;
  readonly refsPerRow: number;
  write(entry: T, numbers: Float64Array, atNumber: number, refs: unknown[], atRef: number): void;
  read(numbers: Float64Array, atNumber: number, refs: readonly unknown[], atRef: number): T;
}

/** NaN, which no amount, time or sequence number can be, represents null. */
export function packed(value: number | null): number {
  return value === null ? Number.NaN : value;
}

export function unpacked(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Chunks are small, so that they are young when they are full, and cheap for accounts with little activity. */
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

  /** The number of entries that were evicted. */
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

  /** Appends the entry, and returns the one that was evicted. */
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

  /** One reference of the entry, for a search that does not build every record. */
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
