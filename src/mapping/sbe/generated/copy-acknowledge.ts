// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** CopyAcknowledge (115). All of an account up to this copy is safe with the reader. */
export class CopyAcknowledge {
  static readonly templateId = 115;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 0;
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
  #execIdAt = 0;
  #accountAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('CopyAcknowledge', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 115 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('CopyAcknowledge');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 0;
    if (blockLength < needed) return shorter('CopyAcknowledge', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('CopyAcknowledge', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    if (next + 1 > limit) return cut('CopyAcknowledge.ExecID', 1, limit - next);
    this.#execIdAt = next;
    const execIdSize = view.getUint8(next);
    next += 1;
    if (next + execIdSize > limit) return cut('CopyAcknowledge.ExecID', execIdSize, limit - next);
    next += execIdSize;
    if (next + 1 > limit) return cut('CopyAcknowledge.Account', 1, limit - next);
    this.#accountAt = next;
    const accountSize = view.getUint8(next);
    next += 1;
    if (next + accountSize > limit) return cut('CopyAcknowledge.Account', accountSize, limit - next);
    next += accountSize;
    this.#part = 2;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('CopyAcknowledge', version);
    if (at + 8 > bytes.length) throw noRoom('CopyAcknowledge');
    const start = this.#base + at;
    view.setUint32(start, 7536640, true);
    view.setUint32(start + 4, 4144, true);
    const blockLength = 0;
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
    this.#reach(2);
    return this.#end - this.#at + 8;
  }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array {
    this.#reach(2);
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
  get execId(): string {
    const at = this.#execIdAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get execIdBytes(): Uint8Array {
    const at = this.#execIdAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setExecId(value: string): this {
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyAcknowledge.ExecID');
    this.#view.setUint8(at, size);
    this.#execIdAt = at;
    this.#end = at + 1 + size;
    this.#part = 1;
    return this;
  }
  setExecIdBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyAcknowledge.ExecID', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyAcknowledge.ExecID');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#execIdAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 1;
    return this;
  }
  get account(): string {
    const at = this.#accountAt;
    return decoded(this.#octets, at + 1, at + 1 + this.#view.getUint8(at), 'utf8');
  }
  get accountBytes(): Uint8Array {
    const at = this.#accountAt;
    return this.#octets.subarray(at + 1, at + 1 + this.#view.getUint8(at));
  }
  setAccount(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 1 + 255);
    const size = putCharacters(this.#octets, at + 1, limit, value, 'utf8', 'CopyAcknowledge.Account');
    this.#view.setUint8(at, size);
    this.#accountAt = at;
    this.#end = at + 1 + size;
    this.#part = 2;
    return this;
  }
  setAccountBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 255) throw outside('CopyAcknowledge.Account', `${value.length} bytes`);
    if (at + 1 + value.length > this.#limit) throw noRoom('CopyAcknowledge.Account');
    this.#octets.set(value, at + 1);
    this.#view.setUint8(at, value.length);
    this.#accountAt = at;
    this.#end = at + 1 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('CopyAcknowledge');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyAcknowledge.ExecID');
      this.#view.setUint8(this.#end, 0);
      this.#execIdAt = this.#end;
      this.#end += 1;
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 1 > this.#limit) throw noRoom('CopyAcknowledge.Account');
      this.#view.setUint8(this.#end, 0);
      this.#accountAt = this.#end;
      this.#end += 1;
    }
    this.#part = part;
  }
}
