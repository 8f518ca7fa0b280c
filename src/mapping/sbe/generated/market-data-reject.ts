// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MarketDataReject',
  groups: [],
  data: [
    { name: 'MDReqID', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** MarketDataReject (219). A MarketDataRequest was not taken. */
export class MarketDataReject {
  static readonly templateId = 219;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 2;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('MarketDataReject', version);
    if (at + 10 > bytes.length) throw noRoom('MarketDataReject');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14352386, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint8(start + 8, 255);
    view.setUint8(start + 9, 255);
    this.#block.begin(start + 8, 2, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setMdReqRejReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('MarketDataReject.MDReqRejReason', value); view.setUint16(at, value ?? 65535, true); return this; }
  setMdReqId(value: string): this { this.#block.putText(0, value); return this; }
  setMdReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setText(value: string): this { this.#block.putText(1, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
