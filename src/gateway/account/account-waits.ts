/** The timers of one account's engine. A timer that fires becomes an input. */

import { expiredText, hasEnded } from '../../domain/order.ts';
import type { EngineInput } from '../../engine/engine.ts';
import type { Orders } from '../../engine/orders.ts';
import type { RequestRef } from '../../engine/venue-port.ts';
import type { Clock } from '../../runtime/clock.ts';
import { entryOf } from '../../runtime/entry-of.ts';
import type { OutboxInput } from '../../venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../venue/venue-event.ts';

export interface WaitParts {
  readonly clock: Clock;
  readonly orders: Pick<Orders, 'awaits' | 'get'>;
  /** After this time the client is informed that the outcome is unknown. */
  readonly unknownAfterMs: number;
  /** Whether the submission still waits, and its wake-up time has come. */
  readonly isDue: (id: number) => boolean;
  /** Called with inputs that belong to one transaction. */
  readonly isOver: (inputs: readonly EngineInput<OutboxInput, VenueEvent>[]) => void;
}

/** Timers that are due within this step fire together: one for each would cost more than the work that they guard. */
const stepMs = 10;
const wallClockMs = 5_000;

export class AccountWaits {
  readonly #parts: WaitParts;
  /** Submissions and requests by due time. */
  readonly #submissions = new Map<number, number[]>();
  readonly #answers = new Map<number, RequestRef[]>();

  constructor(parts: WaitParts) {
    this.#parts = parts;
  }

  submission({ atMs, id }: { readonly atMs: number; readonly id: number }): void {
    const { isDue, isOver } = this.#parts;
    this.#at(atMs, this.#submissions, id, (ids) => {
      const due = ids.filter(isDue);
      if (due.length === 0) return;
      isOver(due.map((one) => ({ kind: 'venue', input: { kind: 'time', id: one } })));
    });
  }

  request({ ms, ...asked }: RequestRef & { readonly ms: number }): void {
    const { clock } = this.#parts;
    clock.at(clock.now().monoMs + ms, () => this.#ofRequest(asked, 'waited'));
  }

  /** Starts the timer for the venue's answer to a request. */
  answer(asked: RequestRef): void {
    const { clock, unknownAfterMs } = this.#parts;
    this.#at(clock.now().monoMs + unknownAfterMs, this.#answers, asked, (all) => {
      for (const one of all) this.#ofRequest(one, 'overdue');
    });
  }

  /**
   * Cancels an order at a time that the venue does not enforce; it enforces that of a trigger that has fired. The wall
   * clock is read every few seconds, because it may be corrected, and the monotonic clock stands still while the
   * machine is suspended.
   */
  cancelInTime(key: string, cancelAtMs: number | null): void {
    if (cancelAtMs === null) return;
    const { clock, isOver, orders } = this.#parts;
    const { monoMs, wallMs } = clock.now();
    const leftMs = Math.max(0, cancelAtMs - wallMs);
    clock.at(monoMs + Math.min(leftMs, wallClockMs), () => {
      const order = orders.get(key);
      if (order === undefined || hasEnded(order) || order.triggered) return;
      const nowMs = clock.now().wallMs;
      const input = { kind: 'own_cancel', text: expiredText, nowMs } as const;
      if (nowMs < cancelAtMs) this.cancelInTime(key, cancelAtMs);
      else isOver([{ kind: 'order', key, input }]);
    });
  }

  #at<T>(atMs: number, all: Map<number, T[]>, one: T, fire: (due: readonly T[]) => void): void {
    const dueMs = Math.ceil(atMs / stepMs) * stepMs;
    const due = entryOf(all, dueMs, () => []);
    due.push(one);
    if (due.length > 1) return;
    this.#parts.clock.at(dueMs, () => {
      all.delete(dueMs);
      fire(due);
    });
  }

  #ofRequest({ key, requestId }: RequestRef, kind: 'waited' | 'overdue'): void {
    const { clock, isOver, orders } = this.#parts;
    if (!orders.awaits(key, requestId)) return;
    const nowMs = clock.now().wallMs;
    isOver([{ kind: 'order', key, input: { kind, requestId, nowMs } }]);
  }
}
