// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, noRoom, notInVersion, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'FinishedReceiving',
  groups: [],
  data: [],
};

/** FinishedReceiving (16). The peer's flow was received whole. */
export class FinishedReceiving {
  static readonly templateId = 16;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 16;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('FinishedReceiving', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 16 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('FinishedReceiving');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 16, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('FinishedReceiving', version);
    if (at + 24 > bytes.length) throw noRoom('FinishedReceiving');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 1048592, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    if (version < 1) {
      view.setUint16(start, 16, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, 16, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'FinishedReceiving.SessionId'); return this; }
}
