// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of MarketDataSnapshot.Entries. */
export class MarketDataSnapshotEntries {
  static readonly blockLength = 17;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  #dimension = 0;
  #blockLength = 0;
  #count = 0;
  #index = 0;
  /** The entry that is read or written, and the one to be read after it. */
  #at = 0;
  #next = 0;
  #end = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('MarketDataSnapshot.Entries', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('MarketDataSnapshot.Entries', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('MarketDataSnapshot.Entries', count * blockLength, left);
    const needed = 17;
    if (count > 0 && blockLength < needed) return shorter('MarketDataSnapshot.Entries', blockLength, needed, this.#version);
    this.#end = at + 4 + count * blockLength;
    this.rewind();
    return undefined;
  }
  /** For the message: behind the last entry. */
  get end(): number {
    return this.#end;
  }
  /** For the message: the group is not there. */
  clear(): void {
    this.#count = 0;
    this.#end = this.#dimension;
  }
  get count(): number {
    return this.#count;
  }
  /** Goes before the first entry. */
  rewind(): this {
    this.#index = 0;
    this.#next = this.#dimension + 4;
    return this;
  }
  /** Goes to the next entry, if there is one. */
  next(): boolean {
    if (this.#index === this.#count) return false;
    this.#index += 1;
    this.#at = this.#next;
    this.#next += this.#blockLength;
    return true;
  }
  /** For the message: writes an empty group at `at`. */
  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    this.#blockLength = 17;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('MarketDataSnapshot.Entries');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('MarketDataSnapshot.Entries');
    const at = this.finish();
    if (at + 17 > this.#limit) throw noRoom('MarketDataSnapshot.Entries');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setFloat64(at, 0);
    view.setFloat64(at + 8, 0);
    view.setUint8(at + 16, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    return this.#end;
  }
  get mdEntryType(): number { return this.#view.getUint8(this.#at); }
  setMdEntryType(value: number): this { if (value !== (value & 255)) throw outside('MarketDataSnapshot.Entries.MDEntryType', value); this.#view.setUint8(this.#at, value); return this; }
  get mdEntryPx(): number { const high = this.#view.getUint32(this.#at + 5, true); const low = this.#view.getUint32(this.#at + 1, true); return joined(high, low, 'MarketDataSnapshot.Entries.MDEntryPx'); }
  get mdEntryPxBig(): bigint { return this.#view.getBigUint64(this.#at + 1, true); }
  get mdEntryPxHigh(): number { return this.#view.getUint32(this.#at + 5, true); }
  get mdEntryPxLow(): number { return this.#view.getUint32(this.#at + 1, true); }
  setMdEntryPx(value: number): this { if (value < 0) throw outside('MarketDataSnapshot.Entries.MDEntryPx', value); const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, highOf(value, 'MarketDataSnapshot.Entries.MDEntryPx'), true); view.setUint32(at, value, true); return this; }
  setMdEntryPxBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('MarketDataSnapshot.Entries.MDEntryPx', value); this.#view.setBigUint64(this.#at + 1, value, true); return this; }
  setMdEntryPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get mdEntrySize(): number { const high = this.#view.getUint32(this.#at + 13, true); const low = this.#view.getUint32(this.#at + 9, true); return joined(high, low, 'MarketDataSnapshot.Entries.MDEntrySize'); }
  get mdEntrySizeBig(): bigint { return this.#view.getBigUint64(this.#at + 9, true); }
  get mdEntrySizeHigh(): number { return this.#view.getUint32(this.#at + 13, true); }
  get mdEntrySizeLow(): number { return this.#view.getUint32(this.#at + 9, true); }
  setMdEntrySize(value: number): this { if (value < 0) throw outside('MarketDataSnapshot.Entries.MDEntrySize', value); const view = this.#view; const at = this.#at + 9; view.setUint32(at + 4, highOf(value, 'MarketDataSnapshot.Entries.MDEntrySize'), true); view.setUint32(at, value, true); return this; }
  setMdEntrySizeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('MarketDataSnapshot.Entries.MDEntrySize', value); this.#view.setBigUint64(this.#at + 9, value, true); return this; }
  setMdEntrySizeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 9; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
}

/** MarketDataSnapshot (218). An order book as it stands, best first; at most 1,500 levels of a side. */
export class MarketDataSnapshot {
  static readonly templateId = 218;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 19;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;
  readonly #entries = new MarketDataSnapshotEntries();
  #mdReqIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: MarketDataSnapshotEntries | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('MarketDataSnapshot', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 218 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MarketDataSnapshot');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 19;
    if (blockLength < needed) return shorter('MarketDataSnapshot', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('MarketDataSnapshot', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#entries.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#entries.end;
    if (next + 1 > limit) return cut('MarketDataSnapshot.MDReqID', 1, limit - next);
    this.#mdReqIdAt = next;
    const mdReqIdSize = view.getUint8(next);
    next += 1;
    if (next + mdReqIdSize > limit) return cut('MarketDataSnapshot.MDReqID', mdReqIdSize, limit - next);
    next += mdReqIdSize;
    this.#part = 2;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('MarketDataSnapshot', version);
    if (at + 27 > bytes.length) throw noRoom('MarketDataSnapshot');
    const start = this.#base + at;
    view.setUint32(start, 14286867, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967295, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4278190080, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint8(start + 24, 255);
    view.setUint8(start + 25, 255);
    view.setUint8(start + 26, 255);
    const blockLength = 19;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
    this.#open = undefined;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    this.#reach(2);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(2);
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MarketDataSnapshot.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MarketDataSnapshot.Instrument.MarketId', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MarketDataSnapshot.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MarketDataSnapshot.Instrument.MarketId', value); this.#view.setBigUint64(this.#at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 8); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('MarketDataSnapshot.Instrument.Book', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get priceExponent(): number { return this.#view.getInt8(this.#at + 9); }
  setPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('MarketDataSnapshot.PriceExponent', value); this.#view.setInt8(this.#at + 9, value); return this; }
  get qtyExponent(): number { return this.#view.getInt8(this.#at + 10); }
  setQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('MarketDataSnapshot.QtyExponent', value); this.#view.setInt8(this.#at + 10, value); return this; }
  get venueSeq(): number | undefined { const high = this.#view.getUint32(this.#at + 15, true); const low = this.#view.getUint32(this.#at + 11, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MarketDataSnapshot.VenueSeq'); }
  get venueSeqBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 11, true); return value === 18446744073709551615n ? undefined : value; }
  get venueSeqHigh(): number { return this.#view.getUint32(this.#at + 15, true); }
  get venueSeqLow(): number { return this.#view.getUint32(this.#at + 11, true); }
  setVenueSeq(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MarketDataSnapshot.VenueSeq', value); const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MarketDataSnapshot.VenueSeq'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setVenueSeqBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MarketDataSnapshot.VenueSeq', value); this.#view.setBigUint64(this.#at + 11, value ?? 18446744073709551615n, true); return this; }
  setVenueSeqHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  /** The entries, before the first. */
  get entries(): MarketDataSnapshotEntries {
    return this.#entries.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeEntries(): MarketDataSnapshotEntries {
    this.#reach(0);
    this.#part = 1;
    this.#entries.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#entries;
    return this.#entries;
  }
  get mdReqId(): string {
    const at = this.#mdReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get mdReqIdBytes(): Uint8Array {
    const at = this.#mdReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setMdReqId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MarketDataSnapshot.MDReqID');
    this.#view.setUint8(at, size);
    this.#mdReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setMdReqIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MarketDataSnapshot.MDReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MarketDataSnapshot.MDReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#mdReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MarketDataSnapshot');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#entries.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#entries.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MarketDataSnapshot.MDReqID');
      this.#view.setUint8(this.#end, 0);
      this.#mdReqIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
