/** Builds the bytes of an account's actions. The same action with the same nonce and time always has the same bytes. */
import type { Account } from '../../domain/units.ts';
import type { Action, ActionEnvelope, SignedAction } from '../../signer/action.ts';
import { type NewOrders, newOrders } from '../../signer/digest.ts';
import type { ActionMaker } from '../../signer/made-action.ts';
import { placeAction } from './action-of.ts';
import type { SignedBytes, Submission } from './submission.ts';

/** The fields of the envelope around an action. */
export interface ActionHead {
  readonly nonce: number;
  readonly clientOrderId: string | null;
  readonly madeMs: number;
}

export class ActionBytes {
  readonly #account: Account;
  readonly #maker: ActionMaker;

  constructor(account: Account, maker: ActionMaker) {
    this.#account = account;
    this.#maker = maker;
  }

  of(head: ActionHead, action: Action): SignedBytes {
    const { derivation } = this.#maker;
    const made = this.#maker.make(this.#envelope(head, action));
    const placed = newOrders(derivation, made.envelope, made.canonical);
    const { hash, text } = made;
    return { text, hash, madeMs: head.madeMs, placed, made };
  }

  /** Returns the signed order inside a conditional one. */
  nested({ intent, nested }: Submission): SignedAction | undefined {
    if (intent.kind !== 'conditional' || nested === null || nested.signature === null) {
      return undefined;
    }
    const { bytes, nonce, signature } = nested;
    const head = { nonce, clientOrderId: null, madeMs: bytes.madeMs };
    const payload = this.#envelope(head, placeAction(intent.nested));
    return {
      payload,
      signature: { scheme: signature.scheme, bytes: Buffer.from(signature.hex, 'hex') },
    };
  }

  #envelope({ clientOrderId, madeMs, nonce }: ActionHead, action: Action): ActionEnvelope {
    const unnamed = {
      account: this.#account,
      nonce: BigInt(nonce),
      nonce_reservation_id: null,
      ts: madeMs,
      action,
    };
    return clientOrderId === null ? unnamed : { ...unnamed, client_order_id: clientOrderId };
  }
}

/** Returns the venue ids by which the orders will find the result of an action. */
export function idsOf(placed: NewOrders) {
  switch (placed.kind) {
    case 'none':
      return { orderId: null, firedOrderId: null };
    case 'order':
      return { orderId: placed.orderId, firedOrderId: null };
    case 'legs': {
      const { legIds } = placed;
      return { orderId: legIds[0] ?? null, firedOrderId: null, legIds };
    }
    case 'conditional':
      return { orderId: placed.orderId, firedOrderId: placed.triggeredId };
  }
}
