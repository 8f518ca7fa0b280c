// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** UserStatusReport (220). Whether a user may log on to this session. */
export class UserStatusReport {
  static readonly templateId = 220;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 6;
  #bytes: Uint8Array = noOctets;
  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */
  #base = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  /** The block, and the end of the message so far. */
  #at = 0;
  #end = 0;
  #userRequestIdAt = 0;
  #usernameAt = 0;
  #venueCodeAt = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('UserStatusReport', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 220 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('UserStatusReport');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 6;
    if (blockLength < needed) return shorter('UserStatusReport', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('UserStatusReport', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('UserStatusReport.UserRequestID', 1, limit - next);
    this.#userRequestIdAt = next;
    const userRequestIdSize = view.getUint8(next);
    next += 1;
    if (next + userRequestIdSize > limit) return cut('UserStatusReport.UserRequestID', userRequestIdSize, limit - next);
    next += userRequestIdSize;
    if (next + 1 > limit) return cut('UserStatusReport.Username', 1, limit - next);
    this.#usernameAt = next;
    const usernameSize = view.getUint8(next);
    next += 1;
    if (next + usernameSize > limit) return cut('UserStatusReport.Username', usernameSize, limit - next);
    next += usernameSize;
    if (next + 1 > limit) return cut('UserStatusReport.VenueCode', 1, limit - next);
    this.#venueCodeAt = next;
    const venueCodeSize = view.getUint8(next);
    next += 1;
    if (next + venueCodeSize > limit) return cut('UserStatusReport.VenueCode', venueCodeSize, limit - next);
    next += venueCodeSize;
    if (next + 2 > limit) return cut('UserStatusReport.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('UserStatusReport.Text', textSize, limit - next);
    next += textSize;
    this.#part = 4;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('UserStatusReport', version);
    if (at + 14 > bytes.length) throw noRoom('UserStatusReport');
    const start = this.#base + at;
    view.setUint32(start, 14417926, true);
    view.setUint32(start + 4, 4144, true);
    view.setUint32(start + 8, 4294967040, true);
    view.setUint8(start + 12, 255);
    view.setUint8(start + 13, 0);
    const blockLength = 6;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
    return this;
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number {
    return this.#version;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number {
    this.#reach(4);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(4);
    return new Uint8Array(this.#view.buffer, this.#at - 8, this.#end - this.#at + 8);
  }
  #take(bytes: Uint8Array): void {
    if (this.#view.buffer !== bytes.buffer) {
      this.#view = new DataView(bytes.buffer);
      this.#octets = Buffer.from(bytes.buffer);
    }
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
  }
  get userStatus(): number { return this.#view.getUint8(this.#at); }
  setUserStatus(value: number): this { if (value !== (value & 255)) throw outside('UserStatusReport.UserStatus', value); this.#view.setUint8(this.#at, value); return this; }
  get refusalReason(): number | undefined { const value = this.#view.getUint16(this.#at + 1, true); return value === 65535 ? undefined : value; }
  setRefusalReason(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('UserStatusReport.Refusal.Reason', value); this.#view.setUint16(this.#at + 1, value ?? 65535, true); return this; }
  get refusalVenueRejectNumber(): number | undefined { const value = this.#view.getUint16(this.#at + 3, true); return value === 65535 ? undefined : value; }
  setRefusalVenueRejectNumber(value: number | undefined): this { if (value !== undefined && (value !== (value | 0) || value < 0 || value > 65534)) throw outside('UserStatusReport.Refusal.VenueRejectNumber', value); this.#view.setUint16(this.#at + 3, value ?? 65535, true); return this; }
  get refusalNonceConsumed(): number { return this.#view.getUint8(this.#at + 5); }
  setRefusalNonceConsumed(value: number): this { if (value !== (value & 255)) throw outside('UserStatusReport.Refusal.NonceConsumed', value); this.#view.setUint8(this.#at + 5, value); return this; }
  get userRequestId(): string {
    const at = this.#userRequestIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get userRequestIdBytes(): Uint8Array {
    const at = this.#userRequestIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setUserRequestId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'UserStatusReport.UserRequestID');
    this.#view.setUint8(at, size);
    this.#userRequestIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setUserRequestIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('UserStatusReport.UserRequestID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('UserStatusReport.UserRequestID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#userRequestIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get username(): string {
    const at = this.#usernameAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get usernameBytes(): Uint8Array {
    const at = this.#usernameAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setUsername(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'UserStatusReport.Username');
    this.#view.setUint8(at, size);
    this.#usernameAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setUsernameBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('UserStatusReport.Username', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('UserStatusReport.Username');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#usernameAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  get venueCode(): string {
    const at = this.#venueCodeAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get venueCodeBytes(): Uint8Array {
    const at = this.#venueCodeAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setVenueCode(value: string): this {
    this.#reach(2);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'UserStatusReport.VenueCode');
    this.#view.setUint8(at, size);
    this.#venueCodeAt = at;
    this.#end = at + 1 + size;
    this.#part = 3;
    return this;
  }
  setVenueCodeBytes(value: Uint8Array): this {
    this.#reach(2);
    const at = this.#end;
    if (value.length > 255) throw outside('UserStatusReport.VenueCode', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('UserStatusReport.VenueCode');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#venueCodeAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 3;
    return this;
  }
  get text(): string {
    const at = this.#textAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at, true), 'utf8');
  }
  get textBytes(): Uint8Array {
    const at = this.#textAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setText(value: string): this {
    this.#reach(3);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'UserStatusReport.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 4;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(3);
    const at = this.#end;
    if (value.length > 65535) throw outside('UserStatusReport.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('UserStatusReport.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 4;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('UserStatusReport');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('UserStatusReport.UserRequestID');
      this.#view.setUint8(this.#end, 0);
      this.#userRequestIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('UserStatusReport.Username');
      this.#view.setUint8(this.#end, 0);
      this.#usernameAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 2 && part > 2) {
      if (this.#end + 1 > this.#limit) throw noRoom('UserStatusReport.VenueCode');
      this.#view.setUint8(this.#end, 0);
      this.#venueCodeAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 3 && part > 3) {
      if (this.#end + 2 > this.#limit) throw noRoom('UserStatusReport.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
