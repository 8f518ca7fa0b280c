/**
 * Locates the records of a segment. A segment consists of blocks of whole records. For each stream and session the
 * table has the blocks in which its records start. A read takes the block and skips the other records.
 */
import { firstIndex } from '../../runtime/first-index.ts';
import { lastSeq } from '../message-range.ts';
import type { Write } from '../store.ts';

/** The kinds of entries that are found by a name and a position. */
export type Kind = 'append' | 'messages' | 'hold';

/** Runs of consecutive positions in one block, in order of position: `[from, to, block, from, to, block, …]`. */
type Runs = number[];

export interface PackedTable {
  readonly blocks: readonly number[];
  readonly places: { readonly [kind in Kind]: readonly (readonly [string, Runs])[] };
}

/** Consecutive positions whose records start in one block. */
export interface BlockRun {
  readonly from: number;
  readonly to: number;
  readonly block: number;
}

export class SegmentTable {
  /** The offset at which each block starts. */
  readonly blocks: number[] = [];
  readonly #places: { readonly [kind in Kind]: Map<string, Runs> };

  constructor() {
    this.#places = { append: new Map(), messages: new Map(), hold: new Map() };
  }

  static unpack({ blocks, places }: PackedTable): SegmentTable {
    const table = new SegmentTable();
    table.blocks.push(...blocks);
    for (const kind of ['append', 'messages', 'hold'] as const) {
      for (const [name, found] of places[kind]) table.#places[kind].set(name, found);
    }
    return table;
  }

  pack(): PackedTable {
    const { append, messages, hold } = this.#places;
    const places = { append: [...append], messages: [...messages], hold: [...hold] };
    return { blocks: this.blocks, places };
  }

  /** Returns the block of a record that would start at this offset: a new one if the last has this many bytes. */
  blockAt(offset: number, blockBytes: number): number {
    const last = this.blocks.at(-1);
    const isAnother = last === undefined || offset - last >= blockBytes;
    return isAnother ? this.blocks.length : this.blocks.length - 1;
  }

  /** Like `blockAt`, but records that a record starts there. */
  begin(offset: number, blockBytes: number): number {
    const block = this.blockAt(offset, blockBytes);
    if (block === this.blocks.length) this.blocks.push(offset);
    return block;
  }

  note(write: Write, block: number): void {
    const span = spanOf(write);
    if (span !== undefined) note(this.#places[span.kind], span, block);
    // The numbering restarts, so earlier messages are no longer read.
    else if (write.kind === 'reset') this.#places.messages.delete(write.session);
  }

  /** The run that contains a position, otherwise the next one. */
  find(kind: Kind, name: string, position: number): BlockRun | undefined {
    const runs = this.#places[kind].get(name);
    if (runs === undefined) return undefined;
    const at = reaching(runs, position);
    const [from, to, block] = runs.slice(at, at + 3);
    if (from === undefined || to === undefined || block === undefined) return undefined;
    return { from, to, block };
  }
}

/** The name and the positions of a write that is found by them. */
export interface Span {
  readonly kind: Kind;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export function spanOf(write: Write): Span | undefined {
  switch (write.kind) {
    case 'append': {
      const { kind, stream, expected } = write;
      return { kind, name: stream, from: expected + 1, to: expected + 1 };
    }
    case 'messages':
      return { kind: write.kind, name: write.session, from: write.firstSeq, to: lastSeq(write) };
    case 'hold': {
      const { kind, session, position } = write;
      return { kind, name: session, from: position, to: position };
    }
    default:
      return undefined;
  }
}

function note(all: Map<string, Runs>, { name, from, to }: Span, block: number): void {
  const runs = all.get(name);
  if (runs === undefined) {
    all.set(name, [from, to, block]);
    return;
  }
  const length = runs.length;
  // Rewritten records follow later ones.
  const at = from > (runs[length - 2] ?? 0) ? length : reaching(runs, from);
  if (runs[at - 1] === block && runs[at - 2] === from - 1) runs[at - 2] = to;
  else runs.splice(at, 0, from, to, block);
}

/** The index of the first run that reaches this position. */
function reaching(runs: Runs, position: number): number {
  return 3 * firstIndex(runs.length / 3, (index) => (runs[3 * index + 1] ?? 0) >= position);
}
