// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** MassCancelReport (211). So many orders are being canceled; each end is reported by itself. */
export class MassCancelReport {
  static readonly templateId = 211;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 29;
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
  #clOrdIdAt = 0;
  #symbolAt = 0;
  #venueCodeAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('MassCancelReport', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 211 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MassCancelReport');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 29;
    if (blockLength < needed) return shorter('MassCancelReport', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('MassCancelReport', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('MassCancelReport.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('MassCancelReport.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('MassCancelReport.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('MassCancelReport.Symbol', symbolSize, limit - next);
    next += symbolSize;
    if (next + 1 > limit) return cut('MassCancelReport.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('MassCancelReport.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('MassCancelReport.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('MassCancelReport.Text', textSize, limit - next);
    next += textSize;
    this.#part = 4;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('MassCancelReport', version);
    if (at + 37 > bytes.length) throw noRoom('MassCancelReport');
    const start = this.#base + at;
    view.setUint32(start, 13828125, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
    view.setUint32(start + 12, 65535, true);
    view.setUint32(start + 16, 0, true);
    view.setUint32(start + 20, 4278190080, true);
    view.setUint32(start + 24, 4294967295, true);
    view.setUint32(start + 28, 16777215, true);
    view.setUint32(start + 32, 4294967295, true);
    view.setUint8(start + 36, 0);
    const blockLength = 29;
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
    this.#reach(4);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(4);
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
  get scope(): number { return this.#view.getUint8(this.#at); }
  setScope(value: number): this { if (value !== (value & 255)) throw outside('MassCancelReport.Scope', value); this.#view.setUint8(this.#at, value); return this; }
  get response(): number | undefined { const value = this.#view.getUint8(this.#at + 1); return value === 0 ? undefined : value; }
  setResponse(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('MassCancelReport.Response', value); this.#view.setUint8(this.#at + 1, value ?? 0); return this; }
  get totalAffectedOrders(): number | undefined { const value = this.#view.getUint32(this.#at + 2, true); return value === 4294967295 ? undefined : value; }
  setTotalAffectedOrders(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('MassCancelReport.TotalAffectedOrders', value); this.#view.setUint32(this.#at + 2, value ?? 4294967295, true); return this; }
  get side(): number | undefined { const value = this.#view.getUint8(this.#at + 6); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('MassCancelReport.Side', value); this.#view.setUint8(this.#at + 6, value ?? 0); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 11, true); const low = this.#view.getUint32(this.#at + 7, true); return joined(high, low, 'MassCancelReport.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 7, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 11, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 7, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('MassCancelReport.TransactTime', value); const view = this.#view; const at = this.#at + 7; view.setUint32(at + 4, highOf(value, 'MassCancelReport.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('MassCancelReport.TransactTime', value); this.#view.setBigUint64(this.#at + 7, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 7; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 19, true); const low = this.#view.getUint32(this.#at + 15, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MassCancelReport.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 15, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 19, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 15, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MassCancelReport.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 15; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MassCancelReport.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassCancelReport.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 15, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 15; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 23); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('MassCancelReport.Instrument.Book', value); this.#view.setUint8(this.#at + 23, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 24, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('MassCancelReport.Refusal.Reason', value); this.#view.setUint16(this.#at + 24, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 26, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('MassCancelReport.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 26, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 28); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('MassCancelReport.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 28, value); return this; }
  get clOrdId(): string {
    const at = this.#clOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get clOrdIdBytes(): Uint8Array {
    const at = this.#clOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setClOrdId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassCancelReport.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('MassCancelReport.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassCancelReport.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassCancelReport.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MassCancelReport.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassCancelReport.Symbol');
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MassCancelReport.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('MassCancelReport.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MassCancelReport.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
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
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'MassCancelReport.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 4;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 65535) throw outside('MassCancelReport.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('MassCancelReport.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MassCancelReport');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassCancelReport.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassCancelReport.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('MassCancelReport.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 2 > this.#limit) throw noRoom('MassCancelReport.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
