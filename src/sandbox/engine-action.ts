/** Builds an action for the engine from a client's checked input, with the ids derived from its bytes. */
import { variantKinds } from './action-fields.ts';
import type { Payload, SignedAction } from './action-input.ts';
import type { ActionIds, EngineAction, Place } from './engine/action.ts';
import { isCancelOnly } from './engine/replace.ts';
import { hex, type Ids } from './ids.ts';

/** The fields already have the engine's names; only a nested action needs its ids. */
export function engineAction(payload: Payload, ids: Ids): EngineAction {
  const { signedTriggerOrder, ...values } = payload.values;
  const kind = variantKinds[payload.variant];
  const nested = signedTriggerOrder && nestedAction(signedTriggerOrder, ids);
  return { kind, ...values, ...(nested && { nested }) } as EngineAction;
}

function nestedAction({ payload }: SignedAction, ids: Ids) {
  const hash = ids.actionHash(payload.canonical);
  return { action: engineAction(payload, ids) as Place, ids: actionIds(payload, hash, ids) };
}

/** `hash` is the action hash that the signature was checked against. */
export function actionIds(payload: Payload, hash: Uint8Array, ids: Ids): ActionIds {
  const { canonical, clientOrderId, nonce, values, variant } = payload;
  const hasId = variantKinds[variant].startsWith('place');
  const { legs = [] } = values;
  return {
    actionHash: hex(hash),
    nonce,
    clientOrderId,
    canonical,
    orderId: hasId ? ids.orderId(canonical) : null,
    legIds: legs.map((leg, index) => (isCancelOnly(leg) ? null : ids.legId(canonical, index))),
  };
}

/** Whether the action may add an order to a book, now or later. */
export function places({ values: { legs }, variant }: Payload): boolean {
  return legs === undefined ? variantKinds[variant].startsWith('place') : !legs.every(isCancelOnly);
}

/** Whether the action can only reduce the account's exposure (contract A.16, closing accounts). */
export function reduces(payload: Payload): boolean {
  return !places(payload) || payload.values.reduceOnly === true;
}
