import type { CompactBatch } from '../../src/sandbox/compact.ts';

const schemes = { ecdsa: 1, eip191: 2 } as const;

/** What a client writes for a batch of `sandbox-compact-1`. */
export function encodeCompact({ idempotencyKey, actions }: CompactBatch): Buffer {
  const key = Buffer.from(idempotencyKey, 'latin1');
  const head = Buffer.alloc(10);
  head.write('SOEB');
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(key.length, 8);
  const count = Buffer.alloc(2);
  count.writeUInt16LE(actions.length, 0);
  const parts: Uint8Array[] = [head, key, count];
  for (const { canonical, scheme, signature } of actions) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(canonical.length, 0);
    parts.push(length, canonical, Buffer.of(schemes[scheme]), signature);
  }
  return Buffer.concat(parts);
}
