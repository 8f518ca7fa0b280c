// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MassQuote',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4),
      blank: sbe.image(0),
      needed: [0],
      written: [0],
      entry: {
        name: 'MassQuote.QuoteSets',
        groups: [
          {
            since: 0,
            dimension: types.dimensions.groupSizeEncoding,
            empty: sbe.image(4, { 0: '2b' }),
            blank: sbe.image(43, { 0: 'ffffffffffffffff', 11: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' }),
            needed: [43],
            written: [43],
            entry: {
              name: 'MassQuote.QuoteSets.QuoteEntries',
              groups: [],
              data: [
                { name: 'QuoteEntryID', since: 0, type: types.data.name },
                { name: 'Symbol', since: 0, type: types.data.name },
              ],
            },
            walk: walkMassQuoteQuoteSetsQuoteEntries,
          },
        ],
        data: [
          { name: 'QuoteSetID', since: 0, type: types.data.name },
        ],
      },
      walk: walkMassQuoteQuoteSets,
    },
  ],
  data: [
    { name: 'Account', since: 0, type: types.data.name },
  ],
};

/** Moves the end over QuoteEntryID, Symbol; answers what is wrong with them. */
function walkMassQuoteQuoteSetsQuoteEntries(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  if (next + 1 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** Moves the end over QuoteEntries, QuoteSetID; answers what is wrong with them. */
function walkMassQuoteQuoteSets(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over QuoteSets, Account; answers what is wrong with them. */
function walkMassQuote(block: sbe.Block): string | undefined {
  const fault = block.walkGroup(0);
  if (fault !== undefined) return fault;
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** The entries of MassQuote.QuoteSets.QuoteEntries. */
export class MassQuoteQuoteSetsQuoteEntries {
  static readonly blockLength = 43;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  get quoteInstrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 4, true); const low = view.getUint32(at, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.Instrument.MarketId'); }
  get quoteInstrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteInstrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 8); }
  get quotePriceExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 9); }
  get quoteQtyExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 10); }
  get quoteBidPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 15, true); const low = view.getUint32(at + 11, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidPx'); }
  get quoteBidPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 11, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidSize(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 23, true); const low = view.getUint32(at + 19, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.BidSize'); }
  get quoteBidSizeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 19, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 31, true); const low = view.getUint32(at + 27, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferPx'); }
  get quoteOfferPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 27, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferSize(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 39, true); const low = view.getUint32(at + 35, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MassQuote.QuoteSets.QuoteEntries.Quote.OfferSize'); }
  get quoteOfferSizeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 35, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteEntryId(): string { return this.#block.text(0); }
  get quoteEntryIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get symbol(): string { return this.#block.text(1); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(1); }
}

/** The entries of MassQuote.QuoteSets. */
export class MassQuoteQuoteSets {
  static readonly blockLength = 0;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;
  readonly #quoteEntries: MassQuoteQuoteSetsQuoteEntries;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
    this.#quoteEntries = new MassQuoteQuoteSetsQuoteEntries(entries.block.group(0));
  }

  get count(): number { return this.#entries.count; }
  /** Goes before the first entry. */
  rewind(): this { this.#entries.rewind(); return this; }
  /** Goes to the next entry, if there is one. */
  next(): boolean { return this.#entries.next(); }
  /** The entries, before the first. */
  get quoteEntries(): MassQuoteQuoteSetsQuoteEntries { this.#block.readGroup(0); return this.#quoteEntries; }
  get quoteSetId(): string { return this.#block.text(0); }
  get quoteSetIdBytes(): Uint8Array { return this.#block.bytes(0); }
}

/** MassQuote (106). Quotes; those of one set and market stand or fall together. */
export class MassQuote {
  static readonly templateId = 106;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 45;
  readonly #block = new sbe.Block(layout);
  readonly #quoteSets = new MassQuoteQuoteSets(this.#block.group(0));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('MassQuote', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 106 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MassQuote');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 45, version, limit) ?? walkMassQuote(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get quoteId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get quoteIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'MassQuote.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  get quoteResponseLevel(): number { const { at, view } = this.#block; return view.getUint8(at + 44); }
  /** The entries, before the first. */
  get quoteSets(): MassQuoteQuoteSets { this.#block.readGroup(0); return this.#quoteSets; }
  get account(): string { return this.#block.text(0); }
  get accountBytes(): Uint8Array { return this.#block.bytes(0); }
}
