// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of MarketDataRequest.Instruments. */
export class MarketDataRequestInstruments {
  static readonly blockLength = 9;
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
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('MarketDataRequest.Instruments', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('MarketDataRequest.Instruments', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('MarketDataRequest.Instruments', count * blockLength, left);
    const needed = 9;
    if (count > 0 && blockLength < needed) return shorter('MarketDataRequest.Instruments', blockLength, needed, this.#version);
    this.rewind();
    for (let index = 0; index < count; index += 1) {
      const fault = this.#enter();
      if (fault !== undefined) return fault;
    }
    this.#end = this.#next;
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
    this.#enter();
    return true;
  }
  #enter(): string | undefined {
    const view = this.#view;
    const limit = this.#limit;
    this.#at = this.#next;
    let next = this.#at + this.#blockLength;
    if (next > limit) return cut('MarketDataRequest.Instruments', this.#blockLength, limit - this.#at);
    if (next + 1 > limit) return cut('MarketDataRequest.Instruments.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('MarketDataRequest.Instruments.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 1;
    this.#next = next;
    return undefined;
  }
  /** For the message: writes an empty group at `at`. */
  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    this.#blockLength = 9;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('MarketDataRequest.Instruments');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('MarketDataRequest.Instruments');
    const at = this.finish();
    if (at + 9 > this.#limit) throw noRoom('MarketDataRequest.Instruments');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setUint32(at, 4294967295, true);
    view.setUint32(at + 4, 4294967295, true);
    view.setUint8(at + 8, 0);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(1);
    return this.#end;
  }
  get instrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'MarketDataRequest.Instruments.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at, true); return value === 18446744073709551615n ? undefined : value; }
  get instrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get instrumentMarketIdLow(): number { return this.#view.getUint32(this.#at, true); }
  setInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('MarketDataRequest.Instruments.Instrument.MarketId', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'MarketDataRequest.Instruments.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MarketDataRequest.Instruments.Instrument.MarketId', value); this.#view.setBigUint64(this.#at, value ?? 18446744073709551615n, true); return this; }
  setInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get instrumentBook(): number { return this.#view.getUint8(this.#at + 8); }
  setInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('MarketDataRequest.Instruments.Instrument.Book', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MarketDataRequest.Instruments.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('MarketDataRequest.Instruments.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MarketDataRequest.Instruments.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MarketDataRequest.Instruments');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('MarketDataRequest.Instruments.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}

/** MarketDataRequest (112). Order books, both sides, whole at each change. */
export class MarketDataRequest {
  static readonly templateId = 112;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 5;
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
  readonly #instruments = new MarketDataRequestInstruments();
  #mdReqIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: MarketDataRequestInstruments | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('MarketDataRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 112 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('MarketDataRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 5;
    if (blockLength < needed) return shorter('MarketDataRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('MarketDataRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#instruments.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#instruments.end;
    if (next + 1 > limit) return cut('MarketDataRequest.MDReqID', 1, limit - next);
    this.#mdReqIdAt = next;
    const mdReqIdSize = view.getUint8(next);
    next += 1;
    if (next + mdReqIdSize > limit) return cut('MarketDataRequest.MDReqID', mdReqIdSize, limit - next);
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
    if (version > 0) throw notInVersion('MarketDataRequest', version);
    if (at + 13 > bytes.length) throw noRoom('MarketDataRequest');
    const start = this.#base + at;
    view.setUint32(start, 7340037, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 0, true);
    view.setUint8(start + 12, 0);
    const blockLength = 5;
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
  get subscriptionRequestType(): number { return this.#view.getUint8(this.#at); }
  setSubscriptionRequestType(value: number): this { if (value !== (value & 255)) throw outside('MarketDataRequest.SubscriptionRequestType', value); this.#view.setUint8(this.#at, value); return this; }
  get marketDepth(): number { return this.#view.getUint32(this.#at + 1, true); }
  setMarketDepth(value: number): this { if (value !== value >>> 0) throw outside('MarketDataRequest.MarketDepth', value); this.#view.setUint32(this.#at + 1, value, true); return this; }
  /** The entries, before the first. */
  get instruments(): MarketDataRequestInstruments {
    return this.#instruments.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeInstruments(): MarketDataRequestInstruments {
    this.#reach(0);
    this.#part = 1;
    this.#instruments.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#instruments;
    return this.#instruments;
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'MarketDataRequest.MDReqID');
    this.#view.setUint8(at, size);
    this.#mdReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setMdReqIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('MarketDataRequest.MDReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('MarketDataRequest.MDReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#mdReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('MarketDataRequest');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#instruments.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#instruments.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('MarketDataRequest.MDReqID');
      this.#view.setUint8(this.#end, 0);
      this.#mdReqIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
