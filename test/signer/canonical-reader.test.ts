import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxU64 } from '../../src/domain/units.ts';
import { ActionError } from '../../src/signer/action.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { CanonicalReader } from '../../src/signer/canonical-reader.ts';
import { sandboxSigningContract as contract } from './sandbox-contract.ts';
import { envelopes, vector, vectors } from './signed-action-samples.ts';

const encoder = new CanonicalEncoder(contract, maxU64);
const reader = new CanonicalReader(contract);

test('every action that can be written is read back as it was', () => {
  fc.assert(
    fc.property(envelopes(maxU64), (envelope) => {
      expect(reader.read(encoder.encode(envelope))).toEqual(envelope);
    }),
    { numRuns: 500 },
  );
});

test('whatever is read would be written with the same bytes: no second spelling exists', () => {
  const texts = vectors.map(({ canonical }) => canonical);
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      (text, changes) => {
        const bytes = Buffer.from(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const envelope = readOrRefuse(bytes);
        if (envelope !== undefined) expect(Buffer.from(encoder.encode(envelope))).toEqual(bytes);
      },
    ),
    { numRuns: 2000 },
  );
});

test('any bytes are read or refused with the place, never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      readOrRefuse(bytes);
    }),
    { numRuns: 1000 },
  );
  for (const { canonical } of vectors) {
    for (let cut = 0; cut < canonical.length; cut += 1) {
      expect(readOrRefuse(Buffer.from(canonical.slice(0, cut)))).toBeUndefined();
    }
  }
});

test.each([
  ['white space', (text: string) => text.replace('"ts":', '"ts": ')],
  ['a leading zero', (text: string) => text.replace('"nonce":7', '"nonce":07')],
  ['a fraction', (text: string) => text.replace('"nonce":7', '"nonce":7.0')],
  ['an exponent', (text: string) => text.replace('"qty":1000000', '"qty":1e6')],
  [
    'a value above u64',
    (text: string) => text.replace('"nonce":7', '"nonce":18446744073709551616'),
  ],
  ['an unknown field', (text: string) => text.replace('"side"', '"new_price":1,"side"')],
  [
    'a null client_order_id',
    (text: string) => text.replace(',"ts"', ',"client_order_id":null,"ts"'),
  ],
  ['upper-case hex', (text: string) => text.replace('0x1111', '0xAAAA')],
  ['the input tag', (text: string) => text.replace('SpotPlaceOrder', 'OutcomePlaceOrder')],
  ['a second action', (text: string) => `${text}${text}`],
])('R5 R14: %s is refused', (_what, change) => {
  const changed = change(vector('V1').canonical);
  expect(changed).not.toBe(vector('V1').canonical);
  expect(() => reader.read(Buffer.from(changed))).toThrow(ActionError);
});

function readOrRefuse(bytes: Uint8Array) {
  try {
    return reader.read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(ActionError);
    return undefined;
  }
}
