// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside, putPairs, putText } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'SecurityList',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 0: '3c' }),
      blank: sbe.image(60, { 0: 'ffffffffffffffff', 44: 'ffffffffffffffff' }),
      needed: [60],
      written: [60],
      entry: {
        name: 'SecurityList.Instruments',
        groups: [],
        data: [
          { name: 'Symbol', since: 0, type: types.data.name },
          { name: 'SecurityDesc', since: 0, type: types.data.name },
        ],
      },
      walk: undefined,
    },
  ],
  data: [
    { name: 'SecurityReqID', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
  ],
};

/** The entries of SecurityList.Instruments. */
export class SecurityListInstruments {
  static readonly blockLength = 60;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('SecurityList.Instruments.Instrument.MarketId', value); view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'SecurityList.Instruments.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityList.Instruments.Instrument.MarketId', value); view.setBigUint64(at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('SecurityList.Instruments.Instrument.Book', value); view.setUint8(at + 8, value); return this; }
  setMarketKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('SecurityList.Instruments.MarketKind', value); view.setUint8(at + 9, value); return this; }
  setPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('SecurityList.Instruments.PriceExponent', value); view.setInt8(at + 10, value); return this; }
  setQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('SecurityList.Instruments.QtyExponent', value); view.setInt8(at + 11, value); return this; }
  setTick(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('SecurityList.Instruments.Tick', value); view.setUint32(at + 16, highOf(value, 'SecurityList.Instruments.Tick'), true); view.setUint32(at + 12, value, true); return this; }
  setTickBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.Tick', value); view.setBigUint64(at + 12, value, true); return this; }
  setLot(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('SecurityList.Instruments.Lot', value); view.setUint32(at + 24, highOf(value, 'SecurityList.Instruments.Lot'), true); view.setUint32(at + 20, value, true); return this; }
  setLotBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.Lot', value); view.setBigUint64(at + 20, value, true); return this; }
  setMinNotional(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('SecurityList.Instruments.MinNotional', value); view.setUint32(at + 32, highOf(value, 'SecurityList.Instruments.MinNotional'), true); view.setUint32(at + 28, value, true); return this; }
  setMinNotionalBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.MinNotional', value); view.setBigUint64(at + 28, value, true); return this; }
  setMaxQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('SecurityList.Instruments.MaxQty', value); view.setUint32(at + 40, highOf(value, 'SecurityList.Instruments.MaxQty'), true); view.setUint32(at + 36, value, true); return this; }
  setMaxQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('SecurityList.Instruments.MaxQty', value); view.setBigUint64(at + 36, value, true); return this; }
  setMaturity(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('SecurityList.Instruments.Maturity', value); view.setUint32(at + 48, value === undefined ? 4294967295 : highOf(value, 'SecurityList.Instruments.Maturity'), true); view.setUint32(at + 44, value ?? 4294967295, true); return this; }
  setMaturityBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityList.Instruments.Maturity', value); view.setBigUint64(at + 44, value ?? 18446744073709551615n, true); return this; }
  setCurrency(value: string): this { const { at, octets } = this.#block; putText(octets, at + 52, 8, value, 'ascii', 'SecurityList.Instruments.Currency'); return this; }
  setCurrencyBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 52, 8, value, 'SecurityList.Instruments.Currency'); return this; }
  setSymbol(value: string): this { this.#block.putText(0, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setSecurityDesc(value: string): this { this.#block.putText(1, value); return this; }
  setSecurityDescBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}

/** SecurityList (215). What can be traded. */
export class SecurityList {
  static readonly templateId = 215;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 7;
  readonly #block = new sbe.Block(layout);
  readonly #instruments = new SecurityListInstruments(this.#block.group(0));

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('SecurityList', version);
    if (at + 15 > bytes.length) throw noRoom('SecurityList');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14090247, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967295, true);
    view.setUint8(start + 12, 255);
    view.setUint8(start + 13, 255);
    view.setUint8(start + 14, 0);
    this.#block.begin(start + 8, 7, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setSecurityRequestResult(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('SecurityList.SecurityRequestResult', value); view.setUint16(at, value ?? 65535, true); return this; }
  setTotNoRelatedSym(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('SecurityList.TotNoRelatedSym', value); view.setUint32(at + 2, value ?? 4294967295, true); return this; }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('SecurityList.Flags', value); view.setUint8(at + 6, value); return this; }
  /** The group for writing: `add()` begins an entry. */
  writeInstruments(): SecurityListInstruments { this.#block.beginGroup(0); return this.#instruments; }
  setSecurityReqId(value: string): this { this.#block.putText(0, value); return this; }
  setSecurityReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(1, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
