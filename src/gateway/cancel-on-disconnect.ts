/**
 * Cancel on disconnect (contract C.2): whose orders are canceled when a connection ends, and when. The store keeps the rule of
 * each logged-on session, so that a bridge that crashes with the connection, or stops during the grace period, cancels at its
 * next start (docs/decisions/0155-a-crash-is-a-disconnect.md).
 */
import type { Clock, Instant } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import type { SessionConfig } from './config.ts';

export type CancelRule = SessionConfig['cancelOnDisconnect'];

/** In the store, 0 means no cancel; otherwise it is the grace in milliseconds plus one. */
const nothing = 0;

export class CancelOnDisconnect {
  readonly #turns: Turns;
  readonly #clock: Clock;
  /** The stored value. */
  readonly #owed = new Map<string, number>();
  readonly #graces = new Map<string, () => void>();

  constructor(turns: Turns, clock: Clock) {
    this.#turns = turns;
    this.#clock = clock;
  }

  /** The client is connected; from now on the end of its connection counts, also if this process crashes. */
  arrived(session: string, { when, graceMs }: CancelRule): void {
    this.#graces.get(session)?.();
    this.#graces.delete(session);
    this.#owe(session, when === 'off' ? nothing : graceMs + 1);
  }

  left(
    session: string,
    end: { readonly graceful: boolean; readonly rule: CancelRule; readonly now: Instant },
    cancel: () => void,
  ): void {
    const { when, graceMs } = end.rule;
    if (when === 'off' || (when === 'abrupt' && end.graceful)) this.#owe(session, nothing);
    else this.#cancelAt(end.now.monoMs, graceMs, session, cancel);
  }

  /** Called at a start, before clients can log on: the connections ended with the previous process. */
  async resume(session: string, cancel: () => void): Promise<void> {
    const value = (await this.#turns.store.cursor(nameOf(session))) ?? nothing;
    this.#owed.set(session, value);
    if (value !== nothing) {
      this.#cancelAt(this.#clock.now().monoMs, value - 1, session, cancel);
    }
  }

  #cancelAt(fromMs: number, graceMs: number, session: string, cancel: () => void): void {
    const due = () => {
      this.#graces.delete(session);
      this.#turns.run(() => {
        cancel();
        this.#owe(session, nothing);
      });
    };
    if (graceMs === 0) due();
    else this.#graces.set(session, this.#clock.at(fromMs + graceMs, due));
  }

  #owe(session: string, value: number): void {
    if ((this.#owed.get(session) ?? nothing) === value) return;
    this.#owed.set(session, value);
    this.#turns.run(() => this.#turns.write({ kind: 'cursor', name: nameOf(session), value }));
  }
}

function nameOf(session: string): string {
  return `cancel-on-disconnect/${session}`;
}
