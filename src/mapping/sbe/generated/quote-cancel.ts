// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'QuoteCancel',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 0: '09' }),
      blank: sbe.image(9, { 0: 'ffffffffffffffff' }),
      needed: [9],
      written: [9],
      entry: {
        name: 'QuoteCancel.Instruments',
        groups: [],
        data: [
          { name: 'Symbol', since: 0, type: types.data.name },
        ],
      },
      walk: walkQuoteCancelInstruments,
    },
  ],
  data: [
    { name: 'Account', since: 0, type: types.data.name },
  ],
};

/** Moves the end over Symbol; answers what is wrong with them. */
function walkQuoteCancelInstruments(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over Instruments, Account; answers what is wrong with them. */
function walkQuoteCancel(block: sbe.Block): string | undefined {
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

/** The entries of QuoteCancel.Instruments. */
export class QuoteCancelInstruments {
  static readonly blockLength = 9;
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
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 4, true); const low = view.getUint32(at, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'QuoteCancel.Instruments.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 8); }
  get symbol(): string { return this.#block.text(0); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(0); }
}

/** QuoteCancel (108). The end of quotes. */
export class QuoteCancel {
  static readonly templateId = 108;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 46;
  readonly #block = new sbe.Block(layout);
  readonly #instruments = new QuoteCancelInstruments(this.#block.group(0));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('QuoteCancel', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 108 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('QuoteCancel');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 46, version, limit) ?? walkQuoteCancel(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get quoteId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get quoteIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'QuoteCancel.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  get quoteResponseLevel(): number { const { at, view } = this.#block; return view.getUint8(at + 44); }
  get quoteCancelType(): number { const { at, view } = this.#block; return view.getUint8(at + 45); }
  /** The entries, before the first. */
  get instruments(): QuoteCancelInstruments { this.#block.readGroup(0); return this.#instruments; }
  get account(): string { return this.#block.text(0); }
  get accountBytes(): Uint8Array { return this.#block.bytes(0); }
}
