/**
 * Risk limits of an account or a session that an administrator changed at run time. The store keeps them, so that a
 * restart or a takeover does not loosen what an administrator has tightened; a reload does not change them either
 * (docs/decisions/0091-operating-a-running-bridge.md).
 */
import { RecordStream } from '../../store/record-stream.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { RiskLimits } from '../config/config.ts';

/** Accounts by their alias, sessions by their name in the store. */
export interface LimitTarget {
  readonly kind: 'account' | 'session';
  readonly name: string;
}

/** A target, or everything, as text; no two have the same. */
export function scopeText(scope: LimitTarget | { readonly kind: 'all' }): string {
  return scope.kind === 'all' ? 'everything' : `${scope.kind} ${scope.name}`;
}

export interface LimitChange {
  readonly target: LimitTarget;
  /** All limits of the target; null restores those of the configuration. */
  readonly limits: RiskLimits | null;
  readonly who: string;
  readonly why: string;
  readonly sinceMs: number;
}

const stream = 'limit-changes';

export class LimitChanges {
  readonly #changes = new Map<string, LimitChange>();
  readonly #records: RecordStream<LimitChange>;

  static async open(transactions: Transactions): Promise<LimitChanges> {
    const own = new LimitChanges(transactions);
    await own.#records.read();
    return own;
  }

  private constructor(transactions: Transactions) {
    this.#records = new RecordStream(transactions, stream, (change) => this.#take(change));
  }

  /** Undefined if the configured limits apply. */
  of(target: LimitTarget): LimitChange | undefined {
    return this.#changes.get(scopeText(target));
  }

  /** Called inside a transaction. */
  set(change: LimitChange): void {
    this.#records.append(change);
  }

  #take(change: LimitChange): void {
    if (change.limits === null) this.#changes.delete(scopeText(change.target));
    else this.#changes.set(scopeText(change.target), change);
  }
}
