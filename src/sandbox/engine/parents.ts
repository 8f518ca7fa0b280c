/** The common part of algos and stored conditionals: they are parents of orders and hold no funds themselves. */
import type { PlaceAlgo } from './action.ts';
import { closedGate, findBook, isRefusal, refusal, refuseDuplicate } from './admission.ts';
import { emitOrder, emitRefused, stageEnd } from './emit.ts';
import type { Refusal } from './refusal.ts';
import type { AccountState, BookState, Parent, State } from './state.ts';

/** The request for an algo or a conditional, as reported in the event that refuses it. */
type Asked = Pick<PlaceAlgo, 'market' | 'book' | 'side'> & {
  readonly price: number;
  readonly qty: number;
};

/** Adds the parent that `create` builds for its book, or returns the refusal. Both are reported, unless by a gate. */
export function admitParent<T extends Parent>(
  state: State,
  account: AccountState,
  orderId: string,
  asked: Asked,
  create: (at: BookState) => T | Refusal,
): T | Refusal {
  const gate = closedGate(state, account, asked.market);
  if (gate !== null) return gate;
  const at = findBook(state, asked.market, asked.book);
  const parent = isRefusal(at) ? at : create(at);
  if (isRefusal(parent)) {
    const { market, ...terms } = asked;
    emitRefused(state, { account, refusal: parent, orderId, parentOrderId: null, market, terms });
    return parent;
  }
  state.counters.entryNo += 1;
  state.parents.set(parent.id, parent);
  account.parents.add(parent);
  emitOrder(state, 'accepted', parent, 'applied');
  return parent;
}

export function refuseParent(state: State, account: AccountState, orderId: string): Refusal | null {
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
