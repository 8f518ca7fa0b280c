/**
 * The newest names up to a bound; the oldest make room. They go several at once: what is done seldom and in one go costs
 * a fraction of what it costs with each name, and nobody waits for it then.
 */
export class BoundedNames {
  readonly #most: number;
  /** So many go at once, and so many more than the bound there are at most. */
  readonly #lot: number;
  readonly #names = new Set<string>();
  /** In the order of their coming, from `#oldest` on: the front of a set that shrank is slow to find. */
  #line: string[] = [];
  #oldest = 0;

  constructor(most: number) {
    this.#most = most;
    this.#lot = Math.min(16, 1 + (most >> 4));
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The names that had to go. */
  add(name: string): readonly string[] {
    const { size } = this.#names;
    if (this.#names.add(name).size === size) return none;
    this.#line.push(name);
    return size + 1 < this.#most + this.#lot ? none : this.#forget();
  }

  /** The oldest first. */
  *[Symbol.iterator](): IterableIterator<string> {
    for (let at = this.#oldest; at < this.#line.length; at += 1) yield this.#line[at] as string;
  }

  #forget(): readonly string[] {
    const gone = this.#line.slice(this.#oldest, this.#oldest + this.#lot);
    for (const name of gone) this.#names.delete(name);
    this.#oldest += gone.length;
    if (this.#oldest > this.#most) {
      this.#line = this.#line.slice(this.#oldest);
      this.#oldest = 0;
    }
    return gone;
  }
}

const none: readonly string[] = [];
