// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'TradeCaptureReportRequest',
  groups: [],
  data: [
    { name: 'TradeRequestID', since: 0, type: types.data.name },
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'ExecID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over TradeRequestID, ClOrdID, ExecID, Symbol; answers what is wrong with them. */
function walkTradeCaptureReportRequest(block: sbe.Block): string | undefined {
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

/** TradeCaptureReportRequest (116). Trades of the past that fit, those to come, or both. */
export class TradeCaptureReportRequest {
  static readonly templateId = 116;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 52;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('TradeCaptureReportRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 116 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradeCaptureReportRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 52, version, limit) ?? walkTradeCaptureReportRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get tradeRequestType(): number { const { at, view } = this.#block; return view.getUint16(at, true); }
  get subscriptionRequestType(): number { const { at, view } = this.#block; return view.getUint8(at + 2); }
  get side(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 3); return value === 0 ? undefined : value; }
  get fromTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 8, true); const low = view.getUint32(at + 4, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'TradeCaptureReportRequest.FromTime'); }
  get fromTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 4, true); return value === 18446744073709551615n ? undefined : value; }
  get toTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 16, true); const low = view.getUint32(at + 12, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'TradeCaptureReportRequest.ToTime'); }
  get toTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 12, true); return value === 18446744073709551615n ? undefined : value; }
  get orderId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 20, at + 52); }
  get tradeRequestId(): string { return this.#block.text(0); }
  get tradeRequestIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get clOrdId(): string { return this.#block.text(1); }
  get clOrdIdBytes(): Uint8Array { return this.#block.bytes(1); }
  get execId(): string { return this.#block.text(2); }
  get execIdBytes(): Uint8Array { return this.#block.bytes(2); }
  get symbol(): string { return this.#block.text(3); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(3); }
}
