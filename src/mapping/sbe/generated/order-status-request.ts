// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putWhole, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'OrderStatusRequest',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'OrdStatusReqID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over ClOrdID, OrdStatusReqID, Symbol; answers what is wrong with them. */
function walkOrderStatusRequest(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  if (next + 1 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(1);
  if (next + 1 > limit) return block.refuseData(2, next);
  dataAt[2] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(2);
  block.end = next;
  return undefined;
}

/** OrderStatusRequest (104). How one order stands. */
export class OrderStatusRequest {
  static readonly templateId = 104;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 42;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('OrderStatusRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 104 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderStatusRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 42, version, limit) ?? walkOrderStatusRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('OrderStatusRequest', version);
    if (at + 50 > bytes.length) throw noRoom('OrderStatusRequest');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 6815786, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setUint32(start + 40, 4294967295, true);
    view.setUint32(start + 44, 4294967295, true);
    view.setUint8(start + 48, 0);
    view.setUint8(start + 49, 0);
    this.#block.begin(start + 8, 42, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get orderId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 32); }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 32, value, 'OrderStatusRequest.OrderID'); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 36, true); const low = view.getUint32(at + 32, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderStatusRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 32, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderStatusRequest.Instrument.MarketId', value); view.setUint32(at + 36, value === undefined ? 4294967295 : highOf(value, 'OrderStatusRequest.Instrument.MarketId'), true); view.setUint32(at + 32, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderStatusRequest.Instrument.MarketId', value); view.setBigUint64(at + 32, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 40); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderStatusRequest.Instrument.Book', value); view.setUint8(at + 40, value); return this; }
  get side(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 41); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('OrderStatusRequest.Side', value); view.setUint8(at + 41, value ?? 0); return this; }
  get clOrdId(): string { return this.#block.text(0); }
  get clOrdIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get ordStatusReqId(): string { return this.#block.text(1); }
  get ordStatusReqIdBytes(): Uint8Array { return this.#block.bytes(1); }
  setOrdStatusReqId(value: string): this { this.#block.putText(1, value); return this; }
  setOrdStatusReqIdBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  get symbol(): string { return this.#block.text(2); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(2); }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}
