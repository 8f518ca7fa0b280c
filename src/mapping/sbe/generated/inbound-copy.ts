// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** InboundCopy (225). An order, a cancel or a replace as a client sent it. */
export class InboundCopy {
  static readonly templateId = 225;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 9;
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
  #copyReqIdAt = 0;
  #accountAt = 0;
  #symbolAt = 0;
  #onBehalfOfCompIdAt = 0;
  #inboundTypeAt = 0;
  #rawDataAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('InboundCopy', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 225 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('InboundCopy');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 9;
    if (blockLength < needed) return shorter('InboundCopy', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('InboundCopy', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('InboundCopy.CopyReqID', 1, limit - next);
    this.#copyReqIdAt = next;
    const copyReqIdSize = view.getUint8(next);
    next += 1;
    if (next + copyReqIdSize > limit) return cut('InboundCopy.CopyReqID', copyReqIdSize, limit - next);
    next += copyReqIdSize;
    if (next + 1 > limit) return cut('InboundCopy.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('InboundCopy.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('InboundCopy.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('InboundCopy.Symbol', symbolSize, limit - next);
    next += symbolSize;
    if (next + 1 > limit) return cut('InboundCopy.OnBehalfOfCompID', 1, limit - next);
    this.#onBehalfOfCompIdAt = next;
    const onBehalfOfCompIdSize = view.getUint8(next);
    next += 1;
    if (next + onBehalfOfCompIdSize > limit) return cut('InboundCopy.OnBehalfOfCompID', onBehalfOfCompIdSize, limit - next);
    next += onBehalfOfCompIdSize;
    if (next + 1 > limit) return cut('InboundCopy.InboundType', 1, limit - next);
    this.#inboundTypeAt = next;
    const inboundTypeSize = view.getUint8(next);
    next += 1;
    if (next + inboundTypeSize > limit) return cut('InboundCopy.InboundType', inboundTypeSize, limit - next);
    next += inboundTypeSize;
    if (next + 4 > limit) return cut('InboundCopy.RawData', 4, limit - next);
    this.#rawDataAt = next;
    const rawDataSize = view.getUint32(next, true);
    if (rawDataSize > 70000) return beyond('InboundCopy.RawData', rawDataSize, 70000);
    next += 4;
    if (next + rawDataSize > limit) return cut('InboundCopy.RawData', rawDataSize, limit - next);
    next += rawDataSize;
    this.#part = 6;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('InboundCopy', version);
    if (at + 17 > bytes.length) throw noRoom('InboundCopy');
    const start = this.#base + at;
    view.setUint32(start, 14745609, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    const blockLength = 9;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    this.#reach(6);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(6);
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
  get transactTime(): number { const high = this.#view.getUint32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); return joined(high, low, 'InboundCopy.TransactTime'); }
  get transactTimeBig(): bigint { return this.#view.getBigUint64(this.#at, true); }
  get transactTimeHigh(): number { return this.#view.getUint32(this.#at + 4, true); }
  get transactTimeLow(): number { return this.#view.getUint32(this.#at, true); }
  setTransactTime(value: number): this { if (value < 0) throw outside('InboundCopy.TransactTime', value); const view = this.#view; const at = this.#at; view.setUint32(at + 4, highOf(value, 'InboundCopy.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('InboundCopy.TransactTime', value); this.#view.setBigUint64(this.#at, value, true); return this; }
  setTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get flags(): number { return this.#view.getUint8(this.#at + 8); }
  setFlags(value: number): this { if (value !== (value & 255)) throw outside('InboundCopy.Flags', value); this.#view.setUint8(this.#at + 8, value); return this; }
  get copyReqId(): string {
    const at = this.#copyReqIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get copyReqIdBytes(): Uint8Array {
    const at = this.#copyReqIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setCopyReqId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'InboundCopy.CopyReqID');
    this.#view.setUint8(at, size);
    this.#copyReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setCopyReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('InboundCopy.CopyReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('InboundCopy.CopyReqID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#copyReqIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'InboundCopy.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('InboundCopy.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('InboundCopy.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get symbol(): string {
    const at = this.#symbolAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get symbolBytes(): Uint8Array {
    const at = this.#symbolAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setSymbol(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'InboundCopy.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('InboundCopy.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('InboundCopy.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  get onBehalfOfCompId(): string {
    const at = this.#onBehalfOfCompIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get onBehalfOfCompIdBytes(): Uint8Array {
    const at = this.#onBehalfOfCompIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setOnBehalfOfCompId(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'InboundCopy.OnBehalfOfCompID');
    this.#view.setUint8(at, size);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('InboundCopy.OnBehalfOfCompID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('InboundCopy.OnBehalfOfCompID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
    return this;
  }
  get inboundType(): string {
    const at = this.#inboundTypeAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get inboundTypeBytes(): Uint8Array {
    const at = this.#inboundTypeAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setInboundType(value: string): this {
    this.#reach(4);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'InboundCopy.InboundType');
    this.#view.setUint8(at, size);
    this.#inboundTypeAt = at;
    this.#end = at + 1 + size;
    this.#part = 5;
    return this;
  }
  setInboundTypeBytes(value: Uint8Array): this {
    this.#reach(4);
    const at = this.#end;
    if (value.length > 255) throw outside('InboundCopy.InboundType', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('InboundCopy.InboundType');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#inboundTypeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 5;
    return this;
  }
  get rawData(): Uint8Array {
    const at = this.#rawDataAt;
    return this.#octets.subarray(at + 4, at + 4 + this.#view.getUint32(at, true));
  }
  setRawData(value: Uint8Array): this {
    this.#reach(5);
    const at = this.#end;
    if (value.length > 70000) throw outside('InboundCopy.RawData', `${value.length} bytes`);
    if (at + 4 + value.length > this.#limit) throw noRoom('InboundCopy.RawData');
    this.#octets.set(value, at + 4);
    this.#view.setUint32(at, value.length, true);
    this.#rawDataAt = at;
    this.#end = at + 4 + value.length;
    this.#part = 6;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('InboundCopy');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('InboundCopy.CopyReqID');
      this.#view.setUint8(this.#end, 0);
      this.#copyReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('InboundCopy.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('InboundCopy.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('InboundCopy.OnBehalfOfCompID');
      this.#view.setUint8(this.#end, 0);
      this.#onBehalfOfCompIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 4 && part > 4) {
      if (this.#end + 1 > this.#limit) throw noRoom('InboundCopy.InboundType');
      this.#view.setUint8(this.#end, 0);
      this.#inboundTypeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 5 && part > 5) {
      if (this.#end + 4 > this.#limit) throw noRoom('InboundCopy.RawData');
      this.#view.setUint32(this.#end, 0, true);
      this.#rawDataAt = this.#end;
      this.#end += 4;
    }
    this.#part = part;
  }
}
