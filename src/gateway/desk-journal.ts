/**
 * A desk as its journal left it: the last snapshot and every record after it, applied again (docs/ARCHITECTURE.md,
 * "Durability"). What the desk wanted is not done again; what may be at the venue without an outcome is handed over.
 */
import type { OrderRules } from '../domain/order.ts';
import type { Account } from '../domain/units.ts';
import type { Store } from '../store/store.ts';
import { Desk } from './desk.ts';
import { decodeRecord, decodeState, type PreparedAction } from './desk-record.ts';

export interface RestoredDesk {
  readonly desk: Desk;
  readonly journalEnd: number;
  /** Actions that were recorded for sending and whose outcome is not. */
  readonly unresolved: readonly PreparedAction[];
}

const readAtOnce = 512;

export function deskStream(account: Account): string {
  return `desk/${account}`;
}

export async function restoreDesk(
  store: Store,
  account: Account,
  rulesOf: (session: string) => OrderRules,
): Promise<RestoredDesk> {
  const stream = deskStream(account);
  const desk = new Desk(rulesOf);
  const snapshot = await store.snapshot(stream);
  const actions = new Map<string, PreparedAction>();
  const take = (action: PreparedAction) => actions.set(action.actionHash, action);
  if (snapshot !== undefined) {
    const saved = decodeState(snapshot.payload, `${stream}, snapshot`);
    desk.restore(saved);
    saved.actions?.forEach(take);
  }
  let end = snapshot?.position ?? 0;
  for (;;) {
    const records = await store.read(stream, end, readAtOnce);
    for (const { position, payload } of records) {
      const record = decodeRecord(payload, `${stream}, record ${position}`);
      for (const input of record.inputs) desk.apply(input);
      record.actions.forEach(take);
      end = position;
    }
    if (records.length < readAtOnce) break;
  }
  const unresolved = [...actions.values()].filter(({ key, requestId, actionHash }) =>
    desk.awaits(key, requestId, actionHash),
  );
  return { desk, journalEnd: end, unresolved };
}
