/**
 * Frames between the bridge and a signer in another process; numbers are little-endian.
 *
 *     frame     length u32 of what follows | id u32 | kind u8 | body
 *     hello     version u16, anchor     answered by: version u16, anchor, the chain at the count of the
 *               anchor that was asked about 16, count u8, (account 20, address 20)*
 *     recall    account 20, floor u64, count u32, (nonce u64, digest 32)*                          not answered
 *     sign      count u8, (scheme u8, refused key 20 or zeros, length u32, canonical bytes)*
 *     signed    anchor, count u8, (0 u8, digest 32, signature 65, key 20 | code u8, length u16, text)*
 *     anchor    ledger id 16, count u64, chain 16: the last entry of the ledger, or the last that the bridge knows
 *
 * Every count and length is checked against the bytes that are there before anything is allocated.
 */
import type { Account } from '../domain/units.ts';
import { maxCanonicalBytes } from './canonical.ts';
import { keptNonces } from './digest-ledger.ts';
import type { Anchor } from './ledger-file.ts';
import { type Scheme, schemes } from './scheme.ts';
import { refusal, type SignRequest, type SignResult, signRefusals } from './signer.ts';

const protocolVersion = 3;
export const maxFrameBytes = 1_048_576;
export const maxRequestsInFrame = 128;
const maxTextBytes = 512;
/** In place of a key's address; no key has it. */
const noKey = `0x${'0'.repeat(40)}` as Account;
const kinds = { hello: 0, sign: 1, recall: 2 } as const;

interface Hello {
  readonly kind: 'hello';
  readonly id: number;
  readonly anchor: Anchor;
}

export interface HelloAnswer extends Hello {
  /** Of the signer's ledger at the count that the bridge named; zeros where it does not reach there. */
  readonly chain: string;
  readonly keys: ReadonlyMap<Account, Account>;
}

export type RequestFrame =
  | Hello
  | {
      readonly kind: 'recall';
      readonly id: number;
      readonly account: Account;
      readonly floor: number;
      readonly digests: ReadonlyMap<number, string>;
    }
  | { readonly kind: 'sign'; readonly id: number; readonly requests: readonly SignRequest[] };

export type AnswerFrame =
  | HelloAnswer
  | {
      readonly kind: 'signed';
      readonly id: number;
      readonly anchor: Anchor;
      readonly results: readonly SignResult[];
    };

/** The peer broke the protocol; the connection ends. */
export class FrameError extends Error {}

export function helloFrame(id: number, anchor: Anchor): Buffer {
  return frame(id, kinds.hello, [u16(protocolVersion), anchorBytes(anchor)]);
}

export function helloAnswer(
  id: number,
  { anchor, chain, keys }: Omit<HelloAnswer, 'kind' | 'id'>,
): Buffer {
  const pairs = [...keys].flatMap((pair) => pair.map(addressBytes));
  const head = [u16(protocolVersion), anchorBytes(anchor), Buffer.from(chain, 'hex')];
  return frame(id, kinds.hello, [...head, Buffer.of(keys.size), ...pairs]);
}

/** Only the newest digests: the signer keeps no others, and a frame has room for few times as many. */
export function recallFrame(
  account: Account,
  floor: number,
  digests: ReadonlyMap<number, string>,
): Buffer {
  const newest = [...digests].sort(([one], [other]) => one - other).slice(-keptNonces);
  const pairs = newest.map(([nonce, digest]) =>
    Buffer.concat([u64(nonce), Buffer.from(digest, 'hex')]),
  );
  const head = [addressBytes(account), u64(floor), u32(pairs.length)];
  return frame(0, kinds.recall, [...head, ...pairs]);
}

function addressBytes(address: Account): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}

function anchorBytes({ chain, count, id }: Anchor): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), u64(count), Buffer.from(chain, 'hex')]);
}

export function signFrame(id: number, requests: readonly SignRequest[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.of(requests.length)];
  for (const { canonical, refusedKey = noKey, scheme } of requests) {
    const head = [Buffer.of(schemes.indexOf(scheme)), addressBytes(refusedKey)];
    pieces.push(...head, u32(canonical.length), canonical);
  }
  return frame(id, kinds.sign, pieces);
}

export function signedFrame(id: number, anchor: Anchor, results: readonly SignResult[]): Buffer {
  const pieces: Uint8Array[] = [anchorBytes(anchor), Buffer.of(results.length)];
  for (const result of results) {
    if (result.kind === 'signed') {
      pieces.push(Buffer.of(0), result.digest, result.signature.bytes, addressBytes(result.key));
      continue;
    }
    const text = Buffer.from(result.text).subarray(0, maxTextBytes);
    pieces.push(Buffer.of(1 + signRefusals.indexOf(result.code)), u16(text.length), text);
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

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** `body` is a frame without its length. */
export function readRequest(body: Uint8Array): RequestFrame {
  const bytes = new Cursor(body);
  const id = bytes.u32();
  const kind = bytes.u8();
  if (kind === kinds.hello) {
    const anchor = bytes.hello();
    bytes.end();
    return { kind: 'hello', id, anchor };
  }
  if (kind === kinds.recall) return readRecall(bytes, id);
  if (kind !== kinds.sign) throw new FrameError(`no frame of kind ${kind}`);
  const count = bytes.u8();
  if (count < 1 || count > maxRequestsInFrame) throw new FrameError(`${count} requests in a frame`);
  const requests: SignRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    const scheme = oneOf<Scheme>(schemes, bytes.u8(), 'scheme');
    const refused = bytes.address();
    const length = bytes.u32();
    if (length > maxCanonicalBytes) throw new FrameError(`an action of ${length} bytes`);
    const refusedKey = refused === noKey ? undefined : refused;
    requests.push({ scheme, canonical: bytes.take(length), refusedKey });
  }
  bytes.end();
  return { kind: 'sign', id, requests };
}

function readRecall(bytes: Cursor, id: number): RequestFrame {
  const account = bytes.address();
  const floor = bytes.u64();
  const digests = new Map<number, string>();
  for (let left = bytes.u32(); left > 0; left -= 1) digests.set(bytes.u64(), bytes.hex(32));
  bytes.end();
  return { kind: 'recall', id, account, floor, digests };
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
    const anchor = bytes.hello();
    const chain = bytes.hex(16);
    const keys = new Map<Account, Account>();
    for (let left = bytes.u8(); left > 0; left -= 1) {
      keys.set(bytes.address(), bytes.address());
    }
    bytes.end();
    return { kind: 'hello', id, anchor, chain, keys };
  }
  if (kind !== kinds.sign) throw new FrameError(`no frame of kind ${kind}`);
  const results: SignResult[] = [];
  const anchor = bytes.anchor();
  const count = bytes.u8();
  for (let index = 0; index < count; index += 1) {
    const code = bytes.u8();
    if (code === 0) {
      const digest = bytes.take(32);
      const signature = { scheme: schemeOf(id, index), bytes: bytes.take(65) };
      results.push({ kind: 'signed', digest, signature, key: bytes.address() });
    } else {
      const name = oneOf(signRefusals, code - 1, 'refusal');
      const text = Buffer.from(bytes.take(bytes.u16())).toString();
      results.push(refusal(name, text));
    }
  }
  bytes.end();
  return { kind: 'signed', id, anchor, results };
}

function oneOf<T>(values: readonly T[], index: number, what: string): T {
  const value = values[index];
  if (value === undefined) throw new FrameError(`no ${what} ${index}`);
  return value;
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

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

  address(): Account {
    return `0x${this.hex(20)}` as Account;
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

  u64(): number {
    const value = this.#bytes.readBigUInt64LE(this.#move(8));
    if (value > maxSafe) throw new FrameError(`the number ${value} is over 2^53-1`);
    return Number(value);
  }

  hello(): Anchor {
    const version = this.u16();
    if (version === protocolVersion) return this.anchor();
    const text = `the other side speaks version ${version} of the signer's protocol, this one ${protocolVersion}`;
    throw new FrameError(`${text}: start both from the same release`);
  }

  anchor(): Anchor {
    return { id: this.hex(16), count: this.u64(), chain: this.hex(16) };
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

/** Cuts a byte stream into frames. An incomplete frame is kept, never more than one. */
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
