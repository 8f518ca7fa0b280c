// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** TradingSessionStatusRequest (111). Whether the venue takes orders. */
export class TradingSessionStatusRequest {
  static readonly templateId = 111;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 1;
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
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('TradingSessionStatusRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 111 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradingSessionStatusRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 1;
    if (blockLength < needed) return shorter('TradingSessionStatusRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('TradingSessionStatusRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('TradingSessionStatusRequest.TradSesReqID', 1, limit - next);
    this.#tradSesReqIdAt = next;
    const tradSesReqIdSize = view.getUint8(next);
    next += 1;
    if (next + tradSesReqIdSize > limit) return cut('TradingSessionStatusRequest.TradSesReqID', tradSesReqIdSize, limit - next);
    next += tradSesReqIdSize;
    this.#part = 1;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('TradingSessionStatusRequest', version);
    if (at + 9 > bytes.length) throw noRoom('TradingSessionStatusRequest');
    const start = this.#base + at;
    view.setUint32(start, 7274497, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint8(start + 8, 0);
    const blockLength = 1;
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
    this.#reach(1);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(1);
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
  get subscriptionRequestType(): number { return this.#view.getUint8(this.#at); }
  setSubscriptionRequestType(value: number): this { if (value !== (value & 255)) throw outside('TradingSessionStatusRequest.SubscriptionRequestType', value); this.#view.setUint8(this.#at, value); return this; }
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradingSessionStatusRequest.TradSesReqID');
    this.#view.setUint8(at, size);
    this.#tradSesReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setTradSesReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('TradingSessionStatusRequest.TradSesReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradingSessionStatusRequest.TradSesReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradSesReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('TradingSessionStatusRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradingSessionStatusRequest.TradSesReqID');
      this.#view.setUint8(this.#end, 0);
      this.#tradSesReqIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
