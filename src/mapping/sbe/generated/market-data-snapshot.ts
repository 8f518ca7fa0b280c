// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MarketDataSnapshot',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 0: '11' }),
      blank: sbe.image(17),
      needed: [17],
      written: [17],
      entry: {
        name: 'MarketDataSnapshot.Entries',
        groups: [],
        data: [],
      },
      walk: undefined,
    },
  ],
  data: [
    { name: 'MDReqID', since: 0, type: types.data.name },
  ],
};

/** The entries of MarketDataSnapshot.Entries. */
export class MarketDataSnapshotEntries {
  static readonly blockLength = 17;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  setMdEntryType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('MarketDataSnapshot.Entries.MDEntryType', value); view.setUint8(at, value); return this; }
  setMdEntryPx(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('MarketDataSnapshot.Entries.MDEntryPx', value); view.setUint32(at + 5, highOf(value, 'MarketDataSnapshot.Entries.MDEntryPx'), true); view.setUint32(at + 1, value, true); return this; }
  setMdEntryPxBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('MarketDataSnapshot.Entries.MDEntryPx', value); view.setBigUint64(at + 1, value, true); return this; }
  setMdEntrySize(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('MarketDataSnapshot.Entries.MDEntrySize', value); view.setUint32(at + 13, highOf(value, 'MarketDataSnapshot.Entries.MDEntrySize'), true); view.setUint32(at + 9, value, true); return this; }
  setMdEntrySizeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('MarketDataSnapshot.Entries.MDEntrySize', value); view.setBigUint64(at + 9, value, true); return this; }
}

/** MarketDataSnapshot (218). An order book as it stands, best first; at most 1,500 levels of a side. */
export class MarketDataSnapshot {
  static readonly templateId = 218;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 19;
  readonly #block = new sbe.Block(layout);
  readonly #entries = new MarketDataSnapshotEntries(this.#block.group(0));

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('MarketDataSnapshot', version);
    if (at + 27 > bytes.length) throw noRoom('MarketDataSnapshot');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14286867, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967295, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4278190080, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint8(start + 24, 255);
    view.setUint8(start + 25, 255);
    view.setUint8(start + 26, 255);
    this.#block.begin(start + 8, 19, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('MarketDataSnapshot.Instrument.MarketId', value); view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MarketDataSnapshot.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MarketDataSnapshot.Instrument.MarketId', value); view.setBigUint64(at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('MarketDataSnapshot.Instrument.Book', value); view.setUint8(at + 8, value); return this; }
  setPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('MarketDataSnapshot.PriceExponent', value); view.setInt8(at + 9, value); return this; }
  setQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('MarketDataSnapshot.QtyExponent', value); view.setInt8(at + 10, value); return this; }
  setVenueSeq(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('MarketDataSnapshot.VenueSeq', value); view.setUint32(at + 15, value === undefined ? 4294967295 : highOf(value, 'MarketDataSnapshot.VenueSeq'), true); view.setUint32(at + 11, value ?? 4294967295, true); return this; }
  setVenueSeqBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MarketDataSnapshot.VenueSeq', value); view.setBigUint64(at + 11, value ?? 18446744073709551615n, true); return this; }
  /** The group for writing: `add()` begins an entry. */
  writeEntries(): MarketDataSnapshotEntries { this.#block.beginGroup(0); return this.#entries; }
  setMdReqId(value: string): this { this.#block.putText(0, value); return this; }
  setMdReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
