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

/** The number is that of the numeric reject reasons (contract A.18.5); null if none fits. */
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
  const take = taking(bytes);
  if (take(4, 'magic').readUInt32LE() !== magic) {
    throw new CompactError('the magic is not SOEB', invalidMagic);
  }
  const given = take(2, 'version').readUInt16LE();
  if (given !== version) {
    throw new CompactError(`version ${given} is not supported, ${version} is`, unsupportedVersion);
  }
  const flags = take(2, 'flags').readUInt16LE();
  if (flags !== 0) throw new CompactError(`flags ${flags} are not known`);
  const key = take(take(2, 'key length').readUInt16LE(), 'key');
  if (!key.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    throw new CompactError('the key is not printable ASCII');
  }
  const count = take(2, 'count').readUInt16LE();
  if (count > maxActions) throw new CompactError(`${count} actions, at most ${maxActions}`);
  const actions = Array.from({ length: count }, (_, index) => decodeAction(take, index));
  take.end();
  return { idempotencyKey: key.toString('latin1'), actions };
}

function decodeAction(take: Take, index: number): CompactAction {
  const length = take(4, `length of action ${index}`).readUInt32LE();
  const canonical = take(length, `canonical bytes of action ${index}`);
  const given = take(1, `scheme of action ${index}`).readUInt8();
  const scheme = schemes[given - 1];
  if (scheme === undefined) throw new CompactError(`scheme ${given} of action ${index} is unknown`);
  return { canonical, scheme, signature: take(signatureLength, `signature of action ${index}`) };
}

type Take = ReturnType<typeof taking>;

/** The returned function reads the next `length` bytes. */
function taking(bytes: Uint8Array) {
  let left = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const take = (length: number, what: string) => {
    if (length > left.length) throw new CompactError(`the bytes end inside the ${what}`);
    const taken = left.subarray(0, length);
    left = left.subarray(length);
    return taken;
  };
  const end = () => {
    if (left.length > 0) throw new CompactError(`${left.length} bytes after the last action`);
  };
  return Object.assign(take, { end });
}
