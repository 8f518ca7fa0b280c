// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../src/sbe/block.ts';
import { cut, noRoom, notInVersion, outside, putPairs, putText, textAt, wrongTemplate } from '../../../src/sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'BusinessMessageReject',
  groups: [],
  data: [
    { name: 'Text', since: 0, type: types.data.data },
  ],
};

/** Moves the end over Text; answers what is wrong with them. */
function walkBusinessMessageReject(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(0);
  block.end = next;
  return undefined;
}

/** BusinessMessageReject (97). */
export class BusinessMessageReject {
  static readonly templateId = 97;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 9;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('BusinessMessageReject', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 97 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('BusinessMessageReject');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 9, version, limit) ?? walkBusinessMessageReject(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('BusinessMessageReject', version);
    if (at + 17 > bytes.length) throw noRoom('BusinessMessageReject');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 6357001, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    this.#block.begin(start + 8, 9, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get businesRejectRefId(): string { const { at, octets } = this.#block; return textAt(octets, at, 8, 'ascii'); }
  get businesRejectRefIdBytes(): Uint8Array { const { at, octets } = this.#block; return octets.subarray(at, at + 8); }
  setBusinesRejectRefId(value: string): this { const { at, octets } = this.#block; putText(octets, at, 8, value, 'ascii', 'BusinessMessageReject.BusinesRejectRefId'); return this; }
  setBusinesRejectRefIdBytes(value: Uint8Array): this { const { at, octets } = this.#block; putPairs(octets, at, 8, value, 'BusinessMessageReject.BusinesRejectRefId'); return this; }
  get businessRejectReason(): number { const { at, view } = this.#block; return view.getUint8(at + 8); }
  setBusinessRejectReason(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('BusinessMessageReject.BusinessRejectReason', value); view.setUint8(at + 8, value); return this; }
  get text(): Uint8Array { return this.#block.bytes(0); }
  setText(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
