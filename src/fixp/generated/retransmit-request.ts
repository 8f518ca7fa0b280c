// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'RetransmitRequest',
  groups: [],
  data: [],
};

/** RetransmitRequest (11). Asks for messages of a recoverable flow once more. */
export class RetransmitRequest {
  static readonly templateId = 11;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 36;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('RetransmitRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 11 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('RetransmitRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 36, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('RetransmitRequest', version);
    if (at + 44 > bytes.length) throw noRoom('RetransmitRequest');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 720932, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setUint32(start + 40, 0, true);
    if (version < 1) {
      view.setUint16(start, 36, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, 36, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'RetransmitRequest.SessionId'); return this; }
  get timestamp(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 20, true), view.getUint32(at + 16, true), 'RetransmitRequest.Timestamp'); }
  get timestampBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 16, true); }
  setTimestamp(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('RetransmitRequest.Timestamp', value); view.setUint32(at + 20, highOf(value, 'RetransmitRequest.Timestamp'), true); view.setUint32(at + 16, value, true); return this; }
  setTimestampBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('RetransmitRequest.Timestamp', value); view.setBigUint64(at + 16, value, true); return this; }
  get fromSeqNo(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 28, true), view.getUint32(at + 24, true), 'RetransmitRequest.FromSeqNo'); }
  get fromSeqNoBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 24, true); }
  setFromSeqNo(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('RetransmitRequest.FromSeqNo', value); view.setUint32(at + 28, highOf(value, 'RetransmitRequest.FromSeqNo'), true); view.setUint32(at + 24, value, true); return this; }
  setFromSeqNoBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('RetransmitRequest.FromSeqNo', value); view.setBigUint64(at + 24, value, true); return this; }
  get count(): number { const { at, view } = this.#block; return view.getUint32(at + 32, true); }
  setCount(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('RetransmitRequest.Count', value); view.setUint32(at + 32, value, true); return this; }
}
