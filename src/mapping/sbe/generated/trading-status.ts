// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'TradingStatus',
  groups: [],
  data: [
    { name: 'SecurityStatusReqID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** TradingStatus (216). Whether an instrument trades: SecurityStatus(f). */
export class TradingStatus {
  static readonly templateId = 216;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 19;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('TradingStatus', version);
    if (at + 27 > bytes.length) throw noRoom('TradingStatus');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14155795, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint8(start + 24, 255);
    view.setUint8(start + 25, 255);
    view.setUint8(start + 26, 0);
    this.#block.begin(start + 8, 19, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setSecurityTradingStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradingStatus.SecurityTradingStatus', value); view.setUint8(at, value); return this; }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradingStatus.Flags', value); view.setUint8(at + 1, value); return this; }
  setTransactTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('TradingStatus.TransactTime', value); view.setUint32(at + 6, value === undefined ? 4294967295 : highOf(value, 'TradingStatus.TransactTime'), true); view.setUint32(at + 2, value ?? 4294967295, true); return this; }
  setTransactTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradingStatus.TransactTime', value); view.setBigUint64(at + 2, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('TradingStatus.Instrument.MarketId', value); view.setUint32(at + 14, value === undefined ? 4294967295 : highOf(value, 'TradingStatus.Instrument.MarketId'), true); view.setUint32(at + 10, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradingStatus.Instrument.MarketId', value); view.setBigUint64(at + 10, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradingStatus.Instrument.Book', value); view.setUint8(at + 18, value); return this; }
  setSecurityStatusReqId(value: string): this { this.#block.putText(0, value); return this; }
  setSecurityStatusReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setSymbol(value: string): this { this.#block.putText(1, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(2, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setText(value: string): this { this.#block.putText(3, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
}
