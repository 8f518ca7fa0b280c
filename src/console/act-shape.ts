/** The actions of an operator at the console by the role that they need, each with the schema of its details. */
import { z } from 'zod';
import { decimal } from '../gateway/config/config-keys.ts';
import type { OperatorRole } from '../gateway/config/console-config.ts';
import { maxReason, plain, plainText } from '../gateway/operator/shared-acts.ts';

const reason = z.string().trim().min(3, 'give a reason, for the audit chain').max(maxReason);
const why = reason.check(plain);
const session = z.string().min(1).max(200);
const folder = session;
const number = z.int().min(1);
const scenario = z.string().regex(/^[A-Z]-\d\d[a-z]?$/);
const key = z.string().min(1).max(300);
const trade = { order: key, execId: key };
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

/** Actions of these names with these details; every action has a reason. */
function acts<const Name extends string, Details extends z.ZodRawShape>(
  names: readonly Name[],
  details: Details,
) {
  return z.strictObject({ act: z.literal(names), ...details, why });
}

export const actsByRole = {
  operate: [
    acts(['start', 'stop', 'logout', 'reset', 'test_request'], { session }),
    acts(['set_numbers'], { session, nextIn: number, nextOut: number }),
    /** The second confirmation: the word that the operator must type. */
    acts(['kill'], { scope, confirm: z.literal('KILL') }),
    acts(['release'], { scope }),
    acts(['reopen'], { account: z.string().min(1).max(100) }),
    /** Without `only`, everything that the interview selects is played. */
    acts(['certify'], { folder, only: z.array(scenario).max(500).default([]) }),
    acts(['certify_stop'], { folder }),
    acts(['cancel'], { orders: z.array(key).min(1).max(500) }),
    /** It cannot be undone, so it needs a second confirmation as well. */
    acts(['bust'], { ...trade, confirm: z.literal('BUST') }),
    acts(['correct'], { ...trade, price: decimal, qty: decimal }),
    acts(['mass_cancel'], { scope, symbol: z.string().max(100).optional() }),
    /** `number` is that of the line that the operator has read. */
    acts(['acknowledge'], { alarm: number, number }),
    /** An empty name removes the assignee. */
    acts(['assign'], { alarm: number, to: z.string().trim().max(100) }),
  ],
  administer: [
    acts(['set_limits'], {
      target,
      maxOrderQty: amount,
      maxNotional: amount,
      priceCollarBps: whole(10_000),
      maxOpenOrders: whole(10_000_000),
      ordersPerSecond: whole(10_000_000),
      maxDuplicatesPerSecond: whole(10_000_000),
    }),
    acts(['reset_limits'], { target }),
  ],
  approve: [acts(['approve'], { request: number }), acts(['decline'], { request: number })],
} as const satisfies Readonly<Record<Exclude<OperatorRole, 'view'>, readonly unknown[]>>;

export const actShape = z.discriminatedUnion('act', [
  ...actsByRole.operate,
  ...actsByRole.administer,
  ...actsByRole.approve,
]);
export type AskedAct = z.output<typeof actShape>;
/** The actions that a second operator can be required to approve. */
export type WaitingAct = Exclude<AskedAct, { act: 'approve' | 'decline' }>;
