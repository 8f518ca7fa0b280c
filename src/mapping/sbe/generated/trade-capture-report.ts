// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putWhole, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** TradeCaptureReport (224). A trade, one taken back, or one corrected. */
export class TradeCaptureReport {
  static readonly templateId = 224;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 70;
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
  #tradeReportIdAt = 0;
  #tradeReportRefIdAt = 0;
  #tradeRequestIdAt = 0;
  #clOrdIdAt = 0;
  #accountAt = 0;
  #onBehalfOfCompIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('TradeCaptureReport', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 224 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradeCaptureReport');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 70;
    if (blockLength < needed) return shorter('TradeCaptureReport', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('TradeCaptureReport', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('TradeCaptureReport.TradeReportID', 1, limit - next);
    this.#tradeReportIdAt = next;
    const tradeReportIdSize = view.getUint8(next);
    next += 1;
    if (next + tradeReportIdSize > limit) return cut('TradeCaptureReport.TradeReportID', tradeReportIdSize, limit - next);
    next += tradeReportIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReport.TradeReportRefID', 1, limit - next);
    this.#tradeReportRefIdAt = next;
    const tradeReportRefIdSize = view.getUint8(next);
    next += 1;
    if (next + tradeReportRefIdSize > limit) return cut('TradeCaptureReport.TradeReportRefID', tradeReportRefIdSize, limit - next);
    next += tradeReportRefIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReport.TradeRequestID', 1, limit - next);
    this.#tradeRequestIdAt = next;
    const tradeRequestIdSize = view.getUint8(next);
    next += 1;
    if (next + tradeRequestIdSize > limit) return cut('TradeCaptureReport.TradeRequestID', tradeRequestIdSize, limit - next);
    next += tradeRequestIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReport.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('TradeCaptureReport.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReport.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('TradeCaptureReport.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('TradeCaptureReport.OnBehalfOfCompID', 1, limit - next);
    this.#onBehalfOfCompIdAt = next;
    const onBehalfOfCompIdSize = view.getUint8(next);
    next += 1;
    if (next + onBehalfOfCompIdSize > limit) return cut('TradeCaptureReport.OnBehalfOfCompID', onBehalfOfCompIdSize, limit - next);
    next += onBehalfOfCompIdSize;
    this.#part = 6;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('TradeCaptureReport', version);
    if (at + 78 > bytes.length) throw noRoom('TradeCaptureReport');
    const start = this.#base + at;
    view.setUint32(start, 14680134, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4278190080, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 16777215, true);
    view.setFloat64(start + 20, 0);
    view.setFloat64(start + 28, 0);
    view.setFloat64(start + 36, 0);
    view.setFloat64(start + 44, 0);
    view.setFloat64(start + 52, 0);
    view.setFloat64(start + 60, 0);
    view.setFloat64(start + 68, 0);
    view.setUint8(start + 76, 0);
    view.setUint8(start + 77, 0);
    const blockLength = 70;
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
    this.#reach(6);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(6);
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
  get tradeReportTransType(): number { return this.#view.getUint8(this.#at); }
  setTradeReportTransType(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReport.TradeReportTransType', value); this.#view.setUint8(this.#at, value); return this; }
  get flags(): number { return this.#view.getUint8(this.#at + 1); }
  setFlags(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReport.Flags', value); this.#view.setUint8(this.#at + 1, value); return this; }
  get side(): number { return this.#view.getUint8(this.#at + 2); }
  setSide(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReport.Side', value); this.#view.setUint8(this.#at + 2, value); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 7, true); const low = this.#view.getUint32(this.#at + 3, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'TradeCaptureReport.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 3, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 7, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 3, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('TradeCaptureReport.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 3; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'TradeCaptureReport.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradeCaptureReport.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 3, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 3; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 11); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReport.Instrument.Book', value); this.#view.setUint8(this.#at + 11, value); return this; }
  get priceExponent(): number { return this.#view.getInt8(this.#at + 12); }
  setPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('TradeCaptureReport.PriceExponent', value); this.#view.setInt8(this.#at + 12, value); return this; }
  get qtyExponent(): number { return this.#view.getInt8(this.#at + 13); }
  setQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('TradeCaptureReport.QtyExponent', value); this.#view.setInt8(this.#at + 13, value); return this; }
  get lastQty(): number { const high = this.#view.getUint32(this.#at + 18, true); const low = this.#view.getUint32(this.#at + 14, true); return joined(high, low, 'TradeCaptureReport.LastQty'); }
  get lastQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 14, true); }
  get lastQtyHigh(): number { return this.#view.getUint32(this.#at + 18, true); }
  get lastQtyLow(): number { return this.#view.getUint32(this.#at + 14, true); }
  setLastQty(value: number): this { if (value < 0) throw outside('TradeCaptureReport.LastQty', value); const view = this.#view; const at = this.#at + 14; view.setUint32(at + 4, highOf(value, 'TradeCaptureReport.LastQty'), true); view.setUint32(at, value, true); return this; }
  setLastQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.LastQty', value); this.#view.setBigUint64(this.#at + 14, value, true); return this; }
  setLastQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 14; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get lastPx(): number { const high = this.#view.getUint32(this.#at + 26, true); const low = this.#view.getUint32(this.#at + 22, true); return joined(high, low, 'TradeCaptureReport.LastPx'); }
  get lastPxBig(): bigint { return this.#view.getBigUint64(this.#at + 22, true); }
  get lastPxHigh(): number { return this.#view.getUint32(this.#at + 26, true); }
  get lastPxLow(): number { return this.#view.getUint32(this.#at + 22, true); }
  setLastPx(value: number): this { if (value < 0) throw outside('TradeCaptureReport.LastPx', value); const view = this.#view; const at = this.#at + 22; view.setUint32(at + 4, highOf(value, 'TradeCaptureReport.LastPx'), true); view.setUint32(at, value, true); return this; }
  setLastPxBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.LastPx', value); this.#view.setBigUint64(this.#at + 22, value, true); return this; }
  setLastPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 22; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 34, true); const low = this.#view.getUint32(this.#at + 30, true); return joined(high, low, 'TradeCaptureReport.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 30, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 34, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 30, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('TradeCaptureReport.TransactTime', value); const view = this.#view; const at = this.#at + 30; view.setUint32(at + 4, highOf(value, 'TradeCaptureReport.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.TransactTime', value); this.#view.setBigUint64(this.#at + 30, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 30; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at + 38, this.#at + 70); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 38, 32, value, 'TradeCaptureReport.OrderID'); return this; }
  get tradeReportId(): string {
    const at = this.#tradeReportIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradeReportIdBytes(): Uint8Array {
    const at = this.#tradeReportIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradeReportId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.TradeReportID');
    this.#view.setUint8(at, size);
    this.#tradeReportIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setTradeReportIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.TradeReportID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.TradeReportID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradeReportIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get tradeReportRefId(): string {
    const at = this.#tradeReportRefIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradeReportRefIdBytes(): Uint8Array {
    const at = this.#tradeReportRefIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradeReportRefId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.TradeReportRefID');
    this.#view.setUint8(at, size);
    this.#tradeReportRefIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setTradeReportRefIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.TradeReportRefID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.TradeReportRefID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradeReportRefIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get tradeRequestId(): string {
    const at = this.#tradeRequestIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradeRequestIdBytes(): Uint8Array {
    const at = this.#tradeRequestIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradeRequestId(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.TradeRequestID');
    this.#view.setUint8(at, size);
    this.#tradeRequestIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setTradeRequestIdBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.TradeRequestID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.TradeRequestID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradeRequestIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  get clOrdId(): string {
    const at = this.#clOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get clOrdIdBytes(): Uint8Array {
    const at = this.#clOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setClOrdId(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
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
    this.#reach(4);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 5;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(4);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 5;
    return this;
  }
  get onBehalfOfCompId(): string {
    const at = this.#onBehalfOfCompIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get onBehalfOfCompIdBytes(): Uint8Array {
    const at = this.#onBehalfOfCompIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOnBehalfOfCompId(value: string): this {
    this.#reach(5);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReport.OnBehalfOfCompID');
    this.#view.setUint8(at, size);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 6;
    return this;
  }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this {
    this.#reach(5);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReport.OnBehalfOfCompID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReport.OnBehalfOfCompID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 6;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('TradeCaptureReport');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.TradeReportID');
      this.#view.setUint8(this.#end, 0);
      this.#tradeReportIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.TradeReportRefID');
      this.#view.setUint8(this.#end, 0);
      this.#tradeReportRefIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.TradeRequestID');
      this.#view.setUint8(this.#end, 0);
      this.#tradeRequestIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 4 && part > 4) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 5 && part > 5) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReport.OnBehalfOfCompID');
      this.#view.setUint8(this.#end, 0);
      this.#onBehalfOfCompIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
