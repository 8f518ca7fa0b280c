import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Field,
  type FieldTable,
  fieldTable,
  inputTags,
  variantKinds,
} from '../../src/sandbox/action-fields.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const profile = loadProfile('dictionaries/venue.sandbox.yaml');
const table = fieldTable(profile);
const contract = readFileSync('docs/venue/contract.md', 'utf8');

/** The rows of contract A.6 that show an order of fields. */
const order = new Map(
  [
    ...contract.matchAll(/^\| (leg of )?`(\w+)`[^|]*\| ((?:\w+(?:\[\])?, )*\w+(?:\[\])?) \|$/gm),
  ].map(([, leg = '', name = '', names = '']) => [
    leg + name,
    names.replaceAll('[]', '').split(', '),
  ]),
);

const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => name);

test.each([
  ['SpotPlaceOrder', 'SpotPlaceOrder'],
  ['PlaceOrder', 'PlaceOrder'],
  ['Cancel', 'Cancel'],
  ['AmendOrder', 'AmendOrder'],
  ['SpotQuoteReplace', 'SpotQuoteReplace'],
  ['QuoteReplace', 'QuoteReplace'],
  ['leg of SpotQuoteReplace', 'spotLeg'],
  ['leg of QuoteReplace', 'outcomeLeg'],
] as const)('R1: the fields of %s stand in the order of the contract', (row, name) => {
  expect(order.get(row)?.length).toBeGreaterThan(0);
  expect(namesOf(table[name])).toEqual(order.get(row));
});

test('where the contract shows no order, the profile gives it', () => {
  const variants: typeof profile.variants = {
    ...profile.variants,
    CancelAlgoOrder: ['market', 'order_id'],
  };
  const changed = fieldTable({ variants });
  expect(namesOf(changed.CancelAlgoOrder)).toEqual(['market', 'order_id']);
  expect(namesOf(changed.PlaceConditionalOrder)).toEqual(profile.variants.PlaceConditionalOrder);
});

describe('R6: the other names of fields are those of contract A.9', () => {
  const aliases = (name: keyof FieldTable) =>
    Object.fromEntries(
      table[name]
        .filter(({ names }) => names.length > 1)
        .map((one) => [one.name, one.names.slice(1)]),
    );

  test('the public place envelopes take camel case, and an outcome for the book', () => {
    const place = {
      market: ['marketId'],
      stp_mode: ['stpMode'],
      time_in_force: ['timeInForce'],
      is_market: ['isMarket'],
      reduce_only: ['reduceOnly'],
      expires_at: ['expiresAt'],
    };
    expect(aliases('SpotPlaceOrder')).toEqual(place);
    expect(aliases('PlaceOrder')).toEqual({ ...place, book: ['outcome'] });
    expect([...inputTags]).toEqual([['OutcomePlaceOrder', 'PlaceOrder']]);
  });

  test('of the raw envelopes only a cancel has one', () => {
    expect(aliases('Cancel')).toEqual({ order_id: ['orderId'] });
    const place = ['SpotPlaceOrder', 'PlaceOrder', 'Cancel'];
    const raw = [...Object.keys(variantKinds), 'spotLeg', 'outcomeLeg'].filter(
      (name) => !place.includes(name),
    );
    for (const name of raw) expect([name, aliases(name as keyof FieldTable)]).toEqual([name, {}]);
  });
});

test('only what may be unset is null, and a book only where spot and outcome share the action', () => {
  const nullable = (name: keyof FieldTable) =>
    namesOf(table[name].filter((field) => field.nullable));
  expect(nullable('SpotPlaceOrder')).toEqual(['stp_mode', 'expires_at']);
  expect(nullable('PlaceOrder')).toEqual(['stp_mode', 'expires_at']);
  expect(nullable('Cancel')).toEqual([]);
  expect(nullable('outcomeLeg')).toEqual(['cancel_order_id', 'stp_mode', 'expires_at']);
  expect(nullable('PlaceAlgoOrder')).toEqual(['book']);
  expect(nullable('PlaceConditionalOrder')).toEqual(['book']);
});

test('each field is read as its type, under the name of the engine', () => {
  const read = (name: keyof FieldTable) =>
    Object.fromEntries(table[name].map(({ key, type }) => [key, type]));
  expect(read('AmendOrder')).toEqual({ orderId: 'order_id', newQty: 'qty' });
  expect(read('SpotQuoteReplace')).toEqual({ market: 'market', legs: 'spot_legs' });
  expect(read('QuoteReplace')).toEqual({ market: 'market', legs: 'outcome_legs' });
  expect(read('PlaceConditionalOrder')).toMatchObject({
    limitPrice: 'price',
    triggerPrice: 'price',
    triggerDirection: 'trigger_direction',
    reduceOnly: 'boolean',
    signedTriggerOrder: 'signed_action',
  });
});
