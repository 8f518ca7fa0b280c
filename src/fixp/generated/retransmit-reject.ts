// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'RetransmitReject',
  groups: [],
  data: [
    { name: 'Reason', since: 0, type: types.data.text },
  ],
};

/** Moves the end over Reason; answers what is wrong with them. */
function walkRetransmitReject(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** RetransmitReject (13). Refuses a RetransmitRequest. */
export class RetransmitReject {
  static readonly templateId = 13;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 25;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('RetransmitReject', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 13 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('RetransmitReject');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 25, version, limit) ?? walkRetransmitReject(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('RetransmitReject', version);
    if (at + 33 > bytes.length) throw noRoom('RetransmitReject');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 851993, true);
    view.setUint32(start + 4, 68284, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setUint8(start + 32, 0);
    if (version < 1) {
      view.setUint16(start, 25, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.begin(start + 8, 25, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get sessionId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 16); }
  setSessionId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 16, value, 'RetransmitReject.SessionId'); return this; }
  get requestTimestamp(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 20, true), view.getUint32(at + 16, true), 'RetransmitReject.RequestTimestamp'); }
  get requestTimestampBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 16, true); }
  setRequestTimestamp(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('RetransmitReject.RequestTimestamp', value); view.setUint32(at + 20, highOf(value, 'RetransmitReject.RequestTimestamp'), true); view.setUint32(at + 16, value, true); return this; }
  setRequestTimestampBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('RetransmitReject.RequestTimestamp', value); view.setBigUint64(at + 16, value, true); return this; }
  get code(): number { const { at, view } = this.#block; return view.getUint8(at + 24); }
  setCode(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('RetransmitReject.Code', value); view.setUint8(at + 24, value); return this; }
  get reason(): string { return this.#block.text(0); }
  get reasonBytes(): Uint8Array { return this.#block.bytes(0); }
  setReason(value: string): this { this.#block.putText(0, value); return this; }
  setReasonBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
