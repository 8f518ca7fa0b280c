// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'SecurityListRequest',
  groups: [],
  data: [
    { name: 'SecurityReqID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over SecurityReqID, Symbol; answers what is wrong with them. */
function walkSecurityListRequest(block: sbe.Block): string | undefined {
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
  block.end = next;
  return undefined;
}

/** SecurityListRequest (109). What can be traded, and its exponents. */
export class SecurityListRequest {
  static readonly templateId = 109;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 10;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('SecurityListRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 109 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('SecurityListRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 10, version, limit) ?? walkSecurityListRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get securityListRequestType(): number { const { at, view } = this.#block; return view.getUint8(at); }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 5, true); const low = view.getUint32(at + 1, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'SecurityListRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 9); }
  get securityReqId(): string { return this.#block.text(0); }
  get securityReqIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get symbol(): string { return this.#block.text(1); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(1); }
}
