// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'Context',
  groups: [],
  data: [],
};

/** Context (9). A Sequence that also states the session. */
export class Context {
  static readonly templateId = 9;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 24;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('Context', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 9 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('Context');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 24, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('Context', version);
    if (at + 32 > bytes.length) throw noRoom('Context');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 589848, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    if (version < 1) {
      view.setUint16(start, 24, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, 24, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'Context.SessionId'); return this; }
  get nextSeqNo(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 20, true), view.getUint32(at + 16, true), 'Context.NextSeqNo'); }
  get nextSeqNoBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 16, true); }
  setNextSeqNo(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Context.NextSeqNo', value); view.setUint32(at + 20, highOf(value, 'Context.NextSeqNo'), true); view.setUint32(at + 16, value, true); return this; }
  setNextSeqNoBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Context.NextSeqNo', value); view.setBigUint64(at + 16, value, true); return this; }
}
