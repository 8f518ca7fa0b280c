// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'OrderCancelReplaceRequest',
  groups: [],
  data: [
    { name: 'OrigClOrdID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over OrigClOrdID, Account, Symbol; answers what is wrong with them. */
function walkOrderCancelReplaceRequest(block: sbe.Block): string | undefined {
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
  block.end = next;
  return undefined;
}

/** OrderCancelReplaceRequest (101). Other terms for an order. */
export class OrderCancelReplaceRequest {
  static readonly templateId = 101;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 163;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('OrderCancelReplaceRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 101 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderCancelReplaceRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 163, version, limit) ?? walkOrderCancelReplaceRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get clOrdId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'OrderCancelReplaceRequest.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  get orderId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 44, at + 76); }
  get origOrdModTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 80, true); const low = view.getUint32(at + 76, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.OrigOrdModTime'); }
  get origOrdModTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 76, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 88, true); const low = view.getUint32(at + 84, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 84, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 92); }
  get termsSide(): number { const { at, view } = this.#block; return view.getUint8(at + 93); }
  get termsOrdType(): number { const { at, view } = this.#block; return view.getUint8(at + 94); }
  get termsTimeInForce(): number { const { at, view } = this.#block; return view.getUint8(at + 95); }
  get termsStpMode(): number { const { at, view } = this.#block; return view.getUint8(at + 96); }
  get termsFlags(): number { const { at, view } = this.#block; return view.getUint8(at + 97); }
  get termsTriggerDirection(): number { const { at, view } = this.#block; return view.getUint8(at + 98); }
  get termsConditionalKind(): number { const { at, view } = this.#block; return view.getUint8(at + 99); }
  get termsAlgoKind(): number { const { at, view } = this.#block; return view.getUint8(at + 100); }
  get termsPriceExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 101); }
  get termsQtyExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 102); }
  get termsOrderQty(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 107, true), view.getUint32(at + 103, true), 'OrderCancelReplaceRequest.Terms.OrderQty'); }
  get termsOrderQtyBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 103, true); }
  get termsPrice(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 115, true); const low = view.getUint32(at + 111, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.Price'); }
  get termsPriceBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 111, true); return value === 18446744073709551615n ? undefined : value; }
  get termsStopPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 123, true); const low = view.getUint32(at + 119, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.StopPx'); }
  get termsStopPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 119, true); return value === 18446744073709551615n ? undefined : value; }
  get termsMaxFloor(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 131, true); const low = view.getUint32(at + 127, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.MaxFloor'); }
  get termsMaxFloorBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 127, true); return value === 18446744073709551615n ? undefined : value; }
  get termsSliceQty(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 139, true); const low = view.getUint32(at + 135, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.SliceQty'); }
  get termsSliceQtyBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 135, true); return value === 18446744073709551615n ? undefined : value; }
  get termsSliceIntervalMs(): number | undefined { const { at, view } = this.#block; const value = view.getUint32(at + 143, true); return value === 4294967295 ? undefined : value; }
  get termsExpireTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 151, true); const low = view.getUint32(at + 147, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.ExpireTime'); }
  get termsExpireTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 147, true); return value === 18446744073709551615n ? undefined : value; }
  get termsCurrency(): string { const { at, octets } = this.#block; return textAt(octets, at + 155, 8, 'ascii'); }
  get termsCurrencyBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 155, at + 163); }
  get origClOrdId(): string { return this.#block.text(0); }
  get origClOrdIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
  get symbol(): string { return this.#block.text(2); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(2); }
}
