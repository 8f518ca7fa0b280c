// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putOctets, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of MassQuote.QuoteSets.QuoteEntries. */
export class MassQuoteQuoteSetsQuoteEntries {
  static readonly blockLength = 43;
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
    if (left < 0) return cut('MassQuote.QuoteSets.QuoteEntries', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('MassQuote.QuoteSets.QuoteEntries', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('MassQuote.QuoteSets.QuoteEntries', count * blockLength, left);
    const needed = 43;
    if (count > 0 && blockLength < needed) return shorter('MassQuote.QuoteSets.QuoteEntries', blockLength, needed, this.#version);
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
    if (next > limit) return cut('MassQuote.QuoteSets.QuoteEntries', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('MassQuote.QuoteSets.QuoteEntries.QuoteEntryID', 1, limit - next);
    this.#quoteEntryIdAt = next;
    const quoteEntryIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteEntryIdSize > limit) return cut('MassQuote.QuoteSets.QuoteEntries.QuoteEntryID', quoteEntryIdSize, limit - next);
    next += quoteEntryIdSize;
    if (next + 1 > limit) return cut('MassQuote.QuoteSets.QuoteEntries.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('MassQuote.QuoteSets.QuoteEntries.Symbol', symbolSize, limit - next);
    next += symbolSize;
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
    this.#blockLength = 43;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('MassQuote.QuoteSets.QuoteEntries');
    const at = this.finish();
    if (at + 43 > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setUint32(at, 4294967295, true);
    view.setUint32(at + 4, 4294967295, true);
    view.setUint32(at + 8, 4278190080, true);
    view.setUint32(at + 12, 4294967295, true);
    view.setUint32(at + 16, 4294967295, true);
    view.setUint32(at + 20, 4294967295, true);
    view.setUint32(at + 24, 4294967295, true);
    view.setUint32(at + 28, 4294967295, true);
    view.setUint32(at + 32, 4294967295, true);
    view.setUint32(at + 36, 4294967295, true);
    view.setUint8(at + 40, 255);
    view.setUint8(at + 41, 255);
    view.setUint8(at + 42, 255);
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
  get quoteInstrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.MarketId'); }
  get quoteInstrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteInstrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get quoteInstrumentMarketIdLow(): number { return this.#view.getUint32(this.#at, true); }
  setQuoteInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.MarketId', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.MarketId', value); this.#view.setBigUint64(this.#at, value ?? 18446744073709551615n, true); return this; }
  setQuoteInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteInstrumentBook(): number { return this.#view.getUint8(this.#at + 8); }
  setQuoteInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.Book', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get quotePriceExponent(): number { return this.#view.getInt8(this.#at + 9); }
  setQuotePriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.PriceExponent', value); this.#view.setInt8(this.#at + 9, value); return this; }
  get quoteQtyExponent(): number { return this.#view.getInt8(this.#at + 10); }
  setQuoteQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.QtyExponent', value); this.#view.setInt8(this.#at + 10, value); return this; }
  get quoteBidPx(): number | undefined { const high = this.#view.getUint32(this.#at + 15, true); const low = this.#view.getUint32(this.#at + 11, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidPx'); }
  get quoteBidPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 11, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidPxHigh(): number { return this.#view.getUint32(this.#at + 15, true); }
  get quoteBidPxLow(): number { return this.#view.getUint32(this.#at + 11, true); }
  setQuoteBidPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.BidPx', value); const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteBidPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.BidPx', value); this.#view.setBigUint64(this.#at + 11, value ?? 18446744073709551615n, true); return this; }
  setQuoteBidPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteBidSize(): number | undefined { const high = this.#view.getUint32(this.#at + 23, true); const low = this.#view.getUint32(this.#at + 19, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidSize'); }
  get quoteBidSizeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 19, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidSizeHigh(): number { return this.#view.getUint32(this.#at + 23, true); }
  get quoteBidSizeLow(): number { return this.#view.getUint32(this.#at + 19, true); }
  setQuoteBidSize(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.BidSize', value); const view = this.#view; const at = this.#at + 19; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidSize'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteBidSizeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.BidSize', value); this.#view.setBigUint64(this.#at + 19, value ?? 18446744073709551615n, true); return this; }
  setQuoteBidSizeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 19; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteOfferPx(): number | undefined { const high = this.#view.getUint32(this.#at + 31, true); const low = this.#view.getUint32(this.#at + 27, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferPx'); }
  get quoteOfferPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 27, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferPxHigh(): number { return this.#view.getUint32(this.#at + 31, true); }
  get quoteOfferPxLow(): number { return this.#view.getUint32(this.#at + 27, true); }
  setQuoteOfferPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.OfferPx', value); const view = this.#view; const at = this.#at + 27; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteOfferPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.OfferPx', value); this.#view.setBigUint64(this.#at + 27, value ?? 18446744073709551615n, true); return this; }
  setQuoteOfferPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 27; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteOfferSize(): number | undefined { const high = this.#view.getUint32(this.#at + 39, true); const low = this.#view.getUint32(this.#at + 35, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferSize'); }
  get quoteOfferSizeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 35, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferSizeHigh(): number { return this.#view.getUint32(this.#at + 39, true); }
  get quoteOfferSizeLow(): number { return this.#view.getUint32(this.#at + 35, true); }
  setQuoteOfferSize(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.OfferSize', value); const view = this.#view; const at = this.#at + 35; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferSize'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteOfferSizeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassQuote.QuoteSets.QuoteEntries.Quote.OfferSize', value); this.#view.setBigUint64(this.#at + 35, value ?? 18446744073709551615n, true); return this; }
  setQuoteOfferSizeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 35; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassQuote.QuoteSets.QuoteEntries.QuoteEntryID');
    this.#view.setUint8(at, size);
    this.#quoteEntryIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setQuoteEntryIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('MassQuote.QuoteSets.QuoteEntries.QuoteEntryID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries.QuoteEntryID');
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassQuote.QuoteSets.QuoteEntries.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MassQuote.QuoteSets.QuoteEntries.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MassQuote.QuoteSets.QuoteEntries');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries.QuoteEntryID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteEntryIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteEntries.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** The entries of MassQuote.QuoteSets. */
export class MassQuoteQuoteSets {
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
  readonly #quoteEntries = new MassQuoteQuoteSetsQuoteEntries();
  #quoteSetIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: MassQuoteQuoteSetsQuoteEntries | undefined;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('MassQuote.QuoteSets', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('MassQuote.QuoteSets', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('MassQuote.QuoteSets', count * blockLength, left);
    const needed = 0;
    if (count > 0 && blockLength < needed) return shorter('MassQuote.QuoteSets', blockLength, needed, this.#version);
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
    if (next > limit) return cut('MassQuote.QuoteSets', this.#blockLength, limit - this.#at);
    let fault: string | undefined;
    fault = this.#quoteEntries.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#quoteEntries.end;
    if (next + 1 > limit) return cut('MassQuote.QuoteSets.QuoteSetID', 1, limit - next);
    this.#quoteSetIdAt = next;
    const quoteSetIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteSetIdSize > limit) return cut('MassQuote.QuoteSets.QuoteSetID', quoteSetIdSize, limit - next);
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
    if (at + 4 > limit) throw noRoom('MassQuote.QuoteSets');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('MassQuote.QuoteSets');
    const at = this.finish();
    if (at + 0 > this.#limit) throw noRoom('MassQuote.QuoteSets');
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
  get quoteEntries(): MassQuoteQuoteSetsQuoteEntries {
    return this.#quoteEntries.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteEntries(): MassQuoteQuoteSetsQuoteEntries {
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassQuote.QuoteSets.QuoteSetID');
    this.#view.setUint8(at, size);
    this.#quoteSetIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setQuoteSetIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MassQuote.QuoteSets.QuoteSetID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteSetID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#quoteSetIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MassQuote.QuoteSets');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#quoteEntries.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#quoteEntries.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassQuote.QuoteSets.QuoteSetID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteSetIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** MassQuote (106). Quotes; those of one set and market stand or fall together. */
export class MassQuote {
  static readonly templateId = 106;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 45;
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
  readonly #quoteSets = new MassQuoteQuoteSets();
  #accountAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: MassQuoteQuoteSets | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('MassQuote', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 106 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MassQuote');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 45;
    if (blockLength < needed) return shorter('MassQuote', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('MassQuote', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#quoteSets.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#quoteSets.end;
    if (next + 1 > limit) return cut('MassQuote.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('MassQuote.Account', accountSize, limit - next);
    next += accountSize;
    this.#part = 2;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('MassQuote', version);
    if (at + 53 > bytes.length) throw noRoom('MassQuote');
    const start = this.#base + at;
    view.setUint32(start, 6946861, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint8(start + 52, 0);
    const blockLength = 45;
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
    this.#reach(2);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(2);
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
  get quoteId(): string { return textAt(this.#octets, this.#at, 36, 'ascii'); }
  get quoteIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 36); }
  setQuoteId(value: string): this { putText(this.#octets, this.#at, 36, value, 'ascii', 'MassQuote.QuoteID'); return this; }
  setQuoteIdBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at, 36, value, 'MassQuote.QuoteID'); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'MassQuote.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('MassQuote.TransactTime', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'MassQuote.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('MassQuote.TransactTime', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteResponseLevel(): number { return this.#view.getUint8(this.#at + 44); }
  setQuoteResponseLevel(value: number): this { if (value !== (value & 255)) throw outside('MassQuote.QuoteResponseLevel', value); this.#view.setUint8(this.#at + 44, value); return this; }
  /** The entries, before the first. */
  get quoteSets(): MassQuoteQuoteSets {
    return this.#quoteSets.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteSets(): MassQuoteQuoteSets {
    this.#reach(0);
    this.#part = 1;
    this.#quoteSets.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#quoteSets;
    return this.#quoteSets;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassQuote.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MassQuote.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassQuote.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MassQuote');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#quoteSets.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#quoteSets.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassQuote.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
