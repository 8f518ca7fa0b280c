/**
 * The operator's kill switch, for everything, for an account or for a session. The store keeps it, so that a restart
 * does not release what an operator has blocked (docs/OPERATING.md, "A kill switch is on").
 */
import { type Denial, deny } from '../../domain/denial.ts';
import { RecordStream } from '../../store/record-stream.ts';
import type { Transactions } from '../../store/transactions.ts';
import { type LimitTarget, scopeText } from './limit-changes.ts';

export type KillScope = { readonly kind: 'all' } | LimitTarget;

export interface Kill {
  readonly scope: KillScope;
  readonly reason: string;
  readonly sinceMs: number;
}

type KillRecord =
  | ({ readonly on: true } & Kill)
  | { readonly on: false; readonly scope: KillScope; readonly sinceMs: number };

const stream = 'kill-switch';

export class KillSwitch {
  readonly #kills = new Map<string, Kill>();
  readonly #records: RecordStream<KillRecord>;

  static async open(transactions: Transactions): Promise<KillSwitch> {
    const own = new KillSwitch(transactions);
    await own.#records.read();
    return own;
  }

  private constructor(transactions: Transactions) {
    this.#records = new RecordStream(transactions, stream, (record) => this.#take(record));
  }

  get engaged(): readonly Kill[] {
    return [...this.#kills.values()];
  }

  /** Called within a transaction. */
  engage(kill: Kill): void {
    this.#records.append({ on: true, ...kill });
  }

  /** Called inside a transaction; returns false if it was not on. */
  release(scope: KillScope, nowMs: number): boolean {
    if (!this.#kills.has(scopeText(scope))) return false;
    this.#records.append({ on: false, scope, sinceMs: nowMs });
    return true;
  }

  /** Returns why this session may place no new orders on this account, or undefined. */
  denial(account: string, session: string): Denial | undefined {
    if (this.#kills.size === 0) return undefined;
    const kill =
      this.#kills.get(scopeText({ kind: 'all' })) ??
      this.#kills.get(scopeText({ kind: 'account', name: account })) ??
      this.#kills.get(scopeText({ kind: 'session', name: session }));
    return kill && deny('bridge.kill_switch', kill.reason);
  }

  #take(record: KillRecord): void {
    const key = scopeText(record.scope);
    if (record.on) {
      const { reason, scope, sinceMs } = record;
      this.#kills.set(key, { scope, reason, sinceMs });
    } else this.#kills.delete(key);
  }
}
