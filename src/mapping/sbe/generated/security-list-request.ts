// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'SecurityListRequest',
  groups: [],
  data: [
    { name: 'SecurityReqID', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
  ],
};

/** Moves the end over SecurityReqID, Symbol; answers what is wrong with them. */
function walkSecurityListRequest(block: sbe.Block): string | undefined {
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
  block.end = next;
  return undefined;
}

/** SecurityListRequest (109). What can be traded, and its exponents. */
export class SecurityListRequest {
  static readonly templateId = 109;
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
    if (start + 8 > limit) return cut('SecurityListRequest', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 109 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('SecurityListRequest');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 10, version, limit) ?? walkSecurityListRequest(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('SecurityListRequest', version);
    if (at + 18 > bytes.length) throw noRoom('SecurityListRequest');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 7143434, true);
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
  get securityListRequestType(): number { const { at, view } = this.#block; return view.getUint8(at); }
  setSecurityListRequestType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('SecurityListRequest.SecurityListRequestType', value); view.setUint8(at, value); return this; }
  get instrumentMarketId(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 5, true); const low = view.getUint32(at + 1, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'SecurityListRequest.Instrument.MarketId'); }
  get instrumentMarketIdBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 1, true); return value === 18446744073709551615n ? undefined : value; }
  setInstrumentMarketId(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('SecurityListRequest.Instrument.MarketId', value); view.setUint32(at + 5, value === undefined ? 4294967295 : highOf(value, 'SecurityListRequest.Instrument.MarketId'), true); view.setUint32(at + 1, value ?? 4294967295, true); return this; }
  setInstrumentMarketIdBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('SecurityListRequest.Instrument.MarketId', value); view.setBigUint64(at + 1, value ?? 18446744073709551615n, true); return this; }
  get instrumentBook(): number { const { at, view } = this.#block; return view.getUint8(at + 9); }
  setInstrumentBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('SecurityListRequest.Instrument.Book', value); view.setUint8(at + 9, value); return this; }
  get securityReqId(): string { return this.#block.text(0); }
  get securityReqIdBytes(): Uint8Array { return this.#block.bytes(0); }
  setSecurityReqId(value: string): this { this.#block.putText(0, value); return this; }
  setSecurityReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get symbol(): string { return this.#block.text(1); }
  get symbolBytes(): Uint8Array { return this.#block.bytes(1); }
  setSymbol(value: string): this { this.#block.putText(1, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
