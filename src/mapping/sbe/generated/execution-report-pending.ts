// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(199, { 0: 'bf', 2: 'd0', 4: '3010', 19: 'ffffffffffffffff', 91: 'ffffffffffffffffffff', 120: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' });
const layout: sbe.Layout = {
  name: 'ExecutionReportPending',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'ExecID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'QuoteID', since: 0, type: types.data.name },
    { name: 'OnBehalfOfCompID', since: 0, type: types.data.name },
    { name: 'OrigClOrdID', since: 0, type: types.data.name },
  ],
};

/** ExecutionReportPending (208). A request is on its way to the venue. */
export class ExecutionReportPending {
  static readonly templateId = 208;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 191;
  readonly #block = new sbe.Block(layout);
  readonly state = new types.State(this.#block, 0);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('ExecutionReportPending', version);
    if (at + 199 > bytes.length) throw noRoom('ExecutionReportPending');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 191, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setExecType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReportPending.ExecType', value); view.setUint8(at + 190, value); return this; }
  setClOrdId(value: string): this { this.#block.putText(0, value); return this; }
  setClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setExecId(value: string): this { this.#block.putText(1, value); return this; }
  setExecIdBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setAccount(value: string): this { this.#block.putText(2, value); return this; }
  setAccountBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setQuoteId(value: string): this { this.#block.putText(3, value); return this; }
  setQuoteIdBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
  setOnBehalfOfCompId(value: string): this { this.#block.putText(4, value); return this; }
  setOnBehalfOfCompIdBytes(value: Uint8Array): this { this.#block.putBytes(4, value); return this; }
  setOrigClOrdId(value: string): this { this.#block.putText(5, value); return this; }
  setOrigClOrdIdBytes(value: Uint8Array): this { this.#block.putBytes(5, value); return this; }
}
