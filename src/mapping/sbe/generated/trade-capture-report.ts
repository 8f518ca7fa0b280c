// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside, putWhole } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'TradeCaptureReport',
  groups: [],
  data: [
    { name: 'TradeReportID', since: 0, type: types.data.name },
    { name: 'TradeReportRefID', since: 0, type: types.data.name },
    { name: 'TradeRequestID', since: 0, type: types.data.name },
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'OnBehalfOfCompID', since: 0, type: types.data.name },
  ],
};

/** TradeCaptureReport (224). A trade, one taken back, or one corrected. */
export class TradeCaptureReport {
  static readonly templateId = 224;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 70;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('TradeCaptureReport', version);
    if (at + 78 > bytes.length) throw noRoom('TradeCaptureReport');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14680134, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4278190080, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 16777215, true);
    view.setFloat64(start + 20, 0);
    view.setFloat64(start + 28, 0);
    view.setFloat64(start + 36, 0);
    view.setFloat64(start + 44, 0);
    view.setFloat64(start + 52, 0);
    view.setFloat64(start + 60, 0);
    view.setFloat64(start + 68, 0);
    view.setUint8(start + 76, 0);
    view.setUint8(start + 77, 0);
    this.#block.begin(start + 8, 70, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setTradeReportTransType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradeCaptureReport.TradeReportTransType', value); view.setUint8(at, value); return this; }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradeCaptureReport.Flags', value); view.setUint8(at + 1, value); return this; }
  setSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradeCaptureReport.Side', value); view.setUint8(at + 2, value); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('TradeCaptureReport.Instrument.MarketId', value); view.setUint32(at + 7, value === undefined ? 4294967295 : highOf(value, 'TradeCaptureReport.Instrument.MarketId'), true); view.setUint32(at + 3, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradeCaptureReport.Instrument.MarketId', value); view.setBigUint64(at + 3, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradeCaptureReport.Instrument.Book', value); view.setUint8(at + 11, value); return this; }
  setPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('TradeCaptureReport.PriceExponent', value); view.setInt8(at + 12, value); return this; }
  setQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('TradeCaptureReport.QtyExponent', value); view.setInt8(at + 13, value); return this; }
  setLastQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('TradeCaptureReport.LastQty', value); view.setUint32(at + 18, highOf(value, 'TradeCaptureReport.LastQty'), true); view.setUint32(at + 14, value, true); return this; }
  setLastQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.LastQty', value); view.setBigUint64(at + 14, value, true); return this; }
  setLastPx(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('TradeCaptureReport.LastPx', value); view.setUint32(at + 26, highOf(value, 'TradeCaptureReport.LastPx'), true); view.setUint32(at + 22, value, true); return this; }
  setLastPxBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.LastPx', value); view.setBigUint64(at + 22, value, true); return this; }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('TradeCaptureReport.TransactTime', value); view.setUint32(at + 34, highOf(value, 'TradeCaptureReport.TransactTime'), true); view.setUint32(at + 30, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('TradeCaptureReport.TransactTime', value); view.setBigUint64(at + 30, value, true); return this; }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + 38, 32, value, 'TradeCaptureReport.OrderID'); return this; }
  setTradeReportId(value: string): this { this.#block.putText(0, value); return this; }
  setTradeReportIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setTradeReportRefId(value: string): this { this.#block.putText(1, value); return this; }
  setTradeReportRefIdBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setTradeRequestId(value: string): this { this.#block.putText(2, value); return this; }
  setTradeRequestIdBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setClOrdId(value: string): this { this.#block.putText(3, value); return this; }
  setClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
  setAccount(value: string): this { this.#block.putText(4, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(4, value); return this; }
  setOnBehalfOfCompId(value: string): this { this.#block.putText(5, value); return this; }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this { this.#block.putBytes(5, value); return this; }
}
