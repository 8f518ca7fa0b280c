// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion, outside } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'UserStatusReport',
  groups: [],
  data: [
    { name: 'UserRequestID', since: 0, type: types.data.name },
    { name: 'Username', since: 0, type: types.data.name },
    { name: 'VenueCode', since: 0, type: types.data.name },
    { name: 'Text', since: 0, type: types.data.text },
  ],
};

/** UserStatusReport (220). Whether a user may log on to this session. */
export class UserStatusReport {
  static readonly templateId = 220;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 6;
  readonly #block = new sbe.Block(layout);

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('UserStatusReport', version);
    if (at + 14 > bytes.length) throw noRoom('UserStatusReport');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14417926, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint8(start + 12, 255);
    view.setUint8(start + 13, 0);
    this.#block.begin(start + 8, 6, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  setUserStatus(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('UserStatusReport.UserStatus', value); view.setUint8(at, value); return this; }
  setRefusalReason(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('UserStatusReport.Refusal.Reason', value); view.setUint16(at + 1, value ?? 65535, true); return this; }
  setRefusalVenueRejectNumber(value: number | undefined): this { const { at, view } = this.#block; if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('UserStatusReport.Refusal.VenueRejectNumber', value); view.setUint16(at + 3, value ?? 65535, true); return this; }
  setRefusalNonceConsumed(value: number): this { const { at, view } = this.#block; if (value !== (value & 255)) throw outside('UserStatusReport.Refusal.NonceConsumed', value); view.setUint8(at + 5, value); return this; }
  setUserRequestId(value: string): this { this.#block.putText(0, value); return this; }
  setUserRequestIdBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
  setUsername(value: string): this { this.#block.putText(1, value); return this; }
  setUsernameBytes(value: Uint8Array): this { this.#block.putBytes(1, value); return this; }
  setVenueCode(value: string): this { this.#block.putText(2, value); return this; }
  setVenueCodeBytes(value: Uint8Array): this { this.#block.putBytes(2, value); return this; }
  setText(value: string): this { this.#block.putText(3, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(3, value); return this; }
}
