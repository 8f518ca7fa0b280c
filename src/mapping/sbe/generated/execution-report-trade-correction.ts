// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(215, { 0: 'cf', 2: 'd1', 4: '3010', 19: 'ffffffffffffffff', 91: 'ffffffffffffffffffff', 120: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 199: 'ffffffffffffffffffffffffffffffff' });
const layout: sbe.Layout = {
  name: 'ExecutionReportTradeCorrection',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'ExecID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'QuoteID', since: 0, type: types.data.name },
    { name: 'OnBehalfOfCompID', since: 0, type: types.data.name },
    { name: 'ExecRefID', since: 0, type: types.data.name },
  ],
};

/** ExecutionReportTradeCorrection (209). A fill was taken back, or was another. */
export class ExecutionReportTradeCorrection {
  static readonly templateId = 209;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 207;
  readonly #block = new sbe.Block(layout);
  readonly state = new types.State(this.#block, 0);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('ExecutionReportTradeCorrection', version);
    if (at + 215 > bytes.length) throw noRoom('ExecutionReportTradeCorrection');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 207, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setExecType(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReportTradeCorrection.ExecType', value); view.setUint8(at + 190, value); return this; }
  setLastPx(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('ExecutionReportTradeCorrection.LastPx', value); view.setUint32(at + 195, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportTradeCorrection.LastPx'), true); view.setUint32(at + 191, value ?? 4294967295, true); return this; }
  setLastPxBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportTradeCorrection.LastPx', value); view.setBigUint64(at + 191, value ?? 18446744073709551615n, true); return this; }
  setLastQty(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('ExecutionReportTradeCorrection.LastQty', value); view.setUint32(at + 203, value === undefined ? 4294967295 : highOf(value, 'ExecutionReportTradeCorrection.LastQty'), true); view.setUint32(at + 199, value ?? 4294967295, true); return this; }
  setLastQtyBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('ExecutionReportTradeCorrection.LastQty', value); view.setBigUint64(at + 199, value ?? 18446744073709551615n, true); return this; }
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
  setExecRefId(value: string): this { this.#block.putText(5, value); return this; }
  setExecRefIdBytes(value: Uint8Array): this { this.#block.putBytes(5, value); return this; }
}
