// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'Sequence',
  groups: [],
  data: [],
};

/** Sequence (8). Keeps alive and states the number of the sender's next message. */
export class Sequence {
  static readonly templateId = 8;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 8;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('Sequence', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 8 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('Sequence');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 8, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('Sequence', version);
    if (at + 16 > bytes.length) throw noRoom('Sequence');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 524296, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    if (version < 1) {
      view.setUint16(start, 8, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, 8, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get nextSeqNo(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 4, true), view.getUint32(at, true), 'Sequence.NextSeqNo'); }
  get nextSeqNoBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at, true); }
  setNextSeqNo(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Sequence.NextSeqNo', value); view.setUint32(at + 4, highOf(value, 'Sequence.NextSeqNo'), true); view.setUint32(at, value, true); return this; }
  setNextSeqNoBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Sequence.NextSeqNo', value); view.setBigUint64(at, value, true); return this; }
}
