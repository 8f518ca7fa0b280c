// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putWhole, shorter, wrongTemplate } from '../../sbe/flyweight.ts';

/** Retransmission (12). Stands before the messages that are sent once more. */
export class Retransmission {
  static readonly templateId = 12;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 36;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('Retransmission', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 12 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('Retransmission');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 36;
    if (blockLength < needed) return shorter('Retransmission', blockLength, needed, version);
    const next = start + 8 + blockLength;
    if (next > limit) return cut('Retransmission', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 1) throw notInVersion('Retransmission', version);
    if (at + 44 > bytes.length) throw noRoom('Retransmission');
    const start = this.#base + at;
    view.setUint32(start, 786468, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setUint32(start + 40, 0, true);
    const blockLength = 36;
    if (version < 1) {
      view.setUint16(start, blockLength, true);
      view.setUint16(start + 6, version, true);
    }
    this.#version = version;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get sessionId(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 16); }
  setSessionId(value: Uint8Array): this { putWhole(this.#octets, this.#at, 16, value, 'Retransmission.SessionId'); return this; }
  get requestTimestamp(): number { const high = this.#view.getUint32(this.#at + 20, true); const low = this.#view.getUint32(this.#at + 16, true); return joined(high, low, 'Retransmission.RequestTimestamp'); }
  get requestTimestampBig(): bigint { return this.#view.getBigUint64(this.#at + 16, true); }
  get requestTimestampHigh(): number { return this.#view.getUint32(this.#at + 20, true); }
  get requestTimestampLow(): number { return this.#view.getUint32(this.#at + 16, true); }
  setRequestTimestamp(value: number): this { if (value < 0) throw outside('Retransmission.RequestTimestamp', value); const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, highOf(value, 'Retransmission.RequestTimestamp'), true); view.setUint32(at, value, true); return this; }
  setRequestTimestampBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Retransmission.RequestTimestamp', value); this.#view.setBigUint64(this.#at + 16, value, true); return this; }
  setRequestTimestampHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get nextSeqNo(): number { const high = this.#view.getUint32(this.#at + 28, true); const low = this.#view.getUint32(this.#at + 24, true); return joined(high, low, 'Retransmission.NextSeqNo'); }
  get nextSeqNoBig(): bigint { return this.#view.getBigUint64(this.#at + 24, true); }
  get nextSeqNoHigh(): number { return this.#view.getUint32(this.#at + 28, true); }
  get nextSeqNoLow(): number { return this.#view.getUint32(this.#at + 24, true); }
  setNextSeqNo(value: number): this { if (value < 0) throw outside('Retransmission.NextSeqNo', value); const view = this.#view; const at = this.#at + 24; view.setUint32(at + 4, highOf(value, 'Retransmission.NextSeqNo'), true); view.setUint32(at, value, true); return this; }
  setNextSeqNoBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('Retransmission.NextSeqNo', value); this.#view.setBigUint64(this.#at + 24, value, true); return this; }
  setNextSeqNoHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 24; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get count(): number { return this.#view.getUint32(this.#at + 32, true); }
  setCount(value: number): this { if (value !== value >>> 0) throw outside('Retransmission.Count', value); this.#view.setUint32(this.#at + 32, value, true); return this; }
}
