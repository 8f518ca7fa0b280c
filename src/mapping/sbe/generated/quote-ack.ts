// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of QuoteAck.QuoteSets.QuoteEntries. */
export class QuoteAckQuoteSetsQuoteEntries {
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
  #quoteEntryIdAt = 0;
  #symbolAt = 0;
  #venueCodeAt = 0;
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
    if (left < 0) return cut('QuoteAck.QuoteSets.QuoteEntries', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('QuoteAck.QuoteSets.QuoteEntries', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('QuoteAck.QuoteSets.QuoteEntries', count * blockLength, left);
    const needed = 14;
    if (count > 0 && blockLength < needed) return shorter('QuoteAck.QuoteSets.QuoteEntries', blockLength, needed, this.#version);
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
    if (next > limit) return cut('QuoteAck.QuoteSets.QuoteEntries', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID', 1, limit - next);
    this.#quoteEntryIdAt = next;
    const quoteEntryIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteEntryIdSize > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID', quoteEntryIdSize, limit - next);
    next += quoteEntryIdSize;
    if (next + 1 > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.Symbol', symbolSize, limit - next);
    next += symbolSize;
    if (next + 1 > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('QuoteAck.QuoteSets.QuoteEntries.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    this.#part = 3;
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
    this.#blockLength = 14;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('QuoteAck.QuoteSets.QuoteEntries');
    const at = this.finish();
    if (at + 14 > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setUint32(at, 4294967295, true);
    view.setUint32(at + 4, 4294967295, true);
    view.setUint32(at + 8, 4294967040, true);
    view.setUint8(at + 12, 255);
    view.setUint8(at + 13, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(3);
    return this.#end;
  }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId', value); this.#view.setBigUint64(this.#at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 8); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.Book', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 9, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.Reason', value); this.#view.setUint16(this.#at + 9, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 11, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 11, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 13); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 13, value); return this; }
  get quoteEntryId(): string {
    const at = this.#quoteEntryIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get quoteEntryIdBytes(): Uint8Array {
    const at = this.#quoteEntryIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setQuoteEntryId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID');
    this.#view.setUint8(at, size);
    this.#quoteEntryIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setQuoteEntryIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#quoteEntryIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.QuoteSets.QuoteEntries.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.QuoteSets.QuoteEntries.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.QuoteSets.QuoteEntries.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.QuoteSets.QuoteEntries.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('QuoteAck.QuoteSets.QuoteEntries');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.QuoteEntryID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteEntryIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteEntries.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** The entries of QuoteAck.QuoteSets. */
export class QuoteAckQuoteSets {
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
  readonly #quoteEntries = new QuoteAckQuoteSetsQuoteEntries();
  #quoteSetIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: QuoteAckQuoteSetsQuoteEntries | undefined;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('QuoteAck.QuoteSets', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('QuoteAck.QuoteSets', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('QuoteAck.QuoteSets', count * blockLength, left);
    const needed = 0;
    if (count > 0 && blockLength < needed) return shorter('QuoteAck.QuoteSets', blockLength, needed, this.#version);
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
    if (next > limit) return cut('QuoteAck.QuoteSets', this.#blockLength, limit - this.#at);
    let fault: string | undefined;
    fault = this.#quoteEntries.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#quoteEntries.end;
    if (next + 1 > limit) return cut('QuoteAck.QuoteSets.QuoteSetID', 1, limit - next);
    this.#quoteSetIdAt = next;
    const quoteSetIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteSetIdSize > limit) return cut('QuoteAck.QuoteSets.QuoteSetID', quoteSetIdSize, limit - next);
    next += quoteSetIdSize;
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
    this.#blockLength = 0;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('QuoteAck.QuoteSets');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('QuoteAck.QuoteSets');
    const at = this.finish();
    if (at + 0 > this.#limit) throw noRoom('QuoteAck.QuoteSets');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
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
  /** The entries, before the first. */
  get quoteEntries(): QuoteAckQuoteSetsQuoteEntries {
    return this.#quoteEntries.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteEntries(): QuoteAckQuoteSetsQuoteEntries {
    this.#reach(0);
    this.#part = 1;
    this.#quoteEntries.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#quoteEntries;
    return this.#quoteEntries;
  }
  get quoteSetId(): string {
    const at = this.#quoteSetIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get quoteSetIdBytes(): Uint8Array {
    const at = this.#quoteSetIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setQuoteSetId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.QuoteSets.QuoteSetID');
    this.#view.setUint8(at, size);
    this.#quoteSetIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setQuoteSetIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.QuoteSets.QuoteSetID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteSetID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#quoteSetIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('QuoteAck.QuoteSets');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#quoteEntries.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#quoteEntries.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.QuoteSets.QuoteSetID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteSetIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** QuoteAck (213). What became of a MassQuote or QuoteCancel. */
export class QuoteAck {
  static readonly templateId = 213;
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
  readonly #quoteSets = new QuoteAckQuoteSets();
  #quoteIdAt = 0;
  #accountAt = 0;
  #venueCodeAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: QuoteAckQuoteSets | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('QuoteAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 213 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('QuoteAck');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 7;
    if (blockLength < needed) return shorter('QuoteAck', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('QuoteAck', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#quoteSets.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#quoteSets.end;
    if (next + 1 > limit) return cut('QuoteAck.QuoteID', 1, limit - next);
    this.#quoteIdAt = next;
    const quoteIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteIdSize > limit) return cut('QuoteAck.QuoteID', quoteIdSize, limit - next);
    next += quoteIdSize;
    if (next + 1 > limit) return cut('QuoteAck.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('QuoteAck.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('QuoteAck.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('QuoteAck.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('QuoteAck.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('QuoteAck.Text', textSize, limit - next);
    next += textSize;
    this.#part = 5;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('QuoteAck', version);
    if (at + 15 > bytes.length) throw noRoom('QuoteAck');
    const start = this.#base + at;
    view.setUint32(start, 13959175, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
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
    this.#reach(5);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(5);
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
  get quoteStatus(): number { return this.#view.getUint8(this.#at); }
  setQuoteStatus(value: number): this { if (value !== (value & 255)) throw outside('QuoteAck.QuoteStatus', value); this.#view.setUint8(this.#at, value); return this; }
  get quoteResponseLevel(): number | undefined { const value = this.#view.getUint8(this.#at + 1); return value === 0 ? undefined : value; }
  setQuoteResponseLevel(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('QuoteAck.QuoteResponseLevel', value); this.#view.setUint8(this.#at + 1, value ?? 0); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 2, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.Refusal.Reason', value); this.#view.setUint16(this.#at + 2, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 4, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 4, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 6); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('QuoteAck.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 6, value); return this; }
  /** The entries, before the first. */
  get quoteSets(): QuoteAckQuoteSets {
    return this.#quoteSets.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteSets(): QuoteAckQuoteSets {
    this.#reach(0);
    this.#part = 1;
    this.#quoteSets.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#quoteSets;
    return this.#quoteSets;
  }
  get quoteId(): string {
    const at = this.#quoteIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get quoteIdBytes(): Uint8Array {
    const at = this.#quoteIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setQuoteId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.QuoteID');
    this.#view.setUint8(at, size);
    this.#quoteIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setQuoteIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.QuoteID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.QuoteID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#quoteIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
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
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'QuoteAck.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('QuoteAck.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('QuoteAck.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
    return this;
  }
  get text(): string {
    const at = this.#textAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at, true), 'utf8');
  }
  get textBytes(): Uint8Array {
    const at = this.#textAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setText(value: string): this {
    this.#reach(4);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'QuoteAck.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 5;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(4);
    const at = this.#end;
    if (value.length > 65535) throw outside('QuoteAck.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('QuoteAck.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 5;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('QuoteAck');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#quoteSets.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#quoteSets.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.QuoteID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('QuoteAck.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 4 && part > 4) {
      if (this.#end + 2 > this.#limit) throw noRoom('QuoteAck.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
