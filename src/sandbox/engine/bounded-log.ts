/** A sequence that keeps the newest `limit` entries: a ring that grows until it is full. */
export class BoundedLog<T> {
  readonly limit: number;
  #entries: T[] = [];
  #first = 0;
  #dropped = 0;

  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`limit ${limit}`);
    this.limit = limit;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** How many entries were pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the entry that had to go. */
  push(entry: T): T | undefined {
    if (this.#entries.length < this.limit) {
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
    if (index < 0 || index >= this.#entries.length) return undefined;
    return this.#entries[(this.#first + index) % this.#entries.length];
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

  fill(entries: readonly T[], dropped: number): void {
    this.#entries = entries.slice(-this.limit);
    this.#first = 0;
    this.#dropped = dropped + entries.length - this.#entries.length;
  }
}
