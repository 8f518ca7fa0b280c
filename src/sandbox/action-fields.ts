/**
 * The fields of each action in canonical order, with the other names that the input parsers accept (contract A.6, A.9,
 * G04, G05, G68). One table serves the strict schema and the canonical bytes. It is independent of the bridge's
 * encoder, so that an error in one of them is detected.
 */
import type { Profile } from '../venue/profile.ts';
import type { EngineAction } from './engine/action.ts';

export type FieldType =
  | 'market'
  | 'book'
  | 'side'
  | 'price'
  | 'qty'
  | 'time_in_force'
  | 'stp_mode'
  | 'boolean'
  | 'expires_at'
  | 'order_id'
  | 'trigger_direction'
  | 'conditional_kind'
  | 'strategy'
  | 'signed_action'
  | 'spot_legs'
  | 'outcome_legs';

export type Field = Readonly<ReturnType<typeof field>>;

/** Each variant of an action, and what it is to the engine. */
export const variantKinds = {
  SpotPlaceOrder: 'place',
  PlaceOrder: 'place',
  Cancel: 'cancel',
  AmendOrder: 'amend',
  SpotQuoteReplace: 'replace',
  QuoteReplace: 'replace',
  PlaceAlgoOrder: 'place_algo',
  CancelAlgoOrder: 'cancel_algo',
  PlaceConditionalOrder: 'place_conditional',
  CancelConditionalOrder: 'cancel_conditional',
} as const satisfies Readonly<Record<string, EngineAction['kind']>>;
export type Variant = keyof typeof variantKinds;

export function isVariant(name: string): name is Variant {
  return Object.hasOwn(variantKinds, name);
}

/** The tag that differs between input and canonical bytes. */
export const inputTags: ReadonlyMap<string, Variant> = new Map([
  ['OutcomePlaceOrder', 'PlaceOrder'],
]);

/** The types of fields whose name differs from that of their type. */
const types: Readonly<Record<string, FieldType>> = {
  limit_price: 'price',
  trigger_price: 'price',
  new_qty: 'qty',
  total_qty: 'qty',
  is_market: 'boolean',
  reduce_only: 'boolean',
  cancel_order_id: 'order_id',
  signed_trigger_order: 'signed_action',
};

const placeAliases: Readonly<Record<string, readonly string[]>> = {
  market: ['marketId'],
  book: ['outcome'],
  time_in_force: ['timeInForce'],
  is_market: ['isMarket'],
  reduce_only: ['reduceOnly'],
  expires_at: ['expiresAt'],
  stp_mode: ['stpMode'],
};
const cancelAliases: Readonly<Record<string, readonly string[]>> = { order_id: ['orderId'] };
const noAliases: Readonly<Record<string, readonly string[]>> = {};

const terms = ['stp_mode', 'time_in_force', 'is_market', 'reduce_only', 'expires_at'];
const nullable: readonly string[] = ['stp_mode', 'expires_at', 'cancel_order_id'];

export type FieldTable = Readonly<ReturnType<typeof fieldTable>>;

export function fieldTable({ variants }: Pick<Profile, 'variants'>) {
  const quote = (legs: FieldType) => [field('market'), { ...field('legs'), type: legs }];
  // The two stored kinds exist on spot and outcome markets, so their book may be null (G08).
  const stored = (names: readonly string[]) =>
    fields(names).map((one) => (one.name === 'book' ? { ...one, nullable: true } : one));
  return {
    SpotPlaceOrder: fields(['market', 'side', 'price', 'qty', ...terms], placeAliases),
    PlaceOrder: fields(['market', 'book', 'side', 'price', 'qty', ...terms], placeAliases),
    Cancel: fields(['order_id'], cancelAliases),
    AmendOrder: fields(['order_id', 'new_qty']),
    SpotQuoteReplace: quote('spot_legs'),
    QuoteReplace: quote('outcome_legs'),
    spotLeg: fields(['cancel_order_id', 'side', 'price', 'qty', ...terms]),
    outcomeLeg: fields(['cancel_order_id', 'book', 'side', 'price', 'qty', ...terms]),
    PlaceAlgoOrder: stored(variants.PlaceAlgoOrder),
    CancelAlgoOrder: fields(variants.CancelAlgoOrder),
    PlaceConditionalOrder: stored(variants.PlaceConditionalOrder),
    CancelConditionalOrder: fields(variants.CancelConditionalOrder),
  };
}

function fields(names: readonly string[], aliases = noAliases): readonly Field[] {
  return names.map((name) => field(name, aliases[name]));
}

/**
 * `name` is the canonical name, `key` the engine's, which is the same in camel case, and `names` are all that a client
 * may use. If the field is `nullable`, an absent member reads as null, and null is written.
 */
function field(name: string, aliases: readonly string[] = []) {
  const key = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const type = types[name] ?? (name as FieldType);
  return { name, key, names: [name, ...aliases], type, nullable: nullable.includes(name) };
}
