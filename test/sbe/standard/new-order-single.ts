// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../src/sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putPairs, putText, textAt, wrongTemplate } from '../../../src/sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'NewOrderSingle',
  groups: [],
  data: [],
};

/** NewOrderSingle (99). */
export class NewOrderSingle {
  static readonly templateId = 99;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 54;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('NewOrderSingle', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 99 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('NewOrderSingle');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 54, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('NewOrderSingle', version);
    if (at + 62 > bytes.length) throw noRoom('NewOrderSingle');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
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
    this.#block.place(start + 8, 54, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get clOrdId(): string { const { at, octets } = this.#block; return textAt(octets, at, 8, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 8); }
  setClOrdId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 8, value, 'ascii', 'NewOrderSingle.ClOrdId'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at, 8, value, 'NewOrderSingle.ClOrdId'); return this; }
  get account(): string { const { at, octets } = this.#block; return textAt(octets, at + 8, 8, 'ascii'); }
  get accountBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 8, at + 16); }
  setAccount(value: string): this { const { at, octets } = this.#block; putText(octets, at + 8, 8, value, 'ascii', 'NewOrderSingle.Account'); return this; }
  setAccountBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 8, 8, value, 'NewOrderSingle.Account'); return this; }
  get symbol(): string { const { at, octets } = this.#block; return textAt(octets, at + 16, 8, 'ascii'); }
  get symbolBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 16, at + 24); }
  setSymbol(value: string): this { const { at, octets } = this.#block; putText(octets, at + 16, 8, value, 'ascii', 'NewOrderSingle.Symbol'); return this; }
  setSymbolBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 16, 8, value, 'NewOrderSingle.Symbol'); return this; }
  get side(): number { const { at, view } = this.#block; return view.getUint8(at + 24); }
  setSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.Side', value); view.setUint8(at + 24, value); return this; }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 29, true), view.getUint32(at + 25, true), 'NewOrderSingle.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 25, true); }
  get transactTimeHigh(): number { const { at, view } = this.#block; return view.getUint32(at + 29, true); }
  get transactTimeLow(): number { const { at, view } = this.#block; return view.getUint32(at + 25, true); }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('NewOrderSingle.TransactTime', value); view.setUint32(at + 29, highOf(value, 'NewOrderSingle.TransactTime'), true); view.setUint32(at + 25, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('NewOrderSingle.TransactTime', value); view.setBigUint64(at + 25, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 29, high, true); view.setUint32(at + 25, low, true); return this; }
  get orderQtyMantissa(): number { const { at, view } = this.#block; return view.getInt32(at + 33, true); }
  setOrderQtyMantissa(value: number): this { const { at, view } = this.#block; if (value !== (value | 0)) throw outside('NewOrderSingle.OrderQty.mantissa', value); view.setInt32(at + 33, value, true); return this; }
  get orderQtyExponent(): number { return 0; }
  get ordType(): number { const { at, view } = this.#block; return view.getUint8(at + 37); }
  setOrdType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('NewOrderSingle.OrdType', value); view.setUint8(at + 37, value); return this; }
  get priceMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 42, true); const low = view.getUint32(at + 38, true); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'NewOrderSingle.Price.mantissa'); }
  get priceMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 38, true); return value === -9223372036854775808n ? undefined : value; }
  get priceMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 42, true); }
  get priceMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at + 38, true); }
  setPriceMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 42, value === undefined ? -2147483648 : highOf(value, 'NewOrderSingle.Price.mantissa'), true); view.setUint32(at + 38, value ?? 0, true); return this; }
  setPriceMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('NewOrderSingle.Price.mantissa', value); view.setBigInt64(at + 38, value ?? -9223372036854775808n, true); return this; }
  setPriceMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 42, high, true); view.setUint32(at + 38, low, true); return this; }
  get priceExponent(): number { return -3; }
  get stopPxMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 50, true); const low = view.getUint32(at + 46, true); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'NewOrderSingle.StopPx.mantissa'); }
  get stopPxMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at + 46, true); return value === -9223372036854775808n ? undefined : value; }
  get stopPxMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 50, true); }
  get stopPxMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at + 46, true); }
  setStopPxMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 50, value === undefined ? -2147483648 : highOf(value, 'NewOrderSingle.StopPx.mantissa'), true); view.setUint32(at + 46, value ?? 0, true); return this; }
  setStopPxMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('NewOrderSingle.StopPx.mantissa', value); view.setBigInt64(at + 46, value ?? -9223372036854775808n, true); return this; }
  setStopPxMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 50, high, true); view.setUint32(at + 46, low, true); return this; }
  get stopPxExponent(): number { return -3; }
}
