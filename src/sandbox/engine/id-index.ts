/**
 * Finds records by their id: a hash table whose chains run through the records. Ids end in hash digits, so the last
 * few characters decide the chain; unlike a Map it neither hashes 66 characters nor allocates an entry.
 */
export interface Indexed<T> {
  readonly id: string;
  /** Set when the record is added, so that its id is not read again where it is moved or taken out. */
  idHash: number;
  nextInChain: T | null;
}

export class IdIndex<T extends Indexed<T>> {
  #chains: (T | null)[];
  #size = 0;

  /** `expected` records fit before the table has to grow. */
  constructor(expected: number) {
    this.#chains = new Array(2 ** Math.ceil(Math.log2(Math.max(16, expected)))).fill(null);
  }

  get size(): number {
    return this.#size;
  }

  get(id: string): T | undefined {
    let found = this.#chains[this.#chainOf(hashOf(id))] ?? null;
    while (found !== null && found.id !== id) found = found.nextInChain;
    return found ?? undefined;
  }

  /** The id must not be in the index yet. */
  add(record: T): void {
    if (this.#size >= this.#chains.length) this.#grow();
    record.idHash = hashOf(record.id);
    this.#link(record);
    this.#size += 1;
  }

  delete(record: T): void {
    const chain = this.#chainOf(record.idHash);
    let before: T | null = null;
    let found = this.#chains[chain] ?? null;
    while (found !== null && found !== record) {
      before = found;
      found = found.nextInChain;
    }
    if (found === null) return;
    if (before === null) this.#chains[chain] = record.nextInChain;
    else before.nextInChain = record.nextInChain;
    record.nextInChain = null;
    this.#size -= 1;
  }

  *values(): Generator<T> {
    for (const first of this.#chains) {
      for (let record = first; record !== null; record = record.nextInChain) yield record;
    }
  }

  #link(record: T): void {
    const chain = this.#chainOf(record.idHash);
    record.nextInChain = this.#chains[chain] ?? null;
    this.#chains[chain] = record;
  }

  #grow(): void {
    const chains = this.#chains;
    this.#chains = new Array(chains.length * 2).fill(null);
    for (const first of chains) {
      let record = first;
      while (record !== null) {
        const next: T | null = record.nextInChain;
        this.#link(record);
        record = next;
      }
    }
  }

  #chainOf(hash: number): number {
    return hash & (this.#chains.length - 1);
  }
}

function hashOf(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - 8); at < id.length; at += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  }
  return hash ^ (hash >>> 15);
}
