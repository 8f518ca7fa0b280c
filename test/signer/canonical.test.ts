import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxSafeAtoms, maxU64 } from '../../src/domain/units.ts';
import { type ActionEnvelope, ActionError } from '../../src/signer/action.ts';
import { CanonicalEncoder, maxCanonicalBytes, mostLegs } from '../../src/signer/canonical.ts';
import { CanonicalReader } from '../../src/signer/canonical-reader.ts';
import { sandboxSigningContract as contract } from './sandbox-contract.ts';
import { envelopes, vector, vectors } from './signed-action-samples.ts';

const encoder = new CanonicalEncoder(contract);
const wide = new CanonicalEncoder(contract, maxU64);
const reader = new CanonicalReader(contract);
const written = (envelope: ActionEnvelope, by = encoder) =>
  Buffer.from(by.encode(envelope)).toString();
const read = (name: string) => reader.read(Buffer.from(vector(name).canonical));

/** Numbers beyond 2^53 come back as bigint: what JSON itself says, digit by digit. */
function parsed(json: string): unknown {
  return JSON.parse(json, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? BigInt(context?.source ?? value) : value,
  );
}

function withFacts({ action: { kind, ...fields }, ...envelope }: ActionEnvelope): unknown {
  const known = Object.entries(envelope).filter(([, value]) => value !== undefined);
  return plain({ ...Object.fromEntries(known), action: { [kind]: fields } });
}

function plain(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (value instanceof Uint8Array) return Array.from(value, BigInt);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const fields = mapped(value as Record<string, unknown>);
  return 'payload' in value
    ? { ...fields, payload: withFacts(value.payload as ActionEnvelope) }
    : fields;
}

const mapped = (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, plain(value)]));

test.each(vectors)('R4: $name is written byte for byte as the contract shows', ({ canonical }) => {
  expect(written(reader.read(Buffer.from(canonical)))).toBe(canonical);
});

test('R13: canonical bytes parse as JSON to the same object, exact over the whole u64 range', () => {
  fc.assert(
    fc.property(envelopes(maxU64), (envelope) => {
      expect(parsed(written(envelope, wide))).toEqual(withFacts(envelope));
    }),
    { numRuns: 500 },
  );
});

test('as many legs as a group may have fit into an action, however long each of them is', () => {
  const leg = {
    cancel_order_id: `0x${'f'.repeat(64)}`,
    ...{ book: 'YES', side: 'Bid', price: maxSafeAtoms, qty: maxSafeAtoms },
    ...{ stp_mode: 'cancel_maker', time_in_force: 'post_only', is_market: false },
    ...{ reduce_only: false, expires_at: 253_402_300_799_000 },
  } as const;
  const dated = new CanonicalEncoder({ ...contract, types: { expiresAt: 'rfc3339' } });
  const action = { kind: 'QuoteReplace', market: Number.MAX_SAFE_INTEGER } as const;
  const envelope = (count: number): ActionEnvelope => ({
    account: `0x${'f'.repeat(40)}` as ActionEnvelope['account'],
    ...{ nonce: maxSafeAtoms, nonce_reservation_id: null, ts: Number.MAX_SAFE_INTEGER },
    client_order_id: 'x'.repeat(64),
    action: { ...action, legs: Array.from({ length: count }, () => leg) } as never,
  });
  expect(dated.encode(envelope(mostLegs)).length).toBeGreaterThan(0.98 * maxCanonicalBytes);
  expect(() => dated.encode(envelope(mostLegs + 5))).toThrow(ActionError);
});

test('bytes whose canonical form would be too long are refused, wherever that form would end', () => {
  const { canonical } = vector('V6');
  const [head = '', leg = '', tail = ''] = /^(.*\[)(.*)(\].*)$/.exec(canonical)?.slice(1) ?? [];
  // JSON has shorter forms of a number than the canonical one.
  const short = leg.replace(/"price":\d+,"qty":\d+/, '"price":1e15,"qty":1e15');
  const legs = Array.from({ length: Math.floor(65_000 / (short.length + 1)) }, () => short);
  for (let first = 0; first < 300; first += 7) {
    const padded = head.replace('res-1', 'r'.repeat(1 + first));
    const text = `${padded}${legs.join()}${tail}`;
    expect(() => reader.read(Buffer.from(text))).toThrow('longer than 65536');
  }
});

test('R13: a number is written to the digit where its digits become more', () => {
  const powers = Array.from({ length: 16 }, (_, power) => 10n ** BigInt(power));
  for (const nonce of [
    0n,
    ...powers.flatMap((power) => [power - 1n, power, power + 1n]),
    maxSafeAtoms,
  ]) {
    expect(written({ ...read('V1'), nonce })).toContain(`,"nonce":${nonce},`);
  }
});

test('R1: canonical bytes have no white space and keys in declared order', () => {
  const text = written(read('V3'));
  expect(text).not.toMatch(/\s/);
  expect([...text.matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual([
    ...['account', 'nonce', 'nonce_reservation_id', 'client_order_id', 'ts', 'action'],
    ...['PlaceOrder', 'market', 'book', 'side', 'price', 'qty', 'stp_mode', 'time_in_force'],
    ...['is_market', 'reduce_only', 'expires_at'],
  ]);
});

test('R1: the order of the keys of the object does not change the bytes', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([key, inner]) => [key, shuffled(inner)]));
  };
  fc.assert(
    fc.property(envelopes(), (envelope) => {
      expect(written(shuffled(envelope) as ActionEnvelope)).toBe(written(envelope));
    }),
    { numRuns: 200 },
  );
});

test('R2: absent optional fields are written as null', () => {
  const text = written(read('V7'));
  expect(text).toContain('"nonce_reservation_id":null');
  expect(text).toContain('"stp_mode":null');
  expect(text).toContain('"expires_at":null');
  expect(text).toContain('"cancel_order_id":null');
  expect(text).toContain('"is_market":false,"reduce_only":false');
});

test('R3: an absent client_order_id leaves no key behind', () => {
  expect(written(read('V1'))).not.toContain('client_order_id');
  expect(written(read('V2'))).toContain('"client_order_id":"ORD-1"');
});

test.each([
  ['nonce', maxSafeAtoms + 1n, (value: bigint) => ({ ...read('V1'), nonce: value })],
  ['price', maxSafeAtoms + 1n, (value: bigint) => withFields({ price: value })],
  ['qty', maxU64, (value: bigint) => withFields({ qty: value })],
])('R13: %s beyond 2^53-1 is refused for JSON lanes and exact elsewhere', (field, value, make) => {
  expect(() => encoder.encode(make(value))).toThrow(`${field}: ${value} is over 2^53-1`);
  expect(written(make(value), wide)).toContain(`"${field}":${value}`);
});

test.each([
  ['market', withFields({ market: 2 ** 53 })],
  ['ts', { ...read('V1'), ts: 2 ** 53 }],
  ['price', withFields({ price: -1n })],
  ['price', withFields({ price: maxU64 + 1n })],
  ['qty', withFields({ qty: 1.5 })],
  ['qty', withFields({ qty: '1' })],
  ['qty', withFields({ qty: undefined })],
  ['side', withFields({ side: 'bid' })],
  ['stp_mode', withFields({ stp_mode: undefined })],
  ['time_in_force', withFields({ time_in_force: 'day' })],
  ['is_market', withFields({ is_market: 0 })],
  ['expires_at', withFields({ expires_at: 1.5 })],
  ['account', { ...read('V1'), account: `0x${'A'.repeat(40)}` }],
  ['account', { ...read('V1'), account: `0x${'1'.repeat(39)}` }],
  ['account', { ...read('V1'), account: `0x${'1'.repeat(39)}é` }],
  ['order_id', { ...read('V4'), action: { kind: 'Cancel', order_id: `0X${'ab'.repeat(32)}` } }],
  ['action', { ...read('V4'), action: { kind: 'OutcomePlaceOrder' } }],
  ['legs', { ...read('V6'), action: { kind: 'SpotQuoteReplace', market: 1, legs: [] } }],
  ['client_order_id', { ...read('V1'), client_order_id: '\ud800' }],
  ['client_order_id', { ...read('V1'), client_order_id: 'x'.repeat(1025) }],
])('R14: a wrong %s is refused by name', (field, envelope) => {
  expect(() => encoder.encode(envelope as ActionEnvelope)).toThrow(ActionError);
  expect(() => encoder.encode(envelope as ActionEnvelope)).toThrow(field);
});

test('the place of a fault inside a leg is named', () => {
  const { action, ...rest } = read('V7');
  if (action.kind !== 'QuoteReplace') throw new Error('V7 is a quote replace');
  const legs = action.legs.map((leg, index) => (index === 1 ? { ...leg, book: 'MAYBE' } : leg));
  const broken = { ...rest, action: { ...action, legs } } as ActionEnvelope;
  expect(() => encoder.encode(broken)).toThrow('legs[1].book: no value "MAYBE"');
});

test('an action beyond the byte limit is refused', () => {
  const { action, ...rest } = read('V6');
  if (action.kind !== 'SpotQuoteReplace') throw new Error('V6 is a spot quote replace');
  const legs = Array.from({ length: 400 }, () => action.legs[0]);
  const huge = { ...rest, action: { ...action, legs } } as ActionEnvelope;
  expect(() => encoder.encode(huge)).toThrow('longer than 65536');
});

test('G03: the profile decides how expires_at is written', () => {
  const until = withFields({ expires_at: 1_700_000_600_000 });
  const as = (expiresAt: 'unix_ms' | 'unix_s' | 'rfc3339') => {
    const own = { ...contract, types: { expiresAt } };
    const text = written(until, new CanonicalEncoder(own));
    expect(new CanonicalReader(own).read(Buffer.from(text))).toEqual(until);
    return /"expires_at":([^}]+)/.exec(text)?.[1];
  };
  expect(as('unix_ms')).toBe('1700000600000');
  expect(as('unix_s')).toBe('1700000600');
  expect(as('rfc3339')).toBe('"2023-11-14T22:23:20.000Z"');
});

test('G04: the profile decides the order of fields', () => {
  const variants = { ...contract.variants, AmendOrder: ['new_qty' as const, 'order_id' as const] };
  const text = written(read('V5'), new CanonicalEncoder({ ...contract, variants }));
  expect(text).toContain('{"AmendOrder":{"new_qty":400000,"order_id":"0xab');
});

test('G08: the profile decides whether an algo on a spot market names its missing book', () => {
  const algo = {
    ...read('V1'),
    action: {
      kind: 'PlaceAlgoOrder',
      market: 1,
      book: null,
      side: 'Bid',
      total_qty: 10n,
      limit_price: 5n,
      time_in_force: 'gtc',
      strategy: { kind: 'twap', slice_qty: 1n, interval_ms: 1000 },
    },
  } as unknown as ActionEnvelope;
  expect(written(algo)).toContain('"market":1,"book":null,"side"');
  const omitting = { ...contract, variants: { ...contract.variants, bookOnSpot: 'omit' as const } };
  const text = written(algo, new CanonicalEncoder(omitting));
  expect(text).toContain('"market":1,"side"');
  expect(new CanonicalReader(omitting).read(Buffer.from(text))).toEqual(algo);
});

test('G06: a parameter that the profile does not give a strategy is refused', () => {
  const action = {
    kind: 'PlaceAlgoOrder',
    market: 1,
    book: null,
    side: 'Bid',
    total_qty: 10n,
    limit_price: 5n,
    time_in_force: 'gtc',
    strategy: { kind: 'iceberg', slice_qty: 1n, interval_ms: 1000 },
  };
  const envelope = { ...read('V1'), action } as unknown as ActionEnvelope;
  expect(() => encoder.encode(envelope)).toThrow(
    'strategy.interval_ms: is no parameter of iceberg',
  );
});

function withFields(fields: Record<string, unknown>): ActionEnvelope {
  const { action, ...rest } = read('V1');
  return { ...rest, action: { ...action, ...fields } } as ActionEnvelope;
}
