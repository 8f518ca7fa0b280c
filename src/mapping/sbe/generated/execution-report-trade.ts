// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { highOf, noRoom, notInVersion, outside, putPairs, putText, putWhole } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const blank = sbe.image(263, { 0: 'ff', 2: 'cb', 4: '3010', 19: 'ffffffffffffffff', 91: 'ffffffffffffffffffff', 120: 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' });
const layout: sbe.Layout = {
  name: 'ExecutionReportTrade',
  groups: [],
  data: [
    { name: 'ClOrdID', since: 0, type: types.data.name },
    { name: 'ExecID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
    { name: 'QuoteID', since: 0, type: types.data.name },
    { name: 'OnBehalfOfCompID', since: 0, type: types.data.name },
  ],
};

/** ExecutionReportTrade (203). A fill. */
export class ExecutionReportTrade {
  static readonly templateId = 203;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 255;
  readonly #block = new sbe.Block(layout);
  readonly state = new types.State(this.#block, 0);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('ExecutionReportTrade', version);
    if (at + 263 > bytes.length) throw noRoom('ExecutionReportTrade');
    const start = this.#block.take(bytes, at);
    this.#block.octets.set(blank, start);
    this.#block.begin(start + 8, 255, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setLastPx(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('ExecutionReportTrade.LastPx', value); view.setUint32(at + 194, highOf(value, 'ExecutionReportTrade.LastPx'), true); view.setUint32(at + 190, value, true); return this; }
  setLastPxBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportTrade.LastPx', value); view.setBigUint64(at + 190, value, true); return this; }
  setLastQty(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('ExecutionReportTrade.LastQty', value); view.setUint32(at + 202, highOf(value, 'ExecutionReportTrade.LastQty'), true); view.setUint32(at + 198, value, true); return this; }
  setLastQtyBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('ExecutionReportTrade.LastQty', value); view.setBigUint64(at + 198, value, true); return this; }
  setFeeMicro(value: number): this { const { at, view } = this.#block; view.setUint32(at + 210, highOf(value, 'ExecutionReportTrade.FeeMicro'), true); view.setUint32(at + 206, value, true); return this; }
  setFeeMicroBig(value: bigint): this { const { at, view } = this.#block; if (value < -9223372036854775808n || value > 9223372036854775807n) throw outside('ExecutionReportTrade.FeeMicro', value); view.setBigInt64(at + 206, value, true); return this; }
  setLastLiquidityInd(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('ExecutionReportTrade.LastLiquidityInd', value); view.setUint8(at + 214, value); return this; }
  setSecondaryOrderId(value: Uint8Array): this { const { at, octets } = this.#block; putWhole(octets, at + 215, 32, value, 'ExecutionReportTrade.SecondaryOrderID'); return this; }
  setFeeCurrency(value: string): this { const { at, octets } = this.#block; putText(octets, at + 247, 8, value, 'ascii', 'ExecutionReportTrade.FeeCurrency'); return this; }
  setFeeCurrencyBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at + 247, 8, value, 'ExecutionReportTrade.FeeCurrency'); return this; }
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
}
