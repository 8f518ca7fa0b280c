/**
 * A batch of entries for the trail's thread, in one buffer: the order path only pays for copying some hundred bytes.
 *
 *   kind u8 | at f64 (Unix µs) | name length u8 | name | length u32 | bytes
 */
export const trailKinds = ['in', 'out', 'journal', 'request', 'answer'] as const;
export type TrailKind = (typeof trailKinds)[number];

export interface TrailEntry {
  readonly kind: TrailKind;
  readonly atUs: number;
  /** The session of bytes, otherwise the account. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const fixedBytes = 1 + 8 + 1 + 4;
const longestName = 255;

export class TrailBatch {
  readonly #buffer: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.from(new ArrayBuffer(capacity));
  }

  get length(): number {
    return this.#length;
  }

  /** Returns false, without adding anything, if there is no room. */
  add(kind: TrailKind, atUs: number, name: string, content: Uint8Array | string): boolean {
    const size = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    const nameSize = Buffer.byteLength(name);
    if (nameSize > longestName) return true;
    if (this.#length + fixedBytes + nameSize + size > this.#buffer.length) return false;
    const buffer = this.#buffer;
    let at = buffer.writeUInt8(trailKinds.indexOf(kind), this.#length);
    at = buffer.writeDoubleLE(atUs, at);
    at = buffer.writeUInt8(nameSize, at);
    at += buffer.write(name, at);
    at = buffer.writeUInt32LE(size, at);
    if (typeof content === 'string') buffer.write(content, at);
    else buffer.set(content, at);
    this.#length = at + size;
    return true;
  }

  /** The contents of the batch, which may be handed to another thread. */
  get buffer(): ArrayBuffer {
    return this.#buffer.buffer as ArrayBuffer;
  }
}

/** The minimum size of a batch with one entry. */
export function entryBytes(name: string, content: Uint8Array | string): number {
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  return fixedBytes + Buffer.byteLength(name) + size;
}

/** The bytes of the entries are views of the batch. */
export function* readBatch(batch: ArrayBuffer, length: number): IterableIterator<TrailEntry> {
  const buffer = Buffer.from(batch, 0, length);
  let at = 0;
  while (at < length) {
    const kind = trailKinds[buffer.readUInt8(at)];
    if (kind === undefined) throw new Error('a batch holds an unknown kind');
    const atUs = buffer.readDoubleLE(at + 1);
    const nameEnd = at + 10 + buffer.readUInt8(at + 9);
    const name = buffer.toString('utf8', at + 10, nameEnd);
    const start = nameEnd + 4;
    at = start + buffer.readUInt32LE(nameEnd);
    yield { kind, atUs, name, bytes: buffer.subarray(start, at) };
  }
}
