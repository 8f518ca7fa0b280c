// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../src/sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putPairs, putText, textAt, wrongTemplate } from '../../../src/sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'ExecutionReport',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4, { 0: '0c' }),
      blank: sbe.image(12, { 7: '80' }),
      needed: [12],
      written: [12],
      entry: {
        name: 'ExecutionReport.FillsGrp',
        groups: [],
        data: [],
      },
      walk: undefined,
    },
  ],
  data: [],
};

/** Moves the end over FillsGrp; answers what is wrong with them. */
function walkExecutionReport(block: sbe.Block): string | undefined {
  return block.walkGroup(0);
}

/** The entries of ExecutionReport.FillsGrp. */
export class ExecutionReportFillsGrp {
  static readonly blockLength = 12;
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
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  get fillPxMantissa(): number | undefined { const { at, view } = this.#block; const high = view.getInt32(at + 4, true); const low = view.getUint32(at, true); return high === -2147483648 && low === 0 ? undefined : joined(high, low, 'ExecutionReport.FillsGrp.FillPx.mantissa'); }
  get fillPxMantissaBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigInt64(at, true); return value === -9223372036854775808n ? undefined : value; }
  get fillPxMantissaHigh(): number { const { at, view } = this.#block; return view.getInt32(at + 4, true); }
  get fillPxMantissaLow(): number { const { at, view } = this.#block; return view.getUint32(at, true); }
  setFillPxMantissa(value: number | undefined): this { const { at, view } = this.#block; view.setUint32(at + 4, value === undefined ? -2147483648 : highOf(value, 'ExecutionReport.FillsGrp.FillPx.mantissa'), true); view.setUint32(at, value ?? 0, true); return this; }
  setFillPxMantissaBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < -9223372036854775807n || value > 9223372036854775807n)) throw outside('ExecutionReport.FillsGrp.FillPx.mantissa', value); view.setBigInt64(at, value ?? -9223372036854775808n, true); return this; }
  setFillPxMantissaHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get fillPxExponent(): number { return -3; }
  get fillQtyMantissa(): number { const { at, view } = this.#block; return view.getInt32(at + 8, true); }
  setFillQtyMantissa(value: number): this { const { at, view } = this.#block; if (value !== (value | 0)) throw outside('ExecutionReport.FillsGrp.FillQty.mantissa', value); view.setInt32(at + 8, value, true); return this; }
  get fillQtyExponent(): number { return 0; }
}

/** ExecutionReport (98). */
export class ExecutionReport {
  static readonly templateId = 98;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 42;
  readonly #block = new sbe.Block(layout);
  readonly #fillsGrp = new ExecutionReportFillsGrp(this.#block.group(0));

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('ExecutionReport', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 98 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('ExecutionReport');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 42, version, limit) ?? walkExecutionReport(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('ExecutionReport', version);
    if (at + 50 > bytes.length) throw noRoom('ExecutionReport');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 6422570, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint8(start + 48, 0);
    view.setUint8(start + 49, 0);
    this.#block.begin(start + 8, 42, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get orderId(): string { const { at, octets } = this.#block; return textAt(octets, at, 8, 'ascii'); }
  get orderIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 8); }
  setOrderId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 8, value, 'ascii', 'ExecutionReport.OrderID'); return this; }
  setOrderIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at, 8, value, 'ExecutionReport.OrderID'); return this; }
  get execId(): string { const { at, octets } = this.#block; return textAt(octets, at + 8, 8, 'ascii'); }
  get execIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 8, at + 16); }
  setExecId(value: string): this { const { at, octets } = this.#block; putText(octets, at + 8, 8, value, 'ascii', 'ExecutionReport.ExecID'); return this; }
  setExecIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 8, 8, value, 'ExecutionReport.ExecID'); return this; }
  get execType(): number { const { at, view } = this.#block; return view.getUint8(at + 16); }
  setExecType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.ExecType', value); view.setUint8(at + 16, value); return this; }
  get ordStatus(): number { const { at, view } = this.#block; return view.getUint8(at + 17); }
  setOrdStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.OrdStatus', value); view.setUint8(at + 17, value); return this; }
  get symbol(): string { const { at, octets } = this.#block; return textAt(octets, at + 18, 8, 'ascii'); }
  get symbolBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 18, at + 26); }
  setSymbol(value: string): this { const { at, octets } = this.#block; putText(octets, at + 18, 8, value, 'ascii', 'ExecutionReport.Symbol'); return this; }
  setSymbolBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 18, 8, value, 'ExecutionReport.Symbol'); return this; }
  get maturityMonthYearYear(): number { const { at, view } = this.#block; return view.getUint16(at + 26, true); }
  setMaturityMonthYearYear(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('ExecutionReport.MaturityMonthYear.year', value); view.setUint16(at + 26, value, true); return this; }
  get maturityMonthYearMonth(): number { const { at, view } = this.#block; return view.getUint8(at + 28); }
  setMaturityMonthYearMonth(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.month', value); view.setUint8(at + 28, value); return this; }
  get maturityMonthYearDay(): number { const { at, view } = this.#block; return view.getUint8(at + 29); }
  setMaturityMonthYearDay(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.day', value); view.setUint8(at + 29, value); return this; }
  get maturityMonthYearWeek(): number { const { at, view } = this.#block; return view.getUint8(at + 30); }
  setMaturityMonthYearWeek(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.MaturityMonthYear.week', value); view.setUint8(at + 30, value); return this; }
  get side(): number { const { at, view } = this.#block; return view.getUint8(at + 31); }
  setSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReport.Side', value); view.setUint8(at + 31, value); return this; }
  get leavesQtyMantissa(): number { const { at, view } = this.#block; return view.getInt32(at + 32, true); }
  setLeavesQtyMantissa(value: number): this { const { at, view } = this.#block; if (value !== (value | 0)) throw outside('ExecutionReport.LeavesQty.mantissa', value); view.setInt32(at + 32, value, true); return this; }
  get leavesQtyExponent(): number { return 0; }
  get cumQtyMantissa(): number { const { at, view } = this.#block; return view.getInt32(at + 36, true); }
  setCumQtyMantissa(value: number): this { const { at, view } = this.#block; if (value !== (value | 0)) throw outside('ExecutionReport.CumQty.mantissa', value); view.setInt32(at + 36, value, true); return this; }
  get cumQtyExponent(): number { return 0; }
  get tradeDate(): number { const { at, view } = this.#block; return view.getUint16(at + 40, true); }
  setTradeDate(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('ExecutionReport.TradeDate', value); view.setUint16(at + 40, value, true); return this; }
  /** The entries, before the first. */
  get fillsGrp(): ExecutionReportFillsGrp { this.#block.readGroup(0); return this.#fillsGrp; }
  /** The group for writing: `add()` begins an entry. */
  writeFillsGrp(): ExecutionReportFillsGrp { this.#block.beginGroup(0); return this.#fillsGrp; }
}
