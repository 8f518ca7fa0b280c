// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../../src/sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, placeOf, putPairs, putText, textAt, wrongTemplate } from '../../../../src/sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'Grown',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 1: '0e' }),
      blank: sbe.image(14, { 1: '80', 9: 'ffffffffff' }),
      needed: [1, 9, 14],
      written: [1, 9, 14],
      entry: {
        name: 'Grown.Legs',
        groups: [],
        data: [
          { name: 'Symbol', since: 0, type: types.data.shortText },
        ],
      },
      walk: walkGrownLegs,
    },
    {
      since: 1,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 1: '09' }),
      blank: sbe.image(9),
      needed: [8, 8, 9],
      written: [8, 8, 9],
      entry: {
        name: 'Grown.Fees',
        groups: [],
        data: [],
      },
      walk: undefined,
    },
  ],
  data: [
    { name: 'Memo', since: 2, type: types.data.longText },
  ],
};

/** Moves the end over Symbol; answers what is wrong with them. */
function walkGrownLegs(block: sbe.Block): string | undefined {
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

/** Moves the end over Legs, Fees, Memo; answers what is wrong with them. */
function walkGrown(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0) ?? block.walkGroup(1);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (block.version >= 2) {
    if (next + 4 > limit) return block.refuseData(0, next);
    dataAt[0] = next;
    next += 4 + view.getUint32(next);
    if (next > limit) return block.refuseData(0);
  }
  block.end = next;
  return undefined;
}

/** The entries of Grown.Legs. */
export class GrownLegs {
  static readonly blockLength = 14;
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
  get ratio(): number { const { at, view } = this.#block; return view.getInt8(at); }
  setRatio(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -128 || value > 127) throw outside('Grown.Legs.Ratio', value); view.setInt8(at, value); return this; }
  get strike(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const high = view.getInt32(at + 1); const low = view.getUint32(at + 5); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Grown.Legs.Strike'); }
  get strikeBig(): bigint | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const value = view.getBigInt64(at + 1); return value === -9223372036854775808n ? undefined : value; }
  get strikeHigh(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; return view.getInt32(at + 1); }
  get strikeLow(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; return view.getUint32(at + 5); }
  setStrike(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Legs.Strike', version); view.setUint32(at + 1, value === undefined ? -2147483648 : highOf(value, 'Grown.Legs.Strike')); view.setUint32(at + 5, value ?? 0); return this; }
  setStrikeBig(value: bigint | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Legs.Strike', version); if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Grown.Legs.Strike', value); view.setBigInt64(at + 1, value ?? -9223372036854775808n); return this; }
  setStrikeHalves(high: number, low: number): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Legs.Strike', version); view.setUint32(at + 1, high); view.setUint32(at + 5, low); return this; }
  get expiryYear(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getUint16(at + 9); return value === 65535 ? undefined : value; }
  setExpiryYear(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Legs.Expiry.year', version); if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Grown.Legs.Expiry.year', value); view.setUint16(at + 9, value ?? 65535); return this; }
  get expiryMonth(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getUint8(at + 11); return value === 255 ? undefined : value; }
  setExpiryMonth(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Legs.Expiry.month', version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 12)) throw outside('Grown.Legs.Expiry.month', value); view.setUint8(at + 11, value ?? 255); return this; }
  get expiryDay(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getUint8(at + 12); return value === 255 ? undefined : value; }
  setExpiryDay(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Legs.Expiry.day', version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 31)) throw outside('Grown.Legs.Expiry.day', value); view.setUint8(at + 12, value ?? 255); return this; }
  get expiryWeek(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getUint8(at + 13); return value === 255 ? undefined : value; }
  setExpiryWeek(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Legs.Expiry.week', version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 5)) throw outside('Grown.Legs.Expiry.week', value); view.setUint8(at + 13, value ?? 255); return this; }
  get symbol(): string { return this.#block.text(0); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(0); }
  setSymbol(value: string): this { this.#block.putText(0, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** The entries of Grown.Fees. */
export class GrownFees {
  static readonly blockLength = 9;
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
  get fee(): number { const { at, view } = this.#block; return joined(view.getInt32(at), view.getUint32(at + 4), 'Grown.Fees.Fee'); }
  get feeBig(): bigint { const { at, view } = this.#block; return view.getBigInt64(at); }
  get feeHigh(): number { const { at, view } = this.#block; return view.getInt32(at); }
  get feeLow(): number { const { at, view } = this.#block; return view.getUint32(at + 4); }
  setFee(value: number): this { const { at, view } = this.#block; if (value < -10 || value > 10) throw outside('Grown.Fees.Fee', value); view.setUint32(at, highOf(value, 'Grown.Fees.Fee')); view.setUint32(at + 4, value); return this; }
  setFeeBig(value: bigint): this { const { at, view } = this.#block; if (value < -10n || value > 10n) throw outside('Grown.Fees.Fee', value); view.setBigInt64(at, value); return this; }
  setFeeHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get kind(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getUint8(at + 8); return value === 0 ? undefined : value; }
  setKind(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fees.Kind', version); if (value !== undefined && (value !== (value & 255))) throw outside('Grown.Fees.Kind', value); view.setUint8(at + 8, value ?? 0); return this; }
}

/** Grown (3). Grew in versions 1 and 2. */
export class Grown {
  static readonly templateId = 3;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 42;
  readonly #block = new sbe.Block(layout);
  readonly #legs = new GrownLegs(this.#block.group(0));
  readonly #fees = new GrownFees(this.#block.group(1));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 20 > limit) return cut('Grown', 20, limit - start);
    if (view.getUint16(start + 3) !== 3 || view.getUint32(start + 12) !== 77) return wrongTemplate('Grown');
    const version = view.getUint8(start);
    return block.wrap(start + 20, view.getUint32(start + 8), version <= 0 ? 4 : version <= 1 ? 18 : 42, version, limit) ?? walkGrown(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (version > 2) throw notInVersion('Grown', version);
    if (at + 62 > bytes.length) throw noRoom('Grown');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 2, true);
    view.setUint32(start + 4, 3, true);
    view.setUint32(start + 8, 704643072, true);
    view.setUint32(start + 12, 1291845632, true);
    view.setUint32(start + 16, 16777728, true);
    view.setUint32(start + 20, 0, true);
    view.setUint32(start + 24, 4294967295, true);
    view.setUint32(start + 28, 4294967295, true);
    view.setUint32(start + 32, 0, true);
    view.setUint32(start + 36, 8388608, true);
    view.setUint32(start + 40, 0, true);
    view.setUint32(start + 44, 4294901760, true);
    view.setUint32(start + 48, 4294967295, true);
    view.setUint32(start + 52, 4294967295, true);
    view.setUint32(start + 56, 4294967295, true);
    view.setUint8(start + 60, 255);
    view.setUint8(start + 61, 255);
    if (version < 2) {
      view.setUint32(start + 8, version <= 0 ? 4 : version <= 1 ? 18 : 42);
      view.setUint8(start, version);
    }
    this.#block.begin(start + 20, version <= 0 ? 4 : version <= 1 ? 18 : 42, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 20; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(20); }
  get first(): number { const { at, view } = this.#block; return view.getUint32(at); }
  setFirst(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('Grown.First', value); view.setUint32(at, value); return this; }
  get second(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const high = view.getUint32(at + 4); const low = view.getUint32(at + 8); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Grown.Second'); }
  get secondBig(): bigint | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const value = view.getBigUint64(at + 4); return value === 18446744073709551615n ? undefined : value; }
  get secondHigh(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; return view.getUint32(at + 4); }
  get secondLow(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; return view.getUint32(at + 8); }
  setSecond(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Second', version); if (value !== undefined && (value < 0)) throw outside('Grown.Second', value); view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Grown.Second')); view.setUint32(at + 8, value ?? 4294967295); return this; }
  setSecondBig(value: bigint | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Second', version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Grown.Second', value); view.setBigUint64(at + 4, value ?? 18446744073709551615n); return this; }
  setSecondHalves(high: number, low: number): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Grown.Second', version); view.setUint32(at + 4, high); view.setUint32(at + 8, low); return this; }
  get third(): string | undefined { const { at, octets, version } = this.#block; if (version < 1) return undefined; return textAt(octets, at + 12, 6, 'ascii'); }
  get thirdBytes(): Uint8Array | undefined { const { at, octets, version } = this.#block; if (version < 1) return undefined; return octets.subarray(at + 12, at + 18); }
  setThird(value: string): this { const { at, octets, version } = this.#block; if (version < 1) throw notInVersion('Grown.Third', version); putText(octets, at + 12, 6, value, 'ascii', 'Grown.Third'); return this; }
  setThirdBytes(value: Uint8Array): this { const { at, octets, version } = this.#block; if (version < 1) throw notInVersion('Grown.Third', version); putPairs(octets, at + 12, 6, value, 'Grown.Third'); return this; }
  get fourthMantissa(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const high = view.getInt32(at + 18); const low = view.getUint32(at + 22); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Grown.Fourth.mantissa'); }
  get fourthMantissaBig(): bigint | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getBigInt64(at + 18); return value === -9223372036854775808n ? undefined : value; }
  get fourthMantissaHigh(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; return view.getInt32(at + 18); }
  get fourthMantissaLow(): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; return view.getUint32(at + 22); }
  setFourthMantissa(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fourth.mantissa', version); view.setUint32(at + 18, value === undefined ? -2147483648 : highOf(value, 'Grown.Fourth.mantissa')); view.setUint32(at + 22, value ?? 0); return this; }
  setFourthMantissaBig(value: bigint | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fourth.mantissa', version); if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Grown.Fourth.mantissa', value); view.setBigInt64(at + 18, value ?? -9223372036854775808n); return this; }
  setFourthMantissaHalves(high: number, low: number): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fourth.mantissa', version); view.setUint32(at + 18, high); view.setUint32(at + 22, low); return this; }
  get fourthExponent(): number { return -8; }
  fifth(index: number): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const high = view.getUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); const low = view.getUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Grown.Fifth'); }
  fifthBig(index: number): bigint | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; const value = view.getBigUint64(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); return value === 18446744073709551615n ? undefined : value; }
  fifthHigh(index: number): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; return view.getUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); }
  fifthLow(index: number): number | undefined { const { at, version, view } = this.#block; if (version < 2) return undefined; return view.getUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4); }
  setFifth(index: number, value: number | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fifth', version); if (value !== undefined && (value < 0)) throw outside('Grown.Fifth', value); view.setUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'), value === undefined ? 4294967295 : highOf(value, 'Grown.Fifth')); view.setUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4, value ?? 4294967295); return this; }
  setFifthBig(index: number, value: bigint | undefined): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fifth', version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Grown.Fifth', value); view.setBigUint64(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'), value ?? 18446744073709551615n); return this; }
  setFifthHalves(index: number, high: number, low: number): this { const { at, version, view } = this.#block; if (version < 2) throw notInVersion('Grown.Fifth', version); view.setUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'), high); view.setUint32(at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4, low); return this; }
  /** The entries, before the first. */
  get legs(): GrownLegs { this.#block.readGroup(0); return this.#legs; }
  /** The group for writing: `add()` begins an entry. */
  writeLegs(): GrownLegs { this.#block.beginGroup(0); return this.#legs; }
  /** The entries, before the first. */
  get fees(): GrownFees { this.#block.readGroup(1); return this.#fees; }
  /** The group for writing: `add()` begins an entry. */
  writeFees(): GrownFees { this.#block.beginGroup(1); return this.#fees; }
  get memo(): string | undefined { if (this.#block.version < 2) return undefined; return this.#block.text(0); }
  get memoBytes(): Uint8Array | undefined { if (this.#block.version < 2) return undefined; return this.#block.bytes(0); }
  setMemo(value: string): this { this.#block.putText(0, value); return this; }
  setMemoBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
