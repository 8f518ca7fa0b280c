/** Actions of every kind for the signer's tests, and the vectors of contract part F. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { maxSafeAtoms } from '../../src/domain/units.ts';
import type { Action, ActionEnvelope } from '../../src/signer/action.ts';
import { type GoldenVector, goldenVectorSchema } from '../../src/signer/signing-contract.ts';

const file = join(import.meta.dirname, '../vectors/signed-actions.json');
export const vectors: readonly GoldenVector[] = goldenVectorSchema
  .array()
  .parse(JSON.parse(readFileSync(file, 'utf8')));

export function vector(name: string): GoldenVector {
  const found = vectors.find((candidate) => candidate.name.startsWith(name));
  if (found === undefined) throw new Error(`no vector ${name}`);
  return found;
}

const hexDigits = [...'0123456789abcdef'];
const hexText = (digits: number) =>
  fc
    .array(fc.constantFrom(...hexDigits), { minLength: digits, maxLength: digits })
    .map((all) => `0x${all.join('')}`);
const orderId = hexText(64);
const side = fc.constantFrom('Bid', 'Ask');
const book = fc.constantFrom('YES', 'NO');
const timeInForce = fc.constantFrom('gtc', 'ioc', 'fok', 'post_only');
const stpMode = fc.constantFrom('cancel_maker', 'cancel_taker', 'reject', 'skip_self', null);
const market = fc.nat(1_000_000);

function actions(maxInteger: bigint): fc.Arbitrary<Action> {
  const amount = fc.bigInt({ min: 0n, max: maxInteger });
  const terms = {
    side,
    price: amount,
    qty: amount,
    stp_mode: stpMode,
    time_in_force: timeInForce,
    is_market: fc.boolean(),
    reduce_only: fc.boolean(),
    expires_at: fc.option(fc.nat(Number.MAX_SAFE_INTEGER)),
  };
  const leg = { cancel_order_id: fc.option(orderId), ...terms };
  const kind = <T extends string>(name: T) => fc.constant(name);
  const strategy = fc.oneof(
    fc.record({ kind: kind('iceberg'), slice_qty: amount }),
    fc.record({ kind: fc.constantFrom('twap', 'vwap'), slice_qty: amount, interval_ms: market }),
  );
  const place = fc.oneof(
    fc.record({ kind: kind('SpotPlaceOrder'), market, ...terms }),
    fc.record({ kind: kind('PlaceOrder'), market, book, ...terms }),
  );
  const signature = fc.record({
    scheme: fc.constant('EcdsaSecp256k1'),
    bytes: fc.uint8Array({ minLength: 65, maxLength: 65 }),
  });
  const nested = fc.record({
    payload: envelopeOf(place as fc.Arbitrary<Action>, amount),
    signature,
  });
  const algo = {
    side,
    total_qty: amount,
    limit_price: amount,
    time_in_force: timeInForce,
    strategy,
  };
  return fc.oneof(
    place,
    fc.record({ kind: kind('Cancel'), order_id: orderId }),
    fc.record({ kind: kind('AmendOrder'), order_id: orderId, new_qty: amount }),
    fc.record({
      kind: kind('SpotQuoteReplace'),
      market,
      legs: fc.array(fc.record(leg), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({
      kind: kind('QuoteReplace'),
      market,
      legs: fc.array(fc.record({ ...leg, book }), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ kind: kind('PlaceAlgoOrder'), market, book: fc.option(book), ...algo }),
    fc.record({ kind: kind('CancelAlgoOrder'), order_id: orderId }),
    fc.record({
      kind: kind('PlaceConditionalOrder'),
      market,
      book: fc.option(book),
      side,
      qty: amount,
      limit_price: amount,
      trigger_price: amount,
      trigger_direction: fc.constantFrom('at_or_above', 'at_or_below'),
      conditional_kind: fc.constantFrom('take_profit', 'stop_loss'),
      reduce_only: fc.boolean(),
      signed_trigger_order: nested,
    }),
    fc.record({ kind: kind('CancelConditionalOrder'), order_id: orderId }),
  ) as unknown as fc.Arbitrary<Action>;
}

function envelopeOf(
  action: fc.Arbitrary<Action>,
  nonce: fc.Arbitrary<bigint>,
): fc.Arbitrary<ActionEnvelope> {
  return fc.record(
    {
      account: hexText(40),
      nonce,
      nonce_reservation_id: fc.option(fc.string({ unit: 'grapheme', maxLength: 12 })),
      client_order_id: fc.string({ unit: 'grapheme', maxLength: 36 }),
      ts: fc.nat(Number.MAX_SAFE_INTEGER),
      action,
    },
    { requiredKeys: ['account', 'nonce', 'nonce_reservation_id', 'ts', 'action'] },
  ) as unknown as fc.Arbitrary<ActionEnvelope>;
}

/** Any envelope of any kind; integers up to `maxInteger`. */
export function envelopes(maxInteger: bigint = maxSafeAtoms): fc.Arbitrary<ActionEnvelope> {
  return envelopeOf(actions(maxInteger), fc.bigInt({ min: 0n, max: maxInteger }));
}
