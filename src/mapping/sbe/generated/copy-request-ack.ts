// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** CopyRequestAck (222). What becomes of a CopyRequest; the copies stand between Accepted and Completed. */
export class CopyRequestAck {
  static readonly templateId = 222;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 8;
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
  #copyReqIdAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('CopyRequestAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 222 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('CopyRequestAck');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 8;
    if (blockLength < needed) return shorter('CopyRequestAck', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('CopyRequestAck', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('CopyRequestAck.CopyReqID', 1, limit - next);
    this.#copyReqIdAt = next;
    const copyReqIdSize = view.getUint8(next);
    next += 1;
    if (next + copyReqIdSize > limit) return cut('CopyRequestAck.CopyReqID', copyReqIdSize, limit - next);
    next += copyReqIdSize;
    if (next + 2 > limit) return cut('CopyRequestAck.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('CopyRequestAck.Text', textSize, limit - next);
    next += textSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('CopyRequestAck', version);
    if (at + 16 > bytes.length) throw noRoom('CopyRequestAck');
    const start = this.#base + at;
    view.setUint32(start, 14549000, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
    view.setUint32(start + 12, 4294967295, true);
    const blockLength = 8;
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
  get copyReqType(): number { return this.#view.getUint8(this.#at); }
  setCopyReqType(value: number): this { if (value !== (value & 255)) throw outside('CopyRequestAck.CopyReqType', value); this.#view.setUint8(this.#at, value); return this; }
  get copyReqStatus(): number { return this.#view.getUint8(this.#at + 1); }
  setCopyReqStatus(value: number): this { if (value !== (value & 255)) throw outside('CopyRequestAck.CopyReqStatus', value); this.#view.setUint8(this.#at + 1, value); return this; }
  get copyReqReason(): number | undefined { const value = this.#view.getUint16(this.#at + 2, true); return value === 65535 ? undefined : value; }
  setCopyReqReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('CopyRequestAck.CopyReqReason', value); this.#view.setUint16(this.#at + 2, value ?? 65535, true); return this; }
  get copyCount(): number | undefined { const value = this.#view.getUint32(this.#at + 4, true); return value === 4294967295 ? undefined : value; }
  setCopyCount(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('CopyRequestAck.CopyCount', value); this.#view.setUint32(this.#at + 4, value ?? 4294967295, true); return this; }
  get copyReqId(): string {
    const at = this.#copyReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get copyReqIdBytes(): Uint8Array {
    const at = this.#copyReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setCopyReqId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyRequestAck.CopyReqID');
    this.#view.setUint8(at, size);
    this.#copyReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setCopyReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyRequestAck.CopyReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyRequestAck.CopyReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#copyReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'CopyRequestAck.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 2;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 65535) throw outside('CopyRequestAck.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('CopyRequestAck.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('CopyRequestAck');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyRequestAck.CopyReqID');
      this.#view.setUint8(this.#end, 0);
      this.#copyReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 2 > this.#limit) throw noRoom('CopyRequestAck.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
