// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putPairs, putText, shorter, textAt, wrongOrder, wrongTemplate } from '../../../src/sbe/flyweight.ts';

/** The entries of ExecutionReport.FillsGrp. */
export class ExecutionReportFillsGrp {
  static readonly blockLength = 12;
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
    if (left < 0) return cut('ExecutionReport.FillsGrp', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('ExecutionReport.FillsGrp', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('ExecutionReport.FillsGrp', count * blockLength, left);
    const needed = 12;
    if (count > 0 && blockLength < needed) return shorter('ExecutionReport.FillsGrp', blockLength, needed, this.#version);
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
    this.#blockLength = 12;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('ExecutionReport.FillsGrp');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('ExecutionReport.FillsGrp');
    const at = this.finish();
    if (at + 12 > this.#limit) throw noRoom('ExecutionReport.FillsGrp');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    view.setUint32(at, 0, true);
    view.setUint32(at + 4, 2147483648, true);
    view.setUint32(at + 8, 0, true);
    this.#at = at;
    this.#end = at + this.#blockLength;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    return this.#end;
  }
  get fillPxMantissa(): number | undefined { const high = this.#view.getInt32(this.#at + 4, true); const low = this.#view.getUint32(this.#at, true); if (high === -2147483648 && low === 0) return undefined; return joined(high, low, 'ExecutionReport.FillsGrp.FillPx.mantissa'); }
  get fillPxMantissaBig(): bigint | undefined { const value = this.#view.getBigInt64(this.#at, true); return value === -9223372036854775808n ? undefined : value; }
  get fillPxMantissaHigh(): number { return this.#view.getInt32(this.#at + 4, true); }
  get fillPxMantissaLow(): number { return this.#view.getUint32(this.#at, true); }
  setFillPxMantissa(value: number | undefined): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, value === undefined ? -2147483648 : highOf(value, 'ExecutionReport.FillsGrp.FillPx.mantissa'), true); view.setUint32(at, value ?? 0, true); return this; }
  setFillPxMantissaBig(value: bigint | undefined): this { if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('ExecutionReport.FillsGrp.FillPx.mantissa', value); this.#view.setBigInt64(this.#at, value ?? -9223372036854775808n, true); return this; }
  setFillPxMantissaHalves(high: number, low: number): this { const view = this.#view; const at = this.#at; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get fillPxExponent(): number { return -3; }
  get fillQtyMantissa(): number { return this.#view.getInt32(this.#at + 8, true); }
  setFillQtyMantissa(value: number): this { if (value !== (value | 0)) throw outside('ExecutionReport.FillsGrp.FillQty.mantissa', value); this.#view.setInt32(this.#at + 8, value, true); return this; }
  get fillQtyExponent(): number { return 0; }
}

/** ExecutionReport (98). */
export class ExecutionReport {
  static readonly templateId = 98;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 42;
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
  readonly #fillsGrp = new ExecutionReportFillsGrp();
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: ExecutionReportFillsGrp | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('ExecutionReport', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 98 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('ExecutionReport');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 42;
    if (blockLength < needed) return shorter('ExecutionReport', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('ExecutionReport', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#fillsGrp.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#fillsGrp.end;
    this.#part = 1;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('ExecutionReport', version);
    if (at + 50 > bytes.length) throw noRoom('ExecutionReport');
    const start = this.#base + at;
    view.setUint32(start, 6422570, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint8(start + 48, 0);
    view.setUint8(start + 49, 0);
    const blockLength = 42;
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
    this.#reach(1);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(1);
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
  get orderId(): string { return textAt(this.#octets, this.#at, 8, 'ascii'); }
  get orderIdBytes(): Uint8Array { return this.#octets.subarray(this.#at, this.#at + 8); }
  setOrderId(value: string): this { putText(this.#octets, this.#at, 8, value, 'ascii', 'ExecutionReport.OrderID'); return this; }
  setOrderIdBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at, 8, value, 'ExecutionReport.OrderID'); return this; }
  get execId(): string { return textAt(this.#octets, this.#at + 8, 8, 'ascii'); }
  get execIdBytes(): Uint8Array { return this.#octets.subarray(this.#at + 8, this.#at + 16); }
  setExecId(value: string): this { putText(this.#octets, this.#at + 8, 8, value, 'ascii', 'ExecutionReport.ExecID'); return this; }
  setExecIdBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 8, 8, value, 'ExecutionReport.ExecID'); return this; }
  get execType(): number { return this.#view.getUint8(this.#at + 16); }
  setExecType(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.ExecType', value); this.#view.setUint8(this.#at + 16, value); return this; }
  get ordStatus(): number { return this.#view.getUint8(this.#at + 17); }
  setOrdStatus(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.OrdStatus', value); this.#view.setUint8(this.#at + 17, value); return this; }
  get symbol(): string { return textAt(this.#octets, this.#at + 18, 8, 'ascii'); }
  get symbolBytes(): Uint8Array { return this.#octets.subarray(this.#at + 18, this.#at + 26); }
  setSymbol(value: string): this { putText(this.#octets, this.#at + 18, 8, value, 'ascii', 'ExecutionReport.Symbol'); return this; }
  setSymbolBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 18, 8, value, 'ExecutionReport.Symbol'); return this; }
  get maturityMonthYearYear(): number { return this.#view.getUint16(this.#at + 26, true); }
  setMaturityMonthYearYear(value: number): this { if (value !== (value & 65535)) throw outside('ExecutionReport.MaturityMonthYear.year', value); this.#view.setUint16(this.#at + 26, value, true); return this; }
  get maturityMonthYearMonth(): number { return this.#view.getUint8(this.#at + 28); }
  setMaturityMonthYearMonth(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.month', value); this.#view.setUint8(this.#at + 28, value); return this; }
  get maturityMonthYearDay(): number { return this.#view.getUint8(this.#at + 29); }
  setMaturityMonthYearDay(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.day', value); this.#view.setUint8(this.#at + 29, value); return this; }
  get maturityMonthYearWeek(): number { return this.#view.getUint8(this.#at + 30); }
  setMaturityMonthYearWeek(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.week', value); this.#view.setUint8(this.#at + 30, value); return this; }
  get side(): number { return this.#view.getUint8(this.#at + 31); }
  setSide(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReport.Side', value); this.#view.setUint8(this.#at + 31, value); return this; }
  get leavesQtyMantissa(): number { return this.#view.getInt32(this.#at + 32, true); }
  setLeavesQtyMantissa(value: number): this { if (value !== (value | 0)) throw outside('ExecutionReport.LeavesQty.mantissa', value); this.#view.setInt32(this.#at + 32, value, true); return this; }
  get leavesQtyExponent(): number { return 0; }
  get cumQtyMantissa(): number { return this.#view.getInt32(this.#at + 36, true); }
  setCumQtyMantissa(value: number): this { if (value !== (value | 0)) throw outside('ExecutionReport.CumQty.mantissa', value); this.#view.setInt32(this.#at + 36, value, true); return this; }
  get cumQtyExponent(): number { return 0; }
  get tradeDate(): number { return this.#view.getUint16(this.#at + 40, true); }
  setTradeDate(value: number): this { if (value !== (value & 65535)) throw outside('ExecutionReport.TradeDate', value); this.#view.setUint16(this.#at + 40, value, true); return this; }
  /** The entries, before the first. */
  get fillsGrp(): ExecutionReportFillsGrp {
    return this.#fillsGrp.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeFillsGrp(): ExecutionReportFillsGrp {
    this.#reach(0);
    this.#part = 1;
    this.#fillsGrp.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#fillsGrp;
    return this.#fillsGrp;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('ExecutionReport');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#fillsGrp.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#fillsGrp.finish();
    }
    this.#part = part;
  }
}
