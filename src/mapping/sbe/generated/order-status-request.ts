// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putWhole, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** OrderStatusRequest (104). How one order stands. */
export class OrderStatusRequest {
  static readonly templateId = 104;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
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
  #clOrdIdAt = 0;
  #ordStatusReqIdAt = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('OrderStatusRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 104 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderStatusRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 42;
    if (blockLength < needed) return shorter('OrderStatusRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('OrderStatusRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('OrderStatusRequest.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('OrderStatusRequest.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('OrderStatusRequest.OrdStatusReqID', 1, limit - next);
    this.#ordStatusReqIdAt = next;
    const ordStatusReqIdSize = view.getUint8(next);
    next += 1;
    if (next + ordStatusReqIdSize > limit) return cut('OrderStatusRequest.OrdStatusReqID', ordStatusReqIdSize, limit - next);
    next += ordStatusReqIdSize;
    if (next + 1 > limit) return cut('OrderStatusRequest.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('OrderStatusRequest.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 3;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('OrderStatusRequest', version);
    if (at + 50 > bytes.length) throw noRoom('OrderStatusRequest');
    const start = this.#base + at;
    view.setUint32(start, 6815786, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setUint32(start + 40, 4294967295, true);
    view.setUint32(start + 44, 4294967295, true);
    view.setUint8(start + 48, 0);
    view.setUint8(start + 49, 0);
    const blockLength = 42;
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
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 32); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at, 32, value, 'OrderStatusRequest.OrderID'); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 36, true); const low = this.#view.getUint32(this.#at + 32, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderStatusRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 32, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 36, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 32, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderStatusRequest.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 32; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderStatusRequest.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderStatusRequest.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 32, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 32; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 40); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('OrderStatusRequest.Instrument.Book', value); this.#view.setUint8(this.#at + 40, value); return this; }
  get side(): number | undefined { const value = this.#view.getUint8(this.#at + 41); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('OrderStatusRequest.Side', value); this.#view.setUint8(this.#at + 41, value ?? 0); return this; }
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderStatusRequest.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderStatusRequest.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderStatusRequest.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get ordStatusReqId(): string {
    const at = this.#ordStatusReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get ordStatusReqIdBytes(): Uint8Array {
    const at = this.#ordStatusReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOrdStatusReqId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderStatusRequest.OrdStatusReqID');
    this.#view.setUint8(at, size);
    this.#ordStatusReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setOrdStatusReqIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderStatusRequest.OrdStatusReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderStatusRequest.OrdStatusReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#ordStatusReqIdAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderStatusRequest.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderStatusRequest.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderStatusRequest.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('OrderStatusRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderStatusRequest.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderStatusRequest.OrdStatusReqID');
      this.#view.setUint8(this.#end, 0);
      this.#ordStatusReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderStatusRequest.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
