// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import { beyond, cut, decoded, noOctets, noRoom, notInVersion, noView, outside, putCharacters, shorter, wrongOrder, wrongTemplate } from '../../../sbe/flyweight.ts';

/** The entries of News.Lines. */
export class NewsLines {
  static readonly blockLength = 0;
  #view = noView;
  #octets = noOctets;
  #version = 0;
  #limit = 0;
  #dimension = 0;
  #blockLength = 0;
  #count = 0;
  #index = 0;
  /** The entry that is read or written, and the one to be read after it. */
  #at = 0;
  #next = 0;
  #end = 0;
  #textAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;

  /** For the message: takes the group at `at` and answers what is wrong with it. */
  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    const left = limit - at - 4;
    if (left < 0) return cut('News.Lines', 4, limit - at);
    const blockLength = view.getUint16(at, true);
    const count = view.getUint16(at + 2, true);
    this.#blockLength = blockLength;
    this.#count = count;
    if (count > 65535) return beyond('News.Lines', count, 65535);
    // An entry takes a byte at least, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left) return cut('News.Lines', count * blockLength, left);
    const needed = 0;
    if (count > 0 && blockLength < needed) return shorter('News.Lines', blockLength, needed, this.#version);
    this.rewind();
    for (let index = 0; index < count; index += 1) {
      const fault = this.#enter();
      if (fault !== undefined) return fault;
    }
    this.#end = this.#next;
    this.rewind();
    return undefined;
  }
  /** For the message: behind the last entry. */
  get end(): number {
    return this.#end;
  }
  /** For the message: the group is not there. */
  clear(): void {
    this.#count = 0;
    this.#end = this.#dimension;
  }
  get count(): number {
    return this.#count;
  }
  /** Goes before the first entry. */
  rewind(): this {
    this.#index = 0;
    this.#next = this.#dimension + 4;
    return this;
  }
  /** Goes to the next entry, if there is one. */
  next(): boolean {
    if (this.#index === this.#count) return false;
    this.#index += 1;
    this.#enter();
    return true;
  }
  #enter(): string | undefined {
    const view = this.#view;
    const limit = this.#limit;
    this.#at = this.#next;
    let next = this.#at + this.#blockLength;
    if (next > limit) return cut('News.Lines', this.#blockLength, limit - this.#at);
    if (next + 2 > limit) return cut('News.Lines.Text', 2, limit - next);
    this.#textAt = next;
    const textSize = view.getUint16(next, true);
    next += 2;
    if (next + textSize > limit) return cut('News.Lines.Text', textSize, limit - next);
    next += textSize;
    this.#part = 1;
    this.#next = next;
    return undefined;
  }
  /** For the message: writes an empty group at `at`. */
  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {
    this.#view = view;
    this.#octets = octets;
    this.#dimension = at;
    this.#limit = limit;
    this.#version = version;
    this.#blockLength = 0;
    this.#count = 0;
    if (at + 4 > limit) throw noRoom('News.Lines');
    this.#octets.fill(0, at, at + 4);
    view.setUint16(at, this.#blockLength, true);
    this.#end = at + 4;
    this.rewind();
  }
  /** Begins the next entry. */
  add(): this {
    if (this.#count === 65535) throw noRoom('News.Lines');
    const at = this.finish();
    if (at + 0 > this.#limit) throw noRoom('News.Lines');
    const view = this.#view;
    this.#count += 1;
    view.setUint16(this.#dimension + 2, this.#count, true);
    this.#at = at;
    this.#end = at + this.#blockLength;
    this.#part = 0;
    return this;
  }
  /** For the message: closes the last entry and answers where it ends. */
  finish(): number {
    if (this.#count > 0) this.#reach(1);
    return this.#end;
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
    this.#reach(0);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'News.Lines.Text');
    this.#view.setUint16(at, size, true);
    this.#textAt = at;
    this.#end = at + 2 + size;
    this.#part = 1;
    return this;
  }
  setTextBytes(value: Uint8Array): this {
    this.#reach(0);
    const at = this.#end;
    if (value.length > 65535) throw outside('News.Lines.Text', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('News.Lines.Text');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#textAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 1;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('News.Lines');
    if (this.#part <= 0 && part > 0) {
      if (this.#end + 2 > this.#limit) throw noRoom('News.Lines.Text');
      this.#view.setUint16(this.#end, 0, true);
      this.#textAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}

/** News (221). Something that a person should read. */
export class News {
  static readonly templateId = 221;
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
  readonly #lines = new NewsLines();
  #headlineAt = 0;
  /** Groups and data that are begun or left empty. */
  #part = 0;
  #open: NewsLines | undefined;

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    const start = this.#base + at;
    const limit = this.#base + Math.min(end, bytes.length);
    if (start + 8 > limit) return cut('News', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 221 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('News');
    const blockLength = view.getUint16(start, true);
    const version = view.getUint16(start + 6, true);
    const needed = 0;
    if (blockLength < needed) return shorter('News', blockLength, needed, version);
    let next = start + 8 + blockLength;
    if (next > limit) return cut('News', blockLength, limit - start - 8);
    this.#version = version;
    this.#at = start + 8;
    this.#limit = limit;
    let fault: string | undefined;
    fault = this.#lines.wrap(view, this.#octets, next, limit, this.#version);
    if (fault !== undefined) return fault;
    next = this.#lines.end;
    if (next + 2 > limit) return cut('News.Headline', 2, limit - next);
    this.#headlineAt = next;
    const headlineSize = view.getUint16(next, true);
    next += 2;
    if (next + headlineSize > limit) return cut('News.Headline', headlineSize, limit - next);
    next += headlineSize;
    this.#part = 2;
    this.#open = undefined;
    this.#end = next;
    return undefined;
  }
  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (this.#bytes !== bytes) this.#take(bytes);
    const view = this.#view;
    if (version > 0) throw notInVersion('News', version);
    if (at + 8 > bytes.length) throw noRoom('News');
    const start = this.#base + at;
    view.setUint32(start, 14483456, true);
    view.setUint32(start + 4, 4144, true);
    const blockLength = 0;
    this.#version = version;
    this.#limit = this.#base + bytes.length;
    this.#at = start + 8;
    this.#end = start + 8 + blockLength;
    this.#part = 0;
    this.#open = undefined;
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
  /** The entries, before the first. */
  get lines(): NewsLines {
    return this.#lines.rewind();
  }
  /** The group for writing: `add()` begins an entry. */
  writeLines(): NewsLines {
    this.#reach(0);
    this.#part = 1;
    this.#lines.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
    this.#open = this.#lines;
    return this.#lines;
  }
  get headline(): string {
    const at = this.#headlineAt;
    return decoded(this.#octets, at + 2, at + 2 + this.#view.getUint16(at, true), 'utf8');
  }
  get headlineBytes(): Uint8Array {
    const at = this.#headlineAt;
    return this.#octets.subarray(at + 2, at + 2 + this.#view.getUint16(at, true));
  }
  setHeadline(value: string): this {
    this.#reach(1);
    const at = this.#end;
    const limit = Math.min(this.#limit, at + 2 + 65535);
    const size = putCharacters(this.#octets, at + 2, limit, value, 'utf8', 'News.Headline');
    this.#view.setUint16(at, size, true);
    this.#headlineAt = at;
    this.#end = at + 2 + size;
    this.#part = 2;
    return this;
  }
  setHeadlineBytes(value: Uint8Array): this {
    this.#reach(1);
    const at = this.#end;
    if (value.length > 65535) throw outside('News.Headline', `${value.length} bytes`);
    if (at + 2 + value.length > this.#limit) throw noRoom('News.Headline');
    this.#octets.set(value, at + 2);
    this.#view.setUint16(at, value.length, true);
    this.#headlineAt = at;
    this.#end = at + 2 + value.length;
    this.#part = 2;
    return this;
  }
  #reach(part: number): void {
    if (part < this.#part) throw wrongOrder('News');
    if (this.#open !== undefined) {
      this.#end = this.#open.finish();
      this.#open = undefined;
    }
    if (this.#part <= 0 && part > 0) {
      this.#lines.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);
      this.#end = this.#lines.finish();
    }
    if (this.#part <= 1 && part > 1) {
      if (this.#end + 2 > this.#limit) throw noRoom('News.Headline');
      this.#view.setUint16(this.#end, 0, true);
      this.#headlineAt = this.#end;
      this.#end += 2;
    }
    this.#part = part;
  }
}
