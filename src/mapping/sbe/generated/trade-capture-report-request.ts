// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putWhole, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** TradeCaptureReportRequest (116). Trades of the past that fit, those to come, or both. */
export class TradeCaptureReportRequest {
  static readonly templateId = 116;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 52;
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
  #tradeRequestIdAt = 0;
  #clOrdIdAt = 0;
  #execIdAt = 0;
  #symbolAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('TradeCaptureReportRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 116 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradeCaptureReportRequest');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 52;
    if (blockLength < needed) return shorter('TradeCaptureReportRequest', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('TradeCaptureReportRequest', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('TradeCaptureReportRequest.TradeRequestID', 1, limit - next);
    this.#tradeRequestIdAt = next;
    const tradeRequestIdSize = view.getUint8(next);
    next += 1;
    if (next + tradeRequestIdSize > limit) return cut('TradeCaptureReportRequest.TradeRequestID', tradeRequestIdSize, limit - next);
    next += tradeRequestIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReportRequest.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('TradeCaptureReportRequest.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReportRequest.ExecID', 1, limit - next);
    this.#execIdAt = next;
    const execIdSize = view.getUint8(next);
    next += 1;
    if (next + execIdSize > limit) return cut('TradeCaptureReportRequest.ExecID', execIdSize, limit - next);
    next += execIdSize;
    if (next + 1 > limit) return cut('TradeCaptureReportRequest.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('TradeCaptureReportRequest.Symbol', symbolSize, limit - next);
    next += symbolSize;
    this.#part = 4;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('TradeCaptureReportRequest', version);
    if (at + 60 > bytes.length) throw noRoom('TradeCaptureReportRequest');
    const start = this.#base + at;
    view.setUint32(start, 7602228, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint32(start + 24, 4294967295, true);
    view.setFloat64(start + 28, 0);
    view.setFloat64(start + 36, 0);
    view.setFloat64(start + 44, 0);
    view.setFloat64(start + 52, 0);
    const blockLength = 52;
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
  get tradeRequestType(): number { return this.#view.getUint16(this.#at, true); }
  setTradeRequestType(value: number): this { if (value !== (value & 65535)) throw outside('TradeCaptureReportRequest.TradeRequestType', value); this.#view.setUint16(this.#at, value, true); return this; }
  get subscriptionRequestType(): number { return this.#view.getUint8(this.#at + 2); }
  setSubscriptionRequestType(value: number): this { if (value !== (value & 255)) throw outside('TradeCaptureReportRequest.SubscriptionRequestType', value); this.#view.setUint8(this.#at + 2, value); return this; }
  get side(): number | undefined { const value = this.#view.getUint8(this.#at + 3); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { if (value !== undefined && (value !== (value & 255))) throw outside('TradeCaptureReportRequest.Side', value); this.#view.setUint8(this.#at + 3, value ?? 0); return this; }
  get fromTime(): number | undefined { const high = this.#view.getUint32(this.#at + 8, true); const low = this.#view.getUint32(this.#at + 4, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'TradeCaptureReportRequest.FromTime'); }
  get fromTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 4, true); return value === 18446744073709551615n ? undefined : value; }
  get fromTimeHigh(): number { return this.#view.getUint32(this.#at + 8, true); }
  get fromTimeLow(): number { return this.#view.getUint32(this.#at + 4, true); }
  setFromTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('TradeCaptureReportRequest.FromTime', value); const view = this.#view; const at = this.#at + 4; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'TradeCaptureReportRequest.FromTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setFromTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradeCaptureReportRequest.FromTime', value); this.#view.setBigUint64(this.#at + 4, value ?? 18446744073709551615n, true); return this; }
  setFromTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 4; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get toTime(): number | undefined { const high = this.#view.getUint32(this.#at + 16, true); const low = this.#view.getUint32(this.#at + 12, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'TradeCaptureReportRequest.ToTime'); }
  get toTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 12, true); return value === 18446744073709551615n ? undefined : value; }
  get toTimeHigh(): number { return this.#view.getUint32(this.#at + 16, true); }
  get toTimeLow(): number { return this.#view.getUint32(this.#at + 12, true); }
  setToTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('TradeCaptureReportRequest.ToTime', value); const view = this.#view; const at = this.#at + 12; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'TradeCaptureReportRequest.ToTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setToTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('TradeCaptureReportRequest.ToTime', value); this.#view.setBigUint64(this.#at + 12, value ?? 18446744073709551615n, true); return this; }
  setToTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 12; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get orderId(): Uint8Array { return this.#octets.subarray(this.#at + 20, this.#at + 52); }
  setOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 20, 32, value, 'TradeCaptureReportRequest.OrderID'); return this; }
  get tradeRequestId(): string {
    const at = this.#tradeRequestIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get tradeRequestIdBytes(): Uint8Array {
    const at = this.#tradeRequestIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setTradeRequestId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReportRequest.TradeRequestID');
    this.#view.setUint8(at, size);
    this.#tradeRequestIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setTradeRequestIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReportRequest.TradeRequestID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReportRequest.TradeRequestID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#tradeRequestIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get clOrdId(): string {
    const at = this.#clOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get clOrdIdBytes(): Uint8Array {
    const at = this.#clOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setClOrdId(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReportRequest.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReportRequest.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReportRequest.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get execId(): string {
    const at = this.#execIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get execIdBytes(): Uint8Array {
    const at = this.#execIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setExecId(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReportRequest.ExecID');
    this.#view.setUint8(at, size);
    this.#execIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setExecIdBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReportRequest.ExecID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReportRequest.ExecID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#execIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
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
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'TradeCaptureReportRequest.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('TradeCaptureReportRequest.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('TradeCaptureReportRequest.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('TradeCaptureReportRequest');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReportRequest.TradeRequestID');
      this.#view.setUint8(this.#end, 0);
      this.#tradeRequestIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReportRequest.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReportRequest.ExecID');
      this.#view.setUint8(this.#end, 0);
      this.#execIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('TradeCaptureReportRequest.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
