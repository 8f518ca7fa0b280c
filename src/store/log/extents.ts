/** The segments with the records of a stream, in order of position: an extent is a run of positions in one segment. */
import { firstIndex } from '../../runtime/first-index.ts';

export interface Extent {
  from: number;
  to: number;
  segment: number;
  /** The approximate size of its records. It only determines which segments to rewrite. */
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

  /** The last position, or 0 if there is none. */
  get end(): number {
    return this.#list.at(-1)?.to ?? 0;
  }

  [Symbol.iterator](): IterableIterator<Extent> {
    return this.#list.values();
  }

  /** Adds positions after all others. */
  add(from: number, to: number, segment: number, bytes: number): void {
    const last = this.#list.at(-1);
    if (last?.segment === segment) {
      last.to = to;
      last.bytes += bytes;
    } else this.#list.push({ from, to, segment, bytes });
  }

  /** The extent that contains this position, otherwise the next one. */
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

  /**
   * Moves positions that were rewritten into this segment. A segment is carried forward in its original order, so
   * anything earlier in its extent has been carried already or is a hole, such as the numbers of messages that are not
   * kept. The hole moves along; otherwise it would keep the old segment for ever.
   */
  move(from: number, to: number, segment: number, bytes: number): void {
    const at = this.#reaching(from);
    const old = this.#list[at];
    if (old === undefined || old.from > to) return;
    const movedTo = Math.min(to, old.to);
    const parts: Extent[] = [];
    const before = this.#list[at - 1];
    if (before?.segment === segment) {
      before.to = movedTo;
      before.bytes += bytes;
    } else parts.push({ from: old.from, to: movedTo, segment, bytes });
    const left = Math.max(0, old.bytes - bytes);
    if (movedTo < old.to) parts.push({ ...old, from: movedTo + 1, bytes: left });
    this.#list.splice(at, 1, ...parts);
  }

  #reaching(position: number): number {
    return firstIndex(this.#list.length, (index) => (this.#list[index]?.to ?? 0) >= position);
  }
}

/** Assumes that the records of one extent have the same size. */
function narrow(extent: Extent, from: number): void {
  const share = (extent.to - from + 1) / (extent.to - extent.from + 1);
  extent.bytes = Math.round(extent.bytes * share);
  extent.from = from;
}
