// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, noRoom, notInVersion, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'UnsequencedHeartbeat',
  groups: [],
  data: [],
};

/** UnsequencedHeartbeat (10). Keeps a flow without numbers alive. */
export class UnsequencedHeartbeat {
  static readonly templateId = 10;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 0;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('UnsequencedHeartbeat', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 10 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('UnsequencedHeartbeat');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 0, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('UnsequencedHeartbeat', version);
    if (at + 8 > bytes.length) throw noRoom('UnsequencedHeartbeat');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 655360, true);
    view.setUint32(start + 4, 68284, true);
    if (version < 1) {
      view.setUint16(start, 0, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, 0, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
}
