// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'InboundCopy',
  groups: [],
  data: [
    { name: 'CopyReqID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'Symbol', since: 0, type: types.data.name },
    { name: 'OnBehalfOfCompID', since: 0, type: types.data.name },
    { name: 'InboundType', since: 0, type: types.data.name },
    { name: 'RawData', since: 0, type: types.data.octets },
  ],
};

/** InboundCopy (225). An order, a cancel or a replace as a client sent it. */
export class InboundCopy {
  static readonly templateId = 225;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 9;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('InboundCopy', version);
    if (at + 17 > bytes.length) throw noRoom('InboundCopy');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14745609, true);
    view.setUint32(start + 4, 4144, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    this.#block.begin(start + 8, 9, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setTransactTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('InboundCopy.TransactTime', value); view.setUint32(at + 4, highOf(value, 'InboundCopy.TransactTime'), true); view.setUint32(at, value, true); return this; }
  setTransactTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('InboundCopy.TransactTime', value); view.setBigUint64(at, value, true); return this; }
  setFlags(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('InboundCopy.Flags', value); view.setUint8(at + 8, value); return this; }
  setCopyReqId(value: string): this { this.#block.putText(0, value); return this; }
  setCopyReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setAccount(value: string): this { this.#block.putText(1, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setSymbol(value: string): this { this.#block.putText(2, value); return this; }
  setSymbolBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setOnBehalfOfCompId(value: string): this { this.#block.putText(3, value); return this; }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
  setInboundType(value: string): this { this.#block.putText(4, value); return this; }
  setInboundTypeBytes(value: Uint8Array): this { this.#block.putBytes(4, value); return this; }
  setRawData(value: Uint8Array): this { this.#block.putBytes(5, value); return this; }
}
