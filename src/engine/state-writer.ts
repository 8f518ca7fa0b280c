/**
 * Writes the state of an account in parts (docs/decisions/0247-the-account-engine.md). A piece starts
 * after a fixed number of records. It contains each order that has changed since the previous piece, and some of the
 * orders that only the oldest parts contain, so that those parts can be deleted. The orders are pinned when the piece
 * starts; one part is written with each following record, so that no transaction waits for the whole piece.
 */
import type { Write } from '../store/store.ts';
import type { Entry } from './order-index.ts';
import type { OrdersMemory } from './orders-state.ts';
import { type AccountRest, encodeManifest, type Manifest } from './record.ts';
import { encodePart, type Pinned, type SpentNames, type StatePart } from './state-part.ts';

export interface StateSource<VenueState> {
  readonly memory: OrdersMemory;
  rest(): AccountRest<VenueState>;
}

/** Random runs set them lower, so that there are many pieces of several parts. */
export const statePieces = {
  /** A start applies about this many records at most. */
  every: 250,
  /** Encoding this many orders takes about half a millisecond. */
  ordersInPart: 50,
  namesInPart: 1_000,
};
/** The parts contain at most this many versions of each remembered order, plus one for each record between pieces. */
const maxVersions = 2;
/** At most this many orders of the oldest parts are rewritten with one piece. */
const maxMoved = 5_000;
const nothing: Written = { writes: [] };

/** A part in the stream, and its contents that no later part contains. */
interface Part {
  readonly number: number;
  readonly entries: readonly Entry[];
  readonly spent: readonly SpentNames[];
}

interface Piece {
  readonly position: number;
  /** The parts that are not written yet. */
  readonly parts: StatePart[];
  readonly manifest: Manifest<unknown>;
}

export interface Written {
  readonly writes: readonly Write[];
  /** The position of a piece that is now complete. */
  readonly complete?: number;
}

/** A range of consecutive name numbers. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export class StateWriter {
  readonly #journal: string;
  readonly #every: number;
  /** The oldest part first. */
  #parts: Part[] = [];
  #inParts = 0;
  #spentTo = 0;
  /** The number of the last part in the stream. */
  #last = 0;
  #recordsSince = 0;
  #piece: Piece | undefined;

  constructor(journal: string, every = statePieces.every) {
    this.#journal = journal;
    this.#every = every;
  }

  /** `last` is the number of the last part in the stream. */
  writeAfter(last: number): void {
    this.#last = last;
  }

  /** Records after a start which part contains which orders and names. */
  restored(
    { index, spent }: OrdersMemory,
    names: ReadonlyMap<number, readonly SpentNames[]>,
  ): void {
    const parts = new Map<number, Entry[]>([...names.keys()].map((number) => [number, []]));
    for (const entry of index.all()) {
      const entries = parts.get(entry.part);
      if (entries === undefined) parts.set(entry.part, [entry]);
      else entries.push(entry);
    }
    parts.delete(0);
    for (const [number, entries] of [...parts].sort(([a], [b]) => a - b)) {
      this.#add({ number, entries, spent: names.get(number) ?? [] });
    }
    this.#spentTo = spent.end;
  }

  /** Called after the record at `position` was written. Returns the parts to write with it. */
  recorded<V>(position: number, source: StateSource<V>): Written {
    this.#recordsSince += 1;
    if (this.#piece === undefined) {
      if (this.#recordsSince < this.#every) return nothing;
      this.#recordsSince = 0;
      this.#piece = this.#begin(position, source);
    }
    return this.#next(this.#piece);
  }

  /** Returns all parts that are not written yet, for a stop. */
  rest<V>(position: number, source: StateSource<V>): readonly Write[] {
    const writes: Write[] = [];
    const finish = () => {
      while (this.#piece !== undefined) writes.push(...this.#next(this.#piece).writes);
    };
    finish();
    this.#piece = this.#begin(position, source);
    finish();
    return writes;
  }

  /** Returns the next part, and the manifest after the last one. */
  #next({ manifest, parts, position }: Piece): Written {
    const part = parts.shift();
    const writes = part === undefined ? [] : [this.#append(part)];
    if (parts.length > 0) return { writes };
    this.#piece = undefined;
    const stream = stateStream(this.#journal);
    const before = manifest.parts[0] - 1;
    const payload = encodeManifest(manifest);
    return {
      complete: position,
      writes: [
        ...writes,
        { kind: 'snapshot', stream: this.#journal, position, payload },
        { kind: 'snapshot', stream, position: before, payload: Buffer.from('{}') },
        ...(before > 0 ? [{ kind: 'forget', stream, position: before } as const] : []),
      ],
    };
  }

  #append(part: StatePart): Write {
    const stream = stateStream(this.#journal);
    const expected = this.#last;
    this.#last += 1;
    return { kind: 'append', stream, expected, payload: encodePart(part) };
  }

  #begin<V>(position: number, source: StateSource<V>): Piece {
    const { index, spent } = source.memory;
    const { ordersInPart } = statePieces;
    const { changed, gone } = index.takeChanges();
    for (const entry of changed) entry.part = 0;
    const moved = this.#moved(changed.length, index.size);
    const orders = [...changed, ...moved.entries];
    const names = pieces([...moved.names, { from: this.#spentTo, to: spent.end }], spent);
    this.#spentTo = spent.end;
    const first = this.#last + 1;
    const count = Math.max(Math.ceil(orders.length / ordersInPart), names.length, 1);
    const parts = Array.from({ length: count }, (_, at): StatePart => {
      const entries = orders.slice(at * ordersInPart, (at + 1) * ordersInPart);
      for (const entry of entries) entry.part = first + at;
      const part = { number: first + at, entries, spent: names.slice(at, at + 1) };
      this.#add(part);
      const isLast = at === count - 1;
      const pins = { orders: entries.map(pinned), gone: at === 0 ? gone : [], spent: part.spent };
      return { at: position, isLast, ...pins };
    });
    const { number: from = first } = this.#parts[0] ?? {};
    const manifest = {
      ...source.rest(),
      parts: [from, first + count - 1],
      orders: index.size,
      spent: [spent.first, spent.end],
    } as const;
    return { position, parts, manifest };
  }

  /** Drops the oldest parts if there are too many, and returns the contents that no other part has. */
  #moved(changed: number, size: number): { entries: Entry[]; names: Range[] } {
    const most = maxVersions * size + this.#every;
    const entries: Entry[] = [];
    const names: Range[] = [];
    let taken = 0;
    while (this.#inParts + changed + entries.length > most && entries.length < maxMoved) {
      const part = this.#parts[taken];
      if (part === undefined) break;
      taken += 1;
      this.#inParts -= part.entries.length;
      for (const entry of part.entries) {
        if (entry.part === part.number && !entry.isForgotten) entries.push(entry);
      }
      for (const { from, names: own } of part.spent) names.push({ from, to: from + own.length });
    }
    this.#parts = this.#parts.slice(taken);
    return { entries, names };
  }

  #add(part: Part): void {
    this.#parts.push(part);
    this.#inParts += part.entries.length;
  }
}

export function stateStream(journal: string): string {
  return `${journal}/state`;
}

function pinned({ arrival, ending, names, order, venueIds }: Entry): Pinned {
  return { arrival, ending, names, order, venueIds };
}

/** Returns the names of these ranges that are still kept; adjacent ranges are merged. */
function pieces(ranges: readonly Range[], spent: OrdersMemory['spent']): SpentNames[] {
  const found: SpentNames[] = [];
  const { namesInPart } = statePieces;
  let start = 0;
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  for (const [at, { from, to }] of sorted.entries()) {
    if (at === 0 || from !== sorted[at - 1]?.to) start = from;
    if (to === sorted[at + 1]?.from) continue;
    for (let next = Math.max(start, spent.first); next < to; next += namesInPart) {
      found.push({ from: next, names: spent.slice(next, Math.min(to, next + namesInPart)) });
    }
  }
  return found;
}
