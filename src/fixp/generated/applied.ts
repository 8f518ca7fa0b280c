// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, shorter, wrongTemplate } from '../../sbe/flyweight.ts';

/** Applied (17). These messages of an idempotent flow were taken. */
export class Applied {
  static readonly templateId = 17;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 12;
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
    if (start + 8 > limit) return cut('Applied', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 17 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('Applied');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 12;
    if (blockLength < needed) return shorter('Applied', blockLength, needed, version);
    const next = start + 8 + blockLength;
    if (next > limit) return cut('Applied', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 1) throw notInVersion('Applied', version);
    if (at + 20 > bytes.length) throw noRoom('Applied');
    const start = this.#base + at;
    view.setUint32(start, 1114124, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setUint32(start + 16, 0, true);
    const blockLength = 12;
    if (version < 1) {
      view.setUint16(start, blockLength, true);
      view.setUint16(start + 6, version, true);
    }
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
  get fromSeqNo(): number { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); return joined(high, low, 'Applied.FromSeqNo'); }
  get fromSeqNoBig(): bigint { return this.#view.getBigUint64(this.#at, true); }
  get fromSeqNoHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get fromSeqNoLow(): number { return this.#view.getUint32(this.#at, true); }
  setFromSeqNo(value: number): this { if (value < 0) throw outside('Applied.FromSeqNo', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, highOf(value, 'Applied.FromSeqNo'), true); view.setUint32(at, value, true); return this; }
  setFromSeqNoBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Applied.FromSeqNo', value); this.#view.setBigUint64(this.#at, value, true); return this; }
  setFromSeqNoHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get count(): number { return this.#view.getUint32(this.#at + 8, true); }
  setCount(value: number): this { if (value !== value >>> 0) throw outside('Applied.Count', value); this.#view.setUint32(this.#at + 8, value, true); return this; }
}
