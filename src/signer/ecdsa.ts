/**
 * secp256k1 signatures: RFC 6979 nonces, low s, 65 bytes r, s, v with v 0 or 1 (contract A.4, G13). The operator
 * chooses between @noble/curves, which is the reference and runs everywhere, and libsecp256k1 as native code. Either is
 * used only after it has reproduced known answers byte for byte, which RFC 6979 makes possible.
 */
import { randomBytes } from 'node:crypto';
import { arch, platform } from 'node:process';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { nativeAddon } from '../runtime/shipped.ts';
import { knownAnswers, order, toBytes } from './known-answers.ts';

export const backendNames = ['noble', 'secp256k1'] as const;
export type BackendName = (typeof backendNames)[number];

/** Where the package brings compiled code with it, so that nothing is compiled or downloaded. */
const prebuilt = ['linux-x64', 'darwin-arm64', 'win32-x64'];
export const defaultBackend: BackendName = prebuilt.includes(`${platform}-${arch}`)
  ? 'secp256k1'
  : 'noble';

export interface Ecdsa {
  readonly name: BackendName;
  sign(digest: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** 65 bytes, uncompressed. */
  publicKey(secretKey: Uint8Array): Uint8Array;
  /** The 65 bytes of the signer's public key, or undefined where the signature has none. */
  recover(digest: Uint8Array, signature: Uint8Array): Uint8Array | undefined;
}

export function nobleEcdsa(): Ecdsa {
  secp256k1.Point.BASE.precompute(8);
  return {
    name: 'noble',
    sign(digest, secretKey) {
      const recovered = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
      return joined(recovered.subarray(1), recovered[0] ?? 0);
    },
    publicKey: (secretKey) => secp256k1.getPublicKey(secretKey, false),
    recover(digest, signature) {
      const recovered = new Uint8Array(65);
      recovered[0] = signature[64] ?? 0;
      recovered.set(signature.subarray(0, 64), 1);
      return orUndefined(() => {
        const compressed = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
        return secp256k1.Point.fromBytes(compressed).toBytes(false);
      });
    },
  };
}

/** libsecp256k1 through its C binding. The package's JavaScript fallback is not used: nothing would show its use. */
async function nativeEcdsa(): Promise<Ecdsa> {
  const { default: wrap } = (await import('secp256k1/lib/index.js' as string)) as {
    default(addon: object): NativeBinding;
  };
  const { Secp256k1 } = nativeAddon('secp256k1') as { Secp256k1: new () => object };
  const native = wrap(new Secp256k1());
  native.contextRandomize(randomBytes(32));
  // Memory that native code reads or writes is moved out of the heap for good, so it is always the same here.
  const message = Buffer.alloc(32);
  const compact = Buffer.alloc(64);
  return {
    name: 'secp256k1',
    sign(digest, secretKey) {
      message.set(digest);
      const { recid } = native.ecdsaSign(message, secretKey, undefined, compact);
      return joined(compact, recid);
    },
    publicKey: (secretKey) => native.publicKeyCreate(secretKey, false),
    recover: (digest, signature) =>
      orUndefined(() =>
        native.ecdsaRecover(signature.subarray(0, 64), signature[64] ?? 0, digest, false),
      ),
  };
}

interface NativeBinding {
  contextRandomize(seed: Uint8Array): void;
  ecdsaSign(
    digest: Uint8Array,
    secretKey: Uint8Array,
    options: undefined,
    signature: Uint8Array,
  ): { readonly recid: number };
  publicKeyCreate(secretKey: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaRecover(
    signature: Uint8Array,
    recid: number,
    digest: Uint8Array,
    compressed: boolean,
  ): Uint8Array;
}

const loaders = { secp256k1: nativeEcdsa, noble: async () => nobleEcdsa() };

/** A backend proves itself once in the life of a process, however often it is opened. */
const proven = new Map<BackendName, Promise<Ecdsa>>();

/** A backend that was chosen must be there and must prove itself: nothing takes its place silently. */
export function openEcdsa(wanted: BackendName = defaultBackend): Promise<Ecdsa> {
  const ecdsa = proven.get(wanted) ?? prove(wanted);
  proven.set(wanted, ecdsa);
  return ecdsa;
}

async function prove(wanted: BackendName): Promise<Ecdsa> {
  const backend = await loaders[wanted]().catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const text = `signing backend ${wanted} cannot be loaded on ${platform}-${arch}: ${why}. Install the package ${wanted}, or choose noble, which needs none`;
    throw new Error(text, { cause });
  });
  const problem = faultOf(backend);
  if (problem === undefined) return backend;
  throw new Error(`signing backend ${wanted} fails its self-test: ${problem} is wrong`);
}

/**
 * RFC 6979 reduces such a digest before it derives k, libsecp256k1 does not: both signatures are valid, and a hash
 * falls here once in 2^128. Only what they recover to is checked.
 */
const beyondOrder = [order, order + 1n, 2n ** 256n - 1n].map(toBytes);

const halfOrder = toBytes(order / 2n);

/** The first thing that a backend gets wrong; undefined if it gets everything right. */
export function faultOf(backend: Ecdsa): string | undefined {
  for (const [index, known] of knownAnswers.entries()) {
    const { digest, publicKey, secret, signature } = known;
    if (!same(backend.sign(digest, secret), signature)) return `signature ${index}`;
    if (!same(backend.publicKey(secret), publicKey)) return `public key ${index}`;
    if (!same(backend.recover(digest, signature), publicKey)) return `recovery ${index}`;
  }
  const secret = secp256k1.utils.randomSecretKey();
  const publicKey = backend.publicKey(secret);
  for (const digest of [randomBytes(32), ...beyondOrder]) {
    const signature = backend.sign(digest, secret);
    if (!hasLowS(signature)) return 's above half the order';
    if (!same(backend.recover(digest, signature), publicKey))
      return 'recovery of its own signature';
  }
  const nobody = new Uint8Array(65);
  return backend.recover(randomBytes(32), nobody) === undefined ? undefined : 'recovery from zeros';
}

/** A signature with s above half the order is the malleable twin of one below. */
export function hasLowS(signature: Uint8Array): boolean {
  const s = signature.subarray(32, 64);
  return Buffer.compare(s, halfOrder) <= 0 && s.some((byte) => byte !== 0);
}

/** The 64 bytes r and s with the lower of the two values of s that are valid. */
export function lowS(rAndS: Uint8Array): Uint8Array {
  const s = rAndS.subarray(32, 64);
  if (Buffer.compare(s, halfOrder) <= 0) return rAndS;
  const value = BigInt(`0x${Buffer.from(s).toString('hex')}`);
  if (value >= order) return rAndS;
  return Buffer.concat([rAndS.subarray(0, 32), toBytes(order - value)]);
}

/** From the pool of buffers, because an array of 65 bytes has memory of its own, and is the first length that has. */
function joined(compact: Uint8Array, recoveryId: number): Uint8Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(65);
  const signature = new Uint8Array(buffer, byteOffset, 65);
  signature.set(compact, 0);
  signature[64] = recoveryId;
  return signature;
}

function same(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && Buffer.compare(left, right) === 0;
}

/** The libraries throw at a signature that no key can have made. */
function orUndefined<T>(recover: () => T | undefined): T | undefined {
  try {
    return recover();
  } catch {
    return undefined;
  }
}
