// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'Establish',
  groups: [],
  data: [
    { name: 'Credentials', since: 0, type: types.data.data },
  ],
};

/** Moves the end over Credentials; answers what is wrong with them. */
function walkEstablish(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Establish (5). Binds a negotiated session to this transport. */
export class Establish {
  static readonly templateId = 5;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 41;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('Establish', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 5 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('Establish');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), version <= 0 ? 36 : 41, version, limit) ?? walkEstablish(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('Establish', version);
    if (at + 49 > bytes.length) throw noRoom('Establish');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 327721, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setUint32(start + 32, 0, true);
    view.setUint32(start + 36, 4294967295, true);
    view.setUint32(start + 40, 4294967295, true);
    view.setUint32(start + 44, 4294967295, true);
    view.setUint8(start + 48, 255);
    if (version < 1) {
      view.setUint16(start, version <= 0 ? 36 : 41, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.begin(start + 8, version <= 0 ? 36 : 41, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'Establish.SessionId'); return this; }
  get timestamp(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 20, true), view.getUint32(at + 16, true), 'Establish.Timestamp'); }
  get timestampBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 16, true); }
  setTimestamp(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('Establish.Timestamp', value); view.setUint32(at + 20, highOf(value, 'Establish.Timestamp'), true); view.setUint32(at + 16, value, true); return this; }
  setTimestampBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('Establish.Timestamp', value); view.setBigUint64(at + 16, value, true); return this; }
  get keepaliveInterval(): number { const { at, view } = this.#block; return view.getUint32(at + 24, true); }
  setKeepaliveInterval(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('Establish.KeepaliveInterval', value); view.setUint32(at + 24, value, true); return this; }
  get nextSeqNo(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 32, true); const low = view.getUint32(at + 28, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Establish.NextSeqNo'); }
  get nextSeqNoBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 28, true); return value === 18446744073709551615n ? undefined : value; }
  setNextSeqNo(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('Establish.NextSeqNo', value); view.setUint32(at + 32, value === undefined ? 4294967295 : highOf(value, 'Establish.NextSeqNo'), true); view.setUint32(at + 28, value ?? 4294967295, true); return this; }
  setNextSeqNoBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('Establish.NextSeqNo', value); view.setBigUint64(at + 28, value ?? 18446744073709551615n, true); return this; }
  get cancelOnDisconnectType(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const value = view.getUint8(at + 36); return value === 255 ? undefined : value; }
  setCancelOnDisconnectType(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Establish.CancelOnDisconnectType', version); if (value !== undefined && (value !== (value & 255))) throw outside('Establish.CancelOnDisconnectType', value); view.setUint8(at + 36, value ?? 255); return this; }
  get codTimeoutWindow(): number | undefined { const { at, version, view } = this.#block; if (version < 1) return undefined; const value = view.getUint32(at + 37, true); return value === 4294967295 ? undefined : value; }
  setCodTimeoutWindow(value: number | undefined): this { const { at, version, view } = this.#block; if (version < 1) throw notInVersion('Establish.CodTimeoutWindow', version); if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('Establish.CodTimeoutWindow', value); view.setUint32(at + 37, value ?? 4294967295, true); return this; }
  get credentials(): Uint8Array { return this.#block.bytes(0); }
  setCredentials(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
