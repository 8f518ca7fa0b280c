/**
 * The Simple Open Framing Header before each SBE message (FIX Simple Open Framing Header 1.0; FIXP 1.1, "Message
 * framing"). The length includes the header. A framing error is not recoverable: it ends the connection.
 *
 *   0            4                 6
 *   | length u32 | encoding type u16 | SBE message: header, block, groups, variable data |
 */

import type { FrameBuffer } from '../transport/session-outbox.ts';

/** The byte order of the framing header only; its content is little-endian. */
export type ByteOrder = 'big' | 'little';

export const framingHeaderSize = 6;
/** Four u16: blockLength, templateId, schemaId, version. */
export const messageHeaderSize = 8;
/** SBE 1.0, little-endian. */
const encodingType = 0xeb50;

/** `bad` is final; `reason` contains the cause. */
export type FrameStep = 'more' | 'message' | 'bad';

export class Deframer {
  readonly #order: ByteOrder;
  readonly #maxMessageBytes: number;
  /** The current piece, and the position in it. */
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The start of an incomplete message; its first `#carried` bytes are valid. */
  #carry = Buffer.alloc(framingHeaderSize);
  #carried = 0;
  #message: Uint8Array = Buffer.alloc(0);
  #reason = '';

  constructor(order: ByteOrder, maxMessageBytes: number) {
    this.#order = order;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** The SBE message of the last step, with its header; valid until the next call. */
  get message(): Uint8Array {
    return this.#message;
  }

  get reason(): string {
    return this.#reason;
  }

  /** `bytes` must remain valid until `next` has returned `more`. */
  push(bytes: Uint8Array): void {
    const { buffer, byteOffset, length } = bytes;
    this.#piece = Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, length);
    this.#at = 0;
  }

  /** Copies the remaining bytes, which are read later, because the piece does not remain valid. */
  hold(): void {
    this.#piece = Buffer.from(this.#piece.subarray(this.#at));
    this.#at = 0;
  }

  /** The messages that the bytes complete, up to an invalid frame; each is valid until the next. */
  *messages(bytes: Uint8Array): Generator<Uint8Array> {
    this.push(bytes);
    while (this.next() === 'message') yield this.#message;
  }

  next(): FrameStep {
    if (this.#reason !== '') return 'bad';
    return this.#carried === 0 ? this.#fromPiece() : this.#fromCarry();
  }

  /** The usual case: the piece contains the whole message, which is not copied. */
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

  /** Keeps the remaining bytes for the next piece. */
  #keep(left: number, size: number): FrameStep {
    if (left > 0) this.#fill(size);
    return 'more';
  }

  /** Moves bytes of the piece into the carry until it has `size`; returns false if there are too few. */
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

  /** The size in the header at `at`, or 0 if it is not a header. */
  #frameSize(bytes: Buffer, at: number): number {
    const isBig = this.#order === 'big';
    const size = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const encoding = isBig ? bytes.readUInt16BE(at + 4) : bytes.readUInt16LE(at + 4);
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

/** Concatenates frames, so that a transaction is sent in one piece. */
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

  /** The bytes written since the last `clear`. They are valid until the next write. */
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

/** Writes the header of a frame; `size` includes the header. */
export function writeFramingHeader(into: Buffer, at: number, size: number, order: ByteOrder): void {
  if (order === 'big') {
    into.writeUInt32BE(size, at);
    into.writeUInt16BE(encodingType, at + 4);
  } else {
    into.writeUInt32LE(size, at);
    into.writeUInt16LE(encodingType, at + 4);
  }
}

/** Returns a message in its own frame. */
export function framed(message: Uint8Array, order: ByteOrder): Buffer {
  const frame = Buffer.allocUnsafe(framingHeaderSize + message.length);
  writeFramingHeader(frame, 0, frame.length, order);
  frame.set(message, framingHeaderSize);
  return frame;
}

/** Whether the bytes start like a frame with SBE, in either byte order. */
export function isFramed(bytes: Uint8Array): boolean {
  const [, , , , first, second] = bytes;
  const [high, low] = [encodingType >> 8, encodingType & 0xff];
  return (first === high && second === low) || (first === low && second === high);
}

/** The size in the header of a frame, including the header. */
export function statedSize(bytes: Buffer): number {
  return orderOf(bytes) === 'little' ? bytes.readUInt32LE() : bytes.readUInt32BE();
}

/** The byte order of a connection's first frame; undefined if it is not known yet. */
export function orderOf(bytes: Uint8Array): ByteOrder | undefined {
  if (bytes.length < framingHeaderSize) return undefined;
  return bytes[4] === (encodingType & 0xff) && bytes[5] === encodingType >> 8 ? 'little' : 'big';
}
