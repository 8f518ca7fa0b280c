/** The part of the profile that the signer reads (docs/venue/contract.md, B.1). */
import { z } from 'zod';

const text = z.string().min(1).max(256);
const fields = z.array(text).min(1).max(32);
const hash = z.string().regex(/^0x[0-9a-f]{64}$/, 'not 0x and 64 lowercase hex digits');
const childId = z.strictObject({
  base: z.int().min(0).max(1),
  encoding: z.enum(['u8', 'u16le', 'u16be', 'u32le', 'u32be', 'u64le', 'u64be', 'ascii']),
});

export const signingContractShape = {
  service: z.strictObject({ name: text, slug: text }),
  signing: z.strictObject({
    domains: z.strictObject({ action: text, orderId: text }),
    schemes: z.strictObject({ ecdsa: text, eip191: text }),
    vEncoding: z.enum(['0/1', '27/28']),
    requireLowS: z.boolean(),
    goldenVectors: z.array(
      z.strictObject({
        name: text,
        canonical: z.string().min(1).max(65_536),
        actionHash: hash,
        orderId: hash.nullable(),
      }),
    ),
  }),
  orderId: z.strictObject({ leg: childId, algoChild: childId }),
  types: z.strictObject({ expiresAt: z.enum(['unix_ms', 'unix_s', 'rfc3339']) }),
  enums: z.strictObject({ triggerDirection: fields, conditionalKind: fields }),
  variants: z.strictObject({
    PlaceAlgoOrder: fields,
    CancelAlgoOrder: fields,
    PlaceConditionalOrder: fields,
    CancelConditionalOrder: fields,
    bookOnSpot: z.enum(['null', 'omit']),
  }),
  strategies: z.strictObject({ iceberg: fields, twap: fields, vwap: fields }),
  clientOrderId: z.strictObject({ pattern: text, send: z.enum(['always', 'never']) }),
};
