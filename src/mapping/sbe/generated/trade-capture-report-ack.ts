// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'TradeCaptureReportAck',
  groups: [],
  data: [
    { name: 'TradeReportID', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** Moves the end over TradeReportID, Text; answers what is wrong with them. */
function walkTradeCaptureReportAck(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  if (next + 2 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** TradeCaptureReportAck (117). What the reader makes of a trade; a refused one alarms the operator. */
export class TradeCaptureReportAck {
  static readonly templateId = 117;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 3;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('TradeCaptureReportAck', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 117 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('TradeCaptureReportAck');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 3, version, limit) ?? walkTradeCaptureReportAck(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get trdRptStatus(): number { const { at, view } = this.#block; return view.getUint8(at); }
  get tradeReportRejectReason(): number | undefined { const { at, view } = this.#block; const value = view.getUint16(at + 1, true); return value === 65535 ? undefined : value; }
  get tradeReportId(): string { return this.#block.text(0); }
  get tradeReportIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get text(): string { return this.#block.text(1); }
  get textBytes(): Uint8Array { return this.#block.bytes(1); }
}
