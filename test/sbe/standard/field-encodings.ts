// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, shorter, wrongTemplate } from '../../../src/sbe/flyweight.ts';

/** FieldEncodings (999). */
export class FieldEncodings {
  static readonly templateId = 999;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 11;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #version = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('FieldEncodings', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 999 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('FieldEncodings');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 11;
    if (blockLength < needed) return shorter('FieldEncodings', blockLength, needed, version);
    const next = start + 8 + blockLength;
    if (next > limit) return cut('FieldEncodings', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('FieldEncodings', version);
    if (at + 19 > bytes.length) throw noRoom('FieldEncodings');
    const start = this.#base + at;
    view.setUint32(start, 65470475, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    view.setUint8(start + 17, 0);
    view.setUint8(start + 18, 0);
    const blockLength = 11;
    this.#version = version;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get tzTimestampTime(): number { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); return joined(high, low, 'FieldEncodings.TzTimestamp.time'); }
  get tzTimestampTimeBig(): bigint { return this.#view.getBigUint64(this.#at, true); }
  get tzTimestampTimeHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get tzTimestampTimeLow(): number { return this.#view.getUint32(this.#at, true); }
  setTzTimestampTime(value: number): this { if (value < 0) throw outside('FieldEncodings.TzTimestamp.time', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, highOf(value, 'FieldEncodings.TzTimestamp.time'), true); view.setUint32(at, value, true); return this; }
  setTzTimestampTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('FieldEncodings.TzTimestamp.time', value); this.#view.setBigUint64(this.#at, value, true); return this; }
  setTzTimestampTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get tzTimestampUnit(): number { return this.#view.getUint8(this.#at + 8); }
  setTzTimestampUnit(value: number): this { if (value !== (value & 255)) throw outside('FieldEncodings.TzTimestamp.unit', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get tzTimestampTimezoneHour(): number { return this.#view.getInt8(this.#at + 9); }
  setTzTimestampTimezoneHour(value: number): this { if (value !== (value | 0) || value < -12 || value > 14) throw outside('FieldEncodings.TzTimestamp.timezoneHour', value); this.#view.setInt8(this.#at + 9, value); return this; }
  get tzTimestampTimezoneMinute(): number { return this.#view.getUint8(this.#at + 10); }
  setTzTimestampTimezoneMinute(value: number): this { if (value !== (value | 0) || value < 0 || value > 59) throw outside('FieldEncodings.TzTimestamp.timezoneMinute', value); this.#view.setUint8(this.#at + 10, value); return this; }
}
