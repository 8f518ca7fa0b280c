/**
 * The Simple Open Framing Header before each SBE message (FIX Simple Open Framing Header 1.0; FIXP 1.1, "Message
 * framing"). The length counts the header too. A fault of the framing cannot be recovered from: the connection ends.
 *
 *   0            4                 6
 *   | length u32 | encoding type u16 | SBE message: header, block, groups, variable data |
 */

import type { FrameBuffer } from '../transport/session-outbox.ts';

/** Of the framing header only; what it frames is little-endian. */
export type ByteOrder = 'big' | 'little';

export const framingHeaderSize = 6;
/** Four u16: blockLength, templateId, schemaId, version. */
export const messageHeaderSize = 8;
/** SBE 1.0, little-endian. */
const encodingType = 0xeb50;

/** `bad` is for good: `reason` says why. */
export type FrameStep = 'more' | 'message' | 'bad';

export class Deframer {
  readonly #order: ByteOrder;
  readonly #maxMessageBytes: number;
  /** The piece under way, and how far it was read. */
  #piece: Uint8Array = Buffer.alloc(0);
  #at = 0;
  /** The begin of a message whose rest has not come; its first `#carried` bytes count. */
  #carry = Buffer.alloc(framingHeaderSize);
  #carried = 0;
  #message: Uint8Array = Buffer.alloc(0);
  #reason = '';

  constructor(order: ByteOrder, maxMessageBytes: number) {
    this.#order = order;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** The SBE message of the last step, with its header: lent until the next call. */
  get message(): Uint8Array {
    return this.#message;
  }

  get reason(): string {
    return this.#reason;
  }

  /** `bytes` is lent until `next` has answered `more`. */
  push(bytes: Uint8Array): void {
    this.#piece = bytes;
    this.#at = 0;
  }

  /** The rest of the piece is read later: it is lent no longer. */
  hold(): void {
    this.#piece = Buffer.from(this.#piece.subarray(this.#at));
    this.#at = 0;
  }

  next(): FrameStep {
    if (this.#reason !== '') return 'bad';
    return this.#carried === 0 ? this.#fromPiece() : this.#fromCarry();
  }

  /** The usual case: a message lies whole in the piece, and is not copied. */
  #fromPiece(): FrameStep {
    const start = this.#at;
    const left = this.#piece.length - start;
    if (left < framingHeaderSize) return this.#keep(left, framingHeaderSize);
    const size = this.#frameSize(this.#piece, start);
    if (size === 0) return 'bad';
    if (left < size) return this.#keep(left, size);
    this.#at = start + size;
    this.#message = this.#piece.subarray(start + framingHeaderSize, this.#at);
    return 'message';
  }

  #fromCarry(): FrameStep {
    if (this.#carried < framingHeaderSize && !this.#fill(framingHeaderSize)) return 'more';
    const size = this.#frameSize(this.#carry, 0);
    if (size === 0) return 'bad';
    if (!this.#fill(size)) return 'more';
    this.#carried = 0;
    this.#message = this.#carry.subarray(framingHeaderSize, size);
    return 'message';
  }

  /** Carries the rest of the piece over to the next. */
  #keep(left: number, size: number): FrameStep {
    if (left > 0) this.#fill(size);
    return 'more';
  }

  /** Moves bytes of the piece into the carry until it holds `size`; false when there are too few. */
  #fill(size: number): boolean {
    if (this.#carry.length < size) {
      const grown = Buffer.allocUnsafe(size);
      this.#carry.copy(grown, 0, 0, this.#carried);
      this.#carry = grown;
    }
    const end = Math.min(this.#piece.length, this.#at + size - this.#carried);
    this.#carry.set(this.#piece.subarray(this.#at, end), this.#carried);
    this.#carried += end - this.#at;
    this.#at = end;
    return this.#carried === size;
  }

  /** The size that the header at `at` states, or 0 when it is none. */
  #frameSize(bytes: Uint8Array, at: number): number {
    const isBig = this.#order === 'big';
    const size = isBig ? readU32(bytes, at, 0, 1, 2, 3) : readU32(bytes, at, 3, 2, 1, 0);
    const [high, low] = isBig ? [bytes[at + 4], bytes[at + 5]] : [bytes[at + 5], bytes[at + 4]];
    const encoding = (high ?? 0) * 0x100 + (low ?? 0);
    if (encoding !== encodingType) {
      this.#reason = `encoding type 0x${encoding.toString(16)} is not SBE little-endian 0xeb50`;
    } else if (size < framingHeaderSize + messageHeaderSize) {
      this.#reason = `a frame of ${size} bytes holds no message`;
    } else if (size > this.#maxMessageBytes + framingHeaderSize) {
      this.#reason = `a frame of ${size} bytes is longer than ${this.#maxMessageBytes} and its header`;
    } else return size;
    return 0;
  }
}

/** Frames one after the other, so that a turn goes out in one piece. */
export class FrameWriter implements FrameBuffer {
  readonly #order: ByteOrder;
  #buffer = Buffer.allocUnsafe(4096);
  #length = 0;

  constructor(order: ByteOrder) {
    this.#order = order;
  }

  get length(): number {
    return this.#length;
  }

  /** What was written since the last `clear`. Lent until the next write. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  put(message: Uint8Array): void {
    const size = framingHeaderSize + message.length;
    if (this.#buffer.length < this.#length + size) {
      const grown = Buffer.allocUnsafe(2 * (this.#length + size));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    writeFramingHeader(this.#buffer, this.#length, size, this.#order);
    this.#buffer.set(message, this.#length + framingHeaderSize);
    this.#length += size;
  }
}

/** Writes the header of a frame of `size` bytes, itself included. */
export function writeFramingHeader(into: Buffer, at: number, size: number, order: ByteOrder): void {
  if (order === 'big') {
    into.writeUInt32BE(size, at);
    into.writeUInt16BE(encodingType, at + 4);
  } else {
    into.writeUInt32LE(size, at);
    into.writeUInt16LE(encodingType, at + 4);
  }
}

/** A message in a frame of its own. */
export function framed(message: Uint8Array, order: ByteOrder): Buffer {
  const frame = Buffer.allocUnsafe(framingHeaderSize + message.length);
  writeFramingHeader(frame, 0, frame.length, order);
  frame.set(message, framingHeaderSize);
  return frame;
}

/** Whether the bytes begin as a frame of SBE does, in either byte order. */
export function isFramed(bytes: Uint8Array): boolean {
  const [, , , , first, second] = bytes;
  const [high, low] = [encodingType >> 8, encodingType & 0xff];
  return (first === high && second === low) || (first === low && second === high);
}

/** The size that the header of a frame states, itself included. */
export function statedSize(bytes: Uint8Array): number {
  return orderOf(bytes) === 'little'
    ? readU32(bytes, 0, 3, 2, 1, 0)
    : readU32(bytes, 0, 0, 1, 2, 3);
}

/** The byte order that the first frame of a connection is in; undefined while it cannot be told. */
export function orderOf(bytes: Uint8Array): ByteOrder | undefined {
  if (bytes.length < framingHeaderSize) return undefined;
  return bytes[4] === (encodingType & 0xff) && bytes[5] === encodingType >> 8 ? 'little' : 'big';
}

function readU32(
  bytes: Uint8Array,
  at: number,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  const high = (bytes[at + a] ?? 0) * 0x1000000;
  return high + (((bytes[at + b] ?? 0) << 16) | ((bytes[at + c] ?? 0) << 8) | (bytes[at + d] ?? 0));
}
