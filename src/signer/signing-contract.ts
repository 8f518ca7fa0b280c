/**
 * The part of the venue profile that decides bytes, hashes and ids (contract B.1, B.6): a schema that the whole
 * profile takes in, and the sandbox's values as data. Nothing here is confirmed for the real venue.
 */
import { z } from 'zod';
import { canonicalFields, type ShapeName, shapeNames } from './action.ts';
import { takesEveryName } from './client-order-id.ts';

/** How a field is written. A name has one form wherever it occurs, but for `legs`. */
export const fieldForms = {
  market: 'count',
  book: 'book',
  side: 'side',
  price: 'amount',
  qty: 'amount',
  new_qty: 'amount',
  total_qty: 'amount',
  limit_price: 'amount',
  trigger_price: 'amount',
  stp_mode: 'stpMode',
  time_in_force: 'timeInForce',
  is_market: 'boolean',
  reduce_only: 'boolean',
  expires_at: 'expiry',
  order_id: 'orderId',
  cancel_order_id: 'orderIdOrNull',
  trigger_direction: 'triggerDirection',
  conditional_kind: 'conditionalKind',
  legs: 'legs',
  strategy: 'strategy',
  slice_qty: 'amount',
  interval_ms: 'count',
  signed_trigger_order: 'signedAction',
} as const;
export type FieldName = keyof typeof fieldForms;
export type FieldForm = (typeof fieldForms)[FieldName];

function fieldOrder(shape: ShapeName) {
  const known: readonly FieldName[] = canonicalFields[shape];
  return z
    .array(z.enum(known as readonly [FieldName, ...FieldName[]]))
    .refine((fields) => new Set(fields).size === fields.length && fields.length === known.length, {
      message: `must name each of ${known.join(', ')} once`,
    })
    .default([...known]);
}

const fieldOrders = Object.fromEntries(
  shapeNames.map((shape) => [shape, fieldOrder(shape)]),
) as Readonly<Record<ShapeName, ReturnType<typeof fieldOrder>>>;

const hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 lowercase hex digits');
const domain = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters');
const childIds = z.strictObject({
  /** The index of the first child. */
  base: z.int().min(0).max(1),
  encoding: z.enum(['u32le', 'u32be', 'u64le', 'u64be', 'ascii']),
});
const strategyParams = z
  .array(z.enum(['slice_qty', 'interval_ms']))
  .refine((names) => new Set(names).size === names.length, { message: 'names a parameter twice' });

export const goldenVectorSchema = z.strictObject({
  name: z.string(),
  canonical: z.string(),
  actionHash: hash,
  orderId: hash.optional(),
  /** One for each leg; null for a leg that only cancels. */
  legIds: z.array(hash.nullable()).optional(),
});

/** The keys of the profile that the signer reads, for the profile's own schema to take in. */
export const signingShape = {
  service: z.strictObject({
    name: z.string().regex(/^[A-Z][A-Z0-9_-]{0,63}$/, 'must be the upper-case service name'),
    slug: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be the lower-case service name'),
  }),
  signing: z.strictObject({
    /** `{NAME}` stands for the service name. */
    domains: z.strictObject({ action: domain, orderId: domain }),
    schemes: z.strictObject({ ecdsa: z.string().min(1), eip191: z.string().min(1) }),
    vEncoding: z.enum(['0/1', '27/28']),
    requireLowS: z.boolean(),
    goldenVectors: z.array(goldenVectorSchema).max(64),
  }),
  orderId: z.strictObject({ leg: childIds, algoChild: childIds }),
  types: z.strictObject({ expiresAt: z.enum(['unix_ms', 'unix_s', 'rfc3339']) }),
  enums: z.strictObject({
    triggerDirection: z.array(z.string().regex(/^[a-z0-9_]{1,32}$/)).min(1),
    conditionalKind: z.array(z.string().regex(/^[a-z0-9_]{1,32}$/)).min(1),
  }),
  variants: z.strictObject({
    ...fieldOrders,
    bookOnSpot: z.enum(['null', 'omit']),
  }),
  strategies: z.strictObject({
    iceberg: strategyParams,
    twap: strategyParams,
    vwap: strategyParams,
  }),
  clientOrderId: z
    .strictObject({ pattern: z.string(), send: z.enum(['always', 'never']) })
    .refine(takesEveryName, {
      message: 'pattern must be a regular expression that takes 32 of the characters a-z and 2-7',
    }),
};

export const signingContractSchema = z.object(signingShape);
export type SigningContract = z.infer<typeof signingContractSchema>;
export type GoldenVector = z.infer<typeof goldenVectorSchema>;
