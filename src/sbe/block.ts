/**
 * The base of generated messages: a message or group entry in the caller's buffer, with the groups and data after its
 * fields. It is copied along with generated code, and depends only on `flyweight.ts`.
 *
 *   message = header | block of fields | groups | data        (group entry = block of fields | groups | data)
 *
 * A fault in the peer's bytes is returned as a string; a RangeError is a bug of the caller.
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

/** A structural unsigned number: its offset in its composite, its size, and its maximum. */
export interface SizeField {
  readonly at: number;
  readonly bytes: number;
  readonly max: number;
  readonly littleEndian: boolean;
}

/** A composite for variable data; without `characters` it contains bytes instead of text. */
export interface DataType {
  readonly length: SizeField;
  /** The offset of the data from the start of the composite. */
  readonly offset: number;
  readonly characters: Characters | undefined;
}

/** The composite before the entries of a group. */
export interface Dimension {
  readonly size: number;
  readonly blockLength: SizeField;
  readonly numInGroup: SizeField;
}

export interface DataLayout {
  readonly name: string;
  /** The schema version that introduced it. */
  readonly since: number;
  readonly type: DataType;
}

export interface GroupLayout {
  /** The schema version that introduced it. */
  readonly since: number;
  readonly dimension: Dimension;
  /** The dimension of a group without entries. */
  readonly empty: Uint8Array;
  /** The initial bytes of an entry. */
  readonly blank: Uint8Array;
  /** The minimum length of an entry's block in each version of the schema. */
  readonly needed: readonly number[];
  /** The length of the block as written for a reader of each version. */
  readonly written: readonly number[];
  readonly entry: Layout;
  /** Moves the end of an entry past its groups and data; returns their fault, if any. */
  readonly walk: ((entry: Block) => string | undefined) | undefined;
}

/** The parts after the block of a message or group entry. */
export interface Layout {
  /** The name in error messages. */
  readonly name: string;
  readonly groups: readonly GroupLayout[];
  readonly data: readonly DataLayout[];
}

const noView: DataView = new DataView(new ArrayBuffer(0));
const noOctets: Buffer = Buffer.alloc(0);

/** A message or group entry in the caller's buffer. */
export class Block {
  readonly layout: Layout;
  /** The view covers the whole buffer of the caller's bytes. */
  view: DataView = noView;
  octets: Buffer = noOctets;
  version = 0;
  /** The start of the fields, the end of the groups and data so far, and the end of the space. */
  at = 0;
  end = 0;
  limit = 0;
  /** The start of each data field. */
  readonly dataAt: number[];
  readonly #groups: readonly Entries[];
  readonly #data: readonly DataLayout[];
  readonly #parts: number;
  readonly #firstData: number;
  /** The number of groups and data fields that are written or left empty. */
  #part = 0;
  /** The group that is being written. */
  #open: Entries | undefined;
  #bytes: Uint8Array = noOctets;
  /** The offset of the caller's bytes in their buffer. */
  #base = 0;

  constructor(layout: Layout) {
    this.layout = layout;
    this.#groups = layout.groups.map((group) => new Entries(group));
    this.#data = layout.data.map((data) => ({ ...data, name: `${layout.name}.${data.name}` }));
    this.dataAt = layout.data.map(() => 0);
    this.#firstData = layout.groups.length;
    this.#parts = layout.groups.length + layout.data.length;
  }

  /** Switches to the caller's bytes and returns the position of `at` in their buffer. */
  take(bytes: Uint8Array, at: number): number {
    if (this.#bytes !== bytes) this.#turnTo(bytes);
    return this.#base + at;
  }

  /** Reuses the view as long as messages are in the same buffer. */
  #turnTo(bytes: Uint8Array): void {
    if (this.view.buffer !== bytes.buffer) {
      this.view = new DataView(bytes.buffer);
      this.octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }

  /** Switches to the bytes of the message that contains this entry. */
  within(owner: Block): void {
    this.view = owner.view;
    this.octets = owner.octets;
    this.version = owner.version;
    this.limit = owner.limit;
  }

  /** Wraps the block at `at`; returns its fault, if any. */
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

  /** Moves the end past a group; returns its fault, if any. */
  walkGroup(index: number): string | undefined {
    const group = this.group(index);
    const fault = group.wrap(this, this.end);
    this.end = group.end;
    return fault;
  }

  /** The fault of the data field at `at`. */
  refuseData(index: number, at = this.dataAt[index] as number): string {
    const { name, type } = this.#data[index] as DataLayout;
    const left = this.limit - at;
    if (type.offset > left) return cut(name, type.offset, left);
    const size = sizeAt(this.view, at, type.length);
    if (size > type.length.max) return beyond(name, size, type.length.max);
    return cut(name, size, left - type.offset);
  }

  /** Starts a block whose bytes are initialized and after which nothing is written. */
  place(at: number, blockLength: number, version: number): void {
    this.version = version;
    this.at = at;
    this.end = at + blockLength;
  }

  /** Like `place`, but groups and data may be written after it. */
  begin(at: number, blockLength: number, version: number, limit: number): void {
    this.place(at, blockLength, version);
    this.limit = limit;
    this.#part = 0;
    this.#open = undefined;
  }

  /** Completes the message; groups and data that were not written are empty. Returns the end. */
  finish(): number {
    this.#reach(this.#parts);
    return this.end;
  }

  /** The bytes from the header, which has this length, to the end. */
  whole(header: number): Uint8Array {
    const start = this.at - header;
    return new Uint8Array(this.view.buffer, start, this.finish() - start);
  }

  group(index: number): Entries {
    return this.#groups[index] as Entries;
  }

  /** Moves before the first entry of a group, which an earlier version may not have. */
  readGroup(index: number): void {
    const group = this.group(index);
    if (this.version < group.since) group.clear();
    group.rewind();
  }

  /** Starts a group for writing. */
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

  /** The bytes of a data field, valid until the buffer is reused. */
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

  /** The data field that is written next. */
  #reachData(index: number): DataLayout {
    const data = this.#data[index] as DataLayout;
    if (this.version < data.since) throw notInVersion(data.name, this.version);
    const part = this.#firstData + index;
    if (part !== this.#part || this.#open !== undefined) this.#reach(part);
    return data;
  }

  /** Writes the length of the data field at the end, and moves the end past it. */
  #close(index: number, { length, offset }: DataType, size: number): void {
    const at = this.end;
    putSize(this.view, at, length, size);
    this.dataAt[index] = at;
    this.end = at + offset + size;
    this.#part = this.#firstData + index + 1;
  }

  /** Completes the current group, and leaves skipped parts empty. */
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

/** The entries of a group: `block` is the one that is being read or written. */
export class Entries {
  readonly block: Block;
  readonly since: number;
  count = 0;
  /** The end of the last entry. */
  end = 0;
  readonly #layout: GroupLayout;
  #dimensionAt = 0;
  #blockLength = 0;
  #needed = 0;
  #index = 0;
  /** The start of the next entry to read. */
  #next = 0;

  constructor(layout: GroupLayout) {
    this.#layout = layout;
    this.since = layout.since;
    this.block = new Block(layout.entry);
  }

  /** Wraps the group at `at`; returns its fault, if any. */
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
    // An entry counts as at least one byte, so that no count makes a long loop of a short frame.
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

  /** The group is absent. */
  clear(): void {
    this.count = 0;
    this.end = this.#dimensionAt;
  }

  /** Moves before the first entry. */
  rewind(): void {
    this.#index = 0;
    this.#next = this.#dimensionAt + this.#layout.dimension.size;
  }

  /** Moves to the next entry, if there is one. */
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

  /** Starts the next entry. */
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

  /** Completes the last entry and returns its end. */
  finish(): number {
    if (this.count > 0) this.end = this.block.finish();
    return this.end;
  }
}

/** For a later version this is the length in the latest known one. */
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

/** Bytes that are zero except for those in `filled`, as hex by offset. */
export function image(length: number, filled: Readonly<Record<number, string>> = {}): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const [at, hex] of Object.entries(filled)) bytes.set(Buffer.from(hex, 'hex'), Number(at));
  return bytes;
}
