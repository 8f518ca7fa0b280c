// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, putOctets, putText, putWhole, textAt, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(102, { 0: '5e', 2: '66', 4: '3010', 84: 'ffffffffffffffffffffffffffffffff' });
const layout: sbe.Layout = {
  name: 'OrderCancelRequest',
  groups: [],
  data: [
    { name: 'OrigClOrdID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over OrigClOrdID, Account, Symbol; answers what is wrong with them. */
function walkOrderCancelRequest(block: sbe.Block): string | undefined {
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

/** OrderCancelRequest (102). The end of an order. */
export class OrderCancelRequest {
  static readonly templateId = 102;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 94;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('OrderCancelRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 102 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderCancelRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 94, version, limit) ?? walkOrderCancelRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('OrderCancelRequest', version);
    if (at + 102 > bytes.length) throw noRoom('OrderCancelRequest');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 94, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get clOrdId(): string { const { at, octets } = this.#block; return textAt(octets, at, 36, 'ascii'); }
  get clOrdIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 36); }
  setClOrdId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 36, value, 'ascii', 'OrderCancelRequest.ClOrdID'); return this; }
  setClOrdIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putOctets(octets, at, 36, value, 'OrderCancelRequest.ClOrdID'); return this; }
  get transactTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 40, true), view.getUint32(at + 36, true), 'OrderCancelRequest.TransactTime'); }
  get transactTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at + 36, true); }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('OrderCancelRequest.TransactTime', value); view.setUint32(at + 40, highOf(value, 'OrderCancelRequest.TransactTime'), true); view.setUint32(at + 36, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelRequest.TransactTime', value); view.setBigUint64(at + 36, value, true); return this; }
  get orderId(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at + 44, at + 76); }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + 44, 32, value, 'OrderCancelRequest.OrderID'); return this; }
  get origOrdModTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 80, true); const low = view.getUint32(at + 76, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelRequest.OrigOrdModTime'); }
  get origOrdModTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 76, true); return value === 18446744073709551615n ? undefined : value; }
  setOrigOrdModTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelRequest.OrigOrdModTime', value); view.setUint32(at + 80, value === undefined ? 4294967295 : highOf(value, 'OrderCancelRequest.OrigOrdModTime'), true); view.setUint32(at + 76, value ?? 4294967295, true); return this; }
  setOrigOrdModTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelRequest.OrigOrdModTime', value); view.setBigUint64(at + 76, value ?? 18446744073709551615n, true); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 88, true); const low = view.getUint32(at + 84, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderCancelRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 84, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderCancelRequest.Instrument.MarketId', value); view.setUint32(at + 88, value === undefined ? 4294967295 : highOf(value, 'OrderCancelRequest.Instrument.MarketId'), true); view.setUint32(at + 84, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderCancelRequest.Instrument.MarketId', value); view.setBigUint64(at + 84, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 92); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelRequest.Instrument.Book', value); view.setUint8(at + 92, value); return this; }
  get side(): number | undefined { const { at, view } = this.#block; const value = view.getUint8(at + 93); return value === 0 ? undefined : value; }
  setSide(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value & 255))) throw outside('OrderCancelRequest.Side', value); view.setUint8(at + 93, value ?? 0); return this; }
  get origClOrdId(): string { return this.#block.text(0); }
  get origClOrdIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setOrigClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setOrigClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  get symbol(): string { return this.#block.text(2); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(2); }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}
