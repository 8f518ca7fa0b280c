// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

/** The entries of Parts.Small. */
export class PartsSmall {
  static readonly blockLength = 11;
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
    const left = limit - at - 2;
    if (left < 0) return cut('Parts.Small', 2, limit - at);
    const blockLength = view.getUint8(at + 1);
    const count = view.getUint8(at);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 5) return beyond('Parts.Small', count, 5);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Parts.Small', count * blockLength, left);
    const needed = 8;
    if (count > 0 && blockLength < needed) return shorter('Parts.Small', blockLength, needed, this.#version);
    this.#end = at + 2 + count * blockLength;
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
    this.#next = this.#dimension + 2;
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
    this.#blockLength = 11;
    this.#count = 0;
    if (at + 2 > limit) throw noRoom('Parts.Small');
    this.#octets.fill(0, at, at + 2);
    view.setUint8(at + 1, this.#blockLength);
    this.#end = at + 2;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 5) throw noRoom('Parts.Small');
    const at = this.finish();
    if (at + 11 > this.#limit) throw noRoom('Parts.Small');
    const view = this.#view;
    this.#count += 1;
    view.setUint8(this.#dimension, this.#count);
    view.setUint32(at, 128, true);
    view.setUint32(at + 4, 0, true);
    view.setUint8(at + 8, 0);
    view.setUint8(at + 9, 0);
    view.setUint8(at + 10, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    return this.#end;
  }
  get priceMantissa(): number | undefined { const high = this.#view.getInt32(this.#at); const low = this.#view.getUint32(this.#at + 4); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'Parts.Small.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { return this.#view.getInt32(this.#at); }
  get priceMantissaLow(): number { return this.#view.getUint32(this.#at + 4); }
  setPriceMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at; view.setUint32(at, value === undefined ? -2147483648 : highOf(value, 'Parts.Small.Price.mantissa')); view.setUint32(at + 4, value ?? 0); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('Parts.Small.Price.mantissa', value); this.#view.setBigInt64(this.#at, value ?? -9223372036854775808n); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at, high); view.setUint32(at + 4, low); return this; }
  get priceExponent(): number { return -8; }
}

/** The entries of Parts.Outer.Middle.Inner. */
export class PartsOuterMiddleInner {
  static readonly blockLength = 1;
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
  #noteAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 2;
    if (left < 0) return cut('Parts.Outer.Middle.Inner', 2, limit - at);
    const blockLength = view.getUint8(at + 1);
    const count = view.getUint8(at);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 5) return beyond('Parts.Outer.Middle.Inner', count, 5);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Parts.Outer.Middle.Inner', count * blockLength, left);
    const needed = 1;
    if (count > 0 && blockLength < needed) return shorter('Parts.Outer.Middle.Inner', blockLength, needed, this.#version);
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
    this.#next = this.#dimension + 2;
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
    if (next > limit) return cut('Parts.Outer.Middle.Inner', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('Parts.Outer.Middle.Inner.Note', 1, limit - next);
    this.#noteAt = next;
    const noteSize = view.getUint8(next);
    if (noteSize > 200) return beyond('Parts.Outer.Middle.Inner.Note', noteSize, 200);
    next += 1;
    if (next + noteSize > limit) return cut('Parts.Outer.Middle.Inner.Note', noteSize, limit - next);
    next += noteSize;
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
    this.#blockLength = 1;
    this.#count = 0;
    if (at + 2 > limit) throw noRoom('Parts.Outer.Middle.Inner');
    this.#octets.fill(0, at, at + 2);
    view.setUint8(at + 1, this.#blockLength);
    this.#end = at + 2;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 5) throw noRoom('Parts.Outer.Middle.Inner');
    const at = this.finish();
    if (at + 1 > this.#limit) throw noRoom('Parts.Outer.Middle.Inner');
    const view = this.#view;
    this.#count += 1;
    view.setUint8(this.#dimension, this.#count);
    view.setUint8(at, 0);
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
  get flag(): number { return this.#view.getUint8(this.#at); }
  setFlag(value: number): this { if (value !== (value & 255)) throw outside('Parts.Outer.Middle.Inner.Flag', value); this.#view.setUint8(this.#at, value); return this; }
  get note(): string {
    const at = this.#noteAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'ascii');
  }
  get noteBytes(): Uint8Array {
    const at = this.#noteAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setNote(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 200);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'ascii', 'Parts.Outer.Middle.Inner.Note');
    this.#view.setUint8(at, size);
    this.#noteAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setNoteBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 200) throw outside('Parts.Outer.Middle.Inner.Note', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('Parts.Outer.Middle.Inner.Note');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#noteAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Parts.Outer.Middle.Inner');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('Parts.Outer.Middle.Inner.Note');
      this.#view.setUint8(this.#end, 0);
      this.#noteAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** The entries of Parts.Outer.Middle. */
export class PartsOuterMiddle {
  static readonly blockLength = 4;
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
  readonly #inner = new PartsOuterMiddleInner();
  #rawAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: PartsOuterMiddleInner | undefined;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 12;
    if (left < 0) return cut('Parts.Outer.Middle', 12, limit - at);
    const blockLength = view.getUint32(at);
    const count = view.getUint32(at + 4);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 4294967295) return beyond('Parts.Outer.Middle', count, 4294967295);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Parts.Outer.Middle', count * blockLength, left);
    const needed = 4;
    if (count > 0 && blockLength < needed) return shorter('Parts.Outer.Middle', blockLength, needed, this.#version);
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
    this.#next = this.#dimension + 12;
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
    if (next > limit) return cut('Parts.Outer.Middle', this.#blockLength, limit - this.#at);
    let fault: string | undefined;
    fault = this.#inner.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#inner.end;
    if (next + 4 > limit) return cut('Parts.Outer.Middle.Raw', 4, limit - next);
    this.#rawAt = next;
    const rawSize = view.getUint32(next);
    next += 4;
    if (next + rawSize > limit) return cut('Parts.Outer.Middle.Raw', rawSize, limit - next);
    next += rawSize;
    this.#part = 2;
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
    this.#blockLength = 4;
    this.#count = 0;
    if (at + 12 > limit) throw noRoom('Parts.Outer.Middle');
    this.#octets.fill(0, at, at + 12);
    view.setUint32(at, this.#blockLength);
    view.setUint16(at + 8, 1);
    view.setUint16(at + 10, 1);
    this.#end = at + 12;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 4294967295) throw noRoom('Parts.Outer.Middle');
    const at = this.finish();
    if (at + 4 > this.#limit) throw noRoom('Parts.Outer.Middle');
    const view = this.#view;
    this.#count += 1;
    view.setUint32(this.#dimension + 4, this.#count);
    view.setUint32(at, 128, true);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(2);
    return this.#end;
  }
  get qty(): number | undefined { const value = this.#view.getInt32(this.#at); return value === -2147483648 ? undefined : value; }
  setQty(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < -2147483647)) throw outside('Parts.Outer.Middle.Qty', value); this.#view.setInt32(this.#at, value ?? -2147483648); return this; }
  /** The entries, before the first. */
  get inner(): PartsOuterMiddleInner {
    return this.#inner.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeInner(): PartsOuterMiddleInner {
    this.#reach(0);
    this.#part = 1;
    this.#inner.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#inner;
    return this.#inner;
  }
  get raw(): Uint8Array {
    const at = this.#rawAt;
    return this.#octets.subarray(at + 4, at + 4 + this.#view.getUint32(at));
  }
  setRaw(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 4294967295) throw outside('Parts.Outer.Middle.Raw', `${value.length} bytes`);
    if (at + 4 + value.length > this.#limit) throw noRoom('Parts.Outer.Middle.Raw');
    this.#octets.set(value, at + 4);
    this.#view.setUint32(at, value.length);
    this.#rawAt = at;
    this.#end = at + 4 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Parts.Outer.Middle');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#inner.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#inner.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 4 > this.#limit) throw noRoom('Parts.Outer.Middle.Raw');
      this.#view.setUint32(this.#end, 0);
      this.#rawAt = this.#end;
      this.#end += 4;
    }
    this.#part = part;
  }
}

/** The entries of Parts.Outer.OnlyData. */
export class PartsOuterOnlyData {
  static readonly blockLength = 0;
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
  #wordsAt = 0;
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
    if (left < 0) return cut('Parts.Outer.OnlyData', 4, limit - at);
    const blockLength = view.getUint16(at);
    const count = view.getUint16(at + 2);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('Parts.Outer.OnlyData', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Parts.Outer.OnlyData', count * blockLength, left);
    const needed = 0;
    if (count > 0 && blockLength < needed) return shorter('Parts.Outer.OnlyData', blockLength, needed, this.#version);
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
    if (next > limit) return cut('Parts.Outer.OnlyData', this.#blockLength, limit - this.#at);
    if (next + 2 > limit) return cut('Parts.Outer.OnlyData.Words', 2, limit - next);
    this.#wordsAt = next;
    const wordsSize = view.getUint16(next);
    next += 2;
    if (next + wordsSize > limit) return cut('Parts.Outer.OnlyData.Words', wordsSize, limit - next);
    next += wordsSize;
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
    this.#blockLength = 0;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('Parts.Outer.OnlyData');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('Parts.Outer.OnlyData');
    const at = this.finish();
    if (at + 0 > this.#limit) throw noRoom('Parts.Outer.OnlyData');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count);
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
  get words(): string {
    const at = this.#wordsAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at), 'latin1');
  }
  get wordsBytes(): Uint8Array {
    const at = this.#wordsAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at));
  }
  setWords(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'latin1', 'Parts.Outer.OnlyData.Words');
    this.#view.setUint16(at, size);
    this.#wordsAt = at;
    this.#end = at + 2 + size;
    this.#part = 1;
    return this;
  }
  setWordsBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 65535) throw outside('Parts.Outer.OnlyData.Words', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('Parts.Outer.OnlyData.Words');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length);
    this.#wordsAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Parts.Outer.OnlyData');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 2 > this.#limit) throw noRoom('Parts.Outer.OnlyData.Words');
      this.#view.setUint16(this.#end, 0);
      this.#wordsAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}

/** The entries of Parts.Outer. */
export class PartsOuter {
  static readonly blockLength = 2;
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
  readonly #middle = new PartsOuterMiddle();
  readonly #onlyData = new PartsOuterOnlyData();
  #titleAt = 0;
  #labelAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: PartsOuterMiddle | PartsOuterOnlyData | undefined;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('Parts.Outer', 4, limit - at);
    const blockLength = view.getUint16(at);
    const count = view.getUint16(at + 2);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('Parts.Outer', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('Parts.Outer', count * blockLength, left);
    const needed = 2;
    if (count > 0 && blockLength < needed) return shorter('Parts.Outer', blockLength, needed, this.#version);
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
    if (next > limit) return cut('Parts.Outer', this.#blockLength, limit - this.#at);
    let fault: string | undefined;
    fault = this.#middle.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#middle.end;
    fault = this.#onlyData.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#onlyData.end;
    if (next + 4 > limit) return cut('Parts.Outer.Title', 4, limit - next);
    this.#titleAt = next;
    const titleSize = view.getUint32(next);
    next += 4;
    if (next + titleSize > limit) return cut('Parts.Outer.Title', titleSize, limit - next);
    next += titleSize;
    if (next + 1 > limit) return cut('Parts.Outer.Label', 1, limit - next);
    this.#labelAt = next;
    const labelSize = view.getUint8(next);
    if (labelSize > 200) return beyond('Parts.Outer.Label', labelSize, 200);
    next += 1;
    if (next + labelSize > limit) return cut('Parts.Outer.Label', labelSize, limit - next);
    next += labelSize;
    this.#part = 4;
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
    this.#blockLength = 2;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('Parts.Outer');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('Parts.Outer');
    const at = this.finish();
    if (at + 2 > this.#limit) throw noRoom('Parts.Outer');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count);
    view.setUint8(at, 0);
    view.setUint8(at + 1, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(4);
    return this.#end;
  }
  get id(): number { return this.#view.getUint16(this.#at); }
  setId(value: number): this { if (value !== (value & 65535)) throw outside('Parts.Outer.Id', value); this.#view.setUint16(this.#at, value); return this; }
  /** The entries, before the first. */
  get middle(): PartsOuterMiddle {
    return this.#middle.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeMiddle(): PartsOuterMiddle {
    this.#reach(0);
    this.#part = 1;
    this.#middle.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#middle;
    return this.#middle;
  }
  /** The entries, before the first. */
  get onlyData(): PartsOuterOnlyData {
    return this.#onlyData.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeOnlyData(): PartsOuterOnlyData {
    this.#reach(1);
    this.#part = 2;
    this.#onlyData.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#onlyData;
    return this.#onlyData;
  }
  get title(): string {
    const at = this.#titleAt;
    return decoded(this.#octets, at + 4, at + 4 + this.#view.getUint32(at), 'utf8');
  }
  get titleBytes(): Uint8Array {
    const at = this.#titleAt;
    return this.#octets.subarray(at + 4, at + 4 + this.#view.getUint32(at));
  }
  setTitle(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 4 + 4294967295);
    const size = putCharacters(this.#octets, at + 4, limit, value, 'utf8', 'Parts.Outer.Title');
    this.#view.setUint32(at, size);
    this.#titleAt = at;
    this.#end = at + 4 + size;
    this.#part = 3;
    return this;
  }
  setTitleBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 4294967295) throw outside('Parts.Outer.Title', `${value.length} bytes`);
    if (at + 4 + value.length > this.#limit) throw noRoom('Parts.Outer.Title');
    this.#octets.set(value, at + 4);
    this.#view.setUint32(at, value.length);
    this.#titleAt = at;
    this.#end = at + 4 + value.length;
    this.#part = 3;
    return this;
  }
  get label(): string {
    const at = this.#labelAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'ascii');
  }
  get labelBytes(): Uint8Array {
    const at = this.#labelAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setLabel(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 200);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'ascii', 'Parts.Outer.Label');
    this.#view.setUint8(at, size);
    this.#labelAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setLabelBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 200) throw outside('Parts.Outer.Label', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('Parts.Outer.Label');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#labelAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Parts.Outer');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#middle.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#middle.finish();
    }
    if (this.#part <= 1 && part > 1) {
      this.#onlyData.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#onlyData.finish();
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 4 > this.#limit) throw noRoom('Parts.Outer.Title');
      this.#view.setUint32(this.#end, 0);
      this.#titleAt = this.#end;
      this.#end += 4;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('Parts.Outer.Label');
      this.#view.setUint8(this.#end, 0);
      this.#labelAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** Parts (2). Groups inside groups, with data of every length. */
export class Parts {
  static readonly templateId = 2;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 1;
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
  readonly #small = new PartsSmall();
  readonly #outer = new PartsOuter();
  #textAt = 0;
  #blobAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: PartsSmall | PartsOuter | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 20 > limit) return cut('Parts', 20, limit - start);
    if (view.getUint16(start + 3) !== 2 || view.getUint32(start + 12) !== 77) return wrongTemplate('Parts');
    const blockLength = view.getUint32(start + 8);
    const version = view.getUint8(start);
    const needed = 1;
    if (blockLength < needed) return shorter('Parts', blockLength, needed, version);
    let next = start + 20 + blockLength;
    if (next > limit) return cut('Parts', blockLength, limit - start - 20);
    this.#version = version;
    this.#at = start + 20;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#small.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#small.end;
    fault = this.#outer.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#outer.end;
    if (next + 2 > limit) return cut('Parts.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next);
    next += 2;
    if (next + textSize > limit) return cut('Parts.Text', textSize, limit - next);
    next += textSize;
    if (next + 4 > limit) return cut('Parts.Blob', 4, limit - next);
    this.#blobAt = next;
    const blobSize = view.getUint32(next);
    next += 4;
    if (next + blobSize > limit) return cut('Parts.Blob', blobSize, limit - next);
    next += blobSize;
    this.#part = 4;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 2) throw notInVersion('Parts', version);
    if (at + 21 > bytes.length) throw noRoom('Parts');
    const start = this.#base + at;
    view.setUint32(start, 2, true);
    view.setUint32(start + 4, 2, true);
    view.setUint32(start + 8, 16777216, true);
    view.setUint32(start + 12, 1291845632, true);
    view.setUint32(start + 16, 33554944, true);
    view.setUint8(start + 20, 0);
    const blockLength = 1;
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
    this.#reach(4);
    return this.#end - this.#at + 20;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(4);
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
  get count(): number { return this.#view.getUint8(this.#at); }
  setCount(value: number): this { if (value !== (value & 255)) throw outside('Parts.Count', value); this.#view.setUint8(this.#at, value); return this; }
  /** The entries, before the first. */
  get small(): PartsSmall {
    return this.#small.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeSmall(): PartsSmall {
    this.#reach(0);
    this.#part = 1;
    this.#small.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#small;
    return this.#small;
  }
  /** The entries, before the first. */
  get outer(): PartsOuter {
    return this.#outer.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeOuter(): PartsOuter {
    this.#reach(1);
    this.#part = 2;
    this.#outer.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#outer;
    return this.#outer;
  }
  get text(): string {
    const at = this.#textAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at), 'latin1');
  }
  get textBytes(): Uint8Array {
    const at = this.#textAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at));
  }
  setText(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'latin1', 'Parts.Text');
    this.#view.setUint16(at, size);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 3;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 65535) throw outside('Parts.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('Parts.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 3;
    return this;
  }
  get blob(): Uint8Array {
    const at = this.#blobAt;
    return this.#octets.subarray(at + 4, at + 4 + this.#view.getUint32(at));
  }
  setBlob(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 4294967295) throw outside('Parts.Blob', `${value.length} bytes`);
    if (at + 4 + value.length > this.#limit) throw noRoom('Parts.Blob');
    this.#octets.set(value, at + 4);
    this.#view.setUint32(at, value.length);
    this.#blobAt = at;
    this.#end = at + 4 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Parts');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#small.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#small.finish();
    }
    if (this.#part <= 1 && part > 1) {
      this.#outer.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#outer.finish();
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 2 > this.#limit) throw noRoom('Parts.Text');
      this.#view.setUint16(this.#end, 0);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 4 > this.#limit) throw noRoom('Parts.Blob');
      this.#view.setUint32(this.#end, 0);
      this.#blobAt = this.#end;
      this.#end += 4;
    }
    this.#part = part;
  }
}
