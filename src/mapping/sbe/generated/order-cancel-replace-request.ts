// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putOctets, putPairs, putText, putWhole, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(171, { 0: 'a3', 2: '65', 4: '3010', 84: 'ffffffffffffffffffffffffffffffff', 119: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' });
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
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('OrderCancelReplaceRequest', version);
    if (at + 171 > bytes.length) throw noRoom('OrderCancelReplaceRequest');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 163, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get clOrdId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  setClOrdId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 36, value, 'ascii', 'OrderCancelReplaceRequest.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putOctets(octets, at, 36, value, 'OrderCancelReplaceRequest.ClOrdID'); return this; }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'OrderCancelReplaceRequest.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('OrderCancelReplaceRequest.TransactTime', value); view.setUint32(at + 40, highOf(value, 'OrderCancelReplaceRequest.TransactTime'), true); view.setUint32(at + 36, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReplaceRequest.TransactTime', value); view.setBigUint64(at + 36, value, true); return this; }
  get orderId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 44, at + 76); }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + 44, 32, value, 'OrderCancelReplaceRequest.OrderID'); return this; }
  get origOrdModTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 80, true); const low = view.getUint32(at + 76, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.OrigOrdModTime'); }
  get origOrdModTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 76, true); return value === 18446744073709551615n ? undefined : value; }
  setOrigOrdModTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.OrigOrdModTime', value); view.setUint32(at + 80, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.OrigOrdModTime'), true); view.setUint32(at + 76, value ?? 4294967295, true); return this; }
  setOrigOrdModTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.OrigOrdModTime', value); view.setBigUint64(at + 76, value ?? 18446744073709551615n, true); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 88, true); const low = view.getUint32(at + 84, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 84, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Instrument.MarketId', value); view.setUint32(at + 88, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Instrument.MarketId'), true); view.setUint32(at + 84, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Instrument.MarketId', value); view.setBigUint64(at + 84, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 92); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Instrument.Book', value); view.setUint8(at + 92, value); return this; }
  get termsSide(): number { const { at, view } = this.#block; return view.getUint8(at + 93); }
  setTermsSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.Side', value); view.setUint8(at + 93, value); return this; }
  get termsOrdType(): number { const { at, view } = this.#block; return view.getUint8(at + 94); }
  setTermsOrdType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.OrdType', value); view.setUint8(at + 94, value); return this; }
  get termsTimeInForce(): number { const { at, view } = this.#block; return view.getUint8(at + 95); }
  setTermsTimeInForce(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.TimeInForce', value); view.setUint8(at + 95, value); return this; }
  get termsStpMode(): number { const { at, view } = this.#block; return view.getUint8(at + 96); }
  setTermsStpMode(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.StpMode', value); view.setUint8(at + 96, value); return this; }
  get termsFlags(): number { const { at, view } = this.#block; return view.getUint8(at + 97); }
  setTermsFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.Flags', value); view.setUint8(at + 97, value); return this; }
  get termsTriggerDirection(): number { const { at, view } = this.#block; return view.getUint8(at + 98); }
  setTermsTriggerDirection(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.TriggerDirection', value); view.setUint8(at + 98, value); return this; }
  get termsConditionalKind(): number { const { at, view } = this.#block; return view.getUint8(at + 99); }
  setTermsConditionalKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.ConditionalKind', value); view.setUint8(at + 99, value); return this; }
  get termsAlgoKind(): number { const { at, view } = this.#block; return view.getUint8(at + 100); }
  setTermsAlgoKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.AlgoKind', value); view.setUint8(at + 100, value); return this; }
  get termsPriceExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 101); }
  setTermsPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('OrderCancelReplaceRequest.Terms.PriceExponent', value); view.setInt8(at + 101, value); return this; }
  get termsQtyExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 102); }
  setTermsQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('OrderCancelReplaceRequest.Terms.QtyExponent', value); view.setInt8(at + 102, value); return this; }
  get termsOrderQty(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 107, true), view.getUint32(at + 103, true), 'OrderCancelReplaceRequest.Terms.OrderQty'); }
  get termsOrderQtyBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 103, true); }
  setTermsOrderQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('OrderCancelReplaceRequest.Terms.OrderQty', value); view.setUint32(at + 107, highOf(value, 'OrderCancelReplaceRequest.Terms.OrderQty'), true); view.setUint32(at + 103, value, true); return this; }
  setTermsOrderQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReplaceRequest.Terms.OrderQty', value); view.setBigUint64(at + 103, value, true); return this; }
  get termsPrice(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 115, true); const low = view.getUint32(at + 111, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.Price'); }
  get termsPriceBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 111, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsPrice(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.Price', value); view.setUint32(at + 115, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.Price'), true); view.setUint32(at + 111, value ?? 4294967295, true); return this; }
  setTermsPriceBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.Price', value); view.setBigUint64(at + 111, value ?? 18446744073709551615n, true); return this; }
  get termsStopPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 123, true); const low = view.getUint32(at + 119, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.StopPx'); }
  get termsStopPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 119, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsStopPx(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.StopPx', value); view.setUint32(at + 123, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.StopPx'), true); view.setUint32(at + 119, value ?? 4294967295, true); return this; }
  setTermsStopPxBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.StopPx', value); view.setBigUint64(at + 119, value ?? 18446744073709551615n, true); return this; }
  get termsMaxFloor(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 131, true); const low = view.getUint32(at + 127, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.MaxFloor'); }
  get termsMaxFloorBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 127, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsMaxFloor(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.MaxFloor', value); view.setUint32(at + 131, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.MaxFloor'), true); view.setUint32(at + 127, value ?? 4294967295, true); return this; }
  setTermsMaxFloorBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.MaxFloor', value); view.setBigUint64(at + 127, value ?? 18446744073709551615n, true); return this; }
  get termsSliceQty(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 139, true); const low = view.getUint32(at + 135, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.SliceQty'); }
  get termsSliceQtyBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 135, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsSliceQty(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.SliceQty', value); view.setUint32(at + 139, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.SliceQty'), true); view.setUint32(at + 135, value ?? 4294967295, true); return this; }
  setTermsSliceQtyBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.SliceQty', value); view.setBigUint64(at + 135, value ?? 18446744073709551615n, true); return this; }
  get termsSliceIntervalMs(): number | undefined { const { at, view } = this.#block; const value = view.getUint32(at + 143, true); return value === 4294967295 ? undefined : value; }
  setTermsSliceIntervalMs(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('OrderCancelReplaceRequest.Terms.SliceIntervalMs', value); view.setUint32(at + 143, value ?? 4294967295, true); return this; }
  get termsExpireTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 151, true); const low = view.getUint32(at + 147, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelReplaceRequest.Terms.ExpireTime'); }
  get termsExpireTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 147, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsExpireTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.ExpireTime', value); view.setUint32(at + 151, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.ExpireTime'), true); view.setUint32(at + 147, value ?? 4294967295, true); return this; }
  setTermsExpireTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.ExpireTime', value); view.setBigUint64(at + 147, value ?? 18446744073709551615n, true); return this; }
  get termsCurrency(): string { const { at, octets } = this.#block; return textAt(octets, at + 155, 8, 'ascii'); }
  get termsCurrencyBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 155, at + 163); }
  setTermsCurrency(value: string): this { const { at, octets } = this.#block; putText(octets, at + 155, 8, value, 'ascii', 'OrderCancelReplaceRequest.Terms.Currency'); return this; }
  setTermsCurrencyBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 155, 8, value, 'OrderCancelReplaceRequest.Terms.Currency'); return this; }
  get origClOrdId(): string { return this.#block.text(0); }
  get origClOrdIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setOrigClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setOrigClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  get symbol(): string { return this.#block.text(2); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(2); }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}
