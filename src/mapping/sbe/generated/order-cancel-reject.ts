// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putWhole, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** OrderCancelReject (210). A cancel or a replace was not done. */
export class OrderCancelReject {
  static readonly templateId = 210;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 49;
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
  #origClOrdIdAt = 0;
  #accountAt = 0;
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
    if (start + 8 > limit) return cut('OrderCancelReject', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 210 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderCancelReject');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 49;
    if (blockLength < needed) return shorter('OrderCancelReject', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('OrderCancelReject', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('OrderCancelReject.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('OrderCancelReject.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('OrderCancelReject.OrigClOrdID', 1, limit - next);
    this.#origClOrdIdAt = next;
    const origClOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + origClOrdIdSize > limit) return cut('OrderCancelReject.OrigClOrdID', origClOrdIdSize, limit - next);
    next += origClOrdIdSize;
    if (next + 1 > limit) return cut('OrderCancelReject.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('OrderCancelReject.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('OrderCancelReject.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('OrderCancelReject.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('OrderCancelReject.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('OrderCancelReject.Text', textSize, limit - next);
    next += textSize;
    this.#part = 5;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('OrderCancelReject', version);
    if (at + 57 > bytes.length) throw noRoom('OrderCancelReject');
    const start = this.#base + at;
    view.setUint32(start, 13762609, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint32(start + 52, 4294967295, true);
    view.setUint8(start + 56, 0);
    const blockLength = 49;
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
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 32); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at, 32, value, 'OrderCancelReject.OrderID'); return this; }
  get ordStatus(): number { return this.#view.getUint8(this.#at + 32); }
  setOrdStatus(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReject.OrdStatus', value); this.#view.setUint8(this.#at + 32, value); return this; }
  get workingIndicator(): number { return this.#view.getUint8(this.#at + 33); }
  setWorkingIndicator(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReject.WorkingIndicator', value); this.#view.setUint8(this.#at + 33, value); return this; }
  get cxlRejResponseTo(): number { return this.#view.getUint8(this.#at + 34); }
  setCxlRejResponseTo(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReject.CxlRejResponseTo', value); this.#view.setUint8(this.#at + 34, value); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 39, true); const low = this.#view.getUint32(this.#at + 35, true); return joined(high, low, 'OrderCancelReject.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 35, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 39, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 35, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('OrderCancelReject.TransactTime', value); const view = this.#view; const at = this.#at + 35; view.setUint32(at + 4, highOf(value, 'OrderCancelReject.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReject.TransactTime', value); this.#view.setBigUint64(this.#at + 35, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 35; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get book(): number { return this.#view.getUint8(this.#at + 43); }
  setBook(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReject.Book', value); this.#view.setUint8(this.#at + 43, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 44, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('OrderCancelReject.Refusal.Reason', value); this.#view.setUint16(this.#at + 44, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 46, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('OrderCancelReject.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 46, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 48); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReject.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 48, value); return this; }
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReject.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReject.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReject.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get origClOrdId(): string {
    const at = this.#origClOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get origClOrdIdBytes(): Uint8Array {
    const at = this.#origClOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOrigClOrdId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReject.OrigClOrdID');
    this.#view.setUint8(at, size);
    this.#origClOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setOrigClOrdIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReject.OrigClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReject.OrigClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#origClOrdIdAt = at;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReject.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReject.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReject.Account');
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReject.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReject.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReject.VenueCode');
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
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'OrderCancelReject.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 5;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(4);
    const at = this.#end;
    if (value.length > 65535) throw outside('OrderCancelReject.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('OrderCancelReject.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 5;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('OrderCancelReject');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReject.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReject.OrigClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#origClOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReject.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReject.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 4 && part > 4) {
      if (this.#end + 2 > this.#limit) throw noRoom('OrderCancelReject.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
