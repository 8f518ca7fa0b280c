// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'Quote',
  groups: [],
  data: [
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over Account, Symbol; answers what is wrong with them. */
function walkQuote(block: sbe.Block): string | undefined {
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

/** Quote (107). The one quote for an instrument. */
export class Quote {
  static readonly templateId = 107;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 88;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('Quote', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 107 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('Quote');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 88, version, limit) ?? walkQuote(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get quoteId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get quoteIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'Quote.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  get quoteResponseLevel(): number { const { at, view } = this.#block; return view.getUint8(at + 44); }
  get quoteInstrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 49, true); const low = view.getUint32(at + 45, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Quote.Quote.Instrument.MarketId'); }
  get quoteInstrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 45, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteInstrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 53); }
  get quotePriceExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 54); }
  get quoteQtyExponent(): number { const { at, view } = this.#block; return view.getInt8(at + 55); }
  get quoteBidPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 60, true); const low = view.getUint32(at + 56, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Quote.Quote.BidPx'); }
  get quoteBidPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 56, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteBidSize(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 68, true); const low = view.getUint32(at + 64, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Quote.Quote.BidSize'); }
  get quoteBidSizeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 64, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferPx(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 76, true); const low = view.getUint32(at + 72, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Quote.Quote.OfferPx'); }
  get quoteOfferPxBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 72, true); return value === 18446744073709551615n ? undefined : value; }
  get quoteOfferSize(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 84, true); const low = view.getUint32(at + 80, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'Quote.Quote.OfferSize'); }
  get quoteOfferSizeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 80, true); return value === 18446744073709551615n ? undefined : value; }
  get account(): string { return this.#block.text(0); }
  get accountBytes(): Uint8Array { return this.#block.bytes(0); }
  get symbol(): string { return this.#block.text(1); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(1); }
}
