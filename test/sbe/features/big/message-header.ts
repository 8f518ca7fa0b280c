// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../../src/sbe/block.ts';

/** Precedes every message and identifies it. */
export class MessageHeader {
  static readonly size = 20;
  readonly #block = new sbe.Block({ name: 'frameHeader', groups: [], data: [] });

  /** False when the bytes end before the header does. */
  wrap(bytes: Uint8Array, at = 0): boolean {
    if (at + 20 > bytes.length) return false;
    this.#block.at = this.#block.take(bytes, at);
    return true;
  }
  get version(): number { const { at, view } = this.#block; return view.getUint8(at); }
  get flags(): number { const { at, view } = this.#block; return view.getUint8(at + 2); }
  get templateId(): number { const { at, view } = this.#block; return view.getUint16(at + 3); }
  get blockLength(): number { const { at, view } = this.#block; return view.getUint32(at + 8); }
  get schemaId(): number { const { at, view } = this.#block; return view.getUint32(at + 12); }
  get numGroups(): number { const { at, view } = this.#block; return view.getUint16(at + 16); }
  get numVarDataFields(): number { const { at, view } = this.#block; return view.getUint16(at + 18); }
}
