/**
 * The compact byte batch `sandbox-compact-1` (contract G26), little-endian:
 *
 *     magic "SOEB" | u16 version = 1 | u16 flags = 0 | u16 length + Idempotency-Key (ASCII) | u16 count
 *     count times: u32 length + canonical bytes | u8 scheme (1 ECDSA, 2 EIP-191) | 65 bytes r, s, v
 */
export interface CompactAction {
  readonly canonical: Uint8Array;
  readonly scheme: 'ecdsa' | 'eip191';
  readonly signature: Uint8Array;
}

export interface CompactBatch {
  readonly idempotencyKey: string;
  readonly actions: readonly CompactAction[];
}

/** The number is that of the numeric reject reasons (contract A.18.5), null where none says it. */
export class CompactError extends Error {
  readonly number: number | null;

  constructor(message: string, number: number | null = null) {
    super(message);
    this.number = number;
  }
}

const magic = 0x42454f53;
const version = 1;
const signatureLength = 65;
const invalidMagic = 1;
const unsupportedVersion = 2;
const schemes = ['ecdsa', 'eip191'] as const;

export function decodeCompact(bytes: Uint8Array, maxActions: number): CompactBatch {
  const reader = new Reader(bytes);
  if (reader.u32('magic') !== magic) throw new CompactError('the magic is not SOEB', invalidMagic);
  const given = reader.u16('version');
  if (given !== version) {
    throw new CompactError(`version ${given} is not supported, ${version} is`, unsupportedVersion);
  }
  const flags = reader.u16('flags');
  if (flags !== 0) throw new CompactError(`flags ${flags} are not known`);
  const key = reader.bytes(reader.u16('key length'), 'key');
  if (!key.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    throw new CompactError('the key is not printable ASCII');
  }
  const count = reader.u16('count');
  if (count > maxActions) throw new CompactError(`${count} actions, at most ${maxActions}`);
  const actions: CompactAction[] = [];
  for (let index = 0; index < count; index += 1) actions.push(decodeAction(reader, index));
  reader.end();
  return { idempotencyKey: Buffer.from(key).toString('latin1'), actions };
}

function decodeAction(reader: Reader, index: number): CompactAction {
  const canonical = reader.bytes(
    reader.u32(`length of action ${index}`),
    `canonical bytes of action ${index}`,
  );
  const given = reader.u8(`scheme of action ${index}`);
  const scheme = schemes[given - 1];
  if (scheme === undefined) throw new CompactError(`scheme ${given} of action ${index} is unknown`);
  return {
    canonical,
    scheme,
    signature: reader.bytes(signatureLength, `signature of action ${index}`),
  };
}

class Reader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(what: string): number {
    return this.#view.getUint8(this.#take(1, what));
  }

  u16(what: string): number {
    return this.#view.getUint16(this.#take(2, what), true);
  }

  u32(what: string): number {
    return this.#view.getUint32(this.#take(4, what), true);
  }

  bytes(length: number, what: string): Uint8Array {
    const start = this.#take(length, what);
    return this.#bytes.subarray(start, start + length);
  }

  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw new CompactError(`${left} bytes after the last action`);
  }

  #take(length: number, what: string): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) {
      throw new CompactError(`the bytes end inside the ${what}`);
    }
    this.#at = start + length;
    return start;
  }
}
