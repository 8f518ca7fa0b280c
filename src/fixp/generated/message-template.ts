// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, shorter, wrongOrder, wrongTemplate } from '../../sbe/flyweight.ts';

/** MessageTemplate (19). Carries a message template; this bridge sends none. */
export class MessageTemplate {
  static readonly templateId = 19;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 12;
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
  #versionAt = 0;
  #templateAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('MessageTemplate', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 19 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('MessageTemplate');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 12;
    if (blockLength < needed) return shorter('MessageTemplate', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('MessageTemplate', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 2 > limit) return cut('MessageTemplate.Version', 2, limit - next);
    this.#versionAt = next;
    const versionSize = view.getUint16(next, true);
    next += 2;
    if (next + versionSize > limit) return cut('MessageTemplate.Version', versionSize, limit - next);
    next += versionSize;
    if (next + 2 > limit) return cut('MessageTemplate.Template', 2, limit - next);
    this.#templateAt = next;
    const templateSize = view.getUint16(next, true);
    next += 2;
    if (next + templateSize > limit) return cut('MessageTemplate.Template', templateSize, limit - next);
    next += templateSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 1) throw notInVersion('MessageTemplate', version);
    if (at + 20 > bytes.length) throw noRoom('MessageTemplate');
    const start = this.#base + at;
    view.setUint32(start, 1245196, true);
    view.setUint32(start + 4, 68284, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    const blockLength = 12;
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
  get encodingType(): number { return this.#view.getUint32(this.#at, true); }
  setEncodingType(value: number): this { if (value !== value >>> 0) throw outside('MessageTemplate.EncodingType', value); this.#view.setUint32(this.#at, value, true); return this; }
  get effectiveTime(): number | undefined { const high = this.#view.getUint32(this.#at + 8, true); const low = this.#view.getUint32(this.#at + 4, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MessageTemplate.EffectiveTime'); }
  get effectiveTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 4, true); return value === 18446744073709551615n ? undefined : value; }
  get effectiveTimeHigh(): number { return this.#view.getUint32(this.#at + 8, true); }
  get effectiveTimeLow(): number { return this.#view.getUint32(this.#at + 4, true); }
  setEffectiveTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MessageTemplate.EffectiveTime', value); const view = this.#view; const at = this.#at + 4; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MessageTemplate.EffectiveTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setEffectiveTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MessageTemplate.EffectiveTime', value); this.#view.setBigUint64(this.#at + 4, value ?? 18446744073709551615n, true); return this; }
  setEffectiveTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 4; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get version(): Uint8Array {
    const at = this.#versionAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setVersion(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 65535) throw outside('MessageTemplate.Version', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('MessageTemplate.Version');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#versionAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 1;
    return this;
  }
  get template(): Uint8Array {
    const at = this.#templateAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setTemplate(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 65535) throw outside('MessageTemplate.Template', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('MessageTemplate.Template');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#templateAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MessageTemplate');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 2 > this.#limit) throw noRoom('MessageTemplate.Version');
      this.#view.setUint16(this.#end, 0, true);
      this.#versionAt = this.#end;
      this.#end += 2;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 2 > this.#limit) throw noRoom('MessageTemplate.Template');
      this.#view.setUint16(this.#end, 0, true);
      this.#templateAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
