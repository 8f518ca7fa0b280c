// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putWhole, shorter, wrongOrder, wrongTemplate } from '../../sbe/flyweight.ts';

/** NegotiationResponse (2). Accepts a Negotiate and states the server's flow. */
export class NegotiationResponse {
  static readonly templateId = 2;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 25;
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
  #credentialsAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('NegotiationResponse', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 2 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('NegotiationResponse');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 25;
    if (blockLength < needed) return shorter('NegotiationResponse', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('NegotiationResponse', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 2 > limit) return cut('NegotiationResponse.Credentials', 2, limit - next);
    this.#credentialsAt = next;
    const credentialsSize = view.getUint16(next, true);
    next += 2;
    if (next + credentialsSize > limit) return cut('NegotiationResponse.Credentials', credentialsSize, limit - next);
    next += credentialsSize;
    this.#part = 1;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 1) throw notInVersion('NegotiationResponse', version);
    if (at + 33 > bytes.length) throw noRoom('NegotiationResponse');
    const start = this.#base + at;
    view.setUint32(start, 131097, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setUint8(start + 32, 0);
    const blockLength = 25;
    if (version < 1) {
      view.setUint16(start, blockLength, true);
      view.setUint16(start + 6, version, true);
    }
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
  get sessionId(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 16); }
  setSessionId(value: Uint8Array): this { putWhole(this.#octets, this.#at, 16, value, 'NegotiationResponse.SessionId'); return this; }
  get requestTimestamp(): number { const high = this.#view.getUint32(this.#at + 20, true); const low = this.#view.getUint32(this.#at + 16, true); return joined(high, low, 'NegotiationResponse.RequestTimestamp'); }
  get requestTimestampBig(): bigint { return this.#view.getBigUint64(this.#at + 16, true); }
  get requestTimestampHigh(): number { return this.#view.getUint32(this.#at + 20, true); }
  get requestTimestampLow(): number { return this.#view.getUint32(this.#at + 16, true); }
  setRequestTimestamp(value: number): this { if (value < 0) throw outside('NegotiationResponse.RequestTimestamp', value); const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, highOf(value, 'NegotiationResponse.RequestTimestamp'), true); view.setUint32(at, value, true); return this; }
  setRequestTimestampBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('NegotiationResponse.RequestTimestamp', value); this.#view.setBigUint64(this.#at + 16, value, true); return this; }
  setRequestTimestampHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get serverFlow(): number { return this.#view.getUint8(this.#at + 24); }
  setServerFlow(value: number): this { if (value !== (value & 255)) throw outside('NegotiationResponse.ServerFlow', value); this.#view.setUint8(this.#at + 24, value); return this; }
  get credentials(): Uint8Array {
    const at = this.#credentialsAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setCredentials(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 65535) throw outside('NegotiationResponse.Credentials', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('NegotiationResponse.Credentials');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#credentialsAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('NegotiationResponse');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 2 > this.#limit) throw noRoom('NegotiationResponse.Credentials');
      this.#view.setUint16(this.#end, 0, true);
      this.#credentialsAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
