// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../../src/sbe/block.ts';
import { cut, highOf, isFilled, joined, noRoom, notInVersion, outside, placeOf, putOctets, putPairs, putText, putWhole, textAt, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

const blank = sbe.image(380, { 0: '02', 4: '01', 10: '0168', 15: '4d', 64: '8080', 67: '80', 71: '80', 79: 'ffffffffffffffffffffffffffffff', 95: '7fc0', 99: '7ff8', 107: 'ffffffff', 113: 'ffffffffffffffff408f3c', 182: 'ffffffff', 192: 'ffffffffffffffffffffffffffffffff', 244: '80', 260: 'ffffffffff', 288: '80' });
const layout: sbe.Layout = {
  name: 'Everything',
  groups: [],
  data: [],
};

/** Everything (1). Every kind of field. */
export class Everything {
  static readonly templateId = 1;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 360;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 20 > limit) return cut('Everything', 20, limit - start);
    if (view.getUint16(start + 3) !== 1 || view.getUint32(start + 12) !== 77) return wrongTemplate('Everything');
    const version = view.getUint8(start);
    return block.wrap(start + 20, view.getUint32(start + 8), 280, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (version > 2) throw notInVersion('Everything', version);
    if (at + 380 > bytes.length) throw noRoom('Everything');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    this.#block.octets.set(blank, start);
    if (version < 2) {
      view.setUint32(start + 8, 360);
      view.setUint8(start, version);
    }
    this.#block.place(start + 20, 360, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 20; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(20); }
  get i8(): number { const { at, view } = this.#block; return view.getInt8(at); }
  setI8(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -128 || value > 127) throw outside('Everything.I8', value); view.setInt8(at, value); return this; }
  get i16(): number { const { at, view } = this.#block; return view.getInt16(at + 1); }
  setI16(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -32768 || value > 32767) throw outside('Everything.I16', value); view.setInt16(at + 1, value); return this; }
  get i32(): number { const { at, view } = this.#block; return view.getInt32(at + 3); }
  setI32(value: number): this { const { at, view } = this.#block; if (value !== (value | 0)) throw outside('Everything.I32', value); view.setInt32(at + 3, value); return this; }
  get i64(): number { const { at, view } = this.#block; return joined(view.getInt32(at + 8), view.getUint32(at + 12), 'Everything.I64'); }
  get i64Big(): bigint { const { at, view } = this.#block; return view.getBigInt64(at + 8); }
  get i64High(): number { const { at, view } = this.#block; return view.getInt32(at + 8); }
  get i64Low(): number { const { at, view } = this.#block; return view.getUint32(at + 12); }
  setI64(value: number): this { const { at, view } = this.#block; view.setUint32(at + 8, highOf(value, 'Everything.I64')); view.setUint32(at + 12, value); return this; }
  setI64Big(value: bigint): this { const { at, view } = this.#block; if (value < -9223372036854775808n || value > 9223372036854775807n) throw outside('Everything.I64', value); view.setBigInt64(at + 8, value); return this; }
  setI64Halves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 8, high); view.setUint32(at + 12, low); return this; }
  get u8(): number { const { at, view } = this.#block; return view.getUint8(at + 16); }
  setU8(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.U8', value); view.setUint8(at + 16, value); return this; }
  get u16(): number { const { at, view } = this.#block; return view.getUint16(at + 17); }
  setU16(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Everything.U16', value); view.setUint16(at + 17, value); return this; }
  get u32(): number { const { at, view } = this.#block; return view.getUint32(at + 19); }
  setU32(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('Everything.U32', value); view.setUint32(at + 19, value); return this; }
  get u64(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 23), view.getUint32(at + 27), 'Everything.U64'); }
  get u64Big(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 23); }
  get u64High(): number { const { at, view } = this.#block; return view.getUint32(at + 23); }
  get u64Low(): number { const { at, view } = this.#block; return view.getUint32(at + 27); }
  setU64(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Everything.U64', value); view.setUint32(at + 23, highOf(value, 'Everything.U64')); view.setUint32(at + 27, value); return this; }
  setU64Big(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Everything.U64', value); view.setBigUint64(at + 23, value); return this; }
  setU64Halves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 23, high); view.setUint32(at + 27, low); return this; }
  get f32(): number { const { at, view } = this.#block; return view.getFloat32(at + 31); }
  setF32(value: number): this { const { at, view } = this.#block; view.setFloat32(at + 31, value); return this; }
  get f64(): number { const { at, view } = this.#block; return view.getFloat64(at + 35); }
  setF64(value: number): this { const { at, view } = this.#block; view.setFloat64(at + 35, value); return this; }
  get char(): number { const { at, view } = this.#block; return view.getUint8(at + 43); }
  setChar(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Char', value); view.setUint8(at + 43, value); return this; }
  get optI8(): number | undefined { const { at, view } = this.#block; const value = view.getInt8(at + 44); return value === -128 ? undefined : value; }
  setOptI8(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < -127 || value > 127)) throw outside('Everything.OptI8', value); view.setInt8(at + 44, value ?? -128); return this; }
  get optI16(): number | undefined { const { at, view } = this.#block; const value = view.getInt16(at + 45); return value === -32768 ? undefined : value; }
  setOptI16(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < -32767 || value > 32767)) throw outside('Everything.OptI16', value); view.setInt16(at + 45, value ?? -32768); return this; }
  get optI32(): number | undefined { const { at, view } = this.#block; const value = view.getInt32(at + 47); return value === -2147483648 ? undefined : value; }
  setOptI32(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < -2147483647)) throw outside('Everything.OptI32', value); view.setInt32(at + 47, value ?? -2147483648); return this; }
  get optI64(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 51); const low = view.getUint32(at + 55); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Everything.OptI64'); }
  get optI64Big(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 51); return value === -9223372036854775808n ? undefined : value; }
  get optI64High(): number { const { at, view } = this.#block; return view.getInt32(at + 51); }
  get optI64Low(): number { const { at, view } = this.#block; return view.getUint32(at + 55); }
  setOptI64(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 51, value === undefined ? -2147483648 : highOf(value, 'Everything.OptI64')); view.setUint32(at + 55, value ?? 0); return this; }
  setOptI64Big(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.OptI64', value); view.setBigInt64(at + 51, value ?? -9223372036854775808n); return this; }
  setOptI64Halves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 51, high); view.setUint32(at + 55, low); return this; }
  get optU8(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 59); return value === 255 ? undefined : value; }
  setOptU8(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 254)) throw outside('Everything.OptU8', value); view.setUint8(at + 59, value ?? 255); return this; }
  get optU16(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 60); return value === 65535 ? undefined : value; }
  setOptU16(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Everything.OptU16', value); view.setUint16(at + 60, value ?? 65535); return this; }
  get optU32(): number | undefined { const { at, view } = this.#block; const value = view.getUint32(at + 62); return value === 4294967295 ? undefined : value; }
  setOptU32(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('Everything.OptU32', value); view.setUint32(at + 62, value ?? 4294967295); return this; }
  get optU64(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 66); const low = view.getUint32(at + 70); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Everything.OptU64'); }
  get optU64Big(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 66); return value === 18446744073709551615n ? undefined : value; }
  get optU64High(): number { const { at, view } = this.#block; return view.getUint32(at + 66); }
  get optU64Low(): number { const { at, view } = this.#block; return view.getUint32(at + 70); }
  setOptU64(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('Everything.OptU64', value); view.setUint32(at + 66, value === undefined ? 4294967295 : highOf(value, 'Everything.OptU64')); view.setUint32(at + 70, value ?? 4294967295); return this; }
  setOptU64Big(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Everything.OptU64', value); view.setBigUint64(at + 66, value ?? 18446744073709551615n); return this; }
  setOptU64Halves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 66, high); view.setUint32(at + 70, low); return this; }
  get optChar(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 74); return value === 0 ? undefined : value; }
  setOptChar(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 1 || value > 255)) throw outside('Everything.OptChar', value); view.setUint8(at + 74, value ?? 0); return this; }
  get optF32(): number | undefined { const { at, view } = this.#block; const value = view.getFloat32(at + 75); return Number.isNaN(value) ? undefined : value; }
  setOptF32(value: number | undefined): this { const { at, view } = this.#block; view.setFloat32(at + 75, value ?? Number.NaN); return this; }
  get optF64(): number | undefined { const { at, view } = this.#block; const value = view.getFloat64(at + 79); return Number.isNaN(value) ? undefined : value; }
  setOptF64(value: number | undefined): this { const { at, view } = this.#block; view.setFloat64(at + 79, value ?? Number.NaN); return this; }
  get byFieldOptional(): number | undefined { const { at, view } = this.#block; const value = view.getUint32(at + 87); return value === 4294967295 ? undefined : value; }
  setByFieldOptional(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('Everything.ByFieldOptional', value); view.setUint32(at + 87, value ?? 4294967295); return this; }
  get zeroIsNull(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 91); return value === 0 ? undefined : value; }
  setZeroIsNull(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 1 || value > 65535)) throw outside('Everything.ZeroIsNull', value); view.setUint16(at + 91, value ?? 0); return this; }
  get minusOneIsNull(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 93); const low = view.getUint32(at + 97); return high === -1 && low === 4294967295 ? undefined : joined(high, low, 'Everything.MinusOneIsNull'); }
  get minusOneIsNullBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 93); return value === -1n ? undefined : value; }
  get minusOneIsNullHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 93); }
  get minusOneIsNullLow(): number { const { at, view } = this.#block; return view.getUint32(at + 97); }
  setMinusOneIsNull(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 93, value === undefined ? -1 : highOf(value, 'Everything.MinusOneIsNull')); view.setUint32(at + 97, value ?? 4294967295); return this; }
  setMinusOneIsNullBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775808n || value > 9223372036854775807n)) throw outside('Everything.MinusOneIsNull', value); view.setBigInt64(at + 93, value ?? -1n); return this; }
  setMinusOneIsNullHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 93, high); view.setUint32(at + 97, low); return this; }
  get nineIsNull(): number | undefined { const { at, view } = this.#block; const value = view.getFloat64(at + 101); return value === 999.5 ? undefined : value; }
  setNineIsNull(value: number | undefined): this { const { at, view } = this.#block; view.setFloat64(at + 101, value ?? 999.5); return this; }
  get percent(): number { const { at, view } = this.#block; return view.getUint8(at + 109); }
  setPercent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < 1 || value > 100) throw outside('Everything.Percent', value); view.setUint8(at + 109, value); return this; }
  get near(): number { const { at, view } = this.#block; return joined(view.getInt32(at + 110), view.getUint32(at + 114), 'Everything.Near'); }
  get nearBig(): bigint { const { at, view } = this.#block; return view.getBigInt64(at + 110); }
  get nearHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 110); }
  get nearLow(): number { const { at, view } = this.#block; return view.getUint32(at + 114); }
  setNear(value: number): this { const { at, view } = this.#block; if (value < -10 || value > 10) throw outside('Everything.Near', value); view.setUint32(at + 110, highOf(value, 'Everything.Near')); view.setUint32(at + 114, value); return this; }
  setNearBig(value: bigint): this { const { at, view } = this.#block; if (value < -10n || value > 10n) throw outside('Everything.Near', value); view.setBigInt64(at + 110, value); return this; }
  setNearHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 110, high); view.setUint32(at + 114, low); return this; }
  get cold(): number { const { at, view } = this.#block; return view.getFloat32(at + 118); }
  setCold(value: number): this { const { at, view } = this.#block; if (value < -273.25 || value > 0) throw outside('Everything.Cold', value); view.setFloat32(at + 118, value); return this; }
  get ascii(): string { const { at, octets } = this.#block; return textAt(octets, at + 122, 6, 'ascii'); }
  get asciiBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 122, at + 128); }
  setAscii(value: string): this { const { at, octets } = this.#block; putText(octets, at + 122, 6, value, 'ascii', 'Everything.Ascii'); return this; }
  setAsciiBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 122, 6, value, 'Everything.Ascii'); return this; }
  get latin(): string | undefined { const { at, octets } = this.#block; return textAt(octets, at + 128, 6, 'latin1') || undefined; }
  get latinBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 128, at + 134); }
  setLatin(value: string | undefined): this { const { at, octets } = this.#block; putText(octets, at + 128, 6, value ?? '', 'latin1', 'Everything.Latin'); return this; }
  setLatinBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 128, 6, value, 'Everything.Latin'); return this; }
  get utf(): string { const { at, octets } = this.#block; return textAt(octets, at + 134, 12, 'utf8'); }
  get utfBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 134, at + 146); }
  setUtf(value: string): this { const { at, octets } = this.#block; putText(octets, at + 134, 12, value, 'utf8', 'Everything.Utf'); return this; }
  setUtfBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 134, 12, value, 'Everything.Utf'); return this; }
  get uuid(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 146, at + 162); }
  setUuid(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + 146, 16, value, 'Everything.Uuid'); return this; }
  get optHash(): Uint8Array | undefined { const { at, octets } = this.#block; if (isFilled(octets, at + 162, at + 166, 255)) return undefined; return octets.subarray(at + 162, at + 166); }
  setOptHash(value: Uint8Array | undefined): this { const { at, octets } = this.#block; if (value === undefined) octets.fill(255, at + 162, at + 166); else putWhole(octets, at + 162, 4, value, 'Everything.OptHash'); return this; }
  shorts(index: number): number { const { at, view } = this.#block; return view.getInt16(at + 166 + placeOf(index, 3, 2, 'Everything.Shorts')); }
  setShorts(index: number, value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -32768 || value > 32767) throw outside('Everything.Shorts', value); view.setInt16(at + 166 + placeOf(index, 3, 2, 'Everything.Shorts'), value); return this; }
  longs(index: number): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); const low = view.getUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Everything.Longs'); }
  longsBig(index: number): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); return value === 18446744073709551615n ? undefined : value; }
  longsHigh(index: number): number { const { at, view } = this.#block; return view.getUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); }
  longsLow(index: number): number { const { at, view } = this.#block; return view.getUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4); }
  setLongs(index: number, value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('Everything.Longs', value); view.setUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs'), value === undefined ? 4294967295 : highOf(value, 'Everything.Longs')); view.setUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4, value ?? 4294967295); return this; }
  setLongsBig(index: number, value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Everything.Longs', value); view.setBigUint64(at + 172 + placeOf(index, 2, 8, 'Everything.Longs'), value ?? 18446744073709551615n); return this; }
  setLongsHalves(index: number, high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs'), high); view.setUint32(at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4, low); return this; }
  doubles(index: number): number { const { at, view } = this.#block; return view.getFloat64(at + 188 + placeOf(index, 2, 8, 'Everything.Doubles')); }
  setDoubles(index: number, value: number): this { const { at, view } = this.#block; view.setFloat64(at + 188 + placeOf(index, 2, 8, 'Everything.Doubles'), value); return this; }
  get venue(): string { return 'XBSL'; }
  get answer(): number { return 42; }
  get initial(): number { return 67; }
  get huge(): bigint { return 18446744073709551614n; }
  get side(): number { const { at, view } = this.#block; return view.getUint8(at + 204); }
  setSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Side', value); view.setUint8(at + 204, value); return this; }
  get optSide(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 205); return value === 0 ? undefined : value; }
  setOptSide(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('Everything.OptSide', value); view.setUint8(at + 205, value ?? 0); return this; }
  get alwaysSell(): number { return 50; }
  get color(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 206); return value === 0 ? undefined : value; }
  setColor(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('Everything.Color', value); view.setUint8(at + 206, value ?? 0); return this; }
  get reason(): number { const { at, view } = this.#block; return view.getUint16(at + 207); }
  setReason(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Everything.Reason', value); view.setUint16(at + 207, value); return this; }
  get bits8(): number { const { at, view } = this.#block; return view.getUint8(at + 209); }
  setBits8(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Bits8', value); view.setUint8(at + 209, value); return this; }
  get bits16(): number { const { at, view } = this.#block; return view.getUint16(at + 210); }
  setBits16(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Everything.Bits16', value); view.setUint16(at + 210, value); return this; }
  get bits32(): number { const { at, view } = this.#block; return view.getUint32(at + 212); }
  setBits32(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('Everything.Bits32', value); view.setUint32(at + 212, value); return this; }
  get bits64(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 216), view.getUint32(at + 220), 'Everything.Bits64'); }
  get bits64Big(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 216); }
  get bits64High(): number { const { at, view } = this.#block; return view.getUint32(at + 216); }
  get bits64Low(): number { const { at, view } = this.#block; return view.getUint32(at + 220); }
  setBits64(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Everything.Bits64', value); view.setUint32(at + 216, highOf(value, 'Everything.Bits64')); view.setUint32(at + 220, value); return this; }
  setBits64Big(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Everything.Bits64', value); view.setBigUint64(at + 216, value); return this; }
  setBits64Halves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 216, high); view.setUint32(at + 220, low); return this; }
  get priceMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 224); const low = view.getUint32(at + 228); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Everything.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 224); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 224); }
  get priceMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at + 228); }
  setPriceMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 224, value === undefined ? -2147483648 : highOf(value, 'Everything.Price.mantissa')); view.setUint32(at + 228, value ?? 0); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.Price.mantissa', value); view.setBigInt64(at + 224, value ?? -9223372036854775808n); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 224, high); view.setUint32(at + 228, low); return this; }
  get priceExponent(): number { return -8; }
  get sentAtTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 232), view.getUint32(at + 236), 'Everything.SentAt.time'); }
  get sentAtTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 232); }
  get sentAtTimeHigh(): number { const { at, view } = this.#block; return view.getUint32(at + 232); }
  get sentAtTimeLow(): number { const { at, view } = this.#block; return view.getUint32(at + 236); }
  setSentAtTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Everything.SentAt.time', value); view.setUint32(at + 232, highOf(value, 'Everything.SentAt.time')); view.setUint32(at + 236, value); return this; }
  setSentAtTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Everything.SentAt.time', value); view.setBigUint64(at + 232, value); return this; }
  setSentAtTimeHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 232, high); view.setUint32(at + 236, low); return this; }
  get sentAtUnit(): number { return 9; }
  get maturityYear(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 240); return value === 65535 ? undefined : value; }
  setMaturityYear(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Everything.Maturity.year', value); view.setUint16(at + 240, value ?? 65535); return this; }
  get maturityMonth(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 242); return value === 255 ? undefined : value; }
  setMaturityMonth(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 1 || value > 12)) throw outside('Everything.Maturity.month', value); view.setUint8(at + 242, value ?? 255); return this; }
  get maturityDay(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 243); return value === 255 ? undefined : value; }
  setMaturityDay(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 1 || value > 31)) throw outside('Everything.Maturity.day', value); view.setUint8(at + 243, value ?? 255); return this; }
  get maturityWeek(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 244); return value === 255 ? undefined : value; }
  setMaturityWeek(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 1 || value > 5)) throw outside('Everything.Maturity.week', value); view.setUint8(at + 244, value ?? 255); return this; }
  get localTimeTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 245), view.getUint32(at + 249), 'Everything.LocalTime.time'); }
  get localTimeTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 245); }
  get localTimeTimeHigh(): number { const { at, view } = this.#block; return view.getUint32(at + 245); }
  get localTimeTimeLow(): number { const { at, view } = this.#block; return view.getUint32(at + 249); }
  setLocalTimeTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Everything.LocalTime.time', value); view.setUint32(at + 245, highOf(value, 'Everything.LocalTime.time')); view.setUint32(at + 249, value); return this; }
  setLocalTimeTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Everything.LocalTime.time', value); view.setBigUint64(at + 245, value); return this; }
  setLocalTimeTimeHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 245, high); view.setUint32(at + 249, low); return this; }
  get localTimeUnit(): number { const { at, view } = this.#block; return view.getUint8(at + 253); }
  setLocalTimeUnit(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.LocalTime.unit', value); view.setUint8(at + 253, value); return this; }
  get localTimeTimezoneHour(): number { const { at, view } = this.#block; return view.getInt8(at + 254); }
  setLocalTimeTimezoneHour(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -12 || value > 14) throw outside('Everything.LocalTime.timezoneHour', value); view.setInt8(at + 254, value); return this; }
  get localTimeTimezoneMinute(): number { const { at, view } = this.#block; return view.getUint8(at + 255); }
  setLocalTimeTimezoneMinute(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < 0 || value > 59) throw outside('Everything.LocalTime.timezoneMinute', value); view.setUint8(at + 255, value); return this; }
  get engineCapacity(): number { const { at, view } = this.#block; return view.getUint16(at + 258); }
  setEngineCapacity(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Everything.Engine.capacity', value); view.setUint16(at + 258, value); return this; }
  get engineFlags(): number { const { at, view } = this.#block; return view.getUint16(at + 262); }
  setEngineFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('Everything.Engine.flags', value); view.setUint16(at + 262, value); return this; }
  get engineBoosterBoostType(): number { const { at, view } = this.#block; return view.getUint8(at + 264); }
  setEngineBoosterBoostType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Engine.booster.BoostType', value); view.setUint8(at + 264, value); return this; }
  get engineBoosterHorsePower(): number { const { at, view } = this.#block; return view.getUint8(at + 266); }
  setEngineBoosterHorsePower(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Engine.booster.horsePower', value); view.setUint8(at + 266, value); return this; }
  get engineBoosterPriceMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 268); const low = view.getUint32(at + 272); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'Everything.Engine.booster.price.mantissa'); }
  get engineBoosterPriceMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 268); return value === -9223372036854775808n ? undefined : value; }
  get engineBoosterPriceMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 268); }
  get engineBoosterPriceMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at + 272); }
  setEngineBoosterPriceMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 268, value === undefined ? -2147483648 : highOf(value, 'Everything.Engine.booster.price.mantissa')); view.setUint32(at + 272, value ?? 0); return this; }
  setEngineBoosterPriceMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.Engine.booster.price.mantissa', value); view.setBigInt64(at + 268, value ?? -9223372036854775808n); return this; }
  setEngineBoosterPriceMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 268, high); view.setUint32(at + 272, low); return this; }
  get engineBoosterPriceExponent(): number { return -8; }
  get engineCode(): string { const { at, octets } = this.#block; return textAt(octets, at + 276, 3, 'ascii'); }
  get engineCodeBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 276, at + 279); }
  setEngineCode(value: string): this { const { at, octets } = this.#block; putText(octets, at + 276, 3, value, 'ascii', 'Everything.Engine.code'); return this; }
  setEngineCodeBytes(value: Uint8Array): this { const { at, octets } = this.#block; putOctets(octets, at + 276, 3, value, 'Everything.Engine.code'); return this; }
  get engineOptions(): number { const { at, view } = this.#block; return view.getUint8(at + 279); }
  setEngineOptions(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('Everything.Engine.Options', value); view.setUint8(at + 279, value); return this; }
  get engineMaker(): string { return 'Honda'; }
}
