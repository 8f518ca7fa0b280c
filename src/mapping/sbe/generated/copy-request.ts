// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'CopyRequest',
  groups: [],
  data: [
    { name: 'CopyReqID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'FromExecID', since: 0, type: types.data.name },
    { name: 'ToExecID', since: 0, type: types.data.name },
  ],
};

/** Moves the end over CopyReqID, Account, FromExecID, ToExecID; answers what is wrong with them. */
function walkCopyRequest(block: sbe.Block): string | undefined {
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
  if (next + 1 > limit) return block.refuseData(2, next);
  dataAt[2] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(2);
  if (next + 1 > limit) return block.refuseData(3, next);
  dataAt[3] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(3);
  block.end = next;
  return undefined;
}

/** CopyRequest (114). Drop copies again, the open orders, or the totals. */
export class CopyRequest {
  static readonly templateId = 114;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 33;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('CopyRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 114 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('CopyRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 33, version, limit) ?? walkCopyRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get copyReqType(): number { const { at, view } = this.#block; return view.getUint8(at); }
  get fromTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 5, true); const low = view.getUint32(at + 1, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'CopyRequest.FromTime'); }
  get fromTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  get toTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 13, true); const low = view.getUint32(at + 9, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'CopyRequest.ToTime'); }
  get toTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 9, true); return value === 18446744073709551615n ? undefined : value; }
  get fromVenueSeq(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 21, true); const low = view.getUint32(at + 17, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'CopyRequest.FromVenueSeq'); }
  get fromVenueSeqBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 17, true); return value === 18446744073709551615n ? undefined : value; }
  get toVenueSeq(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 29, true); const low = view.getUint32(at + 25, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'CopyRequest.ToVenueSeq'); }
  get toVenueSeqBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 25, true); return value === 18446744073709551615n ? undefined : value; }
  get copyReqId(): string { return this.#block.text(0); }
  get copyReqIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
  get fromExecId(): string { return this.#block.text(2); }
  get fromExecIdBytes(): Uint8Array { return this.#block.bytes(2); }
  get toExecId(): string { return this.#block.text(3); }
  get toExecIdBytes(): Uint8Array { return this.#block.bytes(3); }
}
