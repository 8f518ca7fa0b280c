// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, placeOf, putCharacters, putPairs, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

/** The entries of Grown.Legs. */
export class GrownLegs {
  static readonly blockLength = 14;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  #dimension = 0;
  #blockLength = 0;
  #count = 0;
  #index = 0;
  /** The entry that is read or written, and the one to be read after it. */
  #at = 0;
  #next = 0;
  #end = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('Grown.Legs', 4, limit - at);
    const blockLength = view.getUint16(at);
    const count = view.getUint16(at + 2);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('Grown.Legs', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Grown.Legs', count * blockLength, left);
    const needed = this.#version <= 0 ? 1 : this.#version <= 1 ? 9 : 14;
    if (count > 0 && blockLength < needed) return shorter('Grown.Legs', blockLength, needed, this.#version);
    this.rewind();
    for (let index = 0; index < count; index += 1) {
      const fault = this.#enter();
      if (fault !== undefined) return fault;
    }
    this.#end = this.#next;
    this.rewind();
    return undefined;
  }
  /** For the message: behind the last entry. */
  get end(): number {
    return this.#end;
  }
  /** For the message: the group is not there. */
  clear(): void {
    this.#count = 0;
    this.#end = this.#dimension;
  }
  get count(): number {
    return this.#count;
  }
  /** Goes before the first entry. */
  rewind(): this {
    this.#index = 0;
    this.#next = this.#dimension + 4;
    return this;
  }
  /** Goes to the next entry, if there is one. */
  next(): boolean {
    if (this.#index === this.#count) return false;
    this.#index += 1;
    this.#enter();
    return true;
  }
  #enter(): string | undefined {
    const view = this.#view;
    const limit = this.#limit;
    this.#at = this.#next;
    let next = this.#at + this.#blockLength;
    if (next > limit) return cut('Grown.Legs', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('Grown.Legs.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    if (symbolSize > 200) return beyond('Grown.Legs.Symbol', symbolSize, 200);
    next += 1;
    if (next + symbolSize > limit) return cut('Grown.Legs.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 1;
    this.#next = next;
    return undefined;
  }
  /** For the message: writes an empty group at `at`. */
  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    this.#blockLength = version <= 0 ? 1 : version <= 1 ? 9 : 14;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('Grown.Legs');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('Grown.Legs');
    const at = this.finish();
    if (at + 14 > this.#limit) throw noRoom('Grown.Legs');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count);
    view.setUint32(at, 32768, true);
    view.setUint32(at + 4, 0, true);
    view.setUint32(at + 8, 4294967040, true);
    view.setUint8(at + 12, 255);
    view.setUint8(at + 13, 255);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(1);
    return this.#end;
  }
  get ratio(): number { return this.#view.getInt8(this.#at); }
  setRatio(value: number): this { if (value !== (value | 0) || value < -128 || value > 127) throw outside('Grown.Legs.Ratio', value); this.#view.setInt8(this.#at, value); return this; }
  get strike(): number | undefined { if (this.#version < 1) return undefined; const high = this.#view.getInt32(this.#at + 1); const low = this.#view.getUint32(this.#at + 5); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Grown.Legs.Strike'); }
  get strikeBig(): bigint | undefined { if (this.#version < 1) return undefined; const value = this.#view.getBigInt64(this.#at + 1); return value === -9223372036854775808n ? undefined : value; }
  get strikeHigh(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getInt32(this.#at + 1); }
  get strikeLow(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getUint32(this.#at + 5); }
  setStrike(value: number | undefined): this { if (this.#version < 1) throw notInVersion('Grown.Legs.Strike', this.#version); const view = this.#view; const at = this.#at + 1; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Grown.Legs.Strike')); view.setUint32(at + 4, value ?? 0); return this; }
  setStrikeBig(value: bigint | undefined): this { if (this.#version < 1) throw notInVersion('Grown.Legs.Strike', this.#version); if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Grown.Legs.Strike', value); this.#view.setBigInt64(this.#at + 1, value ?? -9223372036854775808n); return this; }
  setStrikeHalves(high: number, low: number): this { if (this.#version < 1) throw notInVersion('Grown.Legs.Strike', this.#version); const view = this.#view; const at = this.#at + 1; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get expiryYear(): number | undefined { if (this.#version < 2) return undefined; const value = this.#view.getUint16(this.#at + 9); return value === 65535 ? undefined : value; }
  setExpiryYear(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Legs.Expiry.year', this.#version); if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('Grown.Legs.Expiry.year', value); this.#view.setUint16(this.#at + 9, value ?? 65535); return this; }
  get expiryMonth(): number | undefined { if (this.#version < 2) return undefined; const value = this.#view.getUint8(this.#at + 11); return value === 255 ? undefined : value; }
  setExpiryMonth(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Legs.Expiry.month', this.#version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 12)) throw outside('Grown.Legs.Expiry.month', value); this.#view.setUint8(this.#at + 11, value ?? 255); return this; }
  get expiryDay(): number | undefined { if (this.#version < 2) return undefined; const value = this.#view.getUint8(this.#at + 12); return value === 255 ? undefined : value; }
  setExpiryDay(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Legs.Expiry.day', this.#version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 31)) throw outside('Grown.Legs.Expiry.day', value); this.#view.setUint8(this.#at + 12, value ?? 255); return this; }
  get expiryWeek(): number | undefined { if (this.#version < 2) return undefined; const value = this.#view.getUint8(this.#at + 13); return value === 255 ? undefined : value; }
  setExpiryWeek(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Legs.Expiry.week', this.#version); if (value !== undefined && (value !== (value | 0) || value < 1 || value > 5)) throw outside('Grown.Legs.Expiry.week', value); this.#view.setUint8(this.#at + 13, value ?? 255); return this; }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'ascii');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 200);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'ascii', 'Grown.Legs.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 200) throw outside('Grown.Legs.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('Grown.Legs.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Grown.Legs');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('Grown.Legs.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** The entries of Grown.Fees. */
export class GrownFees {
  static readonly blockLength = 9;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  #dimension = 0;
  #blockLength = 0;
  #count = 0;
  #index = 0;
  /** The entry that is read or written, and the one to be read after it. */
  #at = 0;
  #next = 0;
  #end = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    if (version < 1) {
      this.clear();
      return undefined;
    }
    const left = limit - at - 4;
    if (left < 0) return cut('Grown.Fees', 4, limit - at);
    const blockLength = view.getUint16(at);
    const count = view.getUint16(at + 2);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('Grown.Fees', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Grown.Fees', count * blockLength, left);
    const needed = this.#version <= 1 ? 8 : 9;
    if (count > 0 && blockLength < needed) return shorter('Grown.Fees', blockLength, needed, this.#version);
    this.#end = at + 4 + count * blockLength;
    this.rewind();
    return undefined;
  }
  /** For the message: behind the last entry. */
  get end(): number {
    return this.#end;
  }
  /** For the message: the group is not there. */
  clear(): void {
    this.#count = 0;
    this.#end = this.#dimension;
  }
  get count(): number {
    return this.#count;
  }
  /** Goes before the first entry. */
  rewind(): this {
    this.#index = 0;
    this.#next = this.#dimension + 4;
    return this;
  }
  /** Goes to the next entry, if there is one. */
  next(): boolean {
    if (this.#index === this.#count) return false;
    this.#index += 1;
    this.#at = this.#next;
    this.#next += this.#blockLength;
    return true;
  }
  /** For the message: writes an empty group at `at`. */
  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    this.#blockLength = version <= 1 ? 8 : 9;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('Grown.Fees');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('Grown.Fees');
    const at = this.finish();
    if (at + 9 > this.#limit) throw noRoom('Grown.Fees');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count);
    view.setFloat64(at, 0);
    view.setUint8(at + 8, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    return this.#end;
  }
  get fee(): number { const high = this.#view.getInt32(this.#at); const low = this.#view.getUint32(this.#at + 4); return joined(high, low, 'Grown.Fees.Fee'); }
  get feeBig(): bigint { return this.#view.getBigInt64(this.#at); }
  get feeHigh(): number { return this.#view.getInt32(this.#at); }
  get feeLow(): number { return this.#view.getUint32(this.#at + 4); }
  setFee(value: number): this { if (value < -10 || value > 10) throw outside('Grown.Fees.Fee', value); const view = this.#view; const at = this.#at; view.setUint32(at, highOf(value, 'Grown.Fees.Fee')); view.setUint32(at + 4, value); return this; }
  setFeeBig(value: bigint): this { if (value < -10n || value > 10n) throw outside('Grown.Fees.Fee', value); this.#view.setBigInt64(this.#at, value); return this; }
  setFeeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get kind(): number | undefined { if (this.#version < 2) return undefined; const value = this.#view.getUint8(this.#at + 8); return value === 0 ? undefined : value; }
  setKind(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Fees.Kind', this.#version); if (value !== undefined && (value !== (value & 255))) throw outside('Grown.Fees.Kind', value); this.#view.setUint8(this.#at + 8, value ?? 0); return this; }
}

/** Grown (3). Grew in versions 1 and 2. */
export class Grown {
  static readonly templateId = 3;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 42;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;
  readonly #legs = new GrownLegs();
  readonly #fees = new GrownFees();
  #memoAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: GrownLegs | GrownFees | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 20 > limit) return cut('Grown', 20, limit - start);
    if (view.getUint16(start + 3) !== 3 || view.getUint32(start + 12) !== 77) return wrongTemplate('Grown');
    const blockLength = view.getUint32(start + 8);
    const version = view.getUint8(start);
    const needed = version <= 0 ? 4 : version <= 1 ? 18 : 42;
    if (blockLength < needed) return shorter('Grown', blockLength, needed, version);
    let next = start + 20 + blockLength;
    if (next > limit) return cut('Grown', blockLength, limit - start - 20);
    this.#version = version;
    this.#at = start + 20;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#legs.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#legs.end;
    fault = this.#fees.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#fees.end;
    if (this.#version >= 2) {
      if (next + 4 > limit) return cut('Grown.Memo', 4, limit - next);
      this.#memoAt = next;
      const memoSize = view.getUint32(next);
      next += 4;
      if (next + memoSize > limit) return cut('Grown.Memo', memoSize, limit - next);
      next += memoSize;
    }
    this.#part = 3;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 2) throw notInVersion('Grown', version);
    if (at + 62 > bytes.length) throw noRoom('Grown');
    const start = this.#base + at;
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
    const blockLength = version <= 0 ? 4 : version <= 1 ? 18 : 42;
    if (version < 2) {
      view.setUint32(start + 8, blockLength);
      view.setUint8(start, version);
    }
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 20;
    this.#end = start + 20 + blockLength;
    this.#part = 0;
    this.#open = undefined;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    this.#reach(3);
    return this.#end - this.#at + 20;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(3);
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
  get first(): number { return this.#view.getUint32(this.#at); }
  setFirst(value: number): this { if (value !== value >>> 0) throw outside('Grown.First', value); this.#view.setUint32(this.#at, value); return this; }
  get second(): number | undefined { if (this.#version < 1) return undefined; const high = this.#view.getUint32(this.#at + 4); const low = this.#view.getUint32(this.#at + 8); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Grown.Second'); }
  get secondBig(): bigint | undefined { if (this.#version < 1) return undefined; const value = this.#view.getBigUint64(this.#at + 4); return value === 18446744073709551615n ? undefined : value; }
  get secondHigh(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getUint32(this.#at + 4); }
  get secondLow(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getUint32(this.#at + 8); }
  setSecond(value: number | undefined): this { if (this.#version < 1) throw notInVersion('Grown.Second', this.#version); if (value !== undefined && (value < 0)) throw outside('Grown.Second', value); const view = this.#view; const at = this.#at + 4; view.setUint32(at, value === undefined ? 4294967295 : highOf(value, 'Grown.Second')); view.setUint32(at + 4, value ?? 4294967295); return this; }
  setSecondBig(value: bigint | undefined): this { if (this.#version < 1) throw notInVersion('Grown.Second', this.#version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Grown.Second', value); this.#view.setBigUint64(this.#at + 4, value ?? 18446744073709551615n); return this; }
  setSecondHalves(high: number, low: number): this { if (this.#version < 1) throw notInVersion('Grown.Second', this.#version); const view = this.#view; const at = this.#at + 4; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get third(): string | undefined { if (this.#version < 1) return undefined; return textAt(this.#octets, this.#at + 12, 6, 'ascii'); }
  get thirdBytes(): Uint8Array | undefined { if (this.#version < 1) return undefined; return this.#octets.subarray(this.#at + 12, this.#at + 18); }
  setThird(value: string): this { if (this.#version < 1) throw notInVersion('Grown.Third', this.#version); putText(this.#octets, this.#at + 12, 6, value, 'ascii', 'Grown.Third'); return this; }
  setThirdBytes(value: Uint8Array): this { if (this.#version < 1) throw notInVersion('Grown.Third', this.#version); putPairs(this.#octets, this.#at + 12, 6, value, 'Grown.Third'); return this; }
  get fourthMantissa(): number | undefined { if (this.#version < 2) return undefined; const high = this.#view.getInt32(this.#at + 18); const low = this.#view.getUint32(this.#at + 22); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Grown.Fourth.mantissa'); }
  get fourthMantissaBig(): bigint | undefined { if (this.#version < 2) return undefined; const value = this.#view.getBigInt64(this.#at + 18); return value === -9223372036854775808n ? undefined : value; }
  get fourthMantissaHigh(): number | undefined { if (this.#version < 2) return undefined; return this.#view.getInt32(this.#at + 18); }
  get fourthMantissaLow(): number | undefined { if (this.#version < 2) return undefined; return this.#view.getUint32(this.#at + 22); }
  setFourthMantissa(value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Fourth.mantissa', this.#version); const view = this.#view; const at = this.#at + 18; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Grown.Fourth.mantissa')); view.setUint32(at + 4, value ?? 0); return this; }
  setFourthMantissaBig(value: bigint | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Fourth.mantissa', this.#version); if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Grown.Fourth.mantissa', value); this.#view.setBigInt64(this.#at + 18, value ?? -9223372036854775808n); return this; }
  setFourthMantissaHalves(high: number, low: number): this { if (this.#version < 2) throw notInVersion('Grown.Fourth.mantissa', this.#version); const view = this.#view; const at = this.#at + 18; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get fourthExponent(): number { return -8; }
  fifth(index: number): number | undefined { if (this.#version < 2) return undefined; const high = this.#view.getUint32(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); const low = this.#view.getUint32(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Grown.Fifth'); }
  fifthBig(index: number): bigint | undefined { if (this.#version < 2) return undefined; const value = this.#view.getBigUint64(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); return value === 18446744073709551615n ? undefined : value; }
  fifthHigh(index: number): number | undefined { if (this.#version < 2) return undefined; return this.#view.getUint32(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth')); }
  fifthLow(index: number): number | undefined { if (this.#version < 2) return undefined; return this.#view.getUint32(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth') + 4); }
  setFifth(index: number, value: number | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Fifth', this.#version); if (value !== undefined && (value < 0)) throw outside('Grown.Fifth', value); const view = this.#view; const at = this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'); view.setUint32(at, value === undefined ? 4294967295 : highOf(value, 'Grown.Fifth')); view.setUint32(at + 4, value ?? 4294967295); return this; }
  setFifthBig(index: number, value: bigint | undefined): this { if (this.#version < 2) throw notInVersion('Grown.Fifth', this.#version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Grown.Fifth', value); this.#view.setBigUint64(this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'), value ?? 18446744073709551615n); return this; }
  setFifthHalves(index: number, high: number, low: number): this { if (this.#version < 2) throw notInVersion('Grown.Fifth', this.#version); const view = this.#view; const at = this.#at + 26 + placeOf(index, 2, 8, 'Grown.Fifth'); view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  /** The entries, before the first. */
  get legs(): GrownLegs {
    return this.#legs.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeLegs(): GrownLegs {
    this.#reach(0);
    this.#part = 1;
    this.#legs.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#legs;
    return this.#legs;
  }
  /** The entries, before the first. */
  get fees(): GrownFees {
    if (this.#version < 1) this.#fees.clear();
    return this.#fees.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeFees(): GrownFees {
    if (this.#version < 1) throw notInVersion('Grown.Fees', this.#version);
    this.#reach(1);
    this.#part = 2;
    this.#fees.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#fees;
    return this.#fees;
  }
  get memo(): string | undefined {
    if (this.#version < 2) return undefined;
    const at = this.#memoAt;
    return decoded(this.#octets, at + 4, at + 4 + this.#view.getUint32(at), 'utf8');
  }
  get memoBytes(): Uint8Array | undefined {
    if (this.#version < 2) return undefined;
    const at = this.#memoAt;
    return this.#octets.subarray(at + 4, at + 4 + this.#view.getUint32(at));
  }
  setMemo(value: string): this {
    if (this.#version < 2) throw notInVersion('Grown.Memo', this.#version);
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 4 + 4294967295);
    const size = putCharacters(this.#octets, at + 4, limit, value, 'utf8', 'Grown.Memo');
    this.#view.setUint32(at, size);
    this.#memoAt = at;
    this.#end = at + 4 + size;
    this.#part = 3;
    return this;
  }
  setMemoBytes(value: Uint8Array): this {
    if (this.#version < 2) throw notInVersion('Grown.Memo', this.#version);
    this.#reach(2);
    const at = this.#end;
    if (value.length > 4294967295) throw outside('Grown.Memo', `${value.length} bytes`);
    if (at + 4 + value.length > this.#limit) throw noRoom('Grown.Memo');
    this.#octets.set(value, at + 4);
    this.#view.setUint32(at, value.length);
    this.#memoAt = at;
    this.#end = at + 4 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Grown');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#legs.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#legs.finish();
    }
    if (this.#part <= 1 && part > 1 && this.#version >= 1) {
      this.#fees.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#fees.finish();
    }
    if (this.#part <= 2 && part > 2 && this.#version >= 2) {
      if (this.#end + 4 > this.#limit) throw noRoom('Grown.Memo');
      this.#view.setUint32(this.#end, 0);
      this.#memoAt = this.#end;
      this.#end += 4;
    }
    this.#part = part;
  }
}
