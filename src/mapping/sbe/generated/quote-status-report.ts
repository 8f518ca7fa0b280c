// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'QuoteStatusReport',
  groups: [],
  data: [
    { name: 'QuoteID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** QuoteStatusReport (214). What became of a Quote. */
export class QuoteStatusReport {
  static readonly templateId = 214;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 15;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('QuoteStatusReport', version);
    if (at + 23 > bytes.length) throw noRoom('QuoteStatusReport');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14024719, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294902015, true);
    view.setUint8(start + 20, 255);
    view.setUint8(start + 21, 255);
    view.setUint8(start + 22, 0);
    this.#block.begin(start + 8, 15, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setQuoteStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteStatusReport.QuoteStatus', value); view.setUint8(at, value); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('QuoteStatusReport.Instrument.MarketId', value); view.setUint32(at + 5, value === undefined ? 4294967295 : highOf(value, 'QuoteStatusReport.Instrument.MarketId'), true); view.setUint32(at + 1, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('QuoteStatusReport.Instrument.MarketId', value); view.setBigUint64(at + 1, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteStatusReport.Instrument.Book', value); view.setUint8(at + 9, value); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteStatusReport.Refusal.Reason', value); view.setUint16(at + 10, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteStatusReport.Refusal.VenueRejectNumber', value); view.setUint16(at + 12, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteStatusReport.Refusal.NonceConsumed', value); view.setUint8(at + 14, value); return this; }
  setQuoteId(value: string): this { this.#block.putText(0, value); return this; }
  setQuoteIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(3, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
  setText(value: string): this { this.#block.putText(4, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(4, value); return this; }
}
