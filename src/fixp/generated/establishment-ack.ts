// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'EstablishmentAck',
  groups: [],
  data: [],
};

/** EstablishmentAck (6). Accepts an Establish. */
export class EstablishmentAck {
  static readonly templateId = 6;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 44;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('EstablishmentAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 6 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('EstablishmentAck');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), version <= 0 ? 36 : 44, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('EstablishmentAck', version);
    if (at + 52 > bytes.length) throw noRoom('EstablishmentAck');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
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
    if (version < 1) {
      view.setUint16(start, version <= 0 ? 36 : 44, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.place(start + 8, version <= 0 ? 36 : 44, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'EstablishmentAck.SessionId'); return this; }
  get requestTimestamp(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 20, true), view.getUint32(at + 16, true), 'EstablishmentAck.RequestTimestamp'); }
  get requestTimestampBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 16, true); }
  setRequestTimestamp(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('EstablishmentAck.RequestTimestamp', value); view.setUint32(at + 20, highOf(value, 'EstablishmentAck.RequestTimestamp'), true); view.setUint32(at + 16, value, true); return this; }
  setRequestTimestampBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('EstablishmentAck.RequestTimestamp', value); view.setBigUint64(at + 16, value, true); return this; }
  get keepaliveInterval(): number { const { at, view } = this.#block; return view.getUint32(at + 24, true); }
  setKeepaliveInterval(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('EstablishmentAck.KeepaliveInterval', value); view.setUint32(at + 24, value, true); return this; }
  get nextSeqNo(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 32, true); const low = view.getUint32(at + 28, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'EstablishmentAck.NextSeqNo'); }
  get nextSeqNoBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 28, true); return value === 18446744073709551615n ? undefined : value; }
  setNextSeqNo(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('EstablishmentAck.NextSeqNo', value); view.setUint32(at + 32, value === undefined ? 4294967295 : highOf(value, 'EstablishmentAck.NextSeqNo'), true); view.setUint32(at + 28, value ?? 4294967295, true); return this; }
  setNextSeqNoBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('EstablishmentAck.NextSeqNo', value); view.setBigUint64(at + 28, value ?? 18446744073709551615n, true); return this; }
  get lastIncomingSeqNo(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const high = view.getUint32(at + 40, true); const low = view.getUint32(at + 36, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'EstablishmentAck.LastIncomingSeqNo'); }
  get lastIncomingSeqNoBig(): bigint | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const value = view.getBigUint64(at + 36, true); return value === 18446744073709551615n ? undefined : value; }
  setLastIncomingSeqNo(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('EstablishmentAck.LastIncomingSeqNo', version); if (value !== undefined && (value < 0)) throw outside('EstablishmentAck.LastIncomingSeqNo', value); view.setUint32(at + 40, value === undefined ? 4294967295 : highOf(value, 'EstablishmentAck.LastIncomingSeqNo'), true); view.setUint32(at + 36, value ?? 4294967295, true); return this; }
  setLastIncomingSeqNoBig(value: bigint | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('EstablishmentAck.LastIncomingSeqNo', version); if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('EstablishmentAck.LastIncomingSeqNo', value); view.setBigUint64(at + 36, value ?? 18446744073709551615n, true); return this; }
}
