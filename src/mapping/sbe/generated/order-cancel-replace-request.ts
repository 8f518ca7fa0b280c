// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putOctets, putPairs, putText, putWhole, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** OrderCancelReplaceRequest (101). Other terms for an order. */
export class OrderCancelReplaceRequest {
  static readonly templateId = 101;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 163;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;
  #origClOrdIdAt = 0;
  #accountAt = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('OrderCancelReplaceRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 101 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderCancelReplaceRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 163;
    if (blockLength < needed) return shorter('OrderCancelReplaceRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('OrderCancelReplaceRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('OrderCancelReplaceRequest.OrigClOrdID', 1, limit - next);
    this.#origClOrdIdAt = next;
    const origClOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + origClOrdIdSize > limit) return cut('OrderCancelReplaceRequest.OrigClOrdID', origClOrdIdSize, limit - next);
    next += origClOrdIdSize;
    if (next + 1 > limit) return cut('OrderCancelReplaceRequest.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('OrderCancelReplaceRequest.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('OrderCancelReplaceRequest.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('OrderCancelReplaceRequest.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 3;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('OrderCancelReplaceRequest', version);
    if (at + 171 > bytes.length) throw noRoom('OrderCancelReplaceRequest');
    const start = this.#base + at;
    view.setUint32(start, 6619299, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setFloat64(start + 48, 0);
    view.setFloat64(start + 56, 0);
    view.setFloat64(start + 64, 0);
    view.setFloat64(start + 72, 0);
    view.setUint32(start + 80, 0, true);
    view.setUint32(start + 84, 4294967295, true);
    view.setUint32(start + 88, 4294967295, true);
    view.setUint32(start + 92, 4294967295, true);
    view.setUint32(start + 96, 4294967295, true);
    view.setFloat64(start + 100, 0);
    view.setFloat64(start + 108, 0);
    view.setUint32(start + 116, 4278190080, true);
    view.setUint32(start + 120, 4294967295, true);
    view.setUint32(start + 124, 4294967295, true);
    view.setUint32(start + 128, 4294967295, true);
    view.setUint32(start + 132, 4294967295, true);
    view.setUint32(start + 136, 4294967295, true);
    view.setUint32(start + 140, 4294967295, true);
    view.setUint32(start + 144, 4294967295, true);
    view.setUint32(start + 148, 4294967295, true);
    view.setUint32(start + 152, 4294967295, true);
    view.setUint32(start + 156, 4294967295, true);
    view.setUint32(start + 160, 16777215, true);
    view.setUint32(start + 164, 0, true);
    view.setUint8(start + 168, 0);
    view.setUint8(start + 169, 0);
    view.setUint8(start + 170, 0);
    const blockLength = 163;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    this.#reach(3);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(3);
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get clOrdId(): string { return textAt(this.#octets, this.#at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 36); }
  setClOrdId(value: string): this { putText(this.#octets, this.#at, 36, value, 'ascii', 'OrderCancelReplaceRequest.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at, 36, value, 'OrderCancelReplaceRequest.ClOrdID'); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'OrderCancelReplaceRequest.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('OrderCancelReplaceRequest.TransactTime', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'OrderCancelReplaceRequest.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReplaceRequest.TransactTime', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at + 44, this.#at + 76); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 44, 32, value, 'OrderCancelReplaceRequest.OrderID'); return this; }
  get origOrdModTime(): number | undefined { const high = this.#view.getUint32(this.#at + 80, true); const low = this.#view.getUint32(this.#at + 76, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.OrigOrdModTime'); }
  get origOrdModTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 76, true); return value === 18446744073709551615n ? undefined : value; }
  get origOrdModTimeHigh(): number { return this.#view.getUint32(this.#at + 80, true); }
  get origOrdModTimeLow(): number { return this.#view.getUint32(this.#at + 76, true); }
  setOrigOrdModTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.OrigOrdModTime', value); const view = this.#view; const at = this.#at + 76; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.OrigOrdModTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setOrigOrdModTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.OrigOrdModTime', value); this.#view.setBigUint64(this.#at + 76, value ?? 18446744073709551615n, true); return this; }
  setOrigOrdModTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 76; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 88, true); const low = this.#view.getUint32(this.#at + 84, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 84, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 88, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 84, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 84; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 84, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 84; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 92); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Instrument.Book', value); this.#view.setUint8(this.#at + 92, value); return this; }
  get termsSide(): number { return this.#view.getUint8(this.#at + 93); }
  setTermsSide(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.Side', value); this.#view.setUint8(this.#at + 93, value); return this; }
  get termsOrdType(): number { return this.#view.getUint8(this.#at + 94); }
  setTermsOrdType(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.OrdType', value); this.#view.setUint8(this.#at + 94, value); return this; }
  get termsTimeInForce(): number { return this.#view.getUint8(this.#at + 95); }
  setTermsTimeInForce(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.TimeInForce', value); this.#view.setUint8(this.#at + 95, value); return this; }
  get termsStpMode(): number { return this.#view.getUint8(this.#at + 96); }
  setTermsStpMode(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.StpMode', value); this.#view.setUint8(this.#at + 96, value); return this; }
  get termsFlags(): number { return this.#view.getUint8(this.#at + 97); }
  setTermsFlags(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.Flags', value); this.#view.setUint8(this.#at + 97, value); return this; }
  get termsTriggerDirection(): number { return this.#view.getUint8(this.#at + 98); }
  setTermsTriggerDirection(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.TriggerDirection', value); this.#view.setUint8(this.#at + 98, value); return this; }
  get termsConditionalKind(): number { return this.#view.getUint8(this.#at + 99); }
  setTermsConditionalKind(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.ConditionalKind', value); this.#view.setUint8(this.#at + 99, value); return this; }
  get termsAlgoKind(): number { return this.#view.getUint8(this.#at + 100); }
  setTermsAlgoKind(value: number): this { if (value !== (value & 255)) throw outside('OrderCancelReplaceRequest.Terms.AlgoKind', value); this.#view.setUint8(this.#at + 100, value); return this; }
  get termsPriceExponent(): number { return this.#view.getInt8(this.#at + 101); }
  setTermsPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('OrderCancelReplaceRequest.Terms.PriceExponent', value); this.#view.setInt8(this.#at + 101, value); return this; }
  get termsQtyExponent(): number { return this.#view.getInt8(this.#at + 102); }
  setTermsQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('OrderCancelReplaceRequest.Terms.QtyExponent', value); this.#view.setInt8(this.#at + 102, value); return this; }
  get termsOrderQty(): number { const high = this.#view.getUint32(this.#at + 107, true); const low = this.#view.getUint32(this.#at + 103, true); return joined(high, low, 'OrderCancelReplaceRequest.Terms.OrderQty'); }
  get termsOrderQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 103, true); }
  get termsOrderQtyHigh(): number { return this.#view.getUint32(this.#at + 107, true); }
  get termsOrderQtyLow(): number { return this.#view.getUint32(this.#at + 103, true); }
  setTermsOrderQty(value: number): this { if (value < 0) throw outside('OrderCancelReplaceRequest.Terms.OrderQty', value); const view = this.#view; const at = this.#at + 103; view.setUint32(at + 4, highOf(value, 'OrderCancelReplaceRequest.Terms.OrderQty'), true); view.setUint32(at, value, true); return this; }
  setTermsOrderQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReplaceRequest.Terms.OrderQty', value); this.#view.setBigUint64(this.#at + 103, value, true); return this; }
  setTermsOrderQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 103; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsPrice(): number | undefined { const high = this.#view.getUint32(this.#at + 115, true); const low = this.#view.getUint32(this.#at + 111, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Terms.Price'); }
  get termsPriceBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 111, true); return value === 18446744073709551615n ? undefined : value; }
  get termsPriceHigh(): number { return this.#view.getUint32(this.#at + 115, true); }
  get termsPriceLow(): number { return this.#view.getUint32(this.#at + 111, true); }
  setTermsPrice(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.Price', value); const view = this.#view; const at = this.#at + 111; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.Price'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsPriceBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.Price', value); this.#view.setBigUint64(this.#at + 111, value ?? 18446744073709551615n, true); return this; }
  setTermsPriceHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 111; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsStopPx(): number | undefined { const high = this.#view.getUint32(this.#at + 123, true); const low = this.#view.getUint32(this.#at + 119, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Terms.StopPx'); }
  get termsStopPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 119, true); return value === 18446744073709551615n ? undefined : value; }
  get termsStopPxHigh(): number { return this.#view.getUint32(this.#at + 123, true); }
  get termsStopPxLow(): number { return this.#view.getUint32(this.#at + 119, true); }
  setTermsStopPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.StopPx', value); const view = this.#view; const at = this.#at + 119; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.StopPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsStopPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.StopPx', value); this.#view.setBigUint64(this.#at + 119, value ?? 18446744073709551615n, true); return this; }
  setTermsStopPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 119; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsMaxFloor(): number | undefined { const high = this.#view.getUint32(this.#at + 131, true); const low = this.#view.getUint32(this.#at + 127, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Terms.MaxFloor'); }
  get termsMaxFloorBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 127, true); return value === 18446744073709551615n ? undefined : value; }
  get termsMaxFloorHigh(): number { return this.#view.getUint32(this.#at + 131, true); }
  get termsMaxFloorLow(): number { return this.#view.getUint32(this.#at + 127, true); }
  setTermsMaxFloor(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.MaxFloor', value); const view = this.#view; const at = this.#at + 127; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.MaxFloor'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsMaxFloorBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.MaxFloor', value); this.#view.setBigUint64(this.#at + 127, value ?? 18446744073709551615n, true); return this; }
  setTermsMaxFloorHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 127; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsSliceQty(): number | undefined { const high = this.#view.getUint32(this.#at + 139, true); const low = this.#view.getUint32(this.#at + 135, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Terms.SliceQty'); }
  get termsSliceQtyBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 135, true); return value === 18446744073709551615n ? undefined : value; }
  get termsSliceQtyHigh(): number { return this.#view.getUint32(this.#at + 139, true); }
  get termsSliceQtyLow(): number { return this.#view.getUint32(this.#at + 135, true); }
  setTermsSliceQty(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.SliceQty', value); const view = this.#view; const at = this.#at + 135; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.SliceQty'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsSliceQtyBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.SliceQty', value); this.#view.setBigUint64(this.#at + 135, value ?? 18446744073709551615n, true); return this; }
  setTermsSliceQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 135; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsSliceIntervalMs(): number | undefined { const value = this.#view.getUint32(this.#at + 143, true); return value === 4294967295 ? undefined : value; }
  setTermsSliceIntervalMs(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('OrderCancelReplaceRequest.Terms.SliceIntervalMs', value); this.#view.setUint32(this.#at + 143, value ?? 4294967295, true); return this; }
  get termsExpireTime(): number | undefined { const high = this.#view.getUint32(this.#at + 151, true); const low = this.#view.getUint32(this.#at + 147, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'OrderCancelReplaceRequest.Terms.ExpireTime'); }
  get termsExpireTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 147, true); return value === 18446744073709551615n ? undefined : value; }
  get termsExpireTimeHigh(): number { return this.#view.getUint32(this.#at + 151, true); }
  get termsExpireTimeLow(): number { return this.#view.getUint32(this.#at + 147, true); }
  setTermsExpireTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('OrderCancelReplaceRequest.Terms.ExpireTime', value); const view = this.#view; const at = this.#at + 147; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'OrderCancelReplaceRequest.Terms.ExpireTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsExpireTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelReplaceRequest.Terms.ExpireTime', value); this.#view.setBigUint64(this.#at + 147, value ?? 18446744073709551615n, true); return this; }
  setTermsExpireTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 147; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsCurrency(): string { return textAt(this.#octets, this.#at + 155, 8, 'ascii'); }
  get termsCurrencyBytes(): Uint8Array { return this.#octets.subarray(this.#at + 155, this.#at + 163); }
  setTermsCurrency(value: string): this { putText(this.#octets, this.#at + 155, 8, value, 'ascii', 'OrderCancelReplaceRequest.Terms.Currency'); return this; }
  setTermsCurrencyBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 155, 8, value, 'OrderCancelReplaceRequest.Terms.Currency'); return this; }
  get origClOrdId(): string {
    const at = this.#origClOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get origClOrdIdBytes(): Uint8Array {
    const at = this.#origClOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOrigClOrdId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReplaceRequest.OrigClOrdID');
    this.#view.setUint8(at, size);
    this.#origClOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setOrigClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReplaceRequest.OrigClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReplaceRequest.OrigClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#origClOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReplaceRequest.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReplaceRequest.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReplaceRequest.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'OrderCancelReplaceRequest.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('OrderCancelReplaceRequest.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('OrderCancelReplaceRequest.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('OrderCancelReplaceRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReplaceRequest.OrigClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#origClOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReplaceRequest.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('OrderCancelReplaceRequest.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
