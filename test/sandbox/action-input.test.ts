import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ActionReader } from '../../src/sandbox/action-input.ts';
import { hex, idsOf } from '../../src/sandbox/ids.ts';
import { parseJson } from '../../src/sandbox/strict-json.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const profile = loadProfile('dictionaries/venue.sandbox.yaml');
const reader = new ActionReader(profile);
const ids = idsOf(profile, referenceBlake3, nobleEcdsa());

interface Vector {
  readonly name: string;
  readonly canonical: string;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly legIds: readonly (readonly [number, string])[];
}

/** Part F of the contract, read from its text. */
function vectors(): readonly Vector[] {
  const text = readFileSync('docs/venue/contract.md', 'utf8');
  const part = text.slice(text.indexOf('# F. Test vectors'));
  return part
    .split(/\n(?=\*\*V\d)/)
    .slice(1)
    .map((section) => ({
      name: /\*\*(V\d[^*]*)\*\*/.exec(section)![1]!,
      canonical: /```\n(.*)\n```/.exec(section)![1]!,
      actionHash: /action hash: `(0x\w+)`/.exec(section)![1]!,
      orderId: /derived order id: `(0x\w+)`/.exec(section)?.[1] ?? null,
      legIds: [...section.matchAll(/leg (\d) child id .*: `(0x\w+)`/g)].map(
        ([, index, id]) => [Number(index), id!] as const,
      ),
    }));
}

describe('R4, R7, R8: the vectors of contract part F', () => {
  test('there are seven', () => {
    expect(vectors()).toHaveLength(7);
  });

  test.each(vectors())('$name', ({ actionHash, canonical, legIds, orderId }) => {
    const payload = reader.payload(parseJson(canonical));
    expect(payload.canonical).toBe(canonical);
    expect(hex(ids.actionHash(payload.canonical))).toBe(actionHash);
    if (orderId !== null) expect(ids.orderId(canonical)).toBe(orderId);
    for (const [index, id] of legIds) expect(ids.legId(canonical, index)).toBe(id);
  });

  test.each(vectors())(
    'R1: the order of the input keys does not matter: $name',
    ({ canonical }) => {
      const reversed = JSON.stringify(reverse(JSON.parse(canonical)));
      expect(reversed).not.toBe(canonical);
      expect(reader.payload(parseJson(reversed)).canonical).toBe(canonical);
    },
  );

  test('R2, R3: optional fields that are absent are written as null, client_order_id is not', () => {
    const { canonical } = vectors()[0]!;
    const given = JSON.parse(canonical);
    delete given.nonce_reservation_id;
    delete given.action.SpotPlaceOrder.stp_mode;
    delete given.action.SpotPlaceOrder.expires_at;
    expect(reader.payload(parseJson(JSON.stringify(given))).canonical).toBe(canonical);
    const withNull = canonical.replace('"ts"', '"client_order_id":null,"ts"');
    expect(() => reader.payload(parseJson(withNull))).toThrow('client_order_id');
  });
});

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reverse(inner)]),
  );
}

test.each([
  [{}, 'missing_field', 'account is missing'],
  [{ x: 1 }, 'unknown_field', 'payload has no field "x"'],
  [[], 'schema_violation', 'payload must be an object'],
  [{ action: { Cancel: {}, AmendOrder: {} } }, 'schema_violation', 'exactly one key'],
  [{ action: { constructor: {} } }, 'unknown_variant', 'constructor'],
  [{ action: { Cancel: { order_id: null } } }, 'schema_violation', 'must not be null'],
  [{ action: { Cancel: { order_id: '0x1' } } }, 'schema_violation', 'Cancel.order_id'],
  [
    { action: { AmendOrder: { order_id: `0x${'0'.repeat(64)}`, new_qty: -1 } } },
    'qty_must_be_positive',
    'AmendOrder.new_qty',
  ],
  [{ action: { QuoteReplace: { market: 7, legs: [] } } }, 'schema_violation', '1 to 32 legs'],
  [
    { action: { SpotQuoteReplace: { market: 1, legs: [{ side: 'Up' }] } } },
    'schema_violation',
    'legs[0].side',
  ],
])('%j is refused as %s, and the text names the place', (change, code, words) => {
  const base = {
    account: `0x${'1'.repeat(40)}`,
    nonce: 1,
    ts: 1,
    action: { Cancel: { order_id: `0x${'0'.repeat(64)}` } },
  };
  const isWhole = Array.isArray(change) || Object.keys(change).length === 0;
  const input = isWhole ? change : { ...base, ...change };
  expect(() => reader.payload(parseJson(JSON.stringify(input)))).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) }),
  );
});
