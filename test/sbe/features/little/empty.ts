// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, noOctets, noRoom, notInVersion, noView, shorter, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

/** Empty (65535). */
export class Empty {
  static readonly templateId = 65535;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 0;
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
    if (start + 20 > limit) return cut('Empty', 20, limit - start);
    if (view.getUint16(start + 3, true) !== 65535 || view.getUint32(start + 12, true) !== 77) return wrongTemplate('Empty');
    const blockLength = view.getUint32(start + 8, true);
    const version = view.getUint8(start);
    const needed = 0;
    if (blockLength < needed) return shorter('Empty', blockLength, needed, version);
    const next = start + 20 + blockLength;
    if (next > limit) return cut('Empty', blockLength, limit - start - 20);
    this.#version = version;
    this.#at = start + 20;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 2) throw notInVersion('Empty', version);
    if (at + 20 > bytes.length) throw noRoom('Empty');
    const start = this.#base + at;
    view.setUint32(start, 4278190082, true);
    view.setUint32(start + 4, 255, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 77, true);
    view.setUint32(start + 16, 0, true);
    const blockLength = 0;
    if (version < 2) {
      view.setUint32(start + 8, blockLength, true);
      view.setUint8(start, version);
    }
    this.#version = version;
    this.#at = start + 20;
    this.#end = start + 20 + blockLength;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    return this.#end - this.#at + 20;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, this.#at - 20, this.#end - this.#at + 20);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
}
