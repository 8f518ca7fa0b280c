/** Which segments hold the records of a stream, in order of position: an extent is a run of positions in one segment. */

export interface Extent {
  from: number;
  to: number;
  segment: number;
  /** About what its records take. It only decides what is worth being carried forward. */
  bytes: number;
}

type Packed = readonly [from: number, to: number, segment: number, bytes: number];

export class Extents {
  readonly #list: Extent[];

  constructor(list: Extent[] = []) {
    this.#list = list;
  }

  static unpack(packed: readonly Packed[]): Extents {
    return new Extents(packed.map(([from, to, segment, bytes]) => ({ from, to, segment, bytes })));
  }

  pack(): readonly Packed[] {
    return this.#list.map(({ from, to, segment, bytes }) => [from, to, segment, bytes]);
  }

  get first(): Extent | undefined {
    return this.#list[0];
  }

  /** The last position, 0 without one. */
  get end(): number {
    return this.#list.at(-1)?.to ?? 0;
  }

  [Symbol.iterator](): IterableIterator<Extent> {
    return this.#list.values();
  }

  /** Positions behind all others. */
  add(from: number, to: number, segment: number, bytes: number): void {
    const last = this.#list.at(-1);
    if (last?.segment === segment) {
      last.to = to;
      last.bytes += bytes;
    } else this.#list.push({ from, to, segment, bytes });
  }

  /** The extent that holds this position or, where none does, the next one. */
  reaching(position: number): Extent | undefined {
    return this.#list[this.#reaching(position)];
  }

  dropUpTo(position: number): void {
    this.#list.splice(0, this.#reaching(position + 1));
    const [first] = this.#list;
    if (first !== undefined) narrow(first, Math.max(first.from, position + 1));
  }

  dropFirst(): Extent | undefined {
    return this.#list.shift();
  }

  clear(): void {
    this.#list.length = 0;
  }

  /** Positions that were written once more, into this segment. */
  move(from: number, to: number, segment: number, bytes: number): void {
    const at = this.#reaching(from);
    const old = this.#list[at];
    if (old === undefined || old.from > to) return;
    const moved = { from: Math.max(from, old.from), to: Math.min(to, old.to), segment, bytes };
    const parts: Extent[] = [];
    const before = this.#list[at - 1];
    if (moved.from === old.from && before?.segment === segment) {
      before.to = moved.to;
      before.bytes += bytes;
    } else {
      if (moved.from > old.from) parts.push({ ...old, to: moved.from - 1, bytes: 0 });
      parts.push(moved);
    }
    const left = Math.max(0, old.bytes - bytes);
    if (moved.to < old.to) parts.push({ ...old, from: moved.to + 1, bytes: left });
    this.#list.splice(at, 1, ...parts);
  }

  #reaching(position: number): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle]?.to ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Records of one extent are taken to be of one size. */
function narrow(extent: Extent, from: number): void {
  const share = (extent.to - from + 1) / (extent.to - extent.from + 1);
  extent.bytes = Math.round(extent.bytes * share);
  extent.from = from;
}
