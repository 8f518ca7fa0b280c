/**
 * Splits a stream that arrives in arbitrary pieces into FIX messages (FIX 4.4 volume 2, "Message format" and "Garbled
 * messages").
 *
 *   8=FIX.4.4 | 9=BodyLength | 35=MsgType | … | 10=ddd |
 *                            '---- BodyLength bytes ---'
 *
 * Other bytes are garbled: they are reported once and skipped up to the next `8=FIX`. A BodyLength that is not a number
 * or exceeds the limit is fatal, because the rest of the stream cannot be trusted; nothing is buffered for it.
 */
import type { Dictionary } from './dictionary.ts';
import { FieldIndex, stride } from './field-index.ts';
import { Message } from './message.ts';
import { scan } from './scan.ts';

export interface DecoderLimits {
  /** The largest BodyLength(9), at most 999,999. */
  readonly maxBodyBytes: number;
  readonly maxFields: number;
  /**
   * A longer message is discarded as it arrives, and reported with its first fields and the fault `tooLong`, so that a
   * session can respond. Otherwise it is fatal.
   */
  readonly skipsLonger?: boolean;
}

/** A message above the limit, only the first fields of which are kept. */
interface Long {
  readonly head: Uint8Array;
  /** The number of bytes missing up to CheckSum(10), and the checksum of the bytes so far. */
  left: number;
  sum: number;
  last: number;
}

export const defaultDecoderLimits: DecoderLimits = { maxBodyBytes: 65_536, maxFields: 2048 };

/**
 * `message`: the next message is in `Decoder.message`. `garbled`: bytes were skipped because of `Decoder.reason`.
 * `fatal`: the stream is unusable, disconnect. `more`: there is no complete message, push the next piece.
 */
export type DecoderStep = 'message' | 'garbled' | 'fatal' | 'more';

const soh = 1;
const equals = 61;
const maxBeginStringBytes = 12;
const trailerBytes = 7;
/** The header of a long message fits into this many bytes. */
const headBytes = 1024;
/** The maximum size of a decoder's buffer between messages, because a thousand idle sessions are not unusual. */
const maxIdleBytes = 16_384;
/** `8=FIX`, with which every message of every FIX version starts. */
const magic = Uint8Array.from([56, 61, 70, 73, 88]);

export class Decoder {
  readonly message: Message;
  /** The reason why the last step was `garbled` or `fatal`. */
  reason = '';
  readonly #limits: DecoderLimits;
  readonly #index: FieldIndex;
  /** The bytes being decoded: the piece itself, or `#kept` followed by the piece. */
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #kept = new Uint8Array(0);
  #isKept = false;
  #isSkipping = false;
  /** The position where the search for the next message starts after a garbled one. */
  #resumeAt = 0;
  #isLost = false;
  #long: Long | undefined;
  readonly #isLikeQuickFix: boolean;

  constructor(
    dictionary: Dictionary,
    limits: DecoderLimits = defaultDecoderLimits,
    dialect: 'house' | 'quickfix' = 'house',
  ) {
    if (!(limits.maxBodyBytes > 0 && limits.maxBodyBytes <= 999_999)) {
      throw new RangeError(`maxBodyBytes ${limits.maxBodyBytes} is not 1..999999`);
    }
    this.#limits = limits;
    this.#index = new FieldIndex(dictionary);
    this.message = new Message(this.#index);
    this.#isLikeQuickFix = dialect === 'quickfix';
  }

  /** Adds a piece, which must remain valid until `next` has returned `more`. */
  push(piece: Uint8Array): void {
    if (this.#at === this.#end) {
      if (this.#kept.length > maxIdleBytes) this.#kept = new Uint8Array(0);
      this.#bytes = piece;
      this.#at = 0;
      this.#end = piece.length;
      this.#isKept = false;
      return;
    }
    if (this.#isLost) return;
    this.#keep(piece.length);
    this.#kept.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Copies the remaining bytes, which are read later, because the piece does not remain valid. */
  hold(): void {
    this.#more();
  }

  next(): DecoderStep {
    for (;;) {
      if (this.#isLost) return 'fatal';
      if (this.#long !== undefined) return this.#passLong(this.#long);
      if (this.#isSkipping && !this.#sync()) return this.#more();
      const start = this.#at;
      const length = this.#frame(start);
      if (length === 0) return this.#more();
      if (length < 0) {
        if (this.#isLost) return 'fatal';
        if (this.#long !== undefined) continue;
        const isNews = !this.#isSkipping;
        this.#isSkipping = true;
        this.#at = this.#resumeAt;
        if (isNews) return 'garbled';
        continue;
      }
      this.#isSkipping = false;
      this.#at = start + length;
      this.#index.open(this.#bytes, start, start + length);
      const sum = scan(this.#index, this.#limits.maxFields);
      if (sum === this.#checkSum(start + length)) {
        if (this.#index.fields[2 * stride] === 35) return 'message';
        this.reason = 'MsgType(35) is not the third field';
      } else this.reason = 'CheckSum(10) is wrong';
      return 'garbled';
    }
  }

  /** The length of the frame at `start`; 0 if it is incomplete, -1 if it is not a frame. */
  #frame(start: number): number {
    const bytes = this.#bytes;
    const end = this.#end;
    const matched = magicAt(bytes, start, end);
    if (start + matched === end) return 0;
    if (matched < magic.length) return this.#garbled('BeginString(8) expected');
    let at = start + magic.length;
    const last = start + magic.length + maxBeginStringBytes;
    for (; bytes[at] !== soh || at >= end; at++) {
      if (at >= end) return 0;
      if (at >= last) return this.#garbled('BeginString(8) is too long');
    }
    if (at + 1 >= end) return 0;
    if (bytes[at + 1] !== 57) return this.#garbled('BodyLength(9) is not the second field');
    if (at + 2 >= end) return 0;
    if (bytes[at + 2] !== equals) return this.#garbled('BodyLength(9) is not the second field');
    at += 3;
    let bodyBytes = 0;
    const digitsFrom = at;
    for (; bytes[at] !== soh || at >= end; at++) {
      if (at >= end) return 0;
      const digit = (bytes[at] as number) - 48;
      if (digit < 0 || digit > 9) return this.#fatal('BodyLength(9) is not a number');
      bodyBytes = bodyBytes * 10 + digit;
      if (at - digitsFrom >= 6) return this.#fatal('BodyLength(9) has more than 6 digits');
    }
    if (at === digitsFrom) return this.#fatal('BodyLength(9) is empty');
    if (bodyBytes > this.#limits.maxBodyBytes) {
      if (this.#limits.skipsLonger) return this.#beginLong(start, at + 1 + bodyBytes);
      return this.#fatal(`BodyLength(9) ${bodyBytes} is above ${this.#limits.maxBodyBytes}`);
    }
    const trailer = at + 1 + bodyBytes;
    if (trailer + trailerBytes > end) return 0;
    if (this.#isTrailer(trailer, bytes[trailer - 1])) return trailer + trailerBytes - start;
    const reason = 'BodyLength(9) does not lead to CheckSum(10)';
    return this.#isLikeQuickFix ? this.#swallow(trailer - 1, reason) : this.#garbled(reason);
  }

  /** Returns 0 if the first fields of a long message, up to `trailer`, are incomplete. */
  #beginLong(start: number, trailer: number): number {
    const until = Math.min(trailer, start + headBytes);
    if (until > this.#end) return 0;
    const head = this.#bytes.slice(start, until);
    this.#isSkipping = false;
    const whole = head.subarray(0, head.lastIndexOf(soh) + 1);
    this.#long = { head: whole, left: trailer - start, sum: 0, last: 0 };
    return -1;
  }

  #passLong(long: Long): DecoderStep {
    const bytes = this.#bytes;
    const until = Math.min(this.#end, this.#at + long.left);
    for (let at = this.#at; at < until; at++) long.sum += bytes[at] as number;
    if (until > this.#at) long.last = bytes[until - 1] as number;
    long.left -= until - this.#at;
    this.#at = until;
    if (long.left > 0 || this.#end - until < trailerBytes) return this.#more();
    this.#long = undefined;
    const end = until + trailerBytes;
    if (!this.#isTrailer(until, long.last) || (long.sum & 255) !== this.#checkSum(end)) {
      this.#garbled('the BodyLength of a message above the limit is wrong', until);
      this.#isSkipping = true;
      return 'garbled';
    }
    const head = Buffer.concat([long.head, bytes.subarray(until, end)]);
    this.#at = end;
    this.#index.open(head, 0, head.length);
    scan(this.#index, this.#limits.maxFields);
    this.#index.fault = 'tooLong';
    this.#index.faultTag = 9;
    return 'message';
  }

  /** QuickFIX treats everything up to the next CheckSum(10) as one garbled message. Returns 0 if it is incomplete. */
  #swallow(from: number, reason: string): number {
    const bytes = this.#bytes.subarray(0, this.#end);
    const trailer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(
      '\u000110=',
      from,
    );
    const last = trailer < 0 ? -1 : bytes.indexOf(soh, trailer + 1);
    if (last >= 0) return this.#garbled(reason, last + 1);
    return this.#end - from > this.#limits.maxBodyBytes ? this.#garbled(reason) : 0;
  }

  #isTrailer(at: number, before: number | undefined): boolean {
    const bytes = this.#bytes;
    if (before !== soh || bytes[at] !== 49 || bytes[at + 1] !== 48) return false;
    if (bytes[at + 2] !== equals || bytes[at + 6] !== soh) return false;
    for (let i = 3; i < 6; i++) {
      const byte = bytes[at + i] as number;
      if (byte < 48 || byte > 57) return false;
    }
    return true;
  }

  /** The value of the CheckSum(10) that ends at `end`. */
  #checkSum(end: number): number {
    const bytes = this.#bytes;
    const hundreds = (bytes[end - 4] as number) - 48;
    const tens = (bytes[end - 3] as number) - 48;
    return hundreds * 100 + tens * 10 + (bytes[end - 2] as number) - 48;
  }

  #garbled(reason: string, resumeAt = this.#at + 1): number {
    this.#resumeAt = resumeAt;
    if (!this.#isSkipping) this.reason = reason;
    return -1;
  }

  #fatal(reason: string): number {
    this.reason = reason;
    this.#isLost = true;
    this.#at = this.#end;
    return -1;
  }

  /**
   * Moves to the next `8=FIX`. Returns false if there is none, and then drops everything except a possible start of
   * one. The text may be part of a Text(58), but in that case no BodyLength(9) follows and the search continues.
   */
  #sync(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    for (let at = this.#at; at < end; at++) {
      const matched = magicAt(bytes, at, end);
      if (matched === magic.length || (matched > 0 && at + matched === end)) {
        this.#at = at;
        return matched === magic.length;
      }
    }
    this.#at = end;
    return false;
  }

  /** Keeps the remaining bytes, because the piece does not remain valid. */
  #more(): DecoderStep {
    if (this.#at < this.#end) this.#keep(0);
    return 'more';
  }

  /** Moves the remaining bytes to the start of the buffer, with room for `extra` more. */
  #keep(extra: number): void {
    const rest = this.#end - this.#at;
    const needed = rest + extra;
    if (this.#kept.length < needed) {
      const kept = new Uint8Array(Math.max(1024, 2 ** Math.ceil(Math.log2(needed))));
      kept.set(this.#bytes.subarray(this.#at, this.#end));
      this.#kept = kept;
    } else if (this.#isKept) {
      if (this.#at > 0) this.#kept.copyWithin(0, this.#at, this.#end);
    } else {
      this.#kept.set(this.#bytes.subarray(this.#at, this.#end));
    }
    this.#bytes = this.#kept;
    this.#isKept = true;
    this.#at = 0;
    this.#end = rest;
  }
}

/** The number of bytes of `8=FIX` found at a position. */
function magicAt(bytes: Uint8Array, at: number, end: number): number {
  let matched = 0;
  while (matched < magic.length && at + matched < end && bytes[at + matched] === magic[matched]) {
    matched += 1;
  }
  return matched;
}
