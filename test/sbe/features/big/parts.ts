// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../../src/sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../../../src/sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'Parts',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.smallGroup,
      empty: sbe.image(2, { 1: '0b' }),
      blank: sbe.image(11, { 0: '80' }),
      needed: [8],
      written: [11],
      entry: {
        name: 'Parts.Small',
        groups: [],
        data: [],
      },
      walk: undefined,
    },
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 1: '02' }),
      blank: sbe.image(2),
      needed: [2],
      written: [2],
      entry: {
        name: 'Parts.Outer',
        groups: [
          {
            since: 0,
            dimension: types.dimensions.largeGroup,
            empty: sbe.image(12, { 3: '04', 9: '01', 11: '01' }),
            blank: sbe.image(4, { 0: '80' }),
            needed: [4],
            written: [4],
            entry: {
              name: 'Parts.Outer.Middle',
              groups: [
                {
                  since: 0,
                  dimension: types.dimensions.smallGroup,
                  empty: sbe.image(2, { 1: '01' }),
                  blank: sbe.image(1),
                  needed: [1],
                  written: [1],
                  entry: {
                    name: 'Parts.Outer.Middle.Inner',
                    groups: [],
                    data: [
                      { name: 'Note', since: 0, type: types.data.shortText },
                    ],
                  },
                  walk: walkPartsOuterMiddleInner,
                },
              ],
              data: [
                { name: 'Raw', since: 0, type: types.data.octets },
              ],
            },
            walk: walkPartsOuterMiddle,
          },
          {
            since: 0,
            dimension: types.dimensions.groupSizeEncoding,
            empty: sbe.image(4),
            blank: sbe.image(0),
            needed: [0],
            written: [0],
            entry: {
              name: 'Parts.Outer.OnlyData',
              groups: [],
              data: [
                { name: 'Words', since: 0, type: types.data.latinText },
              ],
            },
            walk: walkPartsOuterOnlyData,
          },
        ],
        data: [
          { name: 'Title', since: 0, type: types.data.longText },
          { name: 'Label', since: 0, type: types.data.shortText },
        ],
      },
      walk: walkPartsOuter,
    },
  ],
  data: [
    { name: 'Text', since: 0, type: types.data.latinText },
    { name: 'Blob', since: 0, type: types.data.octets },
  ],
};

/** Moves the end over Note; answers what is wrong with them. */
function walkPartsOuterMiddleInner(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  if (view.getUint8(next) > 200) return block.refuseData(0, next);
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over Inner, Raw; answers what is wrong with them. */
function walkPartsOuterMiddle(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 4 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 4 + view.getUint32(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over Words; answers what is wrong with them. */
function walkPartsOuterOnlyData(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over Middle, OnlyData, Title, Label; answers what is wrong with them. */
function walkPartsOuter(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0) ?? block.walkGroup(1);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 4 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 4 + view.getUint32(next);
  if (next > limit) return block.refuseData(0);
  if (next + 1 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  if (view.getUint8(next) > 200) return block.refuseData(1, next);
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** Moves the end over Small, Outer, Text, Blob; answers what is wrong with them. */
function walkParts(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0) ?? block.walkGroup(1);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next);
  if (next > limit) return block.refuseData(0);
  if (next + 4 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 4 + view.getUint32(next);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** The entries of Parts.Small. */
export class PartsSmall {
  static readonly blockLength = 11;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get priceMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at); const low = view.getUint32(at + 4); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Parts.Small.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at); }
  get priceMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at + 4); }
  setPriceMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Parts.Small.Price.mantissa')); view.setUint32(at + 4, value ?? 0); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Parts.Small.Price.mantissa', value); view.setBigInt64(at, value ?? -9223372036854775808n); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get priceExponent(): number { return -8; }
}

/** The entries of Parts.Outer.Middle.Inner. */
export class PartsOuterMiddleInner {
  static readonly blockLength = 1;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get flag(): number { const { at, view } = this.#block; return view.getUint8(at); }
  setFlag(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Parts.Outer.Middle.Inner.Flag', value); view.setUint8(at, value); return this; }
  get note(): string { return this.#block.text(0); }
  get noteBytes(): Uint8Array { return this.#block.bytes(0); }
  setNote(value: string): this { this.#block.putText(0, value); return this; }
  setNoteBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** The entries of Parts.Outer.Middle. */
export class PartsOuterMiddle {
  static readonly blockLength = 4;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;
  readonly #inner: PartsOuterMiddleInner;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
    this.#inner = new PartsOuterMiddleInner(entries.block.group(0));
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get qty(): number | undefined { const { at, view } = this.#block; const value = view.getInt32(at); return value === -2147483648 ? undefined : value; }
  setQty(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < -2147483647)) throw outside('Parts.Outer.Middle.Qty', value); view.setInt32(at, value ?? -2147483648); return this; }
  /** The entries, before the first. */
  get inner(): PartsOuterMiddleInner { this.#block.readGroup(0); return this.#inner; }
  /** The group for writing: `add()` begins an entry. */
  writeInner(): PartsOuterMiddleInner { this.#block.beginGroup(0); return this.#inner; }
  get raw(): Uint8Array { return this.#block.bytes(0); }
  setRaw(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** The entries of Parts.Outer.OnlyData. */
export class PartsOuterOnlyData {
  static readonly blockLength = 0;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get words(): string { return this.#block.text(0); }
  get wordsBytes(): Uint8Array { return this.#block.bytes(0); }
  setWords(value: string): this { this.#block.putText(0, value); return this; }
  setWordsBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** The entries of Parts.Outer. */
export class PartsOuter {
  static readonly blockLength = 2;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;
  readonly #middle: PartsOuterMiddle;
  readonly #onlyData: PartsOuterOnlyData;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
    this.#middle = new PartsOuterMiddle(entries.block.group(0));
    this.#onlyData = new PartsOuterOnlyData(entries.block.group(1));
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get id(): number { const { at, view } = this.#block; return view.getUint16(at); }
  setId(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Parts.Outer.Id', value); view.setUint16(at, value); return this; }
  /** The entries, before the first. */
  get middle(): PartsOuterMiddle { this.#block.readGroup(0); return this.#middle; }
  /** The group for writing: `add()` begins an entry. */
  writeMiddle(): PartsOuterMiddle { this.#block.beginGroup(0); return this.#middle; }
  /** The entries, before the first. */
  get onlyData(): PartsOuterOnlyData { this.#block.readGroup(1); return this.#onlyData; }
  /** The group for writing: `add()` begins an entry. */
  writeOnlyData(): PartsOuterOnlyData { this.#block.beginGroup(1); return this.#onlyData; }
  get title(): string { return this.#block.text(0); }
  get titleBytes(): Uint8Array { return this.#block.bytes(0); }
  setTitle(value: string): this { this.#block.putText(0, value); return this; }
  setTitleBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get label(): string { return this.#block.text(1); }
  get labelBytes(): Uint8Array { return this.#block.bytes(1); }
  setLabel(value: string): this { this.#block.putText(1, value); return this; }
  setLabelBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}

/** Parts (2). Groups inside groups, with data of every length. */
export class Parts {
  static readonly templateId = 2;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 1;
  readonly #block = new sbe.Block(layout);
  readonly #small = new PartsSmall(this.#block.group(0));
  readonly #outer = new PartsOuter(this.#block.group(1));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 20 > limit) return cut('Parts', 20, limit - start);
    if (view.getUint16(start + 3) !== 2 || view.getUint32(start + 12) !== 77) return wrongTemplate('Parts');
    const version = view.getUint8(start);
    return block.wrap(start + 20, view.getUint32(start + 8), 1, version, limit) ?? walkParts(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (version > 2) throw notInVersion('Parts', version);
    if (at + 21 > bytes.length) throw noRoom('Parts');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 2, true);
    view.setUint32(start + 4, 2, true);
    view.setUint32(start + 8, 16777216, true);
    view.setUint32(start + 12, 1291845632, true);
    view.setUint32(start + 16, 33554944, true);
    view.setUint8(start + 20, 0);
    if (version < 2) {
      view.setUint32(start + 8, 1);
      view.setUint8(start, version);
    }
    this.#block.begin(start + 20, 1, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 20; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(20); }
  get count(): number { const { at, view } = this.#block; return view.getUint8(at); }
  setCount(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Parts.Count', value); view.setUint8(at, value); return this; }
  /** The entries, before the first. */
  get small(): PartsSmall { this.#block.readGroup(0); return this.#small; }
  /** The group for writing: `add()` begins an entry. */
  writeSmall(): PartsSmall { this.#block.beginGroup(0); return this.#small; }
  /** The entries, before the first. */
  get outer(): PartsOuter { this.#block.readGroup(1); return this.#outer; }
  /** The group for writing: `add()` begins an entry. */
  writeOuter(): PartsOuter { this.#block.beginGroup(1); return this.#outer; }
  get text(): string { return this.#block.text(0); }
  get textBytes(): Uint8Array { return this.#block.bytes(0); }
  setText(value: string): this { this.#block.putText(0, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get blob(): Uint8Array { return this.#block.bytes(1); }
  setBlob(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
