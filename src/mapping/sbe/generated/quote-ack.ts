// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'QuoteAck',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4),
      blank: sbe.image(0),
      needed: [0],
      written: [0],
      entry: {
        name: 'QuoteAck.QuoteSets',
        groups: [
          {
            since: 0,
            dimension: types.dimensions.groupSizeEncoding,
            empty: sbe.image(4, { 0: '0e' }),
            blank: sbe.image(14, { 0: 'ffffffffffffffff', 9: 'ffffffff' }),
            needed: [14],
            written: [14],
            entry: {
              name: 'QuoteAck.QuoteSets.QuoteEntries',
              groups: [],
              data: [
                { name: 'QuoteEntryID', since: 0, type: types.data.name },
                { name: 'Symbol', since: 0, type: types.data.name },
                { name: 'VenueCode', since: 0, type: types.data.name },
              ],
            },
            walk: undefined,
          },
        ],
        data: [
          { name: 'QuoteSetID', since: 0, type: types.data.name },
        ],
      },
      walk: undefined,
    },
  ],
  data: [
    { name: 'QuoteID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** The entries of QuoteAck.QuoteSets.QuoteEntries. */
export class QuoteAckQuoteSetsQuoteEntries {
  static readonly blockLength = 14;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId', value); view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.MarketId', value); view.setBigUint64(at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Instrument.Book', value); view.setUint8(at + 8, value); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.Reason', value); view.setUint16(at + 9, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.VenueRejectNumber', value); view.setUint16(at + 11, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteAck.QuoteSets.QuoteEntries.Refusal.NonceConsumed', value); view.setUint8(at + 13, value); return this; }
  setQuoteEntryId(value: string): this { this.#block.putText(0, value); return this; }
  setQuoteEntryIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setSymbol(value: string): this { this.#block.putText(1, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(2, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}

/** The entries of QuoteAck.QuoteSets. */
export class QuoteAckQuoteSets {
  static readonly blockLength = 0;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;
  readonly #quoteEntries: QuoteAckQuoteSetsQuoteEntries;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
    this.#quoteEntries = new QuoteAckQuoteSetsQuoteEntries(entries.block.group(0));
  }

  get count(): number { return this.#entries.count; }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteEntries(): QuoteAckQuoteSetsQuoteEntries { this.#block.beginGroup(0); return this.#quoteEntries; }
  setQuoteSetId(value: string): this { this.#block.putText(0, value); return this; }
  setQuoteSetIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** QuoteAck (213). What became of a MassQuote or QuoteCancel. */
export class QuoteAck {
  static readonly templateId = 213;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 7;
  readonly #block = new sbe.Block(layout);
  readonly #quoteSets = new QuoteAckQuoteSets(this.#block.group(0));

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('QuoteAck', version);
    if (at + 15 > bytes.length) throw noRoom('QuoteAck');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 13959175, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
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
  setQuoteStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteAck.QuoteStatus', value); view.setUint8(at, value); return this; }
  setQuoteResponseLevel(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('QuoteAck.QuoteResponseLevel', value); view.setUint8(at + 1, value ?? 0); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.Refusal.Reason', value); view.setUint16(at + 2, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('QuoteAck.Refusal.VenueRejectNumber', value); view.setUint16(at + 4, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('QuoteAck.Refusal.NonceConsumed', value); view.setUint8(at + 6, value); return this; }
  /** The group for writing: `add()` begins an entry. */
  writeQuoteSets(): QuoteAckQuoteSets { this.#block.beginGroup(0); return this.#quoteSets; }
  setQuoteId(value: string): this { this.#block.putText(0, value); return this; }
  setQuoteIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(2, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setText(value: string): this { this.#block.putText(3, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
}
