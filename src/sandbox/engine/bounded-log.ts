/** A sequence that keeps the newest `limit` entries. */
export class BoundedLog<T> {
  readonly limit: number;
  readonly #entries: T[] = [];
  /** The place of the oldest entry, once the log is full. */
  #first = 0;
  #dropped = 0;

  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`limit ${limit}`);
    this.limit = limit;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The number of entries that were evicted. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Appends the entry, and returns the one that was evicted. */
  push(entry: T): T | undefined {
    if (this.length < this.limit) {
      this.#entries.push(entry);
      return undefined;
    }
    const oldest = this.#entries[this.#first];
    this.#entries[this.#first] = entry;
    this.#first = (this.#first + 1) % this.limit;
    this.#dropped += 1;
    return oldest;
  }

  /** `index` counts from the oldest entry. */
  at(index: number): T | undefined {
    const isKept = index >= 0 && index < this.length;
    return isKept ? this.#entries[(this.#first + index) % this.limit] : undefined;
  }

  slice(from: number, to: number): T[] {
    const taken: T[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.length); index += 1) {
      taken.push(this.at(index) as T);
    }
    return taken;
  }

  toArray(): T[] {
    return this.slice(0, this.length);
  }

  /** Fills a new log with the entries of an earlier one, which had evicted `dropped`. */
  fill(entries: readonly T[], dropped: number): void {
    for (const entry of entries) this.push(entry);
    this.#dropped += dropped;
  }
}
