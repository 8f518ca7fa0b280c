import { expect, test } from 'vitest';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { checkGoldenVectors } from '../../src/signer/golden-vectors.ts';
import type { GoldenVector } from '../../src/signer/signing-contract.ts';
import { sandboxSigningContract as contract } from './sandbox-contract.ts';
import { vector, vectors } from './signed-action-samples.ts';

const check = (goldenVectors: readonly GoldenVector[]) =>
  checkGoldenVectors(
    { ...contract, signing: { ...contract.signing, goldenVectors: [...goldenVectors] } },
    referenceBlake3,
  );

test('R17: all vectors of part F pass', () => {
  expect(() => check(vectors)).not.toThrow();
});

const flipped = (hash: string) => `${hash.slice(0, -1)}${hash.endsWith('0') ? '1' : '0'}`;

test('R17: one wrong digit anywhere stops the start and names the vector', () => {
  const v1 = vector('V1');
  const v6 = vector('V6');
  expect(() => check([{ ...v1, actionHash: flipped(v1.actionHash) }])).toThrow(/V1.*actionHash is/);
  expect(() => check([{ ...v1, orderId: flipped(v1.orderId ?? '') }])).toThrow(/V1.*orderId is/);
  expect(() => check([{ ...v6, legIds: [flipped(v6.legIds?.[0] ?? '')] }])).toThrow(
    /V6.*legIds\[0\] is/,
  );
  expect(() => check([{ ...v1, canonical: v1.canonical.replace(':7,', ':8,') }])).toThrow('V1');
});
