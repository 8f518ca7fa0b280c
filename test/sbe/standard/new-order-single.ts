// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putPairs, putText, shorter, textAt, wrongTemplate } from '../../../src/sbe/flyweight.ts';

/** NewOrderSingle (99). */
export class NewOrderSingle {
  static readonly templateId = 99;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 54;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('NewOrderSingle', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 99 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('NewOrderSingle');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 54;
    if (blockLength < needed) return shorter('NewOrderSingle', blockLength, needed, version);
    const next = start + 8 + blockLength;
    if (next > limit) return cut('NewOrderSingle', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('NewOrderSingle', version);
    if (at + 62 > bytes.length) throw noRoom('NewOrderSingle');
    const start = this.#base + at;
    view.setUint32(start, 6488118, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint32(start + 52, 32768, true);
    view.setUint32(start + 56, 0, true);
    view.setUint8(start + 60, 0);
    view.setUint8(start + 61, 128);
    const blockLength = 54;
    this.#version = version;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
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
  get clOrdId(): string { return textAt(this.#octets, this.#at, 8, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 8); }
  setClOrdId(value: string): this { putText(this.#octets, this.#at, 8, value, 'ascii', 'NewOrderSingle.ClOrdId'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at, 8, value, 'NewOrderSingle.ClOrdId'); return this; }
  get account(): string { return textAt(this.#octets, this.#at + 8, 8, 'ascii'); }
  get accountBytes(): Uint8Array { return this.#octets.subarray(this.#at + 8, this.#at + 16); }
  setAccount(value: string): this { putText(this.#octets, this.#at + 8, 8, value, 'ascii', 'NewOrderSingle.Account'); return this; }
  setAccountBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 8, 8, value, 'NewOrderSingle.Account'); return this; }
  get symbol(): string { return textAt(this.#octets, this.#at + 16, 8, 'ascii'); }
  get symbolBytes(): Uint8Array { return this.#octets.subarray(this.#at + 16, this.#at + 24); }
  setSymbol(value: string): this { putText(this.#octets, this.#at + 16, 8, value, 'ascii', 'NewOrderSingle.Symbol'); return this; }
  setSymbolBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 16, 8, value, 'NewOrderSingle.Symbol'); return this; }
  get side(): number { return this.#view.getUint8(this.#at + 24); }
  setSide(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.Side', value); this.#view.setUint8(this.#at + 24, value); return this; }
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 29, true); const low = this.#view.getUint32(this.#at + 25, true); return joined(high, low, 'NewOrderSingle.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 25, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 29, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at + 25, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('NewOrderSingle.TransactTime', value); const view = this.#view; const at = this.#at + 25; view.setUint32(at + 4, highOf(value, 'NewOrderSingle.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.TransactTime', value); this.#view.setBigUint64(this.#at + 25, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 25; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get orderQtyMantissa(): number { return this.#view.getInt32(this.#at + 33, true); }
  setOrderQtyMantissa(value: number): this { if (value !== (value | 0)) throw outside('NewOrderSingle.OrderQty.mantissa', value); this.#view.setInt32(this.#at + 33, value, true); return this; }
  get orderQtyExponent(): number { return 0; }
  get ordType(): number { return this.#view.getUint8(this.#at + 37); }
  setOrdType(value: number): this { if (value !== (value & 255)) throw outside('NewOrderSingle.OrdType', value); this.#view.setUint8(this.#at + 37, value); return this; }
  get priceMantissa(): number | undefined { const high = this.#view.getInt32(this.#at + 42, true); const low = this.#view.getUint32(this.#at + 38, true); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'NewOrderSingle.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 38, true); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { return this.#view.getInt32(this.#at + 42, true); }
  get priceMantissaLow(): number { return this.#view.getUint32(this.#at + 38, true); }
  setPriceMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at + 38; view.setUint32(at + 4, value === undefined ? -2147483648 : highOf(value, 'NewOrderSingle.Price.mantissa'), true); view.setUint32(at, value ?? 0, true); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('NewOrderSingle.Price.mantissa', value); this.#view.setBigInt64(this.#at + 38, value ?? -9223372036854775808n, true); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 38; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get priceExponent(): number { return -3; }
  get stopPxMantissa(): number | undefined { const high = this.#view.getInt32(this.#at + 50, true); const low = this.#view.getUint32(this.#at + 46, true); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'NewOrderSingle.StopPx.mantissa'); }
  get stopPxMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at + 46, true); return value === -9223372036854775808n ? undefined : value; }
  get stopPxMantissaHigh(): number { return this.#view.getInt32(this.#at + 50, true); }
  get stopPxMantissaLow(): number { return this.#view.getUint32(this.#at + 46, true); }
  setStopPxMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at + 46; view.setUint32(at + 4, value === undefined ? -2147483648 : highOf(value, 'NewOrderSingle.StopPx.mantissa'), true); view.setUint32(at, value ?? 0, true); return this; }
  setStopPxMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('NewOrderSingle.StopPx.mantissa', value); this.#view.setBigInt64(this.#at + 46, value ?? -9223372036854775808n, true); return this; }
  setStopPxMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 46; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stopPxExponent(): number { return -3; }
}
