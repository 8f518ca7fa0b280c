// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, highOf, joined, noOctets, noRoom, notInVersion, noView, outside, putCharacters, putPairs, putText, putWhole, shorter, textAt, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** ExecutionReportRejected (204). There is no such order, or never was. */
export class ExecutionReportRejected {
  static readonly templateId = 204;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 195;
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
  #clOrdIdAt = 0;
  #execIdAt = 0;
  #accountAt = 0;
  #quoteIdAt = 0;
  #onBehalfOfCompIdAt = 0;
  #symbolAt = 0;
  #venueCodeAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('ExecutionReportRejected', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 204 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('ExecutionReportRejected');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 195;
    if (blockLength < needed) return shorter('ExecutionReportRejected', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('ExecutionReportRejected', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('ExecutionReportRejected.ClOrdID', 1, limit - next);
    this.#clOrdIdAt = next;
    const clOrdIdSize = view.getUint8(next);
    next += 1;
    if (next + clOrdIdSize > limit) return cut('ExecutionReportRejected.ClOrdID', clOrdIdSize, limit - next);
    next += clOrdIdSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.ExecID', 1, limit - next);
    this.#execIdAt = next;
    const execIdSize = view.getUint8(next);
    next += 1;
    if (next + execIdSize > limit) return cut('ExecutionReportRejected.ExecID', execIdSize, limit - next);
    next += execIdSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('ExecutionReportRejected.Account', accountSize, limit - next);
    next += accountSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.QuoteID', 1, limit - next);
    this.#quoteIdAt = next;
    const quoteIdSize = view.getUint8(next);
    next += 1;
    if (next + quoteIdSize > limit) return cut('ExecutionReportRejected.QuoteID', quoteIdSize, limit - next);
    next += quoteIdSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.OnBehalfOfCompID', 1, limit - next);
    this.#onBehalfOfCompIdAt = next;
    const onBehalfOfCompIdSize = view.getUint8(next);
    next += 1;
    if (next + onBehalfOfCompIdSize > limit) return cut('ExecutionReportRejected.OnBehalfOfCompID', onBehalfOfCompIdSize, limit - next);
    next += onBehalfOfCompIdSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.Symbol', 1, limit - next);
    this.#symbolAt = next;
    const symbolSize = view.getUint8(next);
    next += 1;
    if (next + symbolSize > limit) return cut('ExecutionReportRejected.Symbol', symbolSize, limit - next);
    next += symbolSize;
    if (next + 1 > limit) return cut('ExecutionReportRejected.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('ExecutionReportRejected.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('ExecutionReportRejected.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('ExecutionReportRejected.Text', textSize, limit - next);
    next += textSize;
    this.#part = 8;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('ExecutionReportRejected', version);
    if (at + 203 > bytes.length) throw noRoom('ExecutionReportRejected');
    const start = this.#base + at;
    view.setUint32(start, 13369539, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setUint32(start + 16, 4278190080, true);
    view.setUint32(start + 20, 4294967295, true);
    view.setUint32(start + 24, 16777215, true);
    view.setFloat64(start + 28, 0);
    view.setFloat64(start + 36, 0);
    view.setFloat64(start + 44, 0);
    view.setFloat64(start + 52, 0);
    view.setFloat64(start + 60, 0);
    view.setFloat64(start + 68, 0);
    view.setFloat64(start + 76, 0);
    view.setUint32(start + 84, 0, true);
    view.setUint32(start + 88, 4278190080, true);
    view.setUint32(start + 92, 4294967295, true);
    view.setUint32(start + 96, 4294967295, true);
    view.setUint32(start + 100, 255, true);
    view.setFloat64(start + 104, 0);
    view.setFloat64(start + 112, 0);
    view.setUint32(start + 120, 4294967295, true);
    view.setUint32(start + 124, 4294967295, true);
    view.setUint32(start + 128, 4294967295, true);
    view.setUint32(start + 132, 4294967295, true);
    view.setUint32(start + 136, 4294967295, true);
    view.setUint32(start + 140, 4294967295, true);
    view.setUint32(start + 144, 4294967295, true);
    view.setUint32(start + 148, 4294967295, true);
    view.setUint32(start + 152, 4294967295, true);
    view.setUint32(start + 156, 4294967295, true);
    view.setUint32(start + 160, 4294967295, true);
    view.setFloat64(start + 164, 0);
    view.setFloat64(start + 172, 0);
    view.setFloat64(start + 180, 0);
    view.setFloat64(start + 188, 0);
    view.setUint32(start + 196, 4294901760, true);
    view.setUint8(start + 200, 255);
    view.setUint8(start + 201, 255);
    view.setUint8(start + 202, 0);
    const blockLength = 195;
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
    this.#reach(8);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(8);
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
  get stateOrdStatus(): number { return this.#view.getUint8(this.#at); }
  setStateOrdStatus(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.OrdStatus', value); this.#view.setUint8(this.#at, value); return this; }
  get stateWorkingIndicator(): number { return this.#view.getUint8(this.#at + 1); }
  setStateWorkingIndicator(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.WorkingIndicator', value); this.#view.setUint8(this.#at + 1, value); return this; }
  get stateFlags(): number { return this.#view.getUint8(this.#at + 2); }
  setStateFlags(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Flags', value); this.#view.setUint8(this.#at + 2, value); return this; }
  get stateTransactTime(): number { const high = this.#view.getUint32(this.#at + 7, true); const low = this.#view.getUint32(this.#at + 3, true); return joined(high, low, 'ExecutionReportRejected.State.TransactTime'); }
  get stateTransactTimeBig(): bigint { return this.#view.getBigUint64(this.#at + 3, true); }
  get stateTransactTimeHigh(): number { return this.#view.getUint32(this.#at + 7, true); }
  get stateTransactTimeLow(): number { return this.#view.getUint32(this.#at + 3, true); }
  setStateTransactTime(value: number): this { if (value < 0) throw outside('ExecutionReportRejected.State.TransactTime', value); const view = this.#view; const at = this.#at + 3; view.setUint32(at + 4, highOf(value, 'ExecutionReportRejected.State.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setStateTransactTimeBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportRejected.State.TransactTime', value); this.#view.setBigUint64(this.#at + 3, value, true); return this; }
  setStateTransactTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 3; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateVenueSeq(): number | undefined { const high = this.#view.getUint32(this.#at + 15, true); const low = this.#view.getUint32(this.#at + 11, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.VenueSeq'); }
  get stateVenueSeqBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 11, true); return value === 18446744073709551615n ? undefined : value; }
  get stateVenueSeqHigh(): number { return this.#view.getUint32(this.#at + 15, true); }
  get stateVenueSeqLow(): number { return this.#view.getUint32(this.#at + 11, true); }
  setStateVenueSeq(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.VenueSeq', value); const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.VenueSeq'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateVenueSeqBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.VenueSeq', value); this.#view.setBigUint64(this.#at + 11, value ?? 18446744073709551615n, true); return this; }
  setStateVenueSeqHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 11; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateOrderId(): Uint8Array { return this.#octets.subarray(this.#at + 19, this.#at + 51); }
  setStateOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 19, 32, value, 'ExecutionReportRejected.State.OrderID'); return this; }
  get stateParentOrderId(): Uint8Array { return this.#octets.subarray(this.#at + 51, this.#at + 83); }
  setStateParentOrderId(value: Uint8Array): this { putWhole(this.#octets, this.#at + 51, 32, value, 'ExecutionReportRejected.State.ParentOrderID'); return this; }
  get stateLegIndex(): number | undefined { const value = this.#view.getUint16(this.#at + 83, true); return value === 65535 ? undefined : value; }
  setStateLegIndex(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('ExecutionReportRejected.State.LegIndex', value); this.#view.setUint16(this.#at + 83, value ?? 65535, true); return this; }
  get stateInstrumentMarketId(): number | undefined { const high = this.#view.getUint32(this.#at + 89, true); const low = this.#view.getUint32(this.#at + 85, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Instrument.MarketId'); }
  get stateInstrumentMarketIdBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 85, true); return value === 18446744073709551615n ? undefined : value; }
  get stateInstrumentMarketIdHigh(): number { return this.#view.getUint32(this.#at + 89, true); }
  get stateInstrumentMarketIdLow(): number { return this.#view.getUint32(this.#at + 85, true); }
  setStateInstrumentMarketId(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Instrument.MarketId', value); const view = this.#view; const at = this.#at + 85; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Instrument.MarketId'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateInstrumentMarketIdBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Instrument.MarketId', value); this.#view.setBigUint64(this.#at + 85, value ?? 18446744073709551615n, true); return this; }
  setStateInstrumentMarketIdHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 85; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateInstrumentBook(): number { return this.#view.getUint8(this.#at + 93); }
  setStateInstrumentBook(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Instrument.Book', value); this.#view.setUint8(this.#at + 93, value); return this; }
  get stateTermsSide(): number { return this.#view.getUint8(this.#at + 94); }
  setStateTermsSide(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.Side', value); this.#view.setUint8(this.#at + 94, value); return this; }
  get stateTermsOrdType(): number { return this.#view.getUint8(this.#at + 95); }
  setStateTermsOrdType(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.OrdType', value); this.#view.setUint8(this.#at + 95, value); return this; }
  get stateTermsTimeInForce(): number { return this.#view.getUint8(this.#at + 96); }
  setStateTermsTimeInForce(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.TimeInForce', value); this.#view.setUint8(this.#at + 96, value); return this; }
  get stateTermsStpMode(): number { return this.#view.getUint8(this.#at + 97); }
  setStateTermsStpMode(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.StpMode', value); this.#view.setUint8(this.#at + 97, value); return this; }
  get stateTermsFlags(): number { return this.#view.getUint8(this.#at + 98); }
  setStateTermsFlags(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.Flags', value); this.#view.setUint8(this.#at + 98, value); return this; }
  get stateTermsTriggerDirection(): number { return this.#view.getUint8(this.#at + 99); }
  setStateTermsTriggerDirection(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.TriggerDirection', value); this.#view.setUint8(this.#at + 99, value); return this; }
  get stateTermsConditionalKind(): number { return this.#view.getUint8(this.#at + 100); }
  setStateTermsConditionalKind(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.ConditionalKind', value); this.#view.setUint8(this.#at + 100, value); return this; }
  get stateTermsAlgoKind(): number { return this.#view.getUint8(this.#at + 101); }
  setStateTermsAlgoKind(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.State.Terms.AlgoKind', value); this.#view.setUint8(this.#at + 101, value); return this; }
  get stateTermsPriceExponent(): number { return this.#view.getInt8(this.#at + 102); }
  setStateTermsPriceExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('ExecutionReportRejected.State.Terms.PriceExponent', value); this.#view.setInt8(this.#at + 102, value); return this; }
  get stateTermsQtyExponent(): number { return this.#view.getInt8(this.#at + 103); }
  setStateTermsQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('ExecutionReportRejected.State.Terms.QtyExponent', value); this.#view.setInt8(this.#at + 103, value); return this; }
  get stateTermsOrderQty(): number { const high = this.#view.getUint32(this.#at + 108, true); const low = this.#view.getUint32(this.#at + 104, true); return joined(high, low, 'ExecutionReportRejected.State.Terms.OrderQty'); }
  get stateTermsOrderQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 104, true); }
  get stateTermsOrderQtyHigh(): number { return this.#view.getUint32(this.#at + 108, true); }
  get stateTermsOrderQtyLow(): number { return this.#view.getUint32(this.#at + 104, true); }
  setStateTermsOrderQty(value: number): this { if (value < 0) throw outside('ExecutionReportRejected.State.Terms.OrderQty', value); const view = this.#view; const at = this.#at + 104; view.setUint32(at + 4, highOf(value, 'ExecutionReportRejected.State.Terms.OrderQty'), true); view.setUint32(at, value, true); return this; }
  setStateTermsOrderQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportRejected.State.Terms.OrderQty', value); this.#view.setBigUint64(this.#at + 104, value, true); return this; }
  setStateTermsOrderQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 104; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsPrice(): number | undefined { const high = this.#view.getUint32(this.#at + 116, true); const low = this.#view.getUint32(this.#at + 112, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Terms.Price'); }
  get stateTermsPriceBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 112, true); return value === 18446744073709551615n ? undefined : value; }
  get stateTermsPriceHigh(): number { return this.#view.getUint32(this.#at + 116, true); }
  get stateTermsPriceLow(): number { return this.#view.getUint32(this.#at + 112, true); }
  setStateTermsPrice(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Terms.Price', value); const view = this.#view; const at = this.#at + 112; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Terms.Price'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateTermsPriceBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Terms.Price', value); this.#view.setBigUint64(this.#at + 112, value ?? 18446744073709551615n, true); return this; }
  setStateTermsPriceHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 112; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsStopPx(): number | undefined { const high = this.#view.getUint32(this.#at + 124, true); const low = this.#view.getUint32(this.#at + 120, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Terms.StopPx'); }
  get stateTermsStopPxBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 120, true); return value === 18446744073709551615n ? undefined : value; }
  get stateTermsStopPxHigh(): number { return this.#view.getUint32(this.#at + 124, true); }
  get stateTermsStopPxLow(): number { return this.#view.getUint32(this.#at + 120, true); }
  setStateTermsStopPx(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Terms.StopPx', value); const view = this.#view; const at = this.#at + 120; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Terms.StopPx'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateTermsStopPxBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Terms.StopPx', value); this.#view.setBigUint64(this.#at + 120, value ?? 18446744073709551615n, true); return this; }
  setStateTermsStopPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 120; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsMaxFloor(): number | undefined { const high = this.#view.getUint32(this.#at + 132, true); const low = this.#view.getUint32(this.#at + 128, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Terms.MaxFloor'); }
  get stateTermsMaxFloorBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 128, true); return value === 18446744073709551615n ? undefined : value; }
  get stateTermsMaxFloorHigh(): number { return this.#view.getUint32(this.#at + 132, true); }
  get stateTermsMaxFloorLow(): number { return this.#view.getUint32(this.#at + 128, true); }
  setStateTermsMaxFloor(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Terms.MaxFloor', value); const view = this.#view; const at = this.#at + 128; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Terms.MaxFloor'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateTermsMaxFloorBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Terms.MaxFloor', value); this.#view.setBigUint64(this.#at + 128, value ?? 18446744073709551615n, true); return this; }
  setStateTermsMaxFloorHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 128; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsSliceQty(): number | undefined { const high = this.#view.getUint32(this.#at + 140, true); const low = this.#view.getUint32(this.#at + 136, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Terms.SliceQty'); }
  get stateTermsSliceQtyBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 136, true); return value === 18446744073709551615n ? undefined : value; }
  get stateTermsSliceQtyHigh(): number { return this.#view.getUint32(this.#at + 140, true); }
  get stateTermsSliceQtyLow(): number { return this.#view.getUint32(this.#at + 136, true); }
  setStateTermsSliceQty(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Terms.SliceQty', value); const view = this.#view; const at = this.#at + 136; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Terms.SliceQty'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateTermsSliceQtyBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Terms.SliceQty', value); this.#view.setBigUint64(this.#at + 136, value ?? 18446744073709551615n, true); return this; }
  setStateTermsSliceQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 136; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsSliceIntervalMs(): number | undefined { const value = this.#view.getUint32(this.#at + 144, true); return value === 4294967295 ? undefined : value; }
  setStateTermsSliceIntervalMs(value: number | undefined): this { if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('ExecutionReportRejected.State.Terms.SliceIntervalMs', value); this.#view.setUint32(this.#at + 144, value ?? 4294967295, true); return this; }
  get stateTermsExpireTime(): number | undefined { const high = this.#view.getUint32(this.#at + 152, true); const low = this.#view.getUint32(this.#at + 148, true); if (high === 4294967295 && low === 4294967295) return undefined; return joined(high, low, 'ExecutionReportRejected.State.Terms.ExpireTime'); }
  get stateTermsExpireTimeBig(): bigint | undefined { const value = this.#view.getBigUint64(this.#at + 148, true); return value === 18446744073709551615n ? undefined : value; }
  get stateTermsExpireTimeHigh(): number { return this.#view.getUint32(this.#at + 152, true); }
  get stateTermsExpireTimeLow(): number { return this.#view.getUint32(this.#at + 148, true); }
  setStateTermsExpireTime(value: number | undefined): this { if (value !== undefined && (value < 0)) throw outside('ExecutionReportRejected.State.Terms.ExpireTime', value); const view = this.#view; const at = this.#at + 148; view.setUint32(at + 4, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportRejected.State.Terms.ExpireTime'), true); view.setUint32(at, value ?? 4294967295, true); return this; }
  setStateTermsExpireTimeBig(value: bigint | undefined): this { if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportRejected.State.Terms.ExpireTime', value); this.#view.setBigUint64(this.#at + 148, value ?? 18446744073709551615n, true); return this; }
  setStateTermsExpireTimeHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 148; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateTermsCurrency(): string { return textAt(this.#octets, this.#at + 156, 8, 'ascii'); }
  get stateTermsCurrencyBytes(): Uint8Array { return this.#octets.subarray(this.#at + 156, this.#at + 164); }
  setStateTermsCurrency(value: string): this { putText(this.#octets, this.#at + 156, 8, value, 'ascii', 'ExecutionReportRejected.State.Terms.Currency'); return this; }
  setStateTermsCurrencyBytes(value: Uint8Array): this { putPairs(this.#octets, this.#at + 156, 8, value, 'ExecutionReportRejected.State.Terms.Currency'); return this; }
  get stateLeavesQty(): number { const high = this.#view.getUint32(this.#at + 168, true); const low = this.#view.getUint32(this.#at + 164, true); return joined(high, low, 'ExecutionReportRejected.State.LeavesQty'); }
  get stateLeavesQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 164, true); }
  get stateLeavesQtyHigh(): number { return this.#view.getUint32(this.#at + 168, true); }
  get stateLeavesQtyLow(): number { return this.#view.getUint32(this.#at + 164, true); }
  setStateLeavesQty(value: number): this { if (value < 0) throw outside('ExecutionReportRejected.State.LeavesQty', value); const view = this.#view; const at = this.#at + 164; view.setUint32(at + 4, highOf(value, 'ExecutionReportRejected.State.LeavesQty'), true); view.setUint32(at, value, true); return this; }
  setStateLeavesQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportRejected.State.LeavesQty', value); this.#view.setBigUint64(this.#at + 164, value, true); return this; }
  setStateLeavesQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 164; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateCumQty(): number { const high = this.#view.getUint32(this.#at + 176, true); const low = this.#view.getUint32(this.#at + 172, true); return joined(high, low, 'ExecutionReportRejected.State.CumQty'); }
  get stateCumQtyBig(): bigint { return this.#view.getBigUint64(this.#at + 172, true); }
  get stateCumQtyHigh(): number { return this.#view.getUint32(this.#at + 176, true); }
  get stateCumQtyLow(): number { return this.#view.getUint32(this.#at + 172, true); }
  setStateCumQty(value: number): this { if (value < 0) throw outside('ExecutionReportRejected.State.CumQty', value); const view = this.#view; const at = this.#at + 172; view.setUint32(at + 4, highOf(value, 'ExecutionReportRejected.State.CumQty'), true); view.setUint32(at, value, true); return this; }
  setStateCumQtyBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportRejected.State.CumQty', value); this.#view.setBigUint64(this.#at + 172, value, true); return this; }
  setStateCumQtyHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 172; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateCumQtyExponent(): number { return this.#view.getInt8(this.#at + 180); }
  setStateCumQtyExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('ExecutionReportRejected.State.CumQtyExponent', value); this.#view.setInt8(this.#at + 180, value); return this; }
  get stateAvgPx(): number { const high = this.#view.getUint32(this.#at + 185, true); const low = this.#view.getUint32(this.#at + 181, true); return joined(high, low, 'ExecutionReportRejected.State.AvgPx'); }
  get stateAvgPxBig(): bigint { return this.#view.getBigUint64(this.#at + 181, true); }
  get stateAvgPxHigh(): number { return this.#view.getUint32(this.#at + 185, true); }
  get stateAvgPxLow(): number { return this.#view.getUint32(this.#at + 181, true); }
  setStateAvgPx(value: number): this { if (value < 0) throw outside('ExecutionReportRejected.State.AvgPx', value); const view = this.#view; const at = this.#at + 181; view.setUint32(at + 4, highOf(value, 'ExecutionReportRejected.State.AvgPx'), true); view.setUint32(at, value, true); return this; }
  setStateAvgPxBig(value: bigint): this { if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportRejected.State.AvgPx', value); this.#view.setBigUint64(this.#at + 181, value, true); return this; }
  setStateAvgPxHalves(high: number, low: number): this { const view = this.#view; const at = this.#at + 181; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get stateAvgPxExponent(): number { return this.#view.getInt8(this.#at + 189); }
  setStateAvgPxExponent(value: number): this { if (value !== (value | 0) || value < -18 || value > 0) throw outside('ExecutionReportRejected.State.AvgPxExponent', value); this.#view.setInt8(this.#at + 189, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 190, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('ExecutionReportRejected.Refusal.Reason', value); this.#view.setUint16(this.#at + 190, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 192, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('ExecutionReportRejected.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 192, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 194); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('ExecutionReportRejected.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 194, value); return this; }
  get clOrdId(): string {
    const at = this.#clOrdIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get clOrdIdBytes(): Uint8Array {
    const at = this.#clOrdIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setClOrdId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.ClOrdID');
    this.#view.setUint8(at, size);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setClOrdIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.ClOrdID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.ClOrdID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#clOrdIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
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
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.ExecID');
    this.#view.setUint8(at, size);
    this.#execIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setExecIdBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.ExecID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.ExecID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#execIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
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
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  get quoteId(): string {
    const at = this.#quoteIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get quoteIdBytes(): Uint8Array {
    const at = this.#quoteIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setQuoteId(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.QuoteID');
    this.#view.setUint8(at, size);
    this.#quoteIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 4;
    return this;
  }
  setQuoteIdBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.QuoteID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.QuoteID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#quoteIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 4;
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
    this.#reach(4);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.OnBehalfOfCompID');
    this.#view.setUint8(at, size);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 5;
    return this;
  }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this {
    this.#reach(4);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.OnBehalfOfCompID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.OnBehalfOfCompID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#onBehalfOfCompIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 5;
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
    this.#reach(5);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.Symbol');
    this.#view.setUint8(at, size);
    this.#symbolAt = at;
    this.#end = at + 1 + size;
    this.#part = 6;
    return this;
  }
  setSymbolBytes(value: Uint8Array): this {
    this.#reach(5);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.Symbol', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.Symbol');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#symbolAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 6;
    return this;
  }
  get venueCode(): string {
    const at = this.#venueCodeAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get venueCodeBytes(): Uint8Array {
    const at = this.#venueCodeAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setVenueCode(value: string): this {
    this.#reach(6);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'ExecutionReportRejected.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 7;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(6);
    const at = this.#end;
    if (value.length > 255) throw outside('ExecutionReportRejected.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 7;
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
    this.#reach(7);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'ExecutionReportRejected.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 8;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(7);
    const at = this.#end;
    if (value.length > 65535) throw outside('ExecutionReportRejected.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('ExecutionReportRejected.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 8;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('ExecutionReportRejected');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.ClOrdID');
      this.#view.setUint8(this.#end, 0);
      this.#clOrdIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.ExecID');
      this.#view.setUint8(this.#end, 0);
      this.#execIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.QuoteID');
      this.#view.setUint8(this.#end, 0);
      this.#quoteIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 4 && part > 4) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.OnBehalfOfCompID');
      this.#view.setUint8(this.#end, 0);
      this.#onBehalfOfCompIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 5 && part > 5) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.Symbol');
      this.#view.setUint8(this.#end, 0);
      this.#symbolAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 6 && part > 6) {
      if (this.#end + 1 > this.#limit) throw noRoom('ExecutionReportRejected.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 7 && part > 7) {
      if (this.#end + 2 > this.#limit) throw noRoom('ExecutionReportRejected.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
