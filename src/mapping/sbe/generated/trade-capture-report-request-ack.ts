// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'TradeCaptureReportRequestAck',
  groups: [],
  data: [
    { name: 'TradeRequestID', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** TradeCaptureReportRequestAck (223). The response to a TradeCaptureReportRequest; trades precede Completed. */
export class TradeCaptureReportRequestAck {
  static readonly templateId = 223;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 9;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('TradeCaptureReportRequestAck', version);
    if (at + 17 > bytes.length) throw noRoom('TradeCaptureReportRequestAck');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14614537, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 4294967040, true);
    view.setUint8(start + 16, 255);
    this.#block.begin(start + 8, 9, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setTradeRequestType(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('TradeCaptureReportRequestAck.TradeRequestType', value); view.setUint16(at, value, true); return this; }
  setTradeRequestResult(value: number): this { const { at, view } = this.#block; if (value !== (value & 65535)) throw outside('TradeCaptureReportRequestAck.TradeRequestResult', value); view.setUint16(at + 2, value, true); return this; }
  setTradeRequestStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('TradeCaptureReportRequestAck.TradeRequestStatus', value); view.setUint8(at + 4, value); return this; }
  setTotNumTradeReports(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('TradeCaptureReportRequestAck.TotNumTradeReports', value); view.setUint32(at + 5, value ?? 4294967295, true); return this; }
  setTradeRequestId(value: string): this { this.#block.putText(0, value); return this; }
  setTradeRequestIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setText(value: string): this { this.#block.putText(1, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
