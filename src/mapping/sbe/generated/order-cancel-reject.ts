// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside, putWhole } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'OrderCancelReject',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'OrigClOrdID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** OrderCancelReject (210). A cancel or a replace was not done. */
export class OrderCancelReject {
  static readonly templateId = 210;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 49;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('OrderCancelReject', version);
    if (at + 57 > bytes.length) throw noRoom('OrderCancelReject');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 13762609, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setFloat64(start + 16, 0);
    view.setFloat64(start + 24, 0);
    view.setFloat64(start + 32, 0);
    view.setFloat64(start + 40, 0);
    view.setUint32(start + 48, 0, true);
    view.setUint32(start + 52, 4294967295, true);
    view.setUint8(start + 56, 0);
    this.#block.begin(start + 8, 49, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at, 32, value, 'OrderCancelReject.OrderID'); return this; }
  setOrdStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReject.OrdStatus', value); view.setUint8(at + 32, value); return this; }
  setWorkingIndicator(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReject.WorkingIndicator', value); view.setUint8(at + 33, value); return this; }
  setCxlRejResponseTo(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReject.CxlRejResponseTo', value); view.setUint8(at + 34, value); return this; }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('OrderCancelReject.TransactTime', value); view.setUint32(at + 39, highOf(value, 'OrderCancelReject.TransactTime'), true); view.setUint32(at + 35, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('OrderCancelReject.TransactTime', value); view.setBigUint64(at + 35, value, true); return this; }
  setBook(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReject.Book', value); view.setUint8(at + 43, value); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('OrderCancelReject.Refusal.Reason', value); view.setUint16(at + 44, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('OrderCancelReject.Refusal.VenueRejectNumber', value); view.setUint16(at + 46, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('OrderCancelReject.Refusal.NonceConsumed', value); view.setUint8(at + 48, value); return this; }
  setClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setOrigClOrdId(value: string): this { this.#block.putText(1, value); return this; }
  setOrigClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setAccount(value: string): this { this.#block.putText(2, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(3, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
  setText(value: string): this { this.#block.putText(4, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(4, value); return this; }
}
