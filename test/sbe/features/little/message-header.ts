// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { noView } from '../../../../src/sbe/flyweight.ts';

/** Stands before every message; tells which it is. */
export class MessageHeader {
  static readonly size = 20;
  #view = noView;
  #at = 0;

  /** False when the bytes end before the header does. */
  wrap(bytes: Uint8Array, at = 0): boolean {
    if (at + 20 > bytes.length) return false;
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    this.#at = bytes.byteOffset + at;
    return true;
  }
  get version(): number { return this.#view.getUint8(this.#at); }
  get flags(): number { return this.#view.getUint8(this.#at + 2); }
  get templateId(): number { return this.#view.getUint16(this.#at + 3, true); }
  get blockLength(): number { return this.#view.getUint32(this.#at + 8, true); }
  get schemaId(): number { return this.#view.getUint32(this.#at + 12, true); }
  get numGroups(): number { return this.#view.getUint16(this.#at + 16, true); }
  get numVarDataFields(): number { return this.#view.getUint16(this.#at + 18, true); }
}
