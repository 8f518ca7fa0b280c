/**
 * Keeps the newest names up to a bound and drops the oldest. Several are removed at once, because one bulk removal
 * costs a fraction of many single ones.
 */
export class BoundedNames {
  readonly #most: number;
  /** This many names are removed at once, so the set exceeds its bound by at most this many. */
  readonly #lot: number;
  readonly #names = new Set<string>();
  /** The names in order of arrival, from `#oldest` on. A Set that shrinks from the front finds its first slowly. */
  #queue: string[] = [];
  #oldest = 0;
  /** How many names were dropped before the first one in `#queue`. */
  #before = 0;

  constructor(most: number) {
    this.#most = most;
    this.#lot = Math.min(16, 1 + (most >> 4));
  }

  /** The number of the oldest name. Names are numbered as they arrive, as long as none is deleted. */
  get first(): number {
    return this.#before + this.#oldest;
  }

  /** The number that the next name gets. */
  get end(): number {
    return this.#before + this.#queue.length;
  }

  /** Returns the kept names with these numbers. */
  slice(from: number, to: number): readonly string[] {
    return this.#queue.slice(Math.max(from, this.first) - this.#before, to - this.#before);
  }

  /** Restores the names, of which the oldest has the number `first`; only allowed while there are none. */
  restore(names: readonly string[], first: number): void {
    this.#before = first;
    for (const name of names) this.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns the names that were dropped. */
  add(name: string): readonly string[] {
    const { size } = this.#names;
    if (this.#names.add(name).size === size) return none;
    this.#queue.push(name);
    return size + 1 < this.#most + this.#lot ? none : this.#forget();
  }

  /** This is rarely called, so it may shift all other names. */
  delete(name: string): void {
    if (!this.#names.delete(name)) return;
    this.#queue = this.#queue.slice(this.#oldest).filter((one) => one !== name);
    this.#oldest = 0;
  }

  /** The oldest name comes first. */
  *[Symbol.iterator](): IterableIterator<string> {
    for (let at = this.#oldest; at < this.#queue.length; at += 1) yield this.#queue[at] as string;
  }

  #forget(): readonly string[] {
    const gone = this.#queue.slice(this.#oldest, this.#oldest + this.#lot);
    for (const name of gone) this.#names.delete(name);
    this.#oldest += gone.length;
    if (this.#oldest > this.#most) {
      this.#queue = this.#queue.slice(this.#oldest);
      this.#before += this.#oldest;
      this.#oldest = 0;
    }
    return gone;
  }
}

const none: readonly string[] = [];
