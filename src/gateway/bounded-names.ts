/** The newest names up to a bound; the oldest make room. */
export class BoundedNames {
  readonly #most: number;
  readonly #names = new Set<string>();
  /** In the order of their coming, from `#oldest` on: the front of a set that shrank is slow to find. */
  #line: string[] = [];
  #oldest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The name that had to go for it. */
  add(name: string): string | undefined {
    if (this.#names.has(name)) return undefined;
    this.#names.add(name);
    this.#line.push(name);
    if (this.#names.size <= this.#most) return undefined;
    const gone = this.#line[this.#oldest];
    this.#oldest += 1;
    if (this.#oldest > this.#most) {
      this.#line = this.#line.slice(this.#oldest);
      this.#oldest = 0;
    }
    if (gone !== undefined) this.#names.delete(gone);
    return gone;
  }

  /** The oldest first. */
  *[Symbol.iterator](): IterableIterator<string> {
    for (let at = this.#oldest; at < this.#line.length; at += 1) yield this.#line[at] as string;
  }
}
