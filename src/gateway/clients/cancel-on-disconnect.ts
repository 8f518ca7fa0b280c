/**
 * Cancel on disconnect (contract C.2): determines whose orders are canceled when a connection ends, and when. The store
 * keeps the rule of each logged-on session, so that a bridge that crashes with the connection, or stops during the
 * grace period, cancels at its next start (docs/decisions/0210-stopping-orders.md).
 */
import type { Clock, Instant } from '../../runtime/clock.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { SessionConfig } from '../config/config.ts';

export type CancelRule = SessionConfig['cancelOnDisconnect'];

/** `started`: nothing has been sent yet, so cancels that may not wait go first. `open`: clients can log on next. */
export type StartState = 'started' | 'open';

/** In the store, 0 means no cancel; otherwise it is the grace in milliseconds plus one. */
const nothing = 0;

export class CancelOnDisconnect {
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  /** The stored values by session. */
  readonly #rules = new Map<string, number>();
  readonly #graces = new Map<string, () => void>();

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  /** The client is connected. From now on its rule applies when the connection ends, even if this process crashes. */
  arrived(session: string, { when, graceMs }: CancelRule): void {
    this.#graces.get(session)?.();
    this.#graces.delete(session);
    this.#store(session, when === 'off' ? nothing : graceMs + 1);
  }

  left(
    session: string,
    end: { readonly graceful: boolean; readonly rule: CancelRule; readonly now: Instant },
    cancel: () => void,
  ): void {
    const { when, graceMs } = end.rule;
    if (when === 'off' || (when === 'abrupt' && end.graceful)) this.#store(session, nothing);
    else this.#cancelAt(end.now.monoMs, graceMs, session, cancel);
  }

  /** Whether the session's orders are to be canceled once its grace has passed. */
  isDue(session: string): boolean {
    return this.#graces.has(session);
  }

  /** Called in each state of a start: the connections ended with the previous process. */
  async resume(session: string, state: StartState, cancel: () => void): Promise<void> {
    const value =
      this.#rules.get(session) ??
      (await this.#transactions.store.cursor(nameOf(session))) ??
      nothing;
    this.#rules.set(session, value);
    if (value === nothing) return;
    const graceMs = value - 1;
    if (graceMs === 0 || state === 'open') {
      this.#cancelAt(this.#clock.now().monoMs, graceMs, session, cancel);
    }
  }

  #cancelAt(fromMs: number, graceMs: number, session: string, cancel: () => void): void {
    const due = () => {
      this.#graces.delete(session);
      this.#transactions.run(() => {
        cancel();
        this.#store(session, nothing);
      });
    };
    if (graceMs === 0) due();
    else this.#graces.set(session, this.#clock.at(fromMs + graceMs, due));
  }

  #store(session: string, value: number): void {
    // The stored value of a session that a reload has added was not read, so the first one is always written.
    if (this.#rules.get(session) === value) return;
    this.#rules.set(session, value);
    this.#transactions.run(() =>
      this.#transactions.write({ kind: 'cursor', name: nameOf(session), value }),
    );
  }
}

function nameOf(session: string): string {
  return `cancel-on-disconnect/${session}`;
}
