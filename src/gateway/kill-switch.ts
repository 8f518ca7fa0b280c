/**
 * The operator's kill switch, for everything, for an account or for a session. The store keeps it, so that a restart
 * does not release what an operator has blocked (docs/OPERATING.md, "A kill switch is on").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { Store } from '../store/store.ts';
import type { Transactions } from '../store/transactions.ts';

/** Accounts by their alias, sessions by their name in the store. */
export type KillScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'account'; readonly name: string }
  | { readonly kind: 'session'; readonly name: string };

export interface Kill {
  readonly scope: KillScope;
  readonly reason: string;
  readonly sinceMs: number;
}

type KillRecord =
  | ({ readonly on: true } & Kill)
  | { readonly on: false; readonly scope: KillScope; readonly sinceMs: number };

const stream = 'kill-switch';
const readAtOnce = 512;

export class KillSwitch {
  readonly #transactions: Transactions;
  readonly #kills = new Map<string, Kill>();
  #end = 0;

  static async open(store: Store, transactions: Transactions): Promise<KillSwitch> {
    const own = new KillSwitch(transactions);
    for (;;) {
      const records = await store.read(stream, own.#end, readAtOnce);
      for (const { payload, position } of records) {
        own.#take(JSON.parse(Buffer.from(payload).toString()) as KillRecord);
        own.#end = position;
      }
      if (records.length < readAtOnce) return own;
    }
  }

  private constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get engaged(): readonly Kill[] {
    return [...this.#kills.values()];
  }

  /** Called within a transaction. */
  engage(kill: Kill): void {
    this.#record({ on: true, ...kill });
  }

  /** Called inside a transaction; returns false if it was not on. */
  release(scope: KillScope, nowMs: number): boolean {
    if (!this.#kills.has(keyOf(scope))) return false;
    this.#record({ on: false, scope, sinceMs: nowMs });
    return true;
  }

  /** Returns why this session may place no new orders on this account, or undefined. */
  denial(account: string, session: string): Denial | undefined {
    if (this.#kills.size === 0) return undefined;
    const kill =
      this.#kills.get('all') ??
      this.#kills.get(keyOf({ kind: 'account', name: account })) ??
      this.#kills.get(keyOf({ kind: 'session', name: session }));
    return kill && deny('bridge.kill_switch', kill.reason);
  }

  #record(record: KillRecord): void {
    const payload = new TextEncoder().encode(JSON.stringify(record));
    this.#transactions.write({ kind: 'append', stream, expected: this.#end, payload });
    this.#end += 1;
    this.#take(record);
  }

  #take(record: KillRecord): void {
    const key = keyOf(record.scope);
    if (record.on) {
      const { reason, scope, sinceMs } = record;
      this.#kills.set(key, { scope, reason, sinceMs });
    } else this.#kills.delete(key);
  }
}

function keyOf(scope: KillScope): string {
  return scope.kind === 'all' ? 'all' : `${scope.kind} ${scope.name}`;
}
