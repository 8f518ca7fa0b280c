/**
 * Frames between the bridge and a signer in another process; numbers are little-endian.
 *
 *     frame     length u32 of what follows | id u32 | kind u8 | body
 *     hello     version u16                               answered by: version u16, count u8, (account 20, address 20)*
 *     sign      count u8, (scheme u8, proof u8, [digest 32], length u32, canonical bytes)*
 *     signed    count u8, (0 u8, digest 32, signature 65 | code u8, digest 32, length u16, text)*
 *
 * Every count and length is checked against the bytes that are there before anything is allocated.
 */
import type { Account } from '../domain/units.ts';
import { maxCanonicalBytes } from './canonical.ts';
import { proofs } from './digest-ledger.ts';
import { type Scheme, schemes } from './scheme.ts';
import { refusal, type SignRequest, type SignResult, signRefusals } from './signer.ts';

export const protocolVersion = 1;
export const maxFrameBytes = 1_048_576;
export const maxRequestsInFrame = 128;
const maxTextBytes = 512;
const kinds = { hello: 0, sign: 1 } as const;

export type RequestFrame =
  | { readonly kind: 'hello'; readonly id: number; readonly version: number }
  | { readonly kind: 'sign'; readonly id: number; readonly requests: readonly SignRequest[] };

export type AnswerFrame =
  | {
      readonly kind: 'hello';
      readonly id: number;
      readonly version: number;
      readonly keys: ReadonlyMap<Account, Account>;
    }
  | { readonly kind: 'signed'; readonly id: number; readonly results: readonly SignResult[] };

/** The peer broke the protocol; the connection ends. */
export class FrameError extends Error {}

export function helloFrame(id: number): Buffer {
  return frame(id, kinds.hello, [u16(protocolVersion)]);
}

export function helloAnswer(id: number, keys: ReadonlyMap<Account, Account>): Buffer {
  const pairs = [...keys].flatMap((pair) => pair.map((one) => Buffer.from(one.slice(2), 'hex')));
  return frame(id, kinds.hello, [u16(protocolVersion), Buffer.of(keys.size), ...pairs]);
}

export function signFrame(id: number, requests: readonly SignRequest[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.of(requests.length)];
  for (const { canonical, scheme, supersedes } of requests) {
    const proof = supersedes === null ? 0 : 1 + proofs.indexOf(supersedes.proof);
    pieces.push(Buffer.of(schemes.indexOf(scheme), proof));
    if (supersedes !== null) pieces.push(Buffer.from(supersedes.digest, 'hex'));
    pieces.push(u32(canonical.length), canonical);
  }
  return frame(id, kinds.sign, pieces);
}

export function signedFrame(id: number, results: readonly SignResult[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.of(results.length)];
  for (const result of results) {
    if (result.kind === 'signed') {
      pieces.push(Buffer.of(0), result.digest, result.signature.bytes);
      continue;
    }
    const digest = Buffer.alloc(32);
    digest.write(result.digest ?? '', 'hex');
    const text = Buffer.from(result.text).subarray(0, maxTextBytes);
    pieces.push(Buffer.of(1 + signRefusals.indexOf(result.code)), digest, u16(text.length), text);
  }
  return frame(id, kinds.sign, pieces);
}

function frame(id: number, kind: number, body: readonly Uint8Array[]): Buffer {
  const rest = Buffer.concat([u32(id), Buffer.of(kind), ...body]);
  return Buffer.concat([u32(rest.length), rest]);
}

function u16(value: number): Buffer {
  return Buffer.of(value & 0xff, value >> 8);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** `body` is a frame without its length. */
export function readRequest(body: Uint8Array): RequestFrame {
  const bytes = new Cursor(body);
  const id = bytes.u32();
  const kind = bytes.u8();
  if (kind === kinds.hello) {
    const version = bytes.u16();
    bytes.end();
    return { kind: 'hello', id, version };
  }
  if (kind !== kinds.sign) throw new FrameError(`no frame of kind ${kind}`);
  const count = bytes.u8();
  if (count < 1 || count > maxRequestsInFrame) throw new FrameError(`${count} requests in a frame`);
  const requests: SignRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    const scheme = oneOf<Scheme>(schemes, bytes.u8(), 'scheme');
    const proof = bytes.u8();
    const supersedes =
      proof === 0 ? null : { proof: oneOf(proofs, proof - 1, 'proof'), digest: bytes.hex(32) };
    const length = bytes.u32();
    if (length > maxCanonicalBytes) throw new FrameError(`an action of ${length} bytes`);
    requests.push({ scheme, supersedes, canonical: bytes.take(length) });
  }
  bytes.end();
  return { kind: 'sign', id, requests };
}

/** `schemeNames` are the names of the profile: the wire carries numbers. */
export function readAnswer(
  body: Uint8Array,
  schemeOf: (id: number, index: number) => string,
): AnswerFrame {
  const bytes = new Cursor(body);
  const id = bytes.u32();
  const kind = bytes.u8();
  if (kind === kinds.hello) {
    const version = bytes.u16();
    const keys = new Map<Account, Account>();
    for (let left = bytes.u8(); left > 0; left -= 1) {
      keys.set(`0x${bytes.hex(20)}` as Account, `0x${bytes.hex(20)}` as Account);
    }
    bytes.end();
    return { kind: 'hello', id, version, keys };
  }
  if (kind !== kinds.sign) throw new FrameError(`no frame of kind ${kind}`);
  const results: SignResult[] = [];
  const count = bytes.u8();
  for (let index = 0; index < count; index += 1) {
    const code = bytes.u8();
    const digest = bytes.take(32);
    if (code === 0) {
      const signature = { scheme: schemeOf(id, index), bytes: bytes.take(65) };
      results.push({ kind: 'signed', digest, signature });
    } else {
      const name = oneOf(signRefusals, code - 1, 'refusal');
      const text = Buffer.from(bytes.take(bytes.u16())).toString();
      const earlier = name === 'other_digest' ? Buffer.from(digest).toString('hex') : null;
      results.push(refusal(name, text, earlier));
    }
  }
  bytes.end();
  return { kind: 'signed', id, results };
}

function oneOf<T>(values: readonly T[], index: number, what: string): T {
  const value = values[index];
  if (value === undefined) throw new FrameError(`no ${what} ${index}`);
  return value;
}

class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** A view: sockets do not use the memory of a frame again. */
  take(length: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    return new Uint8Array(buffer, byteOffset + this.#move(length), length);
  }

  hex(length: number): string {
    return this.#bytes.toString('hex', this.#move(length), this.#at);
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#move(1));
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#move(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#move(4));
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new FrameError('bytes after the end of a frame');
  }

  #move(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new FrameError('a frame ends too early');
    this.#at = from + length;
    return from;
  }
}

/** Cuts a byte stream into frames. What is not yet whole is kept, never more than one frame. */
export class FrameSplitter {
  #kept = Buffer.alloc(0);

  /** Calls back with each whole frame without its length; its bytes are not used again. */
  push(chunk: Uint8Array, onFrame: (body: Uint8Array) => void): void {
    let bytes = this.#kept.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#kept, chunk]);
    while (bytes.length >= 4) {
      const length = bytes.readUInt32LE(0);
      if (length < 5 || length > maxFrameBytes) throw new FrameError(`a frame of ${length} bytes`);
      if (bytes.length < 4 + length) break;
      onFrame(bytes.subarray(4, 4 + length));
      bytes = bytes.subarray(4 + length);
    }
    this.#kept = Buffer.from(bytes);
  }
}
