// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putOctets, putPairs, putText, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(132, { 0: '7c', 2: '64', 4: '3010', 53: 'ffffffffffffffff', 80: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' });
const layout: sbe.Layout = {
  name: 'NewOrderSingle',
  groups: [],
  data: [
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over Account, Symbol; answers what is wrong with them. */
function walkNewOrderSingle(block: sbe.Block): string | undefined {
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

/** NewOrderSingle (100). A new order. */
export class NewOrderSingle {
  static readonly templateId = 100;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 124;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('NewOrderSingle', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 100 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('NewOrderSingle');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 124, version, limit) ?? walkNewOrderSingle(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('NewOrderSingle', version);
    if (at + 132 > bytes.length) throw noRoom('NewOrderSingle');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 124, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get clOrdId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  setClOrdId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 36, value, 'ascii', 'NewOrderSingle.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putOctets(octets, at, 36, value, 'NewOrderSingle.ClOrdID'); return this; }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'NewOrderSingle.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('NewOrderSingle.TransactTime', value); view.setUint32(at + 40, highOf(value, 'NewOrderSingle.TransactTime'), true); view.setUint32(at + 36, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.TransactTime', value); view.setBigUint64(at + 36, value, true); return this; }
  get flags(): number { const { at, view } = this.#block; return view.getUint8(at + 44); }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Flags', value); view.setUint8(at + 44, value); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 49, true); const low = view.getUint32(at + 45, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 45, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Instrument.MarketId', value); view.setUint32(at + 49, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Instrument.MarketId'), true); view.setUint32(at + 45, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Instrument.MarketId', value); view.setBigUint64(at + 45, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 53); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Instrument.Book', value); view.setUint8(at + 53, value); return this; }
  get termsSide(): number { const { at, view } = this.#block; return view.getUint8(at + 54); }
  setTermsSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.Side', value); view.setUint8(at + 54, value); return this; }
  get termsOrdType(): number { const { at, view } = this.#block; return view.getUint8(at + 55); }
  setTermsOrdType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.OrdType', value); view.setUint8(at + 55, value); return this; }
  get termsTimeInForce(): number { const { at, view } = this.#block; return view.getUint8(at + 56); }
  setTermsTimeInForce(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.TimeInForce', value); view.setUint8(at + 56, value); return this; }
  get termsStpMode(): number { const { at, view } = this.#block; return view.getUint8(at + 57); }
  setTermsStpMode(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.StpMode', value); view.setUint8(at + 57, value); return this; }
  get termsFlags(): number { const { at, view } = this.#block; return view.getUint8(at + 58); }
  setTermsFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.Flags', value); view.setUint8(at + 58, value); return this; }
  get termsTriggerDirection(): number { const { at, view } = this.#block; return view.getUint8(at + 59); }
  setTermsTriggerDirection(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.TriggerDirection', value); view.setUint8(at + 59, value); return this; }
  get termsConditionalKind(): number { const { at, view } = this.#block; return view.getUint8(at + 60); }
  setTermsConditionalKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.ConditionalKind', value); view.setUint8(at + 60, value); return this; }
  get termsAlgoKind(): number { const { at, view } = this.#block; return view.getUint8(at + 61); }
  setTermsAlgoKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.AlgoKind', value); view.setUint8(at + 61, value); return this; }
  get termsPriceExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 62); }
  setTermsPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('NewOrderSingle.Terms.PriceExponent', value); view.setInt8(at + 62, value); return this; }
  get termsQtyExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 63); }
  setTermsQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('NewOrderSingle.Terms.QtyExponent', value); view.setInt8(at + 63, value); return this; }
  get termsOrderQty(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 68, true), view.getUint32(at + 64, true), 'NewOrderSingle.Terms.OrderQty'); }
  get termsOrderQtyBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 64, true); }
  setTermsOrderQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('NewOrderSingle.Terms.OrderQty', value); view.setUint32(at + 68, highOf(value, 'NewOrderSingle.Terms.OrderQty'), true); view.setUint32(at + 64, value, true); return this; }
  setTermsOrderQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.Terms.OrderQty', value); view.setBigUint64(at + 64, value, true); return this; }
  get termsPrice(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 76, true); const low = view.getUint32(at + 72, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Terms.Price'); }
  get termsPriceBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 72, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsPrice(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.Price', value); view.setUint32(at + 76, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.Price'), true); view.setUint32(at + 72, value ?? 4294967295, true); return this; }
  setTermsPriceBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.Price', value); view.setBigUint64(at + 72, value ?? 18446744073709551615n, true); return this; }
  get termsStopPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 84, true); const low = view.getUint32(at + 80, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Terms.StopPx'); }
  get termsStopPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 80, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsStopPx(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.StopPx', value); view.setUint32(at + 84, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.StopPx'), true); view.setUint32(at + 80, value ?? 4294967295, true); return this; }
  setTermsStopPxBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.StopPx', value); view.setBigUint64(at + 80, value ?? 18446744073709551615n, true); return this; }
  get termsMaxFloor(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 92, true); const low = view.getUint32(at + 88, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Terms.MaxFloor'); }
  get termsMaxFloorBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 88, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsMaxFloor(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.MaxFloor', value); view.setUint32(at + 92, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.MaxFloor'), true); view.setUint32(at + 88, value ?? 4294967295, true); return this; }
  setTermsMaxFloorBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.MaxFloor', value); view.setBigUint64(at + 88, value ?? 18446744073709551615n, true); return this; }
  get termsSliceQty(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 100, true); const low = view.getUint32(at + 96, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Terms.SliceQty'); }
  get termsSliceQtyBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 96, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsSliceQty(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.SliceQty', value); view.setUint32(at + 100, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.SliceQty'), true); view.setUint32(at + 96, value ?? 4294967295, true); return this; }
  setTermsSliceQtyBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.SliceQty', value); view.setBigUint64(at + 96, value ?? 18446744073709551615n, true); return this; }
  get termsSliceIntervalMs(): number | undefined { const { at, view } = this.#block; const value = view.getUint32(at + 104, true); return value === 4294967295 ? undefined : value; }
  setTermsSliceIntervalMs(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('NewOrderSingle.Terms.SliceIntervalMs', value); view.setUint32(at + 104, value ?? 4294967295, true); return this; }
  get termsExpireTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 112, true); const low = view.getUint32(at + 108, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'NewOrderSingle.Terms.ExpireTime'); }
  get termsExpireTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 108, true); return value === 18446744073709551615n ? undefined : value; }
  setTermsExpireTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.ExpireTime', value); view.setUint32(at + 112, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.ExpireTime'), true); view.setUint32(at + 108, value ?? 4294967295, true); return this; }
  setTermsExpireTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.ExpireTime', value); view.setBigUint64(at + 108, value ?? 18446744073709551615n, true); return this; }
  get termsCurrency(): string { const { at, octets } = this.#block; return textAt(octets, at + 116, 8, 'ascii'); }
  get termsCurrencyBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 116, at + 124); }
  setTermsCurrency(value: string): this { const { at, octets } = this.#block; putText(octets, at + 116, 8, value, 'ascii', 'NewOrderSingle.Terms.Currency'); return this; }
  setTermsCurrencyBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 116, 8, value, 'NewOrderSingle.Terms.Currency'); return this; }
  get account(): string { return this.#block.text(0); }
  get accountBytes(): Uint8Array { return this.#block.bytes(0); }
  setAccount(value: string): this { this.#block.putText(0, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get symbol(): string { return this.#block.text(1); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(1); }
  setSymbol(value: string): this { this.#block.putText(1, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
