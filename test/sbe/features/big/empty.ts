// Generated from features.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../../src/sbe/block.ts';
import { cut, noRoom, notInVersion, wrongTemplate } from '../../../../src/sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'Empty',
  groups: [],
  data: [],
};

/** Empty (65535). */
export class Empty {
  static readonly templateId = 65535;
  static readonly schemaId = 77;
  static readonly schemaVersion = 2;
  static readonly blockLength = 0;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 20 > limit) return cut('Empty', 20, limit - start);
    if (view.getUint16(start + 3) !== 65535 || view.getUint32(start + 12) !== 77) return wrongTemplate('Empty');
    const version = view.getUint8(start);
    return block.wrap(start + 20, view.getUint32(start + 8), 0, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 2): this {
    if (version > 2) throw notInVersion('Empty', version);
    if (at + 20 > bytes.length) throw noRoom('Empty');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 4278190082, true);
    view.setUint32(start + 4, 255, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 1291845632, true);
    view.setUint32(start + 16, 0, true);
    if (version < 2) {
      view.setUint32(start + 8, 0);
      view.setUint8(start, version);
    }
    this.#block.place(start + 20, 0, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 20; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(20); }
}
