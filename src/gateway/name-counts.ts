/** Counts events by a small set of names, such as refusals by their code. */
export class NameCounts {
  readonly #counts = new Map<string, number>();

  count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
