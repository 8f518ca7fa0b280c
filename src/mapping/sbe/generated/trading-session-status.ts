// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** TradingSessionStatus (217). Whether the venue takes orders. */
export class TradingSessionStatus {
  static readonly templateId = 217;
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
  #tradSesReqIdAt = 0;
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
    if (start + 8 > limit) return cut('TradingSessionStatus', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 217 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradingSessionStatus');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 7;
    if (blockLength < needed) return shorter('TradingSessionStatus', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('TradingSessionStatus', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('TradingSessionStatus.TradSesReqID', 1, limit - next);
    this.#tradSesReqIdAt = next;
    const tradSesReqIdSize = view.getUint8(next);
    next += 1;
    if (next + tradSesReqIdSize > limit) return cut('TradingSessionStatus.TradSesReqID', tradSesReqIdSize, limit - next);
    next += tradSesReqIdSize;
    if (next + 1 > limit) return cut('TradingSessionStatus.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('TradingSessionStatus.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('TradingSessionStatus.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('TradingSessionStatus.Text', textSize, limit - next);
    next += textSize;
    this.#part = 3;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('TradingSessionStatus', version);
    if (at + 15 > bytes.length) throw noRoom('TradingSessionStatus');
    const start = this.#base + at;
    view.setUint32(start, 14221319, true);
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
  get tradSesStatus(): number { return this.#view.getUint8(this.#at); }
  setTradSesStatus(value: number): this { if (value !== (value & 255)) throw outside('TradingSessionStatus.TradSesStatus', value); this.#view.setUint8(this.#at, value); return this; }
  get flags(): number { return this.#view.getUint8(this.#at + 1); }
  setFlags(value: number): this { if (value !== (value & 255)) throw outside('TradingSessionStatus.Flags', value); this.#view.setUint8(this.#at + 1, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 2, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('TradingSessionStatus.Refusal.Reason', value); this.#view.setUint16(this.#at + 2, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 4, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('TradingSessionStatus.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 4, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 6); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('TradingSessionStatus.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 6, value); return this; }
  get tradSesReqId(): string {
    const at = this.#tradSesReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradSesReqIdBytes(): Uint8Array {
    const at = this.#tradSesReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradSesReqId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradingSessionStatus.TradSesReqID');
    this.#view.setUint8(at, size);
    this.#tradSesReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setTradSesReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('TradingSessionStatus.TradSesReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradingSessionStatus.TradSesReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradSesReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradingSessionStatus.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('TradingSessionStatus.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradingSessionStatus.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
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
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'TradingSessionStatus.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 3;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 65535) throw outside('TradingSessionStatus.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('TradingSessionStatus.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('TradingSessionStatus');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradingSessionStatus.TradSesReqID');
      this.#view.setUint8(this.#end, 0);
      this.#tradSesReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradingSessionStatus.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 2 > this.#limit) throw noRoom('TradingSessionStatus.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
