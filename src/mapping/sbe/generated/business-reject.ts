// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'BusinessReject',
  groups: [],
  data: [
    { name: 'BusinessRejectRefID', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** Moves the end over BusinessRejectRefID, VenueCode, Text; answers what is wrong with them. */
function walkBusinessReject(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  if (next + 1 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(1);
  if (next + 2 > limit) return block.refuseData(2, next);
  dataAt[2] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(2);
  block.end = next;
  return undefined;
}

/** BusinessReject (212). The request as such was not taken. */
export class BusinessReject {
  static readonly templateId = 212;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 15;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('BusinessReject', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 212 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('BusinessReject');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 15, version, limit) ?? walkBusinessReject(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('BusinessReject', version);
    if (at + 23 > bytes.length) throw noRoom('BusinessReject');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 13893647, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967295, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    view.setUint8(start + 20, 255);
    view.setUint8(start + 21, 255);
    view.setUint8(start + 22, 0);
    this.#block.begin(start + 8, 15, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get refTemplateId(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at, true); return value === 65535 ? undefined : value; }
  setRefTemplateId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('BusinessReject.RefTemplateId', value); view.setUint16(at, value ?? 65535, true); return this; }
  get refSeqNum(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 6, true); const low = view.getUint32(at + 2, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'BusinessReject.RefSeqNum'); }
  get refSeqNumBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 2, true); return value === 18446744073709551615n ? undefined : value; }
  setRefSeqNum(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('BusinessReject.RefSeqNum', value); view.setUint32(at + 6, value === undefined ? 4294967295 : highOf(value, 'BusinessReject.RefSeqNum'), true); view.setUint32(at + 2, value ?? 4294967295, true); return this; }
  setRefSeqNumBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('BusinessReject.RefSeqNum', value); view.setBigUint64(at + 2, value ?? 18446744073709551615n, true); return this; }
  get refusalReason(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 10, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('BusinessReject.Refusal.Reason', value); view.setUint16(at + 10, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 12, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('BusinessReject.Refusal.VenueRejectNumber', value); view.setUint16(at + 12, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { const { at, view } = this.#block; return view.getUint8(at + 14); }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('BusinessReject.Refusal.NonceConsumed', value); view.setUint8(at + 14, value); return this; }
  get businessRejectRefId(): string { return this.#block.text(0); }
  get businessRejectRefIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setBusinessRejectRefId(value: string): this { this.#block.putText(0, value); return this; }
  setBusinessRejectRefIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get venueCode(): string { return this.#block.text(1); }
  get venueCodeBytes(): Uint8Array { return this.#block.bytes(1); }
  setVenueCode(value: string): this { this.#block.putText(1, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  get text(): string { return this.#block.text(2); }
  get textBytes(): Uint8Array { return this.#block.bytes(2); }
  setText(value: string): this { this.#block.putText(2, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}
