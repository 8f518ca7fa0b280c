// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MassCancelReport',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** MassCancelReport (211). So many orders are being canceled; each end is reported by itself. */
export class MassCancelReport {
  static readonly templateId = 211;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 29;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('MassCancelReport', version);
    if (at + 37 > bytes.length) throw noRoom('MassCancelReport');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 13828125, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
    view.setUint32(start + 12, 65535, true);
    view.setUint32(start + 16, 0, true);
    view.setUint32(start + 20, 4278190080, true);
    view.setUint32(start + 24, 4294967295, true);
    view.setUint32(start + 28, 16777215, true);
    view.setUint32(start + 32, 4294967295, true);
    view.setUint8(start + 36, 0);
    this.#block.begin(start + 8, 29, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setScope(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('MassCancelReport.Scope', value); view.setUint8(at, value); return this; }
  setResponse(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('MassCancelReport.Response', value); view.setUint8(at + 1, value ?? 0); return this; }
  setTotalAffectedOrders(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('MassCancelReport.TotalAffectedOrders', value); view.setUint32(at + 2, value ?? 4294967295, true); return this; }
  setSide(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('MassCancelReport.Side', value); view.setUint8(at + 6, value ?? 0); return this; }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('MassCancelReport.TransactTime', value); view.setUint32(at + 11, highOf(value, 'MassCancelReport.TransactTime'), true); view.setUint32(at + 7, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('MassCancelReport.TransactTime', value); view.setBigUint64(at + 7, value, true); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('MassCancelReport.Instrument.MarketId', value); view.setUint32(at + 19, value === undefined ? 4294967295 : highOf(value, 'MassCancelReport.Instrument.MarketId'), true); view.setUint32(at + 15, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MassCancelReport.Instrument.MarketId', value); view.setBigUint64(at + 15, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('MassCancelReport.Instrument.Book', value); view.setUint8(at + 23, value); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('MassCancelReport.Refusal.Reason', value); view.setUint16(at + 24, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('MassCancelReport.Refusal.VenueRejectNumber', value); view.setUint16(at + 26, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('MassCancelReport.Refusal.NonceConsumed', value); view.setUint8(at + 28, value); return this; }
  setClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setSymbol(value: string): this { this.#block.putText(1, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(2, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setText(value: string): this { this.#block.putText(3, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
}
