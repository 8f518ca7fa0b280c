// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putOctets, putText, putWhole, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** OrderCancelRequest (102). The end of an order. */
export class OrderCancelRequest {
  static readonly templateId = 102;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 94;
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
  #origClOrdIdAt = 0;
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
    if (start + 8 > limit) return cut('OrderCancelRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 102 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderCancelRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 94;
    if (blockLength < needed) return shorter('OrderCancelRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('OrderCancelRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('OrderCancelRequest.OrigClOrdID', 1, limit - next);
    this.#origClOrdIdAt = next;
    const origClOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + origClOrdIdSize > limit) return cut('OrderCancelRequest.OrigClOrdID', origClOrdIdSize, limit - next);
    next += origClOrdIdSize;
    if (next + 1 > limit) return cut('OrderCancelRequest.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('OrderCancelRequest.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('OrderCancelRequest.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('OrderCancelRequest.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 3;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('OrderCancelRequest', version);
    if (at + 102 > bytes.length) throw noRoom('OrderCancelRequest');
    const start = this.#base + at;
    view.setUint32(start, 6684766, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setFloat64(start + 48, 0);
    view.setFloat64(start + 56, 0);
    view.setFloat64(start + 64, 0);
    view.setFloat64(start + 72, 0);
    view.setUint32(start + 80, 0, true);
    view.setUint32(start + 84, 4294967295, true);
    view.setUint32(start + 88, 4294967295, true);
    view.setUint32(start + 92, 4294967295, true);
    view.setUint32(start + 96, 4294967295, true);
    view.setUint8(start + 100, 0);
    view.setUint8(start + 101, 0);
    const blockLength = 94;
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
  get clOrdId(): string { return textAt(this.#octets, this.#at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 36); }
  setClOrdId(value: string): this { putText(this.#octets, this.#at, 36, value, 'ascii', 'OrderCancelRequest.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at, 36, value, 'OrderCancelRequest.ClOrdID'); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'OrderCancelRequest.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('OrderCancelRequest.TransactTime', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'OrderCancelRequest.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelRequest.TransactTime', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at + 44, this.#at + 76); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 44, 32, value, 'OrderCancelRequest.OrderID'); return this; }
  get origOrdModTime(): number | undefined { const high = this.#view.getUint32(this.#at + 80, true); const low = this.#view.getUint32(this.#at + 76, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelRequest.OrigOrdModTime'); }
  get origOrdModTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 76, true); return value === 18446744073709551615n ? undefined : value; }
  get origOrdModTimeHigh(): number { return this.#view.getUint32(this.#at + 80, true); }
  get origOrdModTimeLow(): number { return this.#view.getUint32(this.#at + 76, true); }
  setOrigOrdModTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelRequest.OrigOrdModTime', value); const view = this.#view; const at = this.#at + 76; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelRequest.OrigOrdModTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setOrigOrdModTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelRequest.OrigOrdModTime', value); this.#view.setBigUint64(this.#at + 76, value ?? 18446744073709551615n, true); return this; }
  setOrigOrdModTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 76; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 88, true); const low = this.#view.getUint32(this.#at + 84, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 84, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 88, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 84, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelRequest.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 84; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelRequest.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelRequest.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 84, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 84; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 92); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelRequest.Instrument.Book', value); this.#view.setUint8(this.#at + 92, value); return this; }
  get side(): number | undefined { const value = this.#view.getUint8(this.#at + 93); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('OrderCancelRequest.Side', value); this.#view.setUint8(this.#at + 93, value ?? 0); return this; }
  get origClOrdId(): string {
    const at = this.#origClOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get origClOrdIdBytes(): Uint8Array {
    const at = this.#origClOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOrigClOrdId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelRequest.OrigClOrdID');
    this.#view.setUint8(at, size);
    this.#origClOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setOrigClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelRequest.OrigClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelRequest.OrigClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#origClOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelRequest.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelRequest.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelRequest.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
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
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelRequest.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelRequest.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelRequest.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('OrderCancelRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelRequest.OrigClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#origClOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelRequest.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelRequest.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
