/** The actions of an operator at the console, each with its name and the schema of its details. */
import { z } from 'zod';
import { decimal } from '../gateway/config/config-keys.ts';
import { maxReason, plain, plainText } from '../gateway/operator/shared-acts.ts';

const reason = z.string().trim().min(3, 'give a reason, for the audit chain').max(maxReason);
const why = reason.check(plain);
const session = z.string().min(1).max(200);
const folder = z.string().min(1).max(200);
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const alarm = z.int().min(1);
const key = z.string().min(1).max(300);
const trade = { order: key, execId: key, why };
const target = z.strictObject({ kind: z.enum(['account', 'session']), name: plainText });
/** An empty form field means no limit. */
const unlimited = z.literal('').transform(() => undefined);
const amount = z.union([unlimited, decimal]);
const whole = (most: number) =>
  z.union([
    unlimited,
    z
      .string()
      .regex(/^\d{1,8}$/, 'not a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(most)),
  ]);
const scope = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('all') }), target]);

export const actShape = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.enum(['start', 'stop', 'logout', 'reset', 'test_request']),
    session,
    why,
  }),
  z.strictObject({ act: z.literal('set_numbers'), session, nextIn: number, nextOut: number, why }),
  /** The second confirmation: the word that the operator must type. */
  z.strictObject({ act: z.literal('kill'), scope, why, confirm: z.literal('KILL') }),
  z.strictObject({ act: z.literal('release'), scope, why }),
  z.strictObject({ act: z.literal('reopen'), account: z.string().min(1).max(100), why }),
  z.strictObject({
    act: z.literal('certify'),
    folder,
    /** Without it, everything that the interview selects is played. */
    only: z
      .array(z.string().regex(/^[A-Z]-\d\d[a-z]?$/))
      .max(500)
      .default([]),
    why,
  }),
  z.strictObject({ act: z.literal('certify_stop'), folder, why }),
  z.strictObject({ act: z.literal('cancel'), orders: z.array(key).min(1).max(500), why }),
  /** It cannot be undone, so it needs a second confirmation as well. */
  z.strictObject({ act: z.literal('bust'), ...trade, confirm: z.literal('BUST') }),
  z.strictObject({ act: z.literal('correct'), ...trade, price: decimal, qty: decimal }),
  z.strictObject({
    act: z.literal('mass_cancel'),
    scope,
    symbol: z.string().max(100).optional(),
    why,
  }),
  z.strictObject({ act: z.literal('approve'), request: z.int().min(1), why }),
  z.strictObject({ act: z.literal('decline'), request: z.int().min(1), why }),
  z.strictObject({
    act: z.literal('set_limits'),
    target,
    maxOrderQty: amount,
    maxNotional: amount,
    priceCollarBps: whole(10_000),
    maxOpenOrders: whole(10_000_000),
    ordersPerSecond: whole(10_000_000),
    maxDuplicatesPerSecond: whole(10_000_000),
    why,
  }),
  z.strictObject({ act: z.literal('reset_limits'), target, why }),
  /** `number` is that of the line that the operator has read. */
  z.strictObject({ act: z.literal('acknowledge'), alarm, number: alarm, why }),
  /** An empty name removes the assignee. */
  z.strictObject({ act: z.literal('assign'), alarm, to: z.string().trim().max(100), why }),
]);
export type AskedAct = z.output<typeof actShape>;
/** The actions that a second operator can be required to approve. */
export type WaitingAct = Exclude<AskedAct, { act: 'approve' | 'decline' }>;
