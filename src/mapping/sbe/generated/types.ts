// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, outside, putPairs, putText, putWhole } from '../../../sbe/flyweight.ts';

/** The header of variable data. */
export const data = {
  name: { length: { at: 0, bytes: 1, max: 255, littleEndian: true }, offset: 1, characters: 'utf8' },
  text: { length: { at: 0, bytes: 2, max: 65535, littleEndian: true }, offset: 2, characters: 'utf8' },
  octets: { length: { at: 0, bytes: 4, max: 70000, littleEndian: true }, offset: 4, characters: undefined },
} as const;

/** The header of a group. */
export const dimensions = {
  groupSizeEncoding: { size: 4, blockLength: { at: 0, bytes: 2, max: 65535, littleEndian: true }, numInGroup: { at: 2, bytes: 2, max: 65535, littleEndian: true } },
} as const;

/** An order as a report leaves it. */
export class State {
  readonly #block: sbe.Block;
  readonly #offset: number;

  constructor(block: sbe.Block, offset: number) {
    this.#block = block;
    this.#offset = offset;
  }

  setOrdStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.OrdStatus', value); view.setUint8(at + this.#offset, value); return this; }
  setWorkingIndicator(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.WorkingIndicator', value); view.setUint8(at + this.#offset + 1, value); return this; }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Flags', value); view.setUint8(at + this.#offset + 2, value); return this; }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('State.TransactTime', value); view.setUint32(at + this.#offset + 7, highOf(value, 'State.TransactTime'), true); view.setUint32(at + this.#offset + 3, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('State.TransactTime', value); view.setBigUint64(at + this.#offset + 3, value, true); return this; }
  setVenueSeq(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.VenueSeq', value); view.setUint32(at + this.#offset + 15, value === undefined ? 4294967295 : highOf(value, 'State.VenueSeq'), true); view.setUint32(at + this.#offset + 11, value ?? 4294967295, true); return this; }
  setVenueSeqBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.VenueSeq', value); view.setBigUint64(at + this.#offset + 11, value ?? 18446744073709551615n, true); return this; }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + this.#offset + 19, 32, value, 'State.OrderID'); return this; }
  setParentOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + this.#offset + 51, 32, value, 'State.ParentOrderID'); return this; }
  setLegIndex(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('State.LegIndex', value); view.setUint16(at + this.#offset + 83, value ?? 65535, true); return this; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Instrument.MarketId', value); view.setUint32(at + this.#offset + 89, value === undefined ? 4294967295 : highOf(value, 'State.Instrument.MarketId'), true); view.setUint32(at + this.#offset + 85, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Instrument.MarketId', value); view.setBigUint64(at + this.#offset + 85, value ?? 18446744073709551615n, true); return this; }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Instrument.Book', value); view.setUint8(at + this.#offset + 93, value); return this; }
  setTermsSide(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.Side', value); view.setUint8(at + this.#offset + 94, value); return this; }
  setTermsOrdType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.OrdType', value); view.setUint8(at + this.#offset + 95, value); return this; }
  setTermsTimeInForce(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.TimeInForce', value); view.setUint8(at + this.#offset + 96, value); return this; }
  setTermsStpMode(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.StpMode', value); view.setUint8(at + this.#offset + 97, value); return this; }
  setTermsFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.Flags', value); view.setUint8(at + this.#offset + 98, value); return this; }
  setTermsTriggerDirection(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.TriggerDirection', value); view.setUint8(at + this.#offset + 99, value); return this; }
  setTermsConditionalKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.ConditionalKind', value); view.setUint8(at + this.#offset + 100, value); return this; }
  setTermsAlgoKind(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('State.Terms.AlgoKind', value); view.setUint8(at + this.#offset + 101, value); return this; }
  setTermsPriceExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('State.Terms.PriceExponent', value); view.setInt8(at + this.#offset + 102, value); return this; }
  setTermsQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('State.Terms.QtyExponent', value); view.setInt8(at + this.#offset + 103, value); return this; }
  setTermsOrderQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('State.Terms.OrderQty', value); view.setUint32(at + this.#offset + 108, highOf(value, 'State.Terms.OrderQty'), true); view.setUint32(at + this.#offset + 104, value, true); return this; }
  setTermsOrderQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('State.Terms.OrderQty', value); view.setBigUint64(at + this.#offset + 104, value, true); return this; }
  setTermsPrice(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Terms.Price', value); view.setUint32(at + this.#offset + 116, value === undefined ? 4294967295 : highOf(value, 'State.Terms.Price'), true); view.setUint32(at + this.#offset + 112, value ?? 4294967295, true); return this; }
  setTermsPriceBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Terms.Price', value); view.setBigUint64(at + this.#offset + 112, value ?? 18446744073709551615n, true); return this; }
  setTermsStopPx(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Terms.StopPx', value); view.setUint32(at + this.#offset + 124, value === undefined ? 4294967295 : highOf(value, 'State.Terms.StopPx'), true); view.setUint32(at + this.#offset + 120, value ?? 4294967295, true); return this; }
  setTermsStopPxBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Terms.StopPx', value); view.setBigUint64(at + this.#offset + 120, value ?? 18446744073709551615n, true); return this; }
  setTermsMaxFloor(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Terms.MaxFloor', value); view.setUint32(at + this.#offset + 132, value === undefined ? 4294967295 : highOf(value, 'State.Terms.MaxFloor'), true); view.setUint32(at + this.#offset + 128, value ?? 4294967295, true); return this; }
  setTermsMaxFloorBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Terms.MaxFloor', value); view.setBigUint64(at + this.#offset + 128, value ?? 18446744073709551615n, true); return this; }
  setTermsSliceQty(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Terms.SliceQty', value); view.setUint32(at + this.#offset + 140, value === undefined ? 4294967295 : highOf(value, 'State.Terms.SliceQty'), true); view.setUint32(at + this.#offset + 136, value ?? 4294967295, true); return this; }
  setTermsSliceQtyBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Terms.SliceQty', value); view.setBigUint64(at + this.#offset + 136, value ?? 18446744073709551615n, true); return this; }
  setTermsSliceIntervalMs(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('State.Terms.SliceIntervalMs', value); view.setUint32(at + this.#offset + 144, value ?? 4294967295, true); return this; }
  setTermsExpireTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('State.Terms.ExpireTime', value); view.setUint32(at + this.#offset + 152, value === undefined ? 4294967295 : highOf(value, 'State.Terms.ExpireTime'), true); view.setUint32(at + this.#offset + 148, value ?? 4294967295, true); return this; }
  setTermsExpireTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('State.Terms.ExpireTime', value); view.setBigUint64(at + this.#offset + 148, value ?? 18446744073709551615n, true); return this; }
  setTermsCurrency(value: string): this { const { at, octets } = this.#block; putText(octets, at + this.#offset + 156, 8, value, 'ascii', 'State.Terms.Currency'); return this; }
  setTermsCurrencyBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + this.#offset + 156, 8, value, 'State.Terms.Currency'); return this; }
  setLeavesQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('State.LeavesQty', value); view.setUint32(at + this.#offset + 168, highOf(value, 'State.LeavesQty'), true); view.setUint32(at + this.#offset + 164, value, true); return this; }
  setLeavesQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('State.LeavesQty', value); view.setBigUint64(at + this.#offset + 164, value, true); return this; }
  setCumQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('State.CumQty', value); view.setUint32(at + this.#offset + 176, highOf(value, 'State.CumQty'), true); view.setUint32(at + this.#offset + 172, value, true); return this; }
  setCumQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('State.CumQty', value); view.setBigUint64(at + this.#offset + 172, value, true); return this; }
  setCumQtyExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('State.CumQtyExponent', value); view.setInt8(at + this.#offset + 180, value); return this; }
  setAvgPx(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('State.AvgPx', value); view.setUint32(at + this.#offset + 185, highOf(value, 'State.AvgPx'), true); view.setUint32(at + this.#offset + 181, value, true); return this; }
  setAvgPxBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('State.AvgPx', value); view.setBigUint64(at + this.#offset + 181, value, true); return this; }
  setAvgPxExponent(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -18 || value > 0) throw outside('State.AvgPxExponent', value); view.setInt8(at + this.#offset + 189, value); return this; }
}
