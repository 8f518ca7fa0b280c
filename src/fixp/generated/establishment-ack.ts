// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putWhole, shorter, wrongTemplate } from '../../sbe/flyweight.ts';

/** EstablishmentAck (6). Accepts an Establish. */
export class EstablishmentAck {
  static readonly templateId = 6;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 44;
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
    if (start + 8 > limit) return cut('EstablishmentAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 6 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('EstablishmentAck');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = version <= 0 ? 36 : 44;
    if (blockLength < needed) return shorter('EstablishmentAck', blockLength, needed, version);
    const next = start + 8 + blockLength;
    if (next > limit) return cut('EstablishmentAck', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 1) throw notInVersion('EstablishmentAck', version);
    if (at + 52 > bytes.length) throw noRoom('EstablishmentAck');
    const start = this.#base + at;
    view.setUint32(start, 393260, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setUint32(start + 32, 0, true);
    view.setUint32(start + 36, 4294967295, true);
    view.setUint32(start + 40, 4294967295, true);
    view.setUint32(start + 44, 4294967295, true);
    view.setUint32(start + 48, 4294967295, true);
    const blockLength = version <= 0 ? 36 : 44;
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
  setSessionId(value: Uint8Array): this { putWhole(this.#octets, this.#at, 16, value, 'EstablishmentAck.SessionId'); return this; }
  get requestTimestamp(): number { const high = this.#view.getUint32(this.#at + 20, true); const low = this.#view.getUint32(this.#at + 16, true); return joined(high, low, 'EstablishmentAck.RequestTimestamp'); }
  get requestTimestampBig(): bigint { return this.#view.getBigUint64(this.#at + 16, true); }
  get requestTimestampHigh(): number { return this.#view.getUint32(this.#at + 20, true); }
  get requestTimestampLow(): number { return this.#view.getUint32(this.#at + 16, true); }
  setRequestTimestamp(value: number): this { if (value < 0) throw outside('EstablishmentAck.RequestTimestamp', value); const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, highOf(value, 'EstablishmentAck.RequestTimestamp'), true); view.setUint32(at, value, true); return this; }
  setRequestTimestampBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('EstablishmentAck.RequestTimestamp', value); this.#view.setBigUint64(this.#at + 16, value, true); return this; }
  setRequestTimestampHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 16; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get keepaliveInterval(): number { return this.#view.getUint32(this.#at + 24, true); }
  setKeepaliveInterval(value: number): this { if (value !== value >>> 0) throw outside('EstablishmentAck.KeepaliveInterval', value); this.#view.setUint32(this.#at + 24, value, true); return this; }
  get nextSeqNo(): number | undefined { const high = this.#view.getUint32(this.#at + 32, true); const low = this.#view.getUint32(this.#at + 28, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'EstablishmentAck.NextSeqNo'); }
  get nextSeqNoBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 28, true); return value === 18446744073709551615n ? undefined : value; }
  get nextSeqNoHigh(): number { return this.#view.getUint32(this.#at + 32, true); }
  get nextSeqNoLow(): number { return this.#view.getUint32(this.#at + 28, true); }
  setNextSeqNo(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('EstablishmentAck.NextSeqNo', value); const view = this.#view; const at = this.#at + 28; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'EstablishmentAck.NextSeqNo'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setNextSeqNoBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('EstablishmentAck.NextSeqNo', value); this.#view.setBigUint64(this.#at + 28, value ?? 18446744073709551615n, true); return this; }
  setNextSeqNoHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 28; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get lastIncomingSeqNo(): number | undefined { if (this.#version < 1) return undefined; const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'EstablishmentAck.LastIncomingSeqNo'); }
  get lastIncomingSeqNoBig(): bigint | undefined { if (this.#version < 1) return undefined; const value = this.#view.getBigUint64(this.#at + 36, true); return value === 18446744073709551615n ? undefined : value; }
  get lastIncomingSeqNoHigh(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getUint32(this.#at + 40, true); }
  get lastIncomingSeqNoLow(): number | undefined { if (this.#version < 1) return undefined; return this.#view.getUint32(this.#at + 36, true); }
  setLastIncomingSeqNo(value: number | undefined): this { if (this.#version < 1) throw notInVersion('EstablishmentAck.LastIncomingSeqNo', this.#version); if (value !== undefined && (value < 0)) throw outside('EstablishmentAck.LastIncomingSeqNo', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'EstablishmentAck.LastIncomingSeqNo'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setLastIncomingSeqNoBig(value: bigint | undefined): this { if (this.#version < 1) throw notInVersion('EstablishmentAck.LastIncomingSeqNo', this.#version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('EstablishmentAck.LastIncomingSeqNo', value); this.#view.setBigUint64(this.#at + 36, value ?? 18446744073709551615n, true); return this; }
  setLastIncomingSeqNoHalves(high: number, low: number): this { if (this.#version < 1) throw notInVersion('EstablishmentAck.LastIncomingSeqNo', this.#version); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
}
