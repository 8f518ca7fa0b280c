// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putPairs, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of SecurityList.Instruments. */
export class SecurityListInstruments {
  static readonly blockLength = 60;
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
  #securityDescAt = 0;
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
    if (left < 0) return cut('SecurityList.Instruments', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('SecurityList.Instruments', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('SecurityList.Instruments', count * blockLength, left);
    const needed = 60;
    if (count > 0 && blockLength < needed) return shorter('SecurityList.Instruments', blockLength, needed, this.#version);
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
    if (next > limit) return cut('SecurityList.Instruments', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('SecurityList.Instruments.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('SecurityList.Instruments.Symbol', symbolSize, limit - next);
    next += symbolSize;
    if (next + 1 > limit) return cut('SecurityList.Instruments.SecurityDesc', 1, limit - next);
    this.#securityDescAt = next;
    const securityDescSize = view.getUint8(next);
    next += 1;
    if (next + securityDescSize > limit) return cut('SecurityList.Instruments.SecurityDesc', securityDescSize, limit - next);
    next += securityDescSize;
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
    this.#blockLength = 60;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('SecurityList.Instruments');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('SecurityList.Instruments');
    const at = this.finish();
    if (at + 60 > this.#limit) throw noRoom('SecurityList.Instruments');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setUint32(at, 4294967295, true);
    view.setUint32(at + 4, 4294967295, true);
    view.setFloat64(at + 8, 0);
    view.setFloat64(at + 16, 0);
    view.setFloat64(at + 24, 0);
    view.setFloat64(at + 32, 0);
    view.setUint32(at + 40, 0, true);
    view.setUint32(at + 44, 4294967295, true);
    view.setUint32(at + 48, 4294967295, true);
    view.setFloat64(at + 52, 0);
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
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'SecurityList.Instruments.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('SecurityList.Instruments.Instrument.MarketId', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'SecurityList.Instruments.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityList.Instruments.Instrument.MarketId', value); this.#view.setBigUint64(this.#at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 8); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('SecurityList.Instruments.Instrument.Book', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get marketKind(): number { return this.#view.getUint8(this.#at + 9); }
  setMarketKind(value: number): this { if (value !== (value & 255)) throw outside('SecurityList.Instruments.MarketKind', value); this.#view.setUint8(this.#at + 9, value); return this; }
  get priceExponent(): number { return this.#view.getInt8(this.#at + 10); }
  setPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('SecurityList.Instruments.PriceExponent', value); this.#view.setInt8(this.#at + 10, value); return this; }
  get qtyExponent(): number { return this.#view.getInt8(this.#at + 11); }
  setQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('SecurityList.Instruments.QtyExponent', value); this.#view.setInt8(this.#at + 11, value); return this; }
  get tick(): number { const high = this.#view.getUint32(this.#at + 16, true); const low = this.#view.getUint32(this.#at + 12, true); return joined(high, low, 'SecurityList.Instruments.Tick'); }
  get tickBig(): bigint { return this.#view.getBigUint64(this.#at + 12, true); }
  get tickHigh(): number { return this.#view.getUint32(this.#at + 16, true); }
  get tickLow(): number { return this.#view.getUint32(this.#at + 12, true); }
  setTick(value: number): this { if (value < 0) throw outside('SecurityList.Instruments.Tick', value); const view = this.#view; const at = this.#at + 12; view.setUint32(at + 4, highOf(value, 'SecurityList.Instruments.Tick'), true); view.setUint32(at, value, true); return this; }
  setTickBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.Tick', value); this.#view.setBigUint64(this.#at + 12, value, true); return this; }
  setTickHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 12; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get lot(): number { const high = this.#view.getUint32(this.#at + 24, true); const low = this.#view.getUint32(this.#at + 20, true); return joined(high, low, 'SecurityList.Instruments.Lot'); }
  get lotBig(): bigint { return this.#view.getBigUint64(this.#at + 20, true); }
  get lotHigh(): number { return this.#view.getUint32(this.#at + 24, true); }
  get lotLow(): number { return this.#view.getUint32(this.#at + 20, true); }
  setLot(value: number): this { if (value < 0) throw outside('SecurityList.Instruments.Lot', value); const view = this.#view; const at = this.#at + 20; view.setUint32(at + 4, highOf(value, 'SecurityList.Instruments.Lot'), true); view.setUint32(at, value, true); return this; }
  setLotBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.Lot', value); this.#view.setBigUint64(this.#at + 20, value, true); return this; }
  setLotHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 20; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get minNotional(): number { const high = this.#view.getUint32(this.#at + 32, true); const low = this.#view.getUint32(this.#at + 28, true); return joined(high, low, 'SecurityList.Instruments.MinNotional'); }
  get minNotionalBig(): bigint { return this.#view.getBigUint64(this.#at + 28, true); }
  get minNotionalHigh(): number { return this.#view.getUint32(this.#at + 32, true); }
  get minNotionalLow(): number { return this.#view.getUint32(this.#at + 28, true); }
  setMinNotional(value: number): this { if (value < 0) throw outside('SecurityList.Instruments.MinNotional', value); const view = this.#view; const at = this.#at + 28; view.setUint32(at + 4, highOf(value, 'SecurityList.Instruments.MinNotional'), true); view.setUint32(at, value, true); return this; }
  setMinNotionalBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.MinNotional', value); this.#view.setBigUint64(this.#at + 28, value, true); return this; }
  setMinNotionalHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 28; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get maxQty(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'SecurityList.Instruments.MaxQty'); }
  get maxQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get maxQtyHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get maxQtyLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setMaxQty(value: number): this { if (value < 0) throw outside('SecurityList.Instruments.MaxQty', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'SecurityList.Instruments.MaxQty'), true); view.setUint32(at, value, true); return this; }
  setMaxQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.MaxQty', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setMaxQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get maturity(): number | undefined { const high = this.#view.getUint32(this.#at + 48, true); const low = this.#view.getUint32(this.#at + 44, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'SecurityList.Instruments.Maturity'); }
  get maturityBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 44, true); return value === 18446744073709551615n ? undefined : value; }
  get maturityHigh(): number { return this.#view.getUint32(this.#at + 48, true); }
  get maturityLow(): number { return this.#view.getUint32(this.#at + 44, true); }
  setMaturity(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('SecurityList.Instruments.Maturity', value); const view = this.#view; const at = this.#at + 44; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'SecurityList.Instruments.Maturity'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setMaturityBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityList.Instruments.Maturity', value); this.#view.setBigUint64(this.#at + 44, value ?? 18446744073709551615n, true); return this; }
  setMaturityHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 44; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get currency(): string { return textAt(this.#octets, this.#at + 52, 8, 'ascii'); }
  get currencyBytes(): Uint8Array { return this.#octets.subarray(this.#at + 52, this.#at + 60); }
  setCurrency(value: string): this { putText(this.#octets, this.#at + 52, 8, value, 'ascii', 'SecurityList.Instruments.Currency'); return this; }
  setCurrencyBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 52, 8, value, 'SecurityList.Instruments.Currency'); return this; }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityList.Instruments.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityList.Instruments.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityList.Instruments.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get securityDesc(): string {
    const at = this.#securityDescAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get securityDescBytes(): Uint8Array {
    const at = this.#securityDescAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSecurityDesc(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityList.Instruments.SecurityDesc');
    this.#view.setUint8(at, size);
    this.#securityDescAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSecurityDescBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityList.Instruments.SecurityDesc', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityList.Instruments.SecurityDesc');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#securityDescAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('SecurityList.Instruments');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityList.Instruments.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityList.Instruments.SecurityDesc');
      this.#view.setUint8(this.#end, 0);
      this.#securityDescAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** SecurityList (215). What can be traded. */
export class SecurityList {
  static readonly templateId = 215;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 7;
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
  readonly #instruments = new SecurityListInstruments();
  #securityReqIdAt = 0;
  #venueCodeAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: SecurityListInstruments | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('SecurityList', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 215 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('SecurityList');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 7;
    if (blockLength < needed) return shorter('SecurityList', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('SecurityList', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#instruments.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#instruments.end;
    if (next + 1 > limit) return cut('SecurityList.SecurityReqID', 1, limit - next);
    this.#securityReqIdAt = next;
    const securityReqIdSize = view.getUint8(next);
    next += 1;
    if (next + securityReqIdSize > limit) return cut('SecurityList.SecurityReqID', securityReqIdSize, limit - next);
    next += securityReqIdSize;
    if (next + 1 > limit) return cut('SecurityList.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('SecurityList.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    this.#part = 3;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('SecurityList', version);
    if (at + 15 > bytes.length) throw noRoom('SecurityList');
    const start = this.#base + at;
    view.setUint32(start, 14090247, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967295, true);
    view.setUint8(start + 12, 255);
    view.setUint8(start + 13, 255);
    view.setUint8(start + 14, 0);
    const blockLength = 7;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
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
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(3);
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get securityRequestResult(): number | undefined { const value = this.#view.getUint16(this.#at, true); return value === 65535 ? undefined : value; }
  setSecurityRequestResult(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('SecurityList.SecurityRequestResult', value); this.#view.setUint16(this.#at, value ?? 65535, true); return this; }
  get totNoRelatedSym(): number | undefined { const value = this.#view.getUint32(this.#at + 2, true); return value === 4294967295 ? undefined : value; }
  setTotNoRelatedSym(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('SecurityList.TotNoRelatedSym', value); this.#view.setUint32(this.#at + 2, value ?? 4294967295, true); return this; }
  get flags(): number { return this.#view.getUint8(this.#at + 6); }
  setFlags(value: number): this { if (value !== (value & 255)) throw outside('SecurityList.Flags', value); this.#view.setUint8(this.#at + 6, value); return this; }
  /** The entries, before the first. */
  get instruments(): SecurityListInstruments {
    return this.#instruments.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeInstruments(): SecurityListInstruments {
    this.#reach(0);
    this.#part = 1;
    this.#instruments.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#instruments;
    return this.#instruments;
  }
  get securityReqId(): string {
    const at = this.#securityReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get securityReqIdBytes(): Uint8Array {
    const at = this.#securityReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSecurityReqId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityList.SecurityReqID');
    this.#view.setUint8(at, size);
    this.#securityReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSecurityReqIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityList.SecurityReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityList.SecurityReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#securityReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get venueCode(): string {
    const at = this.#venueCodeAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get venueCodeBytes(): Uint8Array {
    const at = this.#venueCodeAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setVenueCode(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityList.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityList.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityList.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('SecurityList');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#instruments.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#instruments.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityList.SecurityReqID');
      this.#view.setUint8(this.#end, 0);
      this.#securityReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityList.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
