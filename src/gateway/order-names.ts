/** By what names orders are found: several for each order, forgotten together with it. */
export class OrderNames {
  readonly #keys = new Map<string, string>();
  readonly #names = new Map<string, string[]>();

  /** From now on `name` is the order's with this key. */
  give(name: string, key: string): void {
    this.#keys.set(name, key);
    const names = this.#names.get(key);
    if (names === undefined) this.#names.set(key, [name]);
    else if (!names.includes(name)) names.push(name);
  }

  keyOf(name: string): string | undefined {
    return this.#keys.get(name);
  }

  of(key: string): readonly string[] {
    return this.#names.get(key) ?? [];
  }

  /** Says which names are nobody's now. */
  forget(key: string): readonly string[] {
    const names = this.of(key).filter((name) => this.#keys.get(name) === key);
    for (const name of names) this.#keys.delete(name);
    this.#names.delete(key);
    return names;
  }
}
