// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, noOctets, noRoom, notInVersion, noView, outside, putPairs, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../src/sbe/flyweight.ts';

/** BusinessMessageReject (97). */
export class BusinessMessageReject {
  static readonly templateId = 97;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 9;
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
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('BusinessMessageReject', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 97 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('BusinessMessageReject');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 9;
    if (blockLength < needed) return shorter('BusinessMessageReject', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('BusinessMessageReject', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 2 > limit) return cut('BusinessMessageReject.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('BusinessMessageReject.Text', textSize, limit - next);
    next += textSize;
    this.#part = 1;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('BusinessMessageReject', version);
    if (at + 17 > bytes.length) throw noRoom('BusinessMessageReject');
    const start = this.#base + at;
    view.setUint32(start, 6357001, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    const blockLength = 9;
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
  get businesRejectRefId(): string { return textAt(this.#octets, this.#at, 8, 'ascii'); }
  get businesRejectRefIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 8); }
  setBusinesRejectRefId(value: string): this { putText(this.#octets, this.#at, 8, value, 'ascii', 'BusinessMessageReject.BusinesRejectRefId'); return this; }
  setBusinesRejectRefIdBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at, 8, value, 'BusinessMessageReject.BusinesRejectRefId'); return this; }
  get businessRejectReason(): number { return this.#view.getUint8(this.#at + 8); }
  setBusinessRejectReason(value: number): this { if (value !== (value & 255)) throw outside('BusinessMessageReject.BusinessRejectReason', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get text(): Uint8Array {
    const at = this.#textAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setText(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 65535) throw outside('BusinessMessageReject.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('BusinessMessageReject.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('BusinessMessageReject');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 2 > this.#limit) throw noRoom('BusinessMessageReject.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
