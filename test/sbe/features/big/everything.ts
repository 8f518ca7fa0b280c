// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, isFilled, joined, noOctets, noRoom, notInVersion, noView, outside, placeOf, putOctets, putPairs, putText, putWhole, shorter, textAt, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

/** Everything (1). Every kind of field. */
export class Everything {
  static readonly templateId = 1;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 360;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 20 > limit) return cut('Everything', 20, limit - start);
    if (view.getUint16(start + 3) !== 1 || view.getUint32(start + 12) !== 77) return wrongTemplate('Everything');
    const blockLength = view.getUint32(start + 8);
    const version = view.getUint8(start);
    const needed = 280;
    if (blockLength < needed) return shorter('Everything', blockLength, needed, version);
    const next = start + 20 + blockLength;
    if (next > limit) return cut('Everything', blockLength, limit - start - 20);
    this.#version = version;
    this.#at = start + 20;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 2) throw notInVersion('Everything', version);
    if (at + 380 > bytes.length) throw noRoom('Everything');
    const start = this.#base + at;
    view.setUint32(start, 2, true);
    view.setUint32(start + 4, 1, true);
    view.setUint32(start + 8, 1744896000, true);
    view.setUint32(start + 12, 1291845632, true);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setFloat64(start + 48, 0);
    view.setFloat64(start + 56, 0);
    view.setUint32(start + 64, 2147516544, true);
    view.setUint32(start + 68, 2147483648, true);
    view.setUint32(start + 72, 0, true);
    view.setUint32(start + 76, 4278190080, true);
    view.setUint32(start + 80, 4294967295, true);
    view.setUint32(start + 84, 4294967295, true);
    view.setUint32(start + 88, 4294967295, true);
    view.setUint32(start + 92, 2130771967, true);
    view.setUint32(start + 96, 2130706624, true);
    view.setUint32(start + 100, 248, true);
    view.setUint32(start + 104, 4278190080, true);
    view.setUint32(start + 108, 16777215, true);
    view.setUint32(start + 112, 4294967040, true);
    view.setUint32(start + 116, 4294967295, true);
    view.setUint32(start + 120, 1016021247, true);
    view.setFloat64(start + 124, 0);
    view.setFloat64(start + 132, 0);
    view.setFloat64(start + 140, 0);
    view.setFloat64(start + 148, 0);
    view.setFloat64(start + 156, 0);
    view.setFloat64(start + 164, 0);
    view.setFloat64(start + 172, 0);
    view.setUint32(start + 180, 4294901760, true);
    view.setUint32(start + 184, 65535, true);
    view.setUint32(start + 188, 0, true);
    view.setUint32(start + 192, 4294967295, true);
    view.setUint32(start + 196, 4294967295, true);
    view.setUint32(start + 200, 4294967295, true);
    view.setUint32(start + 204, 4294967295, true);
    view.setFloat64(start + 208, 0);
    view.setFloat64(start + 216, 0);
    view.setFloat64(start + 224, 0);
    view.setFloat64(start + 232, 0);
    view.setUint32(start + 240, 0, true);
    view.setUint32(start + 244, 128, true);
    view.setFloat64(start + 248, 0);
    view.setUint32(start + 256, 0, true);
    view.setUint32(start + 260, 4294967295, true);
    view.setUint32(start + 264, 255, true);
    view.setFloat64(start + 268, 0);
    view.setFloat64(start + 276, 0);
    view.setUint32(start + 284, 0, true);
    view.setUint32(start + 288, 128, true);
    view.setFloat64(start + 292, 0);
    view.setFloat64(start + 300, 0);
    view.setFloat64(start + 308, 0);
    view.setFloat64(start + 316, 0);
    view.setFloat64(start + 324, 0);
    view.setFloat64(start + 332, 0);
    view.setFloat64(start + 340, 0);
    view.setFloat64(start + 348, 0);
    view.setFloat64(start + 356, 0);
    view.setFloat64(start + 364, 0);
    view.setFloat64(start + 372, 0);
    const blockLength = 360;
    if (version < 2) {
      view.setUint32(start + 8, blockLength);
      view.setUint8(start, version);
    }
    this.#version = version;
    this.#at = start + 20;
    this.#end = start + 20 + blockLength;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    return this.#end - this.#at + 20;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, this.#at - 20, this.#end - this.#at + 20);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get i8(): number { return this.#view.getInt8(this.#at); }
  setI8(value: number): this { if (value !== (value | 0) || value < -128 || value > 127) throw outside('Everything.I8', value); this.#view.setInt8(this.#at, value); return this; }
  get i16(): number { return this.#view.getInt16(this.#at + 1); }
  setI16(value: number): this { if (value !== (value | 0) || value < -32768 || value > 32767) throw outside('Everything.I16', value); this.#view.setInt16(this.#at + 1, value); return this; }
  get i32(): number { return this.#view.getInt32(this.#at + 3); }
  setI32(value: number): this { if (value !== (value | 0)) throw outside('Everything.I32', value); this.#view.setInt32(this.#at + 3, value); return this; }
  get i64(): number { const high = this.#view.getInt32(this.#at + 8); const low = this.#view.getUint32(this.#at + 12); return joined(high, low, 'Everything.I64'); }
  get i64Big(): bigint { return this.#view.getBigInt64(this.#at + 8); }
  get i64High(): number { return this.#view.getInt32(this.#at + 8); }
  get i64Low(): number { return this.#view.getUint32(this.#at + 12); }
  setI64(value: number): this { const view = this.#view; const at = this.#at + 8; view.setUint32(at, highOf(value, 'Everything.I64')); view.setUint32(at + 4, value); return this; }
  setI64Big(value: bigint): this { if (value < -9223372036854775808n || value > 9223372036854775807n) throw outside('Everything.I64', value); this.#view.setBigInt64(this.#at + 8, value); return this; }
  setI64Halves(high: number, low: number): this { const view = this.#view; const at = this.#at + 8; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get u8(): number { return this.#view.getUint8(this.#at + 16); }
  setU8(value: number): this { if (value !== (value & 255)) throw outside('Everything.U8', value); this.#view.setUint8(this.#at + 16, value); return this; }
  get u16(): number { return this.#view.getUint16(this.#at + 17); }
  setU16(value: number): this { if (value !== (value & 65535)) throw outside('Everything.U16', value); this.#view.setUint16(this.#at + 17, value); return this; }
  get u32(): number { return this.#view.getUint32(this.#at + 19); }
  setU32(value: number): this { if (value !== value >>> 0) throw outside('Everything.U32', value); this.#view.setUint32(this.#at + 19, value); return this; }
  get u64(): number { const high = this.#view.getUint32(this.#at + 23); const low = this.#view.getUint32(this.#at + 27); return joined(high, low, 'Everything.U64'); }
  get u64Big(): bigint { return this.#view.getBigUint64(this.#at + 23); }
  get u64High(): number { return this.#view.getUint32(this.#at + 23); }
  get u64Low(): number { return this.#view.getUint32(this.#at + 27); }
  setU64(value: number): this { if (value < 0) throw outside('Everything.U64', value); const view = this.#view; const at = this.#at + 23; view.setUint32(at, highOf(value, 'Everything.U64')); view.setUint32(at + 4, value); return this; }
  setU64Big(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Everything.U64', value); this.#view.setBigUint64(this.#at + 23, value); return this; }
  setU64Halves(high: number, low: number): this { const view = this.#view; const at = this.#at + 23; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get f32(): number { return this.#view.getFloat32(this.#at + 31); }
  setF32(value: number): this { this.#view.setFloat32(this.#at + 31, value); return this; }
  get f64(): number { return this.#view.getFloat64(this.#at + 35); }
  setF64(value: number): this { this.#view.setFloat64(this.#at + 35, value); return this; }
  get char(): number { return this.#view.getUint8(this.#at + 43); }
  setChar(value: number): this { if (value !== (value & 255)) throw outside('Everything.Char', value); this.#view.setUint8(this.#at + 43, value); return this; }
  get optI8(): number | undefined { const value = this.#view.getInt8(this.#at + 44); return value === -128 ? undefined : value; }
  setOptI8(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < -127 || value > 127)) throw outside('Everything.OptI8', value); this.#view.setInt8(this.#at + 44, value ?? -128); return this; }
  get optI16(): number | undefined { const value = this.#view.getInt16(this.#at + 45); return value === -32768 ? undefined : value; }
  setOptI16(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < -32767 || value > 32767)) throw outside('Everything.OptI16', value); this.#view.setInt16(this.#at + 45, value ?? -32768); return this; }
  get optI32(): number | undefined { const value = this.#view.getInt32(this.#at + 47); return value === -2147483648 ? undefined : value; }
  setOptI32(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < -2147483647)) throw outside('Everything.OptI32', value); this.#view.setInt32(this.#at + 47, value ?? -2147483648); return this; }
  get optI64(): number | undefined { const high = this.#view.getInt32(this.#at + 51); const low = this.#view.getUint32(this.#at + 55); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Everything.OptI64'); }
  get optI64Big(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 51); return value === -9223372036854775808n ? undefined : value; }
  get optI64High(): number { return this.#view.getInt32(this.#at + 51); }
  get optI64Low(): number { return this.#view.getUint32(this.#at + 55); }
  setOptI64(value: number | undefined): this { const view = this.#view; const at = this.#at + 51; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Everything.OptI64')); view.setUint32(at + 4, value ?? 0); return this; }
  setOptI64Big(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.OptI64', value); this.#view.setBigInt64(this.#at + 51, value ?? -9223372036854775808n); return this; }
  setOptI64Halves(high: number, low: number): this { const view = this.#view; const at = this.#at + 51; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get optU8(): number | undefined { const value = this.#view.getUint8(this.#at + 59); return value === 255 ? undefined : value; }
  setOptU8(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 254)) throw outside('Everything.OptU8', value); this.#view.setUint8(this.#at + 59, value ?? 255); return this; }
  get optU16(): number | undefined { const value = this.#view.getUint16(this.#at + 60); return value === 65535 ? undefined : value; }
  setOptU16(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Everything.OptU16', value); this.#view.setUint16(this.#at + 60, value ?? 65535); return this; }
  get optU32(): number | undefined { const value = this.#view.getUint32(this.#at + 62); return value === 4294967295 ? undefined : value; }
  setOptU32(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('Everything.OptU32', value); this.#view.setUint32(this.#at + 62, value ?? 4294967295); return this; }
  get optU64(): number | undefined { const high = this.#view.getUint32(this.#at + 66); const low = this.#view.getUint32(this.#at + 70); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Everything.OptU64'); }
  get optU64Big(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 66); return value === 18446744073709551615n ? undefined : value; }
  get optU64High(): number { return this.#view.getUint32(this.#at + 66); }
  get optU64Low(): number { return this.#view.getUint32(this.#at + 70); }
  setOptU64(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Everything.OptU64', value); const view = this.#view; const at = this.#at + 66; view.setUint32(at, value === undefined ? 4294967295 : highOf(value, 'Everything.OptU64')); view.setUint32(at + 4, value ?? 4294967295); return this; }
  setOptU64Big(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Everything.OptU64', value); this.#view.setBigUint64(this.#at + 66, value ?? 18446744073709551615n); return this; }
  setOptU64Halves(high: number, low: number): this { const view = this.#view; const at = this.#at + 66; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get optChar(): number | undefined { const value = this.#view.getUint8(this.#at + 74); return value === 0 ? undefined : value; }
  setOptChar(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 1 || value > 255)) throw outside('Everything.OptChar', value); this.#view.setUint8(this.#at + 74, value ?? 0); return this; }
  get optF32(): number | undefined { const value = this.#view.getFloat32(this.#at + 75); return Number.isNaN(value) ? undefined : value; }
  setOptF32(value: number | undefined): this { this.#view.setFloat32(this.#at + 75, value ?? Number.NaN); return this; }
  get optF64(): number | undefined { const value = this.#view.getFloat64(this.#at + 79); return Number.isNaN(value) ? undefined : value; }
  setOptF64(value: number | undefined): this { this.#view.setFloat64(this.#at + 79, value ?? Number.NaN); return this; }
  get byFieldOptional(): number | undefined { const value = this.#view.getUint32(this.#at + 87); return value === 4294967295 ? undefined : value; }
  setByFieldOptional(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('Everything.ByFieldOptional', value); this.#view.setUint32(this.#at + 87, value ?? 4294967295); return this; }
  get zeroIsNull(): number | undefined { const value = this.#view.getUint16(this.#at + 91); return value === 0 ? undefined : value; }
  setZeroIsNull(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 1 || value > 65535)) throw outside('Everything.ZeroIsNull', value); this.#view.setUint16(this.#at + 91, value ?? 0); return this; }
  get minusOneIsNull(): number | undefined { const high = this.#view.getInt32(this.#at + 93); const low = this.#view.getUint32(this.#at + 97); if (high === -1 && low === 4294967295) return undefined; return joined(high, low, 'Everything.MinusOneIsNull'); }
  get minusOneIsNullBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 93); return value === -1n ? undefined : value; }
  get minusOneIsNullHigh(): number { return this.#view.getInt32(this.#at + 93); }
  get minusOneIsNullLow(): number { return this.#view.getUint32(this.#at + 97); }
  setMinusOneIsNull(value: number | undefined): this { const view = this.#view; const at = this.#at + 93; view.setUint32(at, value === undefined ? -1 : highOf(value, 'Everything.MinusOneIsNull')); view.setUint32(at + 4, value ?? 4294967295); return this; }
  setMinusOneIsNullBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775808n || value > 9223372036854775807n)) throw outside('Everything.MinusOneIsNull', value); this.#view.setBigInt64(this.#at + 93, value ?? -1n); return this; }
  setMinusOneIsNullHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 93; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get nineIsNull(): number | undefined { const value = this.#view.getFloat64(this.#at + 101); return value === 999.5 ? undefined : value; }
  setNineIsNull(value: number | undefined): this { this.#view.setFloat64(this.#at + 101, value ?? 999.5); return this; }
  get percent(): number { return this.#view.getUint8(this.#at + 109); }
  setPercent(value: number): this { if (value !== (value | 0) || value < 1 || value > 100) throw outside('Everything.Percent', value); this.#view.setUint8(this.#at + 109, value); return this; }
  get near(): number { const high = this.#view.getInt32(this.#at + 110); const low = this.#view.getUint32(this.#at + 114); return joined(high, low, 'Everything.Near'); }
  get nearBig(): bigint { return this.#view.getBigInt64(this.#at + 110); }
  get nearHigh(): number { return this.#view.getInt32(this.#at + 110); }
  get nearLow(): number { return this.#view.getUint32(this.#at + 114); }
  setNear(value: number): this { if (value < -10 || value > 10) throw outside('Everything.Near', value); const view = this.#view; const at = this.#at + 110; view.setUint32(at, highOf(value, 'Everything.Near')); view.setUint32(at + 4, value); return this; }
  setNearBig(value: bigint): this { if (value < -10n || value > 10n) throw outside('Everything.Near', value); this.#view.setBigInt64(this.#at + 110, value); return this; }
  setNearHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 110; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get cold(): number { return this.#view.getFloat32(this.#at + 118); }
  setCold(value: number): this { if (value < -273.25 || value > 0) throw outside('Everything.Cold', value); this.#view.setFloat32(this.#at + 118, value); return this; }
  get ascii(): string { return textAt(this.#octets, this.#at + 122, 6, 'ascii'); }
  get asciiBytes(): Uint8Array { return this.#octets.subarray(this.#at + 122, this.#at + 128); }
  setAscii(value: string): this { putText(this.#octets, this.#at + 122, 6, value, 'ascii', 'Everything.Ascii'); return this; }
  setAsciiBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 122, 6, value, 'Everything.Ascii'); return this; }
  get latin(): string | undefined { return textAt(this.#octets, this.#at + 128, 6, 'latin1') || undefined; }
  get latinBytes(): Uint8Array { return this.#octets.subarray(this.#at + 128, this.#at + 134); }
  setLatin(value: string | undefined): this { putText(this.#octets, this.#at + 128, 6, value ?? '', 'latin1', 'Everything.Latin'); return this; }
  setLatinBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 128, 6, value, 'Everything.Latin'); return this; }
  get utf(): string { return textAt(this.#octets, this.#at + 134, 12, 'utf8'); }
  get utfBytes(): Uint8Array { return this.#octets.subarray(this.#at + 134, this.#at + 146); }
  setUtf(value: string): this { putText(this.#octets, this.#at + 134, 12, value, 'utf8', 'Everything.Utf'); return this; }
  setUtfBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 134, 12, value, 'Everything.Utf'); return this; }
  get uuid(): Uint8Array { return this.#octets.subarray(this.#at + 146, this.#at + 162); }
  setUuid(value: Uint8Array): this { putWhole(this.#octets, this.#at + 146, 16, value, 'Everything.Uuid'); return this; }
  get optHash(): Uint8Array | undefined { if (isFilled(this.#octets, this.#at + 162, this.#at + 166, 255)) return undefined; return this.#octets.subarray(this.#at + 162, this.#at + 166); }
  setOptHash(value: Uint8Array | undefined): this { if (value === undefined) { this.#octets.fill(255, this.#at + 162, this.#at + 166); return this; } putWhole(this.#octets, this.#at + 162, 4, value, 'Everything.OptHash'); return this; }
  shorts(index: number): number { return this.#view.getInt16(this.#at + 166 + placeOf(index, 3, 2, 'Everything.Shorts')); }
  setShorts(index: number, value: number): this { if (value !== (value | 0) || value < -32768 || value > 32767) throw outside('Everything.Shorts', value); this.#view.setInt16(this.#at + 166 + placeOf(index, 3, 2, 'Everything.Shorts'), value); return this; }
  longs(index: number): number | undefined { const high = this.#view.getUint32(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); const low = this.#view.getUint32(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Everything.Longs'); }
  longsBig(index: number): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); return value === 18446744073709551615n ? undefined : value; }
  longsHigh(index: number): number { return this.#view.getUint32(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs')); }
  longsLow(index: number): number { return this.#view.getUint32(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs') + 4); }
  setLongs(index: number, value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Everything.Longs', value); const view = this.#view; const at = this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs'); view.setUint32(at, value === undefined ? 4294967295 : highOf(value, 'Everything.Longs')); view.setUint32(at + 4, value ?? 4294967295); return this; }
  setLongsBig(index: number, value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Everything.Longs', value); this.#view.setBigUint64(this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs'), value ?? 18446744073709551615n); return this; }
  setLongsHalves(index: number, high: number, low: number): this { const view = this.#view; const at = this.#at + 172 + placeOf(index, 2, 8, 'Everything.Longs'); view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  doubles(index: number): number { return this.#view.getFloat64(this.#at + 188 + placeOf(index, 2, 8, 'Everything.Doubles')); }
  setDoubles(index: number, value: number): this { this.#view.setFloat64(this.#at + 188 + placeOf(index, 2, 8, 'Everything.Doubles'), value); return this; }
  get venue(): string { return 'XBSL'; }
  get answer(): number { return 42; }
  get initial(): number { return 67; }
  get huge(): bigint { return 18446744073709551614n; }
  get side(): number { return this.#view.getUint8(this.#at + 204); }
  setSide(value: number): this { if (value !== (value & 255)) throw outside('Everything.Side', value); this.#view.setUint8(this.#at + 204, value); return this; }
  get optSide(): number | undefined { const value = this.#view.getUint8(this.#at + 205); return value === 0 ? undefined : value; }
  setOptSide(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('Everything.OptSide', value); this.#view.setUint8(this.#at + 205, value ?? 0); return this; }
  get alwaysSell(): number { return 50; }
  get color(): number | undefined { const value = this.#view.getUint8(this.#at + 206); return value === 0 ? undefined : value; }
  setColor(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('Everything.Color', value); this.#view.setUint8(this.#at + 206, value ?? 0); return this; }
  get reason(): number { return this.#view.getUint16(this.#at + 207); }
  setReason(value: number): this { if (value !== (value & 65535)) throw outside('Everything.Reason', value); this.#view.setUint16(this.#at + 207, value); return this; }
  get bits8(): number { return this.#view.getUint8(this.#at + 209); }
  setBits8(value: number): this { if (value !== (value & 255)) throw outside('Everything.Bits8', value); this.#view.setUint8(this.#at + 209, value); return this; }
  get bits16(): number { return this.#view.getUint16(this.#at + 210); }
  setBits16(value: number): this { if (value !== (value & 65535)) throw outside('Everything.Bits16', value); this.#view.setUint16(this.#at + 210, value); return this; }
  get bits32(): number { return this.#view.getUint32(this.#at + 212); }
  setBits32(value: number): this { if (value !== value >>> 0) throw outside('Everything.Bits32', value); this.#view.setUint32(this.#at + 212, value); return this; }
  get bits64(): number { const high = this.#view.getUint32(this.#at + 216); const low = this.#view.getUint32(this.#at + 220); return joined(high, low, 'Everything.Bits64'); }
  get bits64Big(): bigint { return this.#view.getBigUint64(this.#at + 216); }
  get bits64High(): number { return this.#view.getUint32(this.#at + 216); }
  get bits64Low(): number { return this.#view.getUint32(this.#at + 220); }
  setBits64(value: number): this { if (value < 0) throw outside('Everything.Bits64', value); const view = this.#view; const at = this.#at + 216; view.setUint32(at, highOf(value, 'Everything.Bits64')); view.setUint32(at + 4, value); return this; }
  setBits64Big(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Everything.Bits64', value); this.#view.setBigUint64(this.#at + 216, value); return this; }
  setBits64Halves(high: number, low: number): this { const view = this.#view; const at = this.#at + 216; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get priceMantissa(): number | undefined { const high = this.#view.getInt32(this.#at + 224); const low = this.#view.getUint32(this.#at + 228); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Everything.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 224); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { return this.#view.getInt32(this.#at + 224); }
  get priceMantissaLow(): number { return this.#view.getUint32(this.#at + 228); }
  setPriceMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at + 224; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Everything.Price.mantissa')); view.setUint32(at + 4, value ?? 0); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.Price.mantissa', value); this.#view.setBigInt64(this.#at + 224, value ?? -9223372036854775808n); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 224; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get priceExponent(): number { return -8; }
  get sentAtTime(): number { const high = this.#view.getUint32(this.#at + 232); const low = this.#view.getUint32(this.#at + 236); return joined(high, low, 'Everything.SentAt.time'); }
  get sentAtTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 232); }
  get sentAtTimeHigh(): number { return this.#view.getUint32(this.#at + 232); }
  get sentAtTimeLow(): number { return this.#view.getUint32(this.#at + 236); }
  setSentAtTime(value: number): this { if (value < 0) throw outside('Everything.SentAt.time', value); const view = this.#view; const at = this.#at + 232; view.setUint32(at, highOf(value, 'Everything.SentAt.time')); view.setUint32(at + 4, value); return this; }
  setSentAtTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Everything.SentAt.time', value); this.#view.setBigUint64(this.#at + 232, value); return this; }
  setSentAtTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 232; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get sentAtUnit(): number { return 9; }
  get maturityYear(): number | undefined { const value = this.#view.getUint16(this.#at + 240); return value === 65535 ? undefined : value; }
  setMaturityYear(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Everything.Maturity.year', value); this.#view.setUint16(this.#at + 240, value ?? 65535); return this; }
  get maturityMonth(): number | undefined { const value = this.#view.getUint8(this.#at + 242); return value === 255 ? undefined : value; }
  setMaturityMonth(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 1 || value > 12)) throw outside('Everything.Maturity.month', value); this.#view.setUint8(this.#at + 242, value ?? 255); return this; }
  get maturityDay(): number | undefined { const value = this.#view.getUint8(this.#at + 243); return value === 255 ? undefined : value; }
  setMaturityDay(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 1 || value > 31)) throw outside('Everything.Maturity.day', value); this.#view.setUint8(this.#at + 243, value ?? 255); return this; }
  get maturityWeek(): number | undefined { const value = this.#view.getUint8(this.#at + 244); return value === 255 ? undefined : value; }
  setMaturityWeek(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 1 || value > 5)) throw outside('Everything.Maturity.week', value); this.#view.setUint8(this.#at + 244, value ?? 255); return this; }
  get localTimeTime(): number { const high = this.#view.getUint32(this.#at + 245); const low = this.#view.getUint32(this.#at + 249); return joined(high, low, 'Everything.LocalTime.time'); }
  get localTimeTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 245); }
  get localTimeTimeHigh(): number { return this.#view.getUint32(this.#at + 245); }
  get localTimeTimeLow(): number { return this.#view.getUint32(this.#at + 249); }
  setLocalTimeTime(value: number): this { if (value < 0) throw outside('Everything.LocalTime.time', value); const view = this.#view; const at = this.#at + 245; view.setUint32(at, highOf(value, 'Everything.LocalTime.time')); view.setUint32(at + 4, value); return this; }
  setLocalTimeTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Everything.LocalTime.time', value); this.#view.setBigUint64(this.#at + 245, value); return this; }
  setLocalTimeTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 245; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get localTimeUnit(): number { return this.#view.getUint8(this.#at + 253); }
  setLocalTimeUnit(value: number): this { if (value !== (value & 255)) throw outside('Everything.LocalTime.unit', value); this.#view.setUint8(this.#at + 253, value); return this; }
  get localTimeTimezoneHour(): number { return this.#view.getInt8(this.#at + 254); }
  setLocalTimeTimezoneHour(value: number): this { if (value !== (value | 0) || value < -12 || value > 14) throw outside('Everything.LocalTime.timezoneHour', value); this.#view.setInt8(this.#at + 254, value); return this; }
  get localTimeTimezoneMinute(): number { return this.#view.getUint8(this.#at + 255); }
  setLocalTimeTimezoneMinute(value: number): this { if (value !== (value | 0) || value < 0 || value > 59) throw outside('Everything.LocalTime.timezoneMinute', value); this.#view.setUint8(this.#at + 255, value); return this; }
  get engineCapacity(): number { return this.#view.getUint16(this.#at + 258); }
  setEngineCapacity(value: number): this { if (value !== (value & 65535)) throw outside('Everything.Engine.capacity', value); this.#view.setUint16(this.#at + 258, value); return this; }
  get engineFlags(): number { return this.#view.getUint16(this.#at + 262); }
  setEngineFlags(value: number): this { if (value !== (value & 65535)) throw outside('Everything.Engine.flags', value); this.#view.setUint16(this.#at + 262, value); return this; }
  get engineBoosterBoostType(): number { return this.#view.getUint8(this.#at + 264); }
  setEngineBoosterBoostType(value: number): this { if (value !== (value & 255)) throw outside('Everything.Engine.booster.BoostType', value); this.#view.setUint8(this.#at + 264, value); return this; }
  get engineBoosterHorsePower(): number { return this.#view.getUint8(this.#at + 266); }
  setEngineBoosterHorsePower(value: number): this { if (value !== (value & 255)) throw outside('Everything.Engine.booster.horsePower', value); this.#view.setUint8(this.#at + 266, value); return this; }
  get engineBoosterPriceMantissa(): number | undefined { const high = this.#view.getInt32(this.#at + 268); const low = this.#view.getUint32(this.#at + 272); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Everything.Engine.booster.price.mantissa'); }
  get engineBoosterPriceMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 268); return value === -9223372036854775808n ? undefined : value; }
  get engineBoosterPriceMantissaHigh(): number { return this.#view.getInt32(this.#at + 268); }
  get engineBoosterPriceMantissaLow(): number { return this.#view.getUint32(this.#at + 272); }
  setEngineBoosterPriceMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at + 268; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Everything.Engine.booster.price.mantissa')); view.setUint32(at + 4, value ?? 0); return this; }
  setEngineBoosterPriceMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Everything.Engine.booster.price.mantissa', value); this.#view.setBigInt64(this.#at + 268, value ?? -9223372036854775808n); return this; }
  setEngineBoosterPriceMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 268; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get engineBoosterPriceExponent(): number { return -8; }
  get engineCode(): string { return textAt(this.#octets, this.#at + 276, 3, 'ascii'); }
  get engineCodeBytes(): Uint8Array { return this.#octets.subarray(this.#at + 276, this.#at + 279); }
  setEngineCode(value: string): this { putText(this.#octets, this.#at + 276, 3, value, 'ascii', 'Everything.Engine.code'); return this; }
  setEngineCodeBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at + 276, 3, value, 'Everything.Engine.code'); return this; }
  get engineOptions(): number { return this.#view.getUint8(this.#at + 279); }
  setEngineOptions(value: number): this { if (value !== (value & 255)) throw outside('Everything.Engine.Options', value); this.#view.setUint8(this.#at + 279, value); return this; }
  get engineMaker(): string { return 'Honda'; }
}
