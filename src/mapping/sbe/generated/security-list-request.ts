// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** SecurityListRequest (109). What can be traded, and its exponents. */
export class SecurityListRequest {
  static readonly templateId = 109;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 10;
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
  #securityReqIdAt = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('SecurityListRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 109 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('SecurityListRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 10;
    if (blockLength < needed) return shorter('SecurityListRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('SecurityListRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('SecurityListRequest.SecurityReqID', 1, limit - next);
    this.#securityReqIdAt = next;
    const securityReqIdSize = view.getUint8(next);
    next += 1;
    if (next + securityReqIdSize > limit) return cut('SecurityListRequest.SecurityReqID', securityReqIdSize, limit - next);
    next += securityReqIdSize;
    if (next + 1 > limit) return cut('SecurityListRequest.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('SecurityListRequest.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('SecurityListRequest', version);
    if (at + 18 > bytes.length) throw noRoom('SecurityListRequest');
    const start = this.#base + at;
    view.setUint32(start, 7143434, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint8(start + 16, 255);
    view.setUint8(start + 17, 0);
    const blockLength = 10;
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
  get securityListRequestType(): number { return this.#view.getUint8(this.#at); }
  setSecurityListRequestType(value: number): this { if (value !== (value & 255)) throw outside('SecurityListRequest.SecurityListRequestType', value); this.#view.setUint8(this.#at, value); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 5, true); const low = this.#view.getUint32(this.#at + 1, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'SecurityListRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 5, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 1, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('SecurityListRequest.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'SecurityListRequest.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityListRequest.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 1, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 9); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('SecurityListRequest.Instrument.Book', value); this.#view.setUint8(this.#at + 9, value); return this; }
  get securityReqId(): string {
    const at = this.#securityReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get securityReqIdBytes(): Uint8Array {
    const at = this.#securityReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSecurityReqId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityListRequest.SecurityReqID');
    this.#view.setUint8(at, size);
    this.#securityReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setSecurityReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityListRequest.SecurityReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityListRequest.SecurityReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#securityReqIdAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'SecurityListRequest.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('SecurityListRequest.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('SecurityListRequest.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('SecurityListRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityListRequest.SecurityReqID');
      this.#view.setUint8(this.#end, 0);
      this.#securityReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('SecurityListRequest.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
