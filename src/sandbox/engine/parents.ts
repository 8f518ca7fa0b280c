/** The common part of algos and stored conditionals: they are parents of orders and hold no funds themselves. */
import type { PlaceAlgo } from './action.ts';
import { closedGate, findBook, isRefusal, refusal, refuseDuplicate } from './admission.ts';
import { emitOrder, emitRefused, stageEnd } from './emit.ts';
import { requireId } from './orders.ts';
import type { Refusal } from './refusal.ts';
import type { Actor, Call, Parent, ParentFields, State } from './state.ts';

/** The request for an algo or a conditional, under the names that both have. */
type Asked = Pick<PlaceAlgo, 'market' | 'book' | 'side' | 'timeInForce'> & {
  readonly price: number;
  readonly qty: number;
};

/** The members that both kinds of parents have from the start. */
type Common = Omit<ParentFields, 'state'>;

/** Adds the parent that `create` completes, or returns the refusal. Both are reported, unless by a gate. */
export function admitParent<T extends Parent>(
  { state, account, ids }: Call,
  asked: Asked,
  create: (common: Common) => T | Refusal,
): T | Refusal {
  const id = requireId(ids);
  const { market, side, price, qty, timeInForce } = asked;
  const gate = closedGate(state, account, market);
  if (gate !== null) return gate;
  const at = findBook(state, market, asked.book);
  const entryNo = state.counters.entryNo + 1;
  const { actionHash, nonce } = ids;
  const parent = isRefusal(at)
    ? at
    : create({ id, entryNo, account, at, side, price, qty, timeInForce, actionHash, nonce });
  if (isRefusal(parent)) {
    const about = { orderId: id, parentOrderId: null, market, terms: asked };
    emitRefused(state, { account, refusal: parent, ...about });
    return parent;
  }
  state.counters.entryNo += 1;
  state.parents.set(parent.id, parent);
  account.parents.add(parent);
  emitOrder(state, 'accepted', parent, 'applied');
  return parent;
}

export function refuseParent({ state, account }: Actor, orderId: string): Refusal | null {
  const { parents } = state.config.caps;
  if (account.parents.size >= parents) {
    const text = `${parents} algos and conditionals are open`;
    return refusal('account_open_order_cap_exceeded', text);
  }
  return refuseDuplicate(state, orderId);
}

/** Ends the parent; it is kept for queries. */
export function unregister(state: State, parent: Parent): void {
  parent.account.parents.delete(parent);
  stageEnd(state, parent);
}
