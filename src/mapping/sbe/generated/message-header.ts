// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { noView } from '../../../sbe/flyweight.ts';

/** Stands before every message; tells which it is. */
export class MessageHeader {
  static readonly size = 8;
  #view = noView;
  #at = 0;

  /** False when the bytes end before the header does. */
  wrap(bytes: Uint8Array, at = 0): boolean {
    if (at + 8 > bytes.length) return false;
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    this.#at = bytes.byteOffset + at;
    return true;
  }
  get blockLength(): number { return this.#view.getUint16(this.#at, true); }
  get templateId(): number { return this.#view.getUint16(this.#at + 2, true); }
  get schemaId(): number { return this.#view.getUint16(this.#at + 4, true); }
  get version(): number { return this.#view.getUint16(this.#at + 6, true); }
}
