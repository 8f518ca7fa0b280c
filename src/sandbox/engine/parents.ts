/** What algos and stored conditionals have in common: they are parents of orders and hold no funds themselves. */
import { refusal, refuseDuplicate } from './admission.ts';
import { stageEnd } from './emit.ts';
import { applied, type Outcome } from './outcome.ts';
import type { Refusal } from './refusal.ts';
import type { AccountState, Parent, State } from './state.ts';

export function refuseParent(state: State, account: AccountState, orderId: string): Refusal | null {
  const { parents } = state.config.caps;
  if (account.parents.size >= parents) {
    const text = `${parents} algos and conditionals are open`;
    return refusal('account_open_order_cap_exceeded', text);
  }
  return refuseDuplicate(state, orderId);
}

export function register(state: State, parent: Parent): void {
  state.counters.entryNo += 1;
  state.parents.set(parent.id, parent);
  parent.account.parents.add(parent);
}

/** Takes the parent out of what is open; it is kept for queries. */
export function unregister(state: State, parent: Parent): void {
  parent.account.parents.delete(parent);
  stageEnd(state, parent);
}

export function canceledParent(parent: Parent, filledQty: number): Outcome {
  const feeMicro = parent.kind === 'algo' ? parent.feeMicro : 0;
  return { ...applied(parent.id), status: 'canceled', filledQty, feeMicro };
}
