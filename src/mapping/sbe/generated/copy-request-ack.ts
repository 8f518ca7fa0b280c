// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'CopyRequestAck',
  groups: [],
  data: [
    { name: 'CopyReqID', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** CopyRequestAck (222). The response to a CopyRequest; copies precede Completed. */
export class CopyRequestAck {
  static readonly templateId = 222;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 8;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('CopyRequestAck', version);
    if (at + 16 > bytes.length) throw noRoom('CopyRequestAck');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14549000, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294901760, true);
    view.setUint32(start + 12, 4294967295, true);
    this.#block.begin(start + 8, 8, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setCopyReqType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('CopyRequestAck.CopyReqType', value); view.setUint8(at, value); return this; }
  setCopyReqStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('CopyRequestAck.CopyReqStatus', value); view.setUint8(at + 1, value); return this; }
  setCopyReqReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('CopyRequestAck.CopyReqReason', value); view.setUint16(at + 2, value ?? 65535, true); return this; }
  setCopyCount(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== value >>> 0 || value > 4294967294)) throw outside('CopyRequestAck.CopyCount', value); view.setUint32(at + 4, value ?? 4294967295, true); return this; }
  setCopyReqId(value: string): this { this.#block.putText(0, value); return this; }
  setCopyReqIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setText(value: string): this { this.#block.putText(1, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
