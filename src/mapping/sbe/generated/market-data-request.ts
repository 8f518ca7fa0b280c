// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, joined, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MarketDataRequest',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 0: '09' }),
      blank: sbe.image(9, { 0: 'ffffffffffffffff' }),
      needed: [9],
      written: [9],
      entry: {
        name: 'MarketDataRequest.Instruments',
        groups: [],
        data: [
          { name: 'Symbol', since: 0, type: types.data.name },
        ],
      },
      walk: walkMarketDataRequestInstruments,
    },
  ],
  data: [
    { name: 'MDReqID', since: 0, type: types.data.name },
  ],
};

/** Moves the end over Symbol; answers what is wrong with them. */
function walkMarketDataRequestInstruments(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** Moves the end over Instruments, MDReqID; answers what is wrong with them. */
function walkMarketDataRequest(block: sbe.Block): string | undefined {
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

/** The entries of MarketDataRequest.Instruments. */
export class MarketDataRequestInstruments {
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
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 4, true); const low = view.getUint32(at, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MarketDataRequest.Instruments.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 8); }
  get symbol(): string { return this.#block.text(0); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(0); }
}

/** MarketDataRequest (112). Order books, both sides, whole at each change. */
export class MarketDataRequest {
  static readonly templateId = 112;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 5;
  readonly #block = new sbe.Block(layout);
  readonly #instruments = new MarketDataRequestInstruments(this.#block.group(0));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('MarketDataRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 112 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MarketDataRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 5, version, limit) ?? walkMarketDataRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get subscriptionRequestType(): number { const { at, view } = this.#block; return view.getUint8(at); }
  get marketDepth(): number { const { at, view } = this.#block; return view.getUint32(at + 1, true); }
  /** The entries, before the first. */
  get instruments(): MarketDataRequestInstruments { this.#block.readGroup(0); return this.#instruments; }
  get mdReqId(): string { return this.#block.text(0); }
  get mdReqIdBytes(): Uint8Array { return this.#block.bytes(0); }
}
