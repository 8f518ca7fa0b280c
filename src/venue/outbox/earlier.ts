/**
 * Builds an outbox from the state of versions before 0.2: the nonces had a journal of their own, and actions with an
 * unknown outcome were in the records of the orders.
 */
import { z } from 'zod';
import type { MarketId } from '../../domain/units.ts';
import type { EarlierAction } from '../../engine/record.ts';
import type { NonceRules, NonceSnapshot } from '../../signer/nonce-types.ts';
import { NonceWindow } from '../../signer/nonce-window.ts';
import { recordsAfter } from '../../store/record-stream.ts';
import type { Store } from '../../store/store.ts';
import { isCancel, madeAtMs } from '../action-json.ts';
import type { OutboxState } from './outbox-types.ts';
import { noOrder } from './own-cancels.ts';
import { newSubmission, type Submission } from './submission.ts';

/** Returns undefined if there is no state of an earlier version. */
export async function earlierNonces(
  store: Pick<Store, 'read' | 'snapshot'>,
  account: string,
  rules: NonceRules,
): Promise<NonceSnapshot | undefined> {
  const stream = `nonces/${account}`;
  const kept = await store.snapshot(stream);
  const snapshot = kept && parsed(snapshots, kept.payload, `${stream}, snapshot`);
  const window = new NonceWindow(rules, snapshot);
  let end = kept?.position ?? 0;
  for await (const { position, payload } of recordsAfter(store, stream, end)) {
    const found = parsed(events, payload, `${stream}, record ${position}`);
    for (const event of found) applyEvent(window, event);
    end = position;
  }
  return end === 0 ? undefined : window.snapshot();
}

function applyEvent(window: NonceWindow, event: z.output<typeof events>[number]): void {
  switch (event.kind) {
    case 'reserved':
      window.reserved(event.nonce, event.purpose, event.nested);
      break;
    case 'signed':
      window.signed(event.nonce, event.digest);
      break;
    case 'floor':
      window.stated(event);
      break;
    case 'assumed':
      window.assumed(event.floor);
      break;
    case 'restarted':
    case 'unlatched':
      window[event.kind]();
      break;
    default:
      window[event.kind](event.nonce);
  }
}

/** At the start each action is looked up and sent again, as after a crash of this version. */
export function earlierState(
  nonces: NonceSnapshot,
  actions: readonly Omit<EarlierAction, 'orderId'>[],
): OutboxState {
  const submissions = actions.map((action, index) => submissionOf(index + 1, action));
  return { lastId: submissions.length, submissions, nonces };
}

function submissionOf(
  id: number,
  { actionHash, canonical, key, nonce, requestId }: Omit<EarlierAction, 'orderId'>,
): Submission {
  // Such an action is never rebuilt, so only whether it cancels is relevant.
  const intent = isCancel(canonical)
    ? ({ kind: 'cancel', target: 'order', orderId: noOrder } as const)
    : ({ kind: 'group', market: 0 as MarketId, legs: [] } as const);
  const wanted = { asked: { key, requestId }, intent, clientOrderId: null, fencedId: null };
  return {
    ...newSubmission(id, wanted, 0),
    state: 'pausing',
    nonce: Number(nonce),
    bytes: {
      text: canonical,
      hash: actionHash.replace(/^0x/, ''),
      madeMs: madeAtMs(canonical),
      placed: { kind: 'none' },
    },
    isUnknown: true,
    hasLeft: true,
  };
}

const purposes = z.enum(['place', 'cancel', 'fill']);
const nonceNumber = z.int().min(0);
const digestHex = z.string().regex(/^[0-9a-f]{64}$/);
const events = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('reserved'),
      nonce: nonceNumber,
      purpose: purposes,
      nested: nonceNumber.optional(),
    }),
    z.strictObject({ kind: z.literal('signed'), nonce: nonceNumber, digest: digestHex }),
    z.strictObject({
      kind: z.literal('released'),
      nonce: nonceNumber,
      proof: z.string().optional(),
    }),
    z.strictObject({
      kind: z.enum(['sent', 'unknown', 'dead', 'consumed', 'applied', 'foreign']),
      nonce: nonceNumber,
    }),
    z.strictObject({
      kind: z.literal('floor'),
      floor: nonceNumber,
      window: nonceNumber.nullable(),
      from: z.enum(['answer', 'discovery', 'outside_window']),
      asked: nonceNumber.nullable().optional(),
    }),
    z.strictObject({ kind: z.literal('assumed'), floor: nonceNumber }),
    z.strictObject({ kind: z.enum(['restarted', 'unlatched']) }),
  ]),
);
const snapshots: z.ZodType<NonceSnapshot> = z.strictObject({
  floor: nonceNumber.nullable(),
  stated: nonceNumber.nullable(),
  window: nonceNumber,
  next: nonceNumber,
  ceiling: nonceNumber.nullable(),
  latched: z.boolean(),
  slots: z.array(
    z.tuple([
      nonceNumber,
      z.strictObject({
        state: z.enum(['free', 'reserved', 'sent', 'unknown', 'used', 'expired']),
        purpose: purposes,
        digest: digestHex.nullable(),
        proof: z.string().optional(),
        isDead: z.boolean(),
        nested: nonceNumber.nullable(),
        isShown: z.boolean().default(false),
      }),
    ]),
  ),
});

/** An unreadable journal aborts the start, because a guessed nonce could duplicate an order. */
function parsed<T>(schema: z.ZodType<T>, payload: Uint8Array, where: string): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(payload).toString()));
  } catch (cause) {
    throw new Error(`${where} is no record of nonces`, { cause });
  }
}
