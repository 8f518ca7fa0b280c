// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** TradeCaptureReportAck (117). What the reader makes of a trade; a refused one alarms the operator. */
export class TradeCaptureReportAck {
  static readonly templateId = 117;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 3;
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
  #tradeReportIdAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('TradeCaptureReportAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 117 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradeCaptureReportAck');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 3;
    if (blockLength < needed) return shorter('TradeCaptureReportAck', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('TradeCaptureReportAck', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('TradeCaptureReportAck.TradeReportID', 1, limit - next);
    this.#tradeReportIdAt = next;
    const tradeReportIdSize = view.getUint8(next);
    next += 1;
    if (next + tradeReportIdSize > limit) return cut('TradeCaptureReportAck.TradeReportID', tradeReportIdSize, limit - next);
    next += tradeReportIdSize;
    if (next + 2 > limit) return cut('TradeCaptureReportAck.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('TradeCaptureReportAck.Text', textSize, limit - next);
    next += textSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('TradeCaptureReportAck', version);
    if (at + 11 > bytes.length) throw noRoom('TradeCaptureReportAck');
    const start = this.#base + at;
    view.setUint32(start, 7667715, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint8(start + 8, 0);
    view.setUint8(start + 9, 255);
    view.setUint8(start + 10, 255);
    const blockLength = 3;
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
  get trdRptStatus(): number { return this.#view.getUint8(this.#at); }
  setTrdRptStatus(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReportAck.TrdRptStatus', value); this.#view.setUint8(this.#at, value); return this; }
  get tradeReportRejectReason(): number | undefined { const value = this.#view.getUint16(this.#at + 1, true); return value === 65535 ? undefined : value; }
  setTradeReportRejectReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('TradeCaptureReportAck.TradeReportRejectReason', value); this.#view.setUint16(this.#at + 1, value ?? 65535, true); return this; }
  get tradeReportId(): string {
    const at = this.#tradeReportIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradeReportIdBytes(): Uint8Array {
    const at = this.#tradeReportIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradeReportId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReportAck.TradeReportID');
    this.#view.setUint8(at, size);
    this.#tradeReportIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setTradeReportIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReportAck.TradeReportID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReportAck.TradeReportID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradeReportIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get text(): string {
    const at = this.#textAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at, true), 'utf8');
  }
  get textBytes(): Uint8Array {
    const at = this.#textAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setText(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'TradeCaptureReportAck.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 2;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 65535) throw outside('TradeCaptureReportAck.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('TradeCaptureReportAck.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('TradeCaptureReportAck');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReportAck.TradeReportID');
      this.#view.setUint8(this.#end, 0);
      this.#tradeReportIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 2 > this.#limit) throw noRoom('TradeCaptureReportAck.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
