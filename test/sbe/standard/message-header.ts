// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../src/sbe/block.ts';

/** Precedes every message and identifies it. */
export class MessageHeader {
  static readonly size = 8;
  readonly #block = new sbe.Block({ name: 'messageHeader', groups: [], data: [] });

  /** False when the bytes end before the header does. */
  wrap(bytes: Uint8Array, at = 0): boolean {
    if (at + 8 > bytes.length) return false;
    this.#block.at = this.#block.take(bytes, at);
    return true;
  }
  get blockLength(): number { const { at, view } = this.#block; return view.getUint16(at, true); }
  get templateId(): number { const { at, view } = this.#block; return view.getUint16(at + 2, true); }
  get schemaId(): number { const { at, view } = this.#block; return view.getUint16(at + 4, true); }
  get version(): number { const { at, view } = this.#block; return view.getUint16(at + 6, true); }
}
