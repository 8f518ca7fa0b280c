/**
 * Where in a segment records lie. A segment is cut into blocks of whole records, and the table says for each stream and
 * session in which blocks its records begin: who reads one takes the block and passes over what is not asked for.
 */
import type { Write } from '../store.ts';

/** What is found by a name and a position. */
export type Kind = 'append' | 'messages' | 'hold';

/** First positions and their blocks in turn, in order of position: `[1, 0, 18, 1, …]`. */
type Places = number[];

export interface PackedTable {
  readonly blocks: readonly number[];
  readonly places: { readonly [kind in Kind]: readonly (readonly [string, Places])[] };
}

/** Records of one block, beginning with this position; `before` is where the next block's positions begin. */
export interface BlockPlace {
  readonly block: number;
  readonly before: number;
}

export class SegmentTable {
  /** Where each block begins. */
  readonly blocks: number[] = [];
  readonly #places: { readonly [kind in Kind]: Map<string, Places> };

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

  /** The block of a record that begins at this offset: another one when the last has this many bytes. */
  begin(offset: number, blockBytes: number): number {
    const last = this.blocks.at(-1);
    if (last === undefined || offset - last >= blockBytes) this.blocks.push(offset);
    return this.blocks.length - 1;
  }

  /** A write of a record in this block. */
  note(write: Write, block: number): void {
    switch (write.kind) {
      case 'append':
        note(this.#places.append, write.stream, write.expected + 1, block);
        return;
      case 'messages':
        note(this.#places.messages, write.session, write.firstSeq, block);
        return;
      case 'hold':
        note(this.#places.hold, write.session, write.position, block);
        return;
      case 'reset':
        // Numbers begin again: what was kept until here is not asked for any more.
        this.#places.messages.delete(write.session);
        return;
      default:
        return;
    }
  }

  /** Where the record of this position lies, if this segment holds it. */
  find(kind: Kind, name: string, position: number): BlockPlace | undefined {
    const places = this.#places[kind].get(name);
    if (places === undefined) return undefined;
    const at = Math.max(0, behind(places, position) - 2);
    const block = places[at + 1];
    if (block === undefined) return undefined;
    return { block, before: places[at + 2] ?? Number.POSITIVE_INFINITY };
  }
}

function note(all: Map<string, Places>, name: string, position: number, block: number): void {
  const places = all.get(name);
  if (places === undefined) {
    all.set(name, [position, block]);
    return;
  }
  if (position >= (places.at(-2) ?? 0)) {
    if (places.at(-1) !== block) places.push(position, block);
    return;
  }
  // Records that were carried forward come behind later ones.
  const at = behind(places, position);
  if (at === 0 || places[at - 1] !== block) places.splice(at, 0, position, block);
}

/** The index behind the last pair whose position is not above this one. */
function behind(places: Places, position: number): number {
  let low = 0;
  let high = places.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[2 * middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}
