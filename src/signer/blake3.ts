/**
 * blake3-256. The reference is @noble/hashes; hash-wasm is taken where installed, after it has given the same
 * bytes for the lengths at which the algorithm branches (block, chunk, tree).
 */
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js';

/** 32 bytes that belong to the caller. */
export type Blake3 = (bytes: Uint8Array) => Uint8Array;

export const referenceBlake3: Blake3 = (bytes) => nobleBlake3(bytes);

let fastest: ReturnType<typeof prove> | undefined;

/** The fastest implementation that proves itself, once in the life of a process; the reference when none does. */
export function fastestBlake3(): ReturnType<typeof prove> {
  fastest ??= prove();
  return fastest;
}

async function prove(): Promise<{ readonly name: string; readonly blake3: Blake3 }> {
  const wasm = await wasmBlake3();
  if (wasm !== undefined && agrees(wasm)) return { name: 'hash-wasm', blake3: wasm };
  return { name: 'noble', blake3: referenceBlake3 };
}

export async function wasmBlake3(): Promise<Blake3 | undefined> {
  try {
    const { createBLAKE3 } = await import('hash-wasm');
    const hasher = await createBLAKE3();
    return (bytes) => hasher.init().update(bytes).digest('binary');
  } catch {
    return undefined;
  }
}

const lengths = [0, 1, 63, 64, 65, 127, 128, 129, 300, 1023, 1024, 1025, 2048, 2049, 3073, 65_536];

/** Whether an implementation gives the reference's bytes at every length where the algorithm branches. */
export function agrees(candidate: Blake3): boolean {
  const input = Uint8Array.from({ length: 65_536 }, (_, index) => index % 251);
  return lengths.every((length) => {
    const piece = input.subarray(0, length);
    return Buffer.compare(candidate(piece), referenceBlake3(piece)) === 0;
  });
}
