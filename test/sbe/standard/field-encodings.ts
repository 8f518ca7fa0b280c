// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../src/sbe/block.ts';
import { cut, highOf, joined, noRoom, notInVersion, outside, wrongTemplate } from '../../../src/sbe/flyweight.ts';

const layout: sbe.Layout = {
  name: 'FieldEncodings',
  groups: [],
  data: [],
};

/** FieldEncodings (999). */
export class FieldEncodings {
  static readonly templateId = 999;
  static readonly schemaId = 91;
  static readonly schemaVersion = 0;
  static readonly blockLength = 11;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('FieldEncodings', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 999 || view.getUint16(start + 4, true) !== 91) return wrongTemplate('FieldEncodings');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 11, version, limit);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('FieldEncodings', version);
    if (at + 19 > bytes.length) throw noRoom('FieldEncodings');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 65470475, true);
    view.setUint32(start + 4, 91, true);
    view.setFloat64(start + 8, 0);
    view.setUint8(start + 16, 0);
    view.setUint8(start + 17, 0);
    view.setUint8(start + 18, 0);
    this.#block.place(start + 8, 11, version);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.end - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get tzTimestampTime(): number { const { at, view } = this.#block; return joined(view.getUint32(at + 4, true), view.getUint32(at, true), 'FieldEncodings.TzTimestamp.time'); }
  get tzTimestampTimeBig(): bigint { const { at, view } = this.#block; return view.getBigUint64(at, true); }
  get tzTimestampTimeHigh(): number { const { at, view } = this.#block; return view.getUint32(at + 4, true); }
  get tzTimestampTimeLow(): number { const { at, view } = this.#block; return view.getUint32(at, true); }
  setTzTimestampTime(value: number): this { const { at, view } = this.#block; if (value < 0) throw outside('FieldEncodings.TzTimestamp.time', value); view.setUint32(at + 4, highOf(value, 'FieldEncodings.TzTimestamp.time'), true); view.setUint32(at, value, true); return this; }
  setTzTimestampTimeBig(value: bigint): this { const { at, view } = this.#block; if (value < 0n || value > 18446744073709551615n) throw outside('FieldEncodings.TzTimestamp.time', value); view.setBigUint64(at, value, true); return this; }
  setTzTimestampTimeHalves(high: number, low: number): this { const { at, view } = this.#block; view.setUint32(at + 4, high, true); view.setUint32(at, low, true); return this; }
  get tzTimestampUnit(): number { const { at, view } = this.#block; return view.getUint8(at + 8); }
  setTzTimestampUnit(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('FieldEncodings.TzTimestamp.unit', value); view.setUint8(at + 8, value); return this; }
  get tzTimestampTimezoneHour(): number { const { at, view } = this.#block; return view.getInt8(at + 9); }
  setTzTimestampTimezoneHour(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < -12 || value > 14) throw outside('FieldEncodings.TzTimestamp.timezoneHour', value); view.setInt8(at + 9, value); return this; }
  get tzTimestampTimezoneMinute(): number { const { at, view } = this.#block; return view.getUint8(at + 10); }
  setTzTimestampTimezoneMinute(value: number): this { const { at, view } = this.#block; if (value !== (value | 0) || value < 0 || value > 59) throw outside('FieldEncodings.TzTimestamp.timezoneMinute', value); view.setUint8(at + 10, value); return this; }
}
