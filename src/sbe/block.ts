/**
 * What generated messages stand on: a message or group entry where it lies in the caller's buffer, with the groups and
 * data behind its block of fields. It goes with generated code to wherever that is used, and needs `flyweight.ts` alone.
 *
 *   message = header | block of fields | groups | data        (group entry = block of fields | groups | data)
 *
 * A fault of the peer's bytes is answered as a string; a RangeError is a mistake of the caller.
 */
import {
  beyond,
  type Characters,
  cut,
  decoded,
  noRoom,
  notInVersion,
  outside,
  putCharacters,
  shorter,
  wrongOrder,
} from './flyweight.ts';

/** An unsigned number that tells the structure: where it is in its composite, its size, and the greatest allowed. */
export interface SizeField {
  readonly at: number;
  readonly bytes: number;
  readonly max: number;
  readonly littleEndian: boolean;
}

/** A composite for variable data; without `characters` it holds octets. */
export interface DataType {
  readonly length: SizeField;
  /** Where the octets begin, from the beginning of the composite. */
  readonly offset: number;
  readonly characters: Characters | undefined;
}

/** A composite that stands before the entries of a group. */
export interface Dimension {
  readonly size: number;
  readonly blockLength: SizeField;
  readonly numInGroup: SizeField;
}

export interface DataLayout {
  readonly name: string;
  /** The version of the schema that it came with. */
  readonly since: number;
  readonly type: DataType;
}

export interface GroupLayout {
  /** The version of the schema that it came with. */
  readonly since: number;
  readonly dimension: Dimension;
  /** The dimension of a group without entries. */
  readonly empty: Uint8Array;
  /** An entry before anything is set. */
  readonly blank: Uint8Array;
  /** The least length of an entry's block in each version of the schema. */
  readonly needed: readonly number[];
  /** The length of the block as it is written for a reader of each version. */
  readonly written: readonly number[];
  readonly entry: Layout;
  /** Moves the end of an entry over its groups and data; answers what is wrong with them. */
  readonly walk: ((entry: Block) => string | undefined) | undefined;
}

/** What is behind the block of a message, or of an entry of a group. */
export interface Layout {
  /** As errors name it. */
  readonly name: string;
  readonly groups: readonly GroupLayout[];
  readonly data: readonly DataLayout[];
}

const noView: DataView = new DataView(new ArrayBuffer(0));
const noOctets: Buffer = Buffer.alloc(0);

/** A message or group entry where it lies in the caller's buffer. */
export class Block {
  readonly layout: Layout;
  /** They cover the whole buffer of the caller's bytes. */
  view: DataView = noView;
  octets: Buffer = noOctets;
  version = 0;
  /** Where the fields begin, where the groups and data so far end, and where the space ends. */
  at = 0;
  end = 0;
  limit = 0;
  /** Where each data begins. */
  readonly dataAt: number[];
  readonly #groups: readonly Entries[];
  readonly #data: readonly DataLayout[];
  readonly #parts: number;
  readonly #firstData: number;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  /** The group that is being written. */
  #open: Entries | undefined;
  #bytes: Uint8Array = noOctets;
  /** Where the caller's bytes begin in their buffer. */
  #base = 0;

  constructor(layout: Layout) {
    this.layout = layout;
    this.#groups = layout.groups.map((group) => new Entries(group));
    this.#data = layout.data.map((data) => ({ ...data, name: `${layout.name}.${data.name}` }));
    this.dataAt = layout.data.map(() => 0);
    this.#firstData = layout.groups.length;
    this.#parts = layout.groups.length + layout.data.length;
  }

  /** Turns to the caller's bytes and answers where `at` is in their buffer. */
  take(bytes: Uint8Array, at: number): number {
    if (this.#bytes !== bytes) this.#turnTo(bytes);
    return this.#base + at;
  }

  /** The view over a buffer is kept as long as messages come in bytes of the same buffer. */
  #turnTo(bytes: Uint8Array): void {
    if (this.view.buffer !== bytes.buffer) {
      this.view = new DataView(bytes.buffer);
      this.octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }

  /** Turns to the bytes of the message that this is an entry in. */
  within(owner: Block): void {
    this.view = owner.view;
    this.octets = owner.octets;
    this.version = owner.version;
    this.limit = owner.limit;
  }

  /** Takes the block at `at`; answers what is wrong with it. */
  wrap(
    at: number,
    blockLength: number,
    needed: number,
    version: number,
    limit: number,
  ): string | undefined {
    if (blockLength < needed) return shorter(this.layout.name, blockLength, needed, version);
    const end = at + blockLength;
    if (end > limit) return cut(this.layout.name, blockLength, limit - at);
    this.version = version;
    this.limit = limit;
    this.at = at;
    this.end = end;
    this.#part = this.#parts;
    this.#open = undefined;
    return undefined;
  }

  /** Moves the end over a group; answers what is wrong with it. */
  walkGroup(index: number): string | undefined {
    const group = this.group(index);
    const fault = group.wrap(this, this.end);
    this.end = group.end;
    return fault;
  }

  /** What is wrong with a data, which begins at `at`. */
  refuseData(index: number, at = this.dataAt[index] as number): string {
    const { name, type } = this.#data[index] as DataLayout;
    const left = this.limit - at;
    if (type.offset > left) return cut(name, type.offset, left);
    const size = sizeAt(this.view, at, type.length);
    if (size > type.length.max) return beyond(name, size, type.length.max);
    return cut(name, size, left - type.offset);
  }

  /** Begins a block whose bytes are blank, and behind which nothing is written. */
  place(at: number, blockLength: number, version: number): void {
    this.version = version;
    this.at = at;
    this.end = at + blockLength;
  }

  /** The same where groups and data may be written behind it. */
  begin(at: number, blockLength: number, version: number, limit: number): void {
    this.place(at, blockLength, version);
    this.limit = limit;
    this.#part = 0;
    this.#open = undefined;
  }

  /** Closes what is open; groups and data that were not written are empty. Answers the end. */
  finish(): number {
    this.#reach(this.#parts);
    return this.end;
  }

  /** The octets from the header, which has so many bytes, to the end. */
  whole(header: number): Uint8Array {
    const start = this.at - header;
    return new Uint8Array(this.view.buffer, start, this.finish() - start);
  }

  group(index: number): Entries {
    return this.#groups[index] as Entries;
  }

  /** Goes before the first entry of a group, which an earlier version may not have. */
  readGroup(index: number): void {
    const group = this.group(index);
    if (this.version < group.since) group.clear();
    group.rewind();
  }

  /** Begins a group for writing. */
  beginGroup(index: number): void {
    const group = this.group(index);
    if (this.version < group.since) throw notInVersion(group.block.layout.name, this.version);
    this.#reach(index);
    this.#part = index + 1;
    group.begin(this);
    this.#open = group;
  }

  text(index: number): string {
    const { type } = this.#data[index] as DataLayout;
    const at = this.dataAt[index] as number;
    const start = at + type.offset;
    const end = start + sizeAt(this.view, at, type.length);
    return decoded(this.octets, start, end, type.characters);
  }

  /** The octets of a data, lent until the buffer is used again. */
  bytes(index: number): Uint8Array {
    const { type } = this.#data[index] as DataLayout;
    const at = this.dataAt[index] as number;
    const start = at + type.offset;
    return this.octets.subarray(start, start + sizeAt(this.view, at, type.length));
  }

  putText(index: number, value: string): void {
    const { name, type } = this.#reachData(index);
    const start = this.end + type.offset;
    const limit = Math.min(this.limit, start + type.length.max);
    const { characters } = type;
    this.#close(index, type, putCharacters(this.octets, start, limit, value, characters, name));
  }

  putBytes(index: number, value: Uint8Array): void {
    const { name, type } = this.#reachData(index);
    const size = value.length;
    const start = this.end + type.offset;
    if (size > type.length.max) throw outside(name, `${size} bytes`);
    if (start + size > this.limit) throw noRoom(name);
    this.octets.set(value, start);
    this.#close(index, type, size);
  }

  /** The data that is written next. */
  #reachData(index: number): DataLayout {
    const data = this.#data[index] as DataLayout;
    if (this.version < data.since) throw notInVersion(data.name, this.version);
    const part = this.#firstData + index;
    if (part !== this.#part || this.#open !== undefined) this.#reach(part);
    return data;
  }

  /** States the length of the data at the end, which moves behind it. */
  #close(index: number, { length, offset }: DataType, size: number): void {
    const at = this.end;
    putSize(this.view, at, length, size);
    this.dataAt[index] = at;
    this.end = at + offset + size;
    this.#part = this.#firstData + index + 1;
  }

  /** Closes what is open and leaves empty what was passed over. */
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder(this.layout.name);
    if (this.#open !== undefined) {
      this.end = this.#open.finish();
      this.#open = undefined;
    }
    for (; this.#part < part; this.#part += 1) this.#leaveEmpty(this.#part);
  }

  #leaveEmpty(part: number): void {
    const group = this.#groups[part];
    const index = part - this.#firstData;
    if (group === undefined) {
      const { name, since, type } = this.#data[index] as DataLayout;
      if (this.version < since) return;
      if (this.end + type.offset > this.limit) throw noRoom(name);
      this.#close(index, type, 0);
      this.#part = part;
    } else if (this.version >= group.since) {
      group.begin(this);
      this.end = group.finish();
    }
  }
}

/** The entries of a group, one after the other: `block` is the one that is read or written. */
export class Entries {
  readonly block: Block;
  readonly since: number;
  count = 0;
  /** Behind the last entry. */
  end = 0;
  readonly #layout: GroupLayout;
  #dimensionAt = 0;
  #blockLength = 0;
  #needed = 0;
  #index = 0;
  /** Where the next entry begins that is read. */
  #next = 0;

  constructor(layout: GroupLayout) {
    this.#layout = layout;
    this.since = layout.since;
    this.block = new Block(layout.entry);
  }

  /** Takes the group at `at`; answers what is wrong with it. */
  wrap(owner: Block, at: number): string | undefined {
    this.#take(owner, at);
    if (owner.version < this.since) {
      this.clear();
      return undefined;
    }
    const { dimension, entry, needed } = this.#layout;
    const { name } = entry;
    const left = owner.limit - at - dimension.size;
    if (left < 0) return cut(name, dimension.size, owner.limit - at);
    const blockLength = sizeAt(owner.view, at, dimension.blockLength);
    const count = sizeAt(owner.view, at, dimension.numInGroup);
    this.#blockLength = blockLength;
    this.count = count;
    if (count > dimension.numInGroup.max) return beyond(name, count, dimension.numInGroup.max);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut(name, count * blockLength, left);
    this.#needed = inVersion(needed, owner.version);
    this.rewind();
    for (let index = 0; index < count; index += 1) {
      const fault = this.#enter();
      if (fault !== undefined) return fault;
    }
    this.end = this.#next;
    this.rewind();
    return undefined;
  }

  #take(owner: Block, at: number): void {
    this.block.within(owner);
    this.#dimensionAt = at;
  }

  /** The group is not there. */
  clear(): void {
    this.count = 0;
    this.end = this.#dimensionAt;
  }

  /** Goes before the first entry. */
  rewind(): void {
    this.#index = 0;
    this.#next = this.#dimensionAt + this.#layout.dimension.size;
  }

  /** Goes to the next entry, if there is one. */
  next(): boolean {
    if (this.#index === this.count) return false;
    this.#index += 1;
    this.#enter();
    return true;
  }

  #enter(): string | undefined {
    const { block } = this;
    const { limit, version } = block;
    const fault =
      block.wrap(this.#next, this.#blockLength, this.#needed, version, limit) ??
      this.#layout.walk?.(block);
    this.#next = block.end;
    return fault;
  }

  /** Writes an empty group at the end of its owner. */
  begin(owner: Block): void {
    const { dimension, empty, entry, written } = this.#layout;
    const at = owner.end;
    this.#take(owner, at);
    if (at + dimension.size > owner.limit) throw noRoom(entry.name);
    this.#blockLength = inVersion(written, owner.version);
    this.count = 0;
    owner.octets.set(empty, at);
    putSize(owner.view, at, dimension.blockLength, this.#blockLength);
    this.end = at + dimension.size;
    this.rewind();
  }

  /** Begins the next entry. */
  add(): void {
    const { blank, dimension, entry } = this.#layout;
    if (this.count === dimension.numInGroup.max) throw noRoom(entry.name);
    const { block } = this;
    const at = this.finish();
    if (at + blank.length > block.limit) throw noRoom(entry.name);
    block.octets.set(blank, at);
    block.begin(at, this.#blockLength, block.version, block.limit);
    this.count += 1;
    putSize(block.view, this.#dimensionAt, dimension.numInGroup, this.count);
  }

  /** Closes the last entry and answers where it ends. */
  finish(): number {
    if (this.count > 0) this.end = this.block.finish();
    return this.end;
  }
}

/** Of a version that is yet to come the length is the latest that is known. */
function inVersion(lengths: readonly number[], version: number): number {
  return lengths[version] ?? (lengths.at(-1) as number);
}

function sizeAt(view: DataView, start: number, field: SizeField): number {
  if (field.bytes === 1) return view.getUint8(start + field.at);
  return longSizeAt(view, start, field);
}

function longSizeAt(view: DataView, start: number, { at, bytes, littleEndian }: SizeField): number {
  return bytes === 2
    ? view.getUint16(start + at, littleEndian)
    : view.getUint32(start + at, littleEndian);
}

function putSize(view: DataView, start: number, field: SizeField, size: number): void {
  if (field.bytes === 1) view.setUint8(start + field.at, size);
  else putLongSize(view, start, field, size);
}

function putLongSize(view: DataView, start: number, field: SizeField, size: number): void {
  const { at, bytes, littleEndian } = field;
  if (bytes === 2) view.setUint16(start + at, size, littleEndian);
  else view.setUint32(start + at, size, littleEndian);
}

/** Bytes of which all but those in `filled`, hex by place, are zero. */
export function image(length: number, filled: Readonly<Record<number, string>> = {}): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const [at, hex] of Object.entries(filled)) bytes.set(Buffer.from(hex, 'hex'), Number(at));
  return bytes;
}
