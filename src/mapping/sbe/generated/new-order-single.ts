// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putOctets, putPairs, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** NewOrderSingle (100). A new order. */
export class NewOrderSingle {
  static readonly templateId = 100;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 124;
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
    if (start + 8 > limit) return cut('NewOrderSingle', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 100 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('NewOrderSingle');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 124;
    if (blockLength < needed) return shorter('NewOrderSingle', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('NewOrderSingle', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('NewOrderSingle.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('NewOrderSingle.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('NewOrderSingle.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('NewOrderSingle.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('NewOrderSingle', version);
    if (at + 132 > bytes.length) throw noRoom('NewOrderSingle');
    const start = this.#base + at;
    view.setUint32(start, 6553724, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint32(start + 52, 4294967040, true);
    view.setUint32(start + 56, 4294967295, true);
    view.setUint32(start + 60, 255, true);
    view.setFloat64(start + 64, 0);
    view.setFloat64(start + 72, 0);
    view.setUint32(start + 80, 4294967295, true);
    view.setUint32(start + 84, 4294967295, true);
    view.setUint32(start + 88, 4294967295, true);
    view.setUint32(start + 92, 4294967295, true);
    view.setUint32(start + 96, 4294967295, true);
    view.setUint32(start + 100, 4294967295, true);
    view.setUint32(start + 104, 4294967295, true);
    view.setUint32(start + 108, 4294967295, true);
    view.setUint32(start + 112, 4294967295, true);
    view.setUint32(start + 116, 4294967295, true);
    view.setUint32(start + 120, 4294967295, true);
    view.setFloat64(start + 124, 0);
    const blockLength = 124;
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
    this.#reach(2);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(2);
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
  setClOrdId(value: string): this { putText(this.#octets, this.#at, 36, value, 'ascii', 'NewOrderSingle.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { putOctets(this.#octets, this.#at, 36, value, 'NewOrderSingle.ClOrdID'); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 40, true); const low = this.#view.getUint32(this.#at + 36, true); return joined(high, low, 'NewOrderSingle.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 36, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 40, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 36, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('NewOrderSingle.TransactTime', value); const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, highOf(value, 'NewOrderSingle.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.TransactTime', value); this.#view.setBigUint64(this.#at + 36, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 36; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get flags(): number { return this.#view.getUint8(this.#at + 44); }
  setFlags(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Flags', value); this.#view.setUint8(this.#at + 44, value); return this; }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 49, true); const low = this.#view.getUint32(this.#at + 45, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 45, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 49, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 45, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 45; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 45, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 45; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 53); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Instrument.Book', value); this.#view.setUint8(this.#at + 53, value); return this; }
  get termsSide(): number { return this.#view.getUint8(this.#at + 54); }
  setTermsSide(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.Side', value); this.#view.setUint8(this.#at + 54, value); return this; }
  get termsOrdType(): number { return this.#view.getUint8(this.#at + 55); }
  setTermsOrdType(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.OrdType', value); this.#view.setUint8(this.#at + 55, value); return this; }
  get termsTimeInForce(): number { return this.#view.getUint8(this.#at + 56); }
  setTermsTimeInForce(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.TimeInForce', value); this.#view.setUint8(this.#at + 56, value); return this; }
  get termsStpMode(): number { return this.#view.getUint8(this.#at + 57); }
  setTermsStpMode(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.StpMode', value); this.#view.setUint8(this.#at + 57, value); return this; }
  get termsFlags(): number { return this.#view.getUint8(this.#at + 58); }
  setTermsFlags(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.Flags', value); this.#view.setUint8(this.#at + 58, value); return this; }
  get termsTriggerDirection(): number { return this.#view.getUint8(this.#at + 59); }
  setTermsTriggerDirection(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.TriggerDirection', value); this.#view.setUint8(this.#at + 59, value); return this; }
  get termsConditionalKind(): number { return this.#view.getUint8(this.#at + 60); }
  setTermsConditionalKind(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.ConditionalKind', value); this.#view.setUint8(this.#at + 60, value); return this; }
  get termsAlgoKind(): number { return this.#view.getUint8(this.#at + 61); }
  setTermsAlgoKind(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Terms.AlgoKind', value); this.#view.setUint8(this.#at + 61, value); return this; }
  get termsPriceExponent(): number { return this.#view.getInt8(this.#at + 62); }
  setTermsPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('NewOrderSingle.Terms.PriceExponent', value); this.#view.setInt8(this.#at + 62, value); return this; }
  get termsQtyExponent(): number { return this.#view.getInt8(this.#at + 63); }
  setTermsQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('NewOrderSingle.Terms.QtyExponent', value); this.#view.setInt8(this.#at + 63, value); return this; }
  get termsOrderQty(): number { const high = this.#view.getUint32(this.#at + 68, true); const low = this.#view.getUint32(this.#at + 64, true); return joined(high, low, 'NewOrderSingle.Terms.OrderQty'); }
  get termsOrderQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 64, true); }
  get termsOrderQtyHigh(): number { return this.#view.getUint32(this.#at + 68, true); }
  get termsOrderQtyLow(): number { return this.#view.getUint32(this.#at + 64, true); }
  setTermsOrderQty(value: number): this { if (value < 0) throw outside('NewOrderSingle.Terms.OrderQty', value); const view = this.#view; const at = this.#at + 64; view.setUint32(at + 4, highOf(value, 'NewOrderSingle.Terms.OrderQty'), true); view.setUint32(at, value, true); return this; }
  setTermsOrderQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.Terms.OrderQty', value); this.#view.setBigUint64(this.#at + 64, value, true); return this; }
  setTermsOrderQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 64; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsPrice(): number | undefined { const high = this.#view.getUint32(this.#at + 76, true); const low = this.#view.getUint32(this.#at + 72, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Terms.Price'); }
  get termsPriceBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 72, true); return value === 18446744073709551615n ? undefined : value; }
  get termsPriceHigh(): number { return this.#view.getUint32(this.#at + 76, true); }
  get termsPriceLow(): number { return this.#view.getUint32(this.#at + 72, true); }
  setTermsPrice(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.Price', value); const view = this.#view; const at = this.#at + 72; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.Price'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsPriceBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.Price', value); this.#view.setBigUint64(this.#at + 72, value ?? 18446744073709551615n, true); return this; }
  setTermsPriceHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 72; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsStopPx(): number | undefined { const high = this.#view.getUint32(this.#at + 84, true); const low = this.#view.getUint32(this.#at + 80, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Terms.StopPx'); }
  get termsStopPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 80, true); return value === 18446744073709551615n ? undefined : value; }
  get termsStopPxHigh(): number { return this.#view.getUint32(this.#at + 84, true); }
  get termsStopPxLow(): number { return this.#view.getUint32(this.#at + 80, true); }
  setTermsStopPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.StopPx', value); const view = this.#view; const at = this.#at + 80; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.StopPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsStopPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.StopPx', value); this.#view.setBigUint64(this.#at + 80, value ?? 18446744073709551615n, true); return this; }
  setTermsStopPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 80; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsMaxFloor(): number | undefined { const high = this.#view.getUint32(this.#at + 92, true); const low = this.#view.getUint32(this.#at + 88, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Terms.MaxFloor'); }
  get termsMaxFloorBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 88, true); return value === 18446744073709551615n ? undefined : value; }
  get termsMaxFloorHigh(): number { return this.#view.getUint32(this.#at + 92, true); }
  get termsMaxFloorLow(): number { return this.#view.getUint32(this.#at + 88, true); }
  setTermsMaxFloor(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.MaxFloor', value); const view = this.#view; const at = this.#at + 88; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.MaxFloor'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsMaxFloorBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.MaxFloor', value); this.#view.setBigUint64(this.#at + 88, value ?? 18446744073709551615n, true); return this; }
  setTermsMaxFloorHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 88; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsSliceQty(): number | undefined { const high = this.#view.getUint32(this.#at + 100, true); const low = this.#view.getUint32(this.#at + 96, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Terms.SliceQty'); }
  get termsSliceQtyBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 96, true); return value === 18446744073709551615n ? undefined : value; }
  get termsSliceQtyHigh(): number { return this.#view.getUint32(this.#at + 100, true); }
  get termsSliceQtyLow(): number { return this.#view.getUint32(this.#at + 96, true); }
  setTermsSliceQty(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.SliceQty', value); const view = this.#view; const at = this.#at + 96; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.SliceQty'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsSliceQtyBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.SliceQty', value); this.#view.setBigUint64(this.#at + 96, value ?? 18446744073709551615n, true); return this; }
  setTermsSliceQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 96; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsSliceIntervalMs(): number | undefined { const value = this.#view.getUint32(this.#at + 104, true); return value === 4294967295 ? undefined : value; }
  setTermsSliceIntervalMs(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('NewOrderSingle.Terms.SliceIntervalMs', value); this.#view.setUint32(this.#at + 104, value ?? 4294967295, true); return this; }
  get termsExpireTime(): number | undefined { const high = this.#view.getUint32(this.#at + 112, true); const low = this.#view.getUint32(this.#at + 108, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'NewOrderSingle.Terms.ExpireTime'); }
  get termsExpireTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 108, true); return value === 18446744073709551615n ? undefined : value; }
  get termsExpireTimeHigh(): number { return this.#view.getUint32(this.#at + 112, true); }
  get termsExpireTimeLow(): number { return this.#view.getUint32(this.#at + 108, true); }
  setTermsExpireTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('NewOrderSingle.Terms.ExpireTime', value); const view = this.#view; const at = this.#at + 108; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'NewOrderSingle.Terms.ExpireTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setTermsExpireTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('NewOrderSingle.Terms.ExpireTime', value); this.#view.setBigUint64(this.#at + 108, value ?? 18446744073709551615n, true); return this; }
  setTermsExpireTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 108; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get termsCurrency(): string { return textAt(this.#octets, this.#at + 116, 8, 'ascii'); }
  get termsCurrencyBytes(): Uint8Array { return this.#octets.subarray(this.#at + 116, this.#at + 124); }
  setTermsCurrency(value: string): this { putText(this.#octets, this.#at + 116, 8, value, 'ascii', 'NewOrderSingle.Terms.Currency'); return this; }
  setTermsCurrencyBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 116, 8, value, 'NewOrderSingle.Terms.Currency'); return this; }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'NewOrderSingle.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('NewOrderSingle.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('NewOrderSingle.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'NewOrderSingle.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('NewOrderSingle.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('NewOrderSingle.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('NewOrderSingle');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('NewOrderSingle.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('NewOrderSingle.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
