// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'MessageTemplate',
  groups: [],
  data: [
    { name: 'Version', since: 0, type: types.data.data },
    { name: 'Template', since: 0, type: types.data.data },
  ],
};

/** Moves the end over Version, Template; answers what is wrong with them. */
function walkMessageTemplate(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 2 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(0);
  if (next + 2 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 2 + view.getUint16(next, true);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** MessageTemplate (19). Carries a message template; this bridge sends none. */
export class MessageTemplate {
  static readonly templateId = 19;
  static readonly schemaId = 2748;
  static readonly schemaVersion = 1;
  static readonly blockLength = 12;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('MessageTemplate', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 19 || view.getUint16(start + 4, true) !== 2748) return wrongTemplate('MessageTemplate');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 12, version, limit) ?? walkMessageTemplate(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 1): this {
    if (version > 1) throw notInVersion('MessageTemplate', version);
    if (at + 20 > bytes.length) throw noRoom('MessageTemplate');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 1245196, true);
    view.setUint32(start + 4, 68284, true);
    view.setUint32(start + 8, 0, true);
    view.setUint32(start + 12, 4294967295, true);
    view.setUint32(start + 16, 4294967295, true);
    if (version < 1) {
      view.setUint16(start, 12, true);
      view.setUint16(start + 6, version, true);
    }
    this.#block.begin(start + 8, 12, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get encodingType(): number { const { at, view } = this.#block; return view.getUint32(at, true); }
  setEncodingType(value: number): this { const { at, view } = this.#block; if (value !== value >>> 0) throw outside('MessageTemplate.EncodingType', value); view.setUint32(at, value, true); return this; }
  get effectiveTime(): number | undefined { const { at, view } = this.#block; const high = view.getUint32(at + 8, true); const low = view.getUint32(at + 4, true); return high === 4294967295 && low === 4294967295 ? undefined : joined(high, low, 'MessageTemplate.EffectiveTime'); }
  get effectiveTimeBig(): bigint | undefined { const { at, view } = this.#block; const value = view.getBigUint64(at + 4, true); return value === 18446744073709551615n ? undefined : value; }
  setEffectiveTime(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0)) throw outside('MessageTemplate.EffectiveTime', value); view.setUint32(at + 8, value === undefined ? 4294967295 : highOf(value, 'MessageTemplate.EffectiveTime'), true); view.setUint32(at + 4, value ?? 4294967295, true); return this; }
  setEffectiveTimeBig(value: bigint | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value < 0n || value > 18446744073709551614n)) throw outside('MessageTemplate.EffectiveTime', value); view.setBigUint64(at + 4, value ?? 18446744073709551615n, true); return this; }
  get version(): Uint8Array { return this.#block.bytes(0); }
  setVersion(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  get template(): Uint8Array { return this.#block.bytes(1); }
  setTemplate(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
}
