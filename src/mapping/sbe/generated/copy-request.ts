// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** CopyRequest (114). Drop copies again, the open orders, or the totals. */
export class CopyRequest {
  static readonly templateId = 114;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 33;
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
  #fromExecIdAt = 0;
  #toExecIdAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('CopyRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 114 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('CopyRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 33;
    if (blockLength < needed) return shorter('CopyRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('CopyRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('CopyRequest.CopyReqID', 1, limit - next);
    this.#copyReqIdAt = next;
    const copyReqIdSize = view.getUint8(next);
    next += 1;
    if (next + copyReqIdSize > limit) return cut('CopyRequest.CopyReqID', copyReqIdSize, limit - next);
    next += copyReqIdSize;
    if (next + 1 > limit) return cut('CopyRequest.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('CopyRequest.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('CopyRequest.FromExecID', 1, limit - next);
    this.#fromExecIdAt = next;
    const fromExecIdSize = view.getUint8(next);
    next += 1;
    if (next + fromExecIdSize > limit) return cut('CopyRequest.FromExecID', fromExecIdSize, limit - next);
    next += fromExecIdSize;
    if (next + 1 > limit) return cut('CopyRequest.ToExecID', 1, limit - next);
    this.#toExecIdAt = next;
    const toExecIdSize = view.getUint8(next);
    next += 1;
    if (next + toExecIdSize > limit) return cut('CopyRequest.ToExecID', toExecIdSize, limit - next);
    next += toExecIdSize;
    this.#part = 4;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('CopyRequest', version);
    if (at + 41 > bytes.length) throw noRoom('CopyRequest');
    const start = this.#base + at;
    view.setUint32(start, 7471137, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint32(start + 24, 4294967295, true);
    view.setUint32(start + 28, 4294967295, true);
    view.setUint32(start + 32, 4294967295, true);
    view.setUint32(start + 36, 4294967295, true);
    view.setUint8(start + 40, 255);
    const blockLength = 33;
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
    this.#reach(4);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(4);
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
  get copyReqType(): number { return this.#view.getUint8(this.#at); }
  setCopyReqType(value: number): this { if (value !== (value & 255)) throw outside('CopyRequest.CopyReqType', value); this.#view.setUint8(this.#at, value); return this; }
  get fromTime(): number | undefined { const high = this.#view.getUint32(this.#at + 5, true); const low = this.#view.getUint32(this.#at + 1, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'CopyRequest.FromTime'); }
  get fromTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  get fromTimeHigh(): number { return this.#view.getUint32(this.#at + 5, true); }
  get fromTimeLow(): number { return this.#view.getUint32(this.#at + 1, true); }
  setFromTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('CopyRequest.FromTime', value); const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'CopyRequest.FromTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setFromTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('CopyRequest.FromTime', value); this.#view.setBigUint64(this.#at + 1, value ?? 18446744073709551615n, true); return this; }
  setFromTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 1; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get toTime(): number | undefined { const high = this.#view.getUint32(this.#at + 13, true); const low = this.#view.getUint32(this.#at + 9, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'CopyRequest.ToTime'); }
  get toTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 9, true); return value === 18446744073709551615n ? undefined : value; }
  get toTimeHigh(): number { return this.#view.getUint32(this.#at + 13, true); }
  get toTimeLow(): number { return this.#view.getUint32(this.#at + 9, true); }
  setToTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('CopyRequest.ToTime', value); const view = this.#view; const at = this.#at + 9; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'CopyRequest.ToTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setToTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('CopyRequest.ToTime', value); this.#view.setBigUint64(this.#at + 9, value ?? 18446744073709551615n, true); return this; }
  setToTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 9; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get fromVenueSeq(): number | undefined { const high = this.#view.getUint32(this.#at + 21, true); const low = this.#view.getUint32(this.#at + 17, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'CopyRequest.FromVenueSeq'); }
  get fromVenueSeqBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 17, true); return value === 18446744073709551615n ? undefined : value; }
  get fromVenueSeqHigh(): number { return this.#view.getUint32(this.#at + 21, true); }
  get fromVenueSeqLow(): number { return this.#view.getUint32(this.#at + 17, true); }
  setFromVenueSeq(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('CopyRequest.FromVenueSeq', value); const view = this.#view; const at = this.#at + 17; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'CopyRequest.FromVenueSeq'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setFromVenueSeqBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('CopyRequest.FromVenueSeq', value); this.#view.setBigUint64(this.#at + 17, value ?? 18446744073709551615n, true); return this; }
  setFromVenueSeqHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 17; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get toVenueSeq(): number | undefined { const high = this.#view.getUint32(this.#at + 29, true); const low = this.#view.getUint32(this.#at + 25, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'CopyRequest.ToVenueSeq'); }
  get toVenueSeqBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 25, true); return value === 18446744073709551615n ? undefined : value; }
  get toVenueSeqHigh(): number { return this.#view.getUint32(this.#at + 29, true); }
  get toVenueSeqLow(): number { return this.#view.getUint32(this.#at + 25, true); }
  setToVenueSeq(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('CopyRequest.ToVenueSeq', value); const view = this.#view; const at = this.#at + 25; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'CopyRequest.ToVenueSeq'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setToVenueSeqBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('CopyRequest.ToVenueSeq', value); this.#view.setBigUint64(this.#at + 25, value ?? 18446744073709551615n, true); return this; }
  setToVenueSeqHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 25; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyRequest.CopyReqID');
    this.#view.setUint8(at, size);
    this.#copyReqIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setCopyReqIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyRequest.CopyReqID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyRequest.CopyReqID');
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
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyRequest.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyRequest.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyRequest.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get fromExecId(): string {
    const at = this.#fromExecIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get fromExecIdBytes(): Uint8Array {
    const at = this.#fromExecIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setFromExecId(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyRequest.FromExecID');
    this.#view.setUint8(at, size);
    this.#fromExecIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setFromExecIdBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyRequest.FromExecID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyRequest.FromExecID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#fromExecIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  get toExecId(): string {
    const at = this.#toExecIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get toExecIdBytes(): Uint8Array {
    const at = this.#toExecIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setToExecId(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyRequest.ToExecID');
    this.#view.setUint8(at, size);
    this.#toExecIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setToExecIdBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyRequest.ToExecID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyRequest.ToExecID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#toExecIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('CopyRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyRequest.CopyReqID');
      this.#view.setUint8(this.#end, 0);
      this.#copyReqIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyRequest.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyRequest.FromExecID');
      this.#view.setUint8(this.#end, 0);
      this.#fromExecIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyRequest.ToExecID');
      this.#view.setUint8(this.#end, 0);
      this.#toExecIdAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
