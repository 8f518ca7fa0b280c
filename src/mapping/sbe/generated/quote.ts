// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putOctets, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** Quote (107). The one quote for an instrument. */
export class Quote {
  static readonly templateId = 107;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 88;
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
  #accountAt = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('Quote', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 107 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('Quote');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 88;
    if (blockLength < needed) return shorter('Quote', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('Quote', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('Quote.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('Quote.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('Quote.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('Quote.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('Quote', version);
    if (at + 96 > bytes.length) throw noRoom('Quote');
    const start = this.#base + at;
    view.setUint32(start, 7012440, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint32(start + 52, 4294967040, true);
    view.setUint32(start + 56, 4294967295, true);
    view.setUint32(start + 60, 255, true);
    view.setUint32(start + 64, 4294967295, true);
    view.setUint32(start + 68, 4294967295, true);
    view.setUint32(start + 72, 4294967295, true);
    view.setUint32(start + 76, 4294967295, true);
    view.setUint32(start + 80, 4294967295, true);
    view.setUint32(start + 84, 4294967295, true);
    view.setUint32(start + 88, 4294967295, true);
    view.setUint32(start + 92, 4294967295, true);
    const blockLength = 88;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
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
  setQuoteId(value: string): this { putText(this.#octets, this.#at, 36, value, 'ascii', 'Quote.QuoteID'); return this; }
  setQuoteIdBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at, 36, value, 'Quote.QuoteID'); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'Quote.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('Quote.TransactTime', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'Quote.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Quote.TransactTime', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteResponseLevel(): number { return this.#view.getUint8(this.#at + 44); }
  setQuoteResponseLevel(value: number): this { if (value !== (value & 255)) throw outside('Quote.QuoteResponseLevel', value); this.#view.setUint8(this.#at + 44, value); return this; }
  get quoteInstrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 49, true); const low = this.#view.getUint32(this.#at + 45, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Quote.Quote.Instrument.MarketId'); }
  get quoteInstrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 45, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteInstrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 49, true); }
  get quoteInstrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 45, true); }
  setQuoteInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Quote.Quote.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 45; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Quote.Quote.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Quote.Quote.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 45, value ?? 18446744073709551615n, true); return this; }
  setQuoteInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 45; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteInstrumentBook(): number { return this.#view.getUint8(this.#at + 53); }
  setQuoteInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('Quote.Quote.Instrument.Book', value); this.#view.setUint8(this.#at + 53, value); return this; }
  get quotePriceExponent(): number { return this.#view.getInt8(this.#at + 54); }
  setQuotePriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('Quote.Quote.PriceExponent', value); this.#view.setInt8(this.#at + 54, value); return this; }
  get quoteQtyExponent(): number { return this.#view.getInt8(this.#at + 55); }
  setQuoteQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('Quote.Quote.QtyExponent', value); this.#view.setInt8(this.#at + 55, value); return this; }
  get quoteBidPx(): number | undefined { const high = this.#view.getUint32(this.#at + 60, true); const low = this.#view.getUint32(this.#at + 56, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Quote.Quote.BidPx'); }
  get quoteBidPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 56, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidPxHigh(): number { return this.#view.getUint32(this.#at + 60, true); }
  get quoteBidPxLow(): number { return this.#view.getUint32(this.#at + 56, true); }
  setQuoteBidPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Quote.Quote.BidPx', value); const view = this.#view; const at = this.#at + 56; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Quote.Quote.BidPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteBidPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Quote.Quote.BidPx', value); this.#view.setBigUint64(this.#at + 56, value ?? 18446744073709551615n, true); return this; }
  setQuoteBidPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 56; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteBidSize(): number | undefined { const high = this.#view.getUint32(this.#at + 68, true); const low = this.#view.getUint32(this.#at + 64, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Quote.Quote.BidSize'); }
  get quoteBidSizeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 64, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidSizeHigh(): number { return this.#view.getUint32(this.#at + 68, true); }
  get quoteBidSizeLow(): number { return this.#view.getUint32(this.#at + 64, true); }
  setQuoteBidSize(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Quote.Quote.BidSize', value); const view = this.#view; const at = this.#at + 64; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Quote.Quote.BidSize'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteBidSizeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Quote.Quote.BidSize', value); this.#view.setBigUint64(this.#at + 64, value ?? 18446744073709551615n, true); return this; }
  setQuoteBidSizeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 64; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteOfferPx(): number | undefined { const high = this.#view.getUint32(this.#at + 76, true); const low = this.#view.getUint32(this.#at + 72, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Quote.Quote.OfferPx'); }
  get quoteOfferPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 72, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferPxHigh(): number { return this.#view.getUint32(this.#at + 76, true); }
  get quoteOfferPxLow(): number { return this.#view.getUint32(this.#at + 72, true); }
  setQuoteOfferPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Quote.Quote.OfferPx', value); const view = this.#view; const at = this.#at + 72; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Quote.Quote.OfferPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteOfferPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Quote.Quote.OfferPx', value); this.#view.setBigUint64(this.#at + 72, value ?? 18446744073709551615n, true); return this; }
  setQuoteOfferPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 72; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get quoteOfferSize(): number | undefined { const high = this.#view.getUint32(this.#at + 84, true); const low = this.#view.getUint32(this.#at + 80, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'Quote.Quote.OfferSize'); }
  get quoteOfferSizeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 80, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferSizeHigh(): number { return this.#view.getUint32(this.#at + 84, true); }
  get quoteOfferSizeLow(): number { return this.#view.getUint32(this.#at + 80, true); }
  setQuoteOfferSize(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('Quote.Quote.OfferSize', value); const view = this.#view; const at = this.#at + 80; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'Quote.Quote.OfferSize'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setQuoteOfferSizeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Quote.Quote.OfferSize', value); this.#view.setBigUint64(this.#at + 80, value ?? 18446744073709551615n, true); return this; }
  setQuoteOfferSizeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 80; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'Quote.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('Quote.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('Quote.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'Quote.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('Quote.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('Quote.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('Quote');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('Quote.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('Quote.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
