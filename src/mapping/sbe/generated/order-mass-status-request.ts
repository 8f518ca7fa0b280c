// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'OrderMassStatusRequest',
  groups: [],
  data: [
    { name: 'MassStatusReqID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over MassStatusReqID, Account, Symbol; answers what is wrong with them. */
function walkOrderMassStatusRequest(block: sbe.Block): string | undefined {
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

/** OrderMassStatusRequest (105). How all open orders stand. */
export class OrderMassStatusRequest {
  static readonly templateId = 105;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 10;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('OrderMassStatusRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 105 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('OrderMassStatusRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 10, version, limit) ?? walkOrderMassStatusRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('OrderMassStatusRequest', version);
    if (at + 18 > bytes.length) throw noRoom('OrderMassStatusRequest');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 6881290, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint8(start + 16, 255);
    view.setUint8(start + 17, 0);
    this.#block.begin(start + 8, 10, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get scope(): number { const { at, view } = this.#block; return view.getUint8(at); }
  setScope(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderMassStatusRequest.Scope', value); view.setUint8(at, value); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 5, true); const low = view.getUint32(at + 1, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'OrderMassStatusRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('OrderMassStatusRequest.Instrument.MarketId', value); view.setUint32(at + 5, value === undefined ? 4294967295 : highOf(value, 'OrderMassStatusRequest.Instrument.MarketId'), true); view.setUint32(at + 1, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('OrderMassStatusRequest.Instrument.MarketId', value); view.setBigUint64(at + 1, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 9); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderMassStatusRequest.Instrument.Book', value); view.setUint8(at + 9, value); return this; }
  get massStatusReqId(): string { return this.#block.text(0); }
  get massStatusReqIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setMassStatusReqId(value: string): this { this.#block.putText(0, value); return this; }
  setMassStatusReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  get symbol(): string { return this.#block.text(2); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(2); }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
}
