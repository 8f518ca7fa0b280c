/**
 * Adds header and trailer to message bodies (FIX 4.4 "Standard Message Header"). There is one framer for each session
 * and direction. Frames are concatenated, so that a batch is sent in one piece. After the first three, header fields
 * are in the order of their tags:
 *
 *   8 9 35 | 34 43 49 50 52 56 57 97 115 116 122 128 129 144 145 369 | body | 10
 */
import { FieldWriter } from './field-writer.ts';
import { beginString, type SessionIdentity } from './session-settings.ts';

/** Header fields of one message in addition to those of the session. */
export interface HeaderExtras {
  readonly possDup?: boolean;
  readonly possResend?: boolean;
  /** The text of fields from 115 to 145, by tag. */
  readonly texts?: Readonly<Record<number, string>>;
  readonly lastMsgSeqNumProcessed?: number | undefined;
}

/** OnBehalfOf and DeliverTo of a message, each with the field that returns it to the sender in a response. */
export const returned: readonly (readonly [from: number, back: number])[] = [
  [128, 115],
  [129, 116],
  [115, 128],
  [116, 129],
  [145, 144],
  [144, 145],
];

const soh = 1;
const equals = 61;
const zero = 48;
const lengthDigits = 3;
const noExtras: HeaderExtras = {};
const longestBody = 999_999;
/** PossDupFlag(43) and OrigSendingTime(122), which a message gets when it is sent again. */
const resendRoom = 32;
/** A longer body may not fit into a message with its header. */
export const longestWritten = 998_000;
/** The fields of the header that a framer writes, after the first three. */
const headerTags = new Set([
  34, 43, 49, 50, 52, 56, 57, 97, 115, 116, 122, 128, 129, 144, 145, 369,
]);

export class Framer {
  readonly #out: FieldWriter;
  /** `8=…|9=000|`: most bodies have a three-digit length; for another length the frame is moved. */
  readonly #prefix: Uint8Array;
  /** 49 and 50; 56 and 57. */
  readonly #sender: Uint8Array;
  readonly #target: Uint8Array;

  constructor(header: SessionIdentity, out = new FieldWriter(4096)) {
    this.#out = out;
    this.#prefix = new FieldWriter().text(8, beginString).text(9, '000').bytes;
    const sender = new FieldWriter().text(49, header.senderCompId);
    if (header.senderSubId !== undefined) sender.text(50, header.senderSubId);
    this.#sender = sender.bytes;
    const target = new FieldWriter().text(56, header.targetCompId);
    if (header.targetSubId !== undefined) target.text(57, header.targetSubId);
    this.#target = target.bytes;
  }

  /** All frames since the last `clear`, concatenated; valid until the next frame. */
  get frames(): Uint8Array {
    return this.#out.bytes;
  }

  clear(): void {
    this.#out.clear();
  }

  /** Adds one message and returns its bytes, which are valid until the next frame. */
  frame(...message: Parameters<Framer['add']>): Uint8Array {
    const start = this.#out.length;
    this.add(...message);
    return this.#out.bytes.subarray(start);
  }

  /** Adds one message. */
  add(
    msgType: string,
    msgSeqNum: number,
    sendingTimeMs: number,
    body: Uint8Array,
    extras: HeaderExtras = noExtras,
  ): void {
    const out = this.#out;
    const start = out.length;
    out.raw(this.#prefix).text(35, msgType).int(34, msgSeqNum);
    if (extras.possDup === true) out.bool(43, true);
    out.raw(this.#sender).utc(52, sendingTimeMs).raw(this.#target);
    if (extras !== noExtras) this.#writeExtras(extras);
    out.raw(body);
    this.#finish(start, longestBody - resendRoom);
  }

  /** Resends a stored message: the same bytes except for 43=Y, SendingTime(52) and OrigSendingTime(122). */
  reframe(stored: Uint8Array, sendingTimeMs: number): Uint8Array {
    const out = this.#out;
    const start = out.length;
    out.raw(this.#prefix);
    let origSendingTime: Uint8Array | undefined;
    let isOrigWritten = false;
    let at = fieldEnd(stored, fieldEnd(stored, 0));
    for (let tag = 35; tag === 35 || headerTags.has(tag); tag = tagAt(stored, at)) {
      const end = fieldEnd(stored, at);
      const valueAt = stored.indexOf(equals, at) + 1;
      if (tag > 122 && !isOrigWritten && origSendingTime !== undefined) {
        out.value(122, origSendingTime);
        isOrigWritten = true;
      }
      if (tag === 52) {
        origSendingTime = stored.subarray(valueAt, end - 1);
        out.utc(52, sendingTimeMs);
      } else if (tag !== 43 && tag !== 122) out.raw(stored.subarray(at, end));
      if (tag === 34) out.bool(43, true);
      at = end;
    }
    if (!isOrigWritten && origSendingTime !== undefined) out.value(122, origSendingTime);
    out.raw(stored.subarray(at, stored.length - 7));
    this.#finish(start);
    return out.bytes.subarray(start);
  }

  #writeExtras(extras: HeaderExtras): void {
    const out = this.#out;
    if (extras.possResend === true) out.bool(97, true);
    // Numeric keys of an object come in ascending order, which is that of the header.
    for (const [tag, text] of Object.entries(extras.texts ?? {})) out.text(Number(tag), text);
    if (extras.lastMsgSeqNumProcessed !== undefined) out.int(369, extras.lastMsgSeqNumProcessed);
  }

  /** Fills in BodyLength(9) and adds CheckSum(10). */
  #finish(start: number, longest = longestBody): void {
    const out = this.#out;
    const lengthAt = start + this.#prefix.length - lengthDigits - 1;
    const bodyBytes = out.length - start - this.#prefix.length;
    const digits =
      bodyBytes < 10 ? 1 : bodyBytes < 100 ? 2 : bodyBytes < 1000 ? 3 : String(bodyBytes).length;
    if (bodyBytes > longest) {
      out.clear(start);
      throw new RangeError(`a body of ${bodyBytes} bytes is longer than any BodyLength(9)`);
    }
    if (digits !== lengthDigits) out.move(lengthAt + lengthDigits, digits - lengthDigits);
    out.reserve(7);
    const bytes = out.buffer;
    let rest = bodyBytes;
    for (let at = lengthAt + digits - 1; at >= lengthAt; at--) {
      const tenth = Math.trunc(rest / 10);
      bytes[at] = zero + rest - tenth * 10;
      rest = tenth;
    }
    const end = out.length;
    const sum = sumOf(bytes, start, end) & 255;
    bytes[end] = 49;
    bytes[end + 1] = zero;
    bytes[end + 2] = equals;
    bytes[end + 3] = zero + Math.trunc(sum / 100);
    bytes[end + 4] = zero + (Math.trunc(sum / 10) % 10);
    bytes[end + 5] = zero + (sum % 10);
    bytes[end + 6] = soh;
    out.clear(end + 7);
  }
}

/** Adds eight bytes at a time, in two independent sums. */
function sumOf(bytes: Uint8Array, start: number, end: number): number {
  let even = 0;
  let odd = 0;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    even += (bytes[at] as number) + (bytes[at + 2] as number);
    odd += (bytes[at + 1] as number) + (bytes[at + 3] as number);
    even += (bytes[at + 4] as number) + (bytes[at + 6] as number);
    odd += (bytes[at + 5] as number) + (bytes[at + 7] as number);
  }
  for (; at < end; at++) even += bytes[at] as number;
  return even + odd;
}

/** The position after the field that starts at `at`. */
function fieldEnd(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(soh, at) + 1;
}

function tagAt(bytes: Uint8Array, at: number): number {
  let tag = 0;
  for (let i = at; bytes[i] !== equals && i < bytes.length; i++) {
    tag = tag * 10 + (bytes[i] as number) - zero;
  }
  return tag;
}
