/**
 * The signer's own configuration, read by the signer and not handed over by the gateway: which keys, for which
 * accounts, and what they may sign. Amounts are decimal text in atoms of price times atoms of quantity.
 */
import { z } from 'zod';
import type { Account } from '../domain/units.ts';
import { actionKinds } from './action.ts';
import { backendNames } from './ecdsa.ts';
import { environments } from './keystore.ts';
import type { Policy } from './policy.ts';

const account = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'not an account: 0x and 40 lowercase hex digits')
  .transform((value) => value as Account);
const atoms = z
  .string()
  .regex(/^\d{1,40}$/, 'not a whole number in quotes')
  .transform(BigInt);

const policySchema = z
  .strictObject({
    accounts: z.array(account).min(1).max(255),
    actions: z
      .array(z.enum(actionKinds))
      .min(1)
      .default([...actionKinds]),
    markets: z
      .array(z.strictObject({ market: z.int().min(0), maxNotionalAtoms: atoms }))
      .max(4096)
      .nullable()
      .default(null)
      .describe('markets that may be traded and the most that one order is worth; null: any'),
    placementsPerSecond: z.int().min(1).max(1_000_000).default(1000),
    burst: z.int().min(1).max(1_000_000).default(1000),
    expiresAt: z.iso.datetime().nullable().default(null).describe('end of the delegation'),
  })
  .transform(
    ({ accounts, actions, markets, expiresAt, ...rates }): Policy => ({
      ...rates,
      accounts: new Set(accounts),
      actions: new Set(actions),
      markets:
        markets === null
          ? null
          : new Map(markets.map(({ market, maxNotionalAtoms }) => [market, maxNotionalAtoms])),
      expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
    }),
  );

export const signerConfigSchema = z.strictObject({
  environment: z.enum(environments),
  profile: z.string().min(1).describe('the venue profile; relative to this file'),
  socket: z.string().min(1).max(100).describe('in a directory of mode 0700'),
  dataDir: z.string().min(1).describe('where nonces and digests are recorded'),
  durability: z.enum(['power', 'process']).default('power'),
  backend: z.enum(backendNames).default('auto'),
  keys: z
    .array(
      z.strictObject({
        keystoreFile: z.string().min(1),
        passphraseFile: z.string().min(1).optional().describe('absent: asked for at the start'),
        policy: policySchema,
      }),
    )
    .min(1)
    .max(64),
});
export type SignerConfig = z.infer<typeof signerConfigSchema>;
/** Before defaults and transforms: what a file or a thread's data holds. */
export type SignerConfigInput = z.input<typeof signerConfigSchema>;
