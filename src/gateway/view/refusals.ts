/**
 * Refusals for the console and the metrics: counts by code since the start, the latest requests with their reasons, and
 * the reasons of the latest orders. The journal does not keep them, so after a restart only the messages show them.
 */
import type { Denial } from '../../domain/denial.ts';
import type { SentOrder } from '../../domain/sent-order.ts';
import { keepLatest } from '../../runtime/keep-latest.ts';
import type { OrderRow } from './order-row.ts';

export interface RefusalRow {
  readonly atMs: number;
  readonly session: string;
  readonly clOrdId: string;
  readonly code: string;
  readonly text: string;
}

/** A refused request; `key` is the bridge's key of its order, if there is one. */
export interface Refusal {
  readonly denial: Denial;
  readonly session: string;
  readonly clOrdId: string;
  readonly key?: string;
  readonly atMs: number;
}

const maxLatest = 200;
const maxReasons = 20_000;
const maxOrders = 5_000;

export class Refusals {
  readonly #counts = new Map<string, number>();
  readonly #latest: RefusalRow[] = [];
  /** By the key of the order, oldest first. */
  readonly #reasons = new Map<string, string>();
  /** New orders that the bridge refused itself, which the order index does not have; by ExecID(17), oldest first. */
  readonly #orders = new Map<string, OrderRow>();
  #mark = 0;

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The latest refusals, newest first. */
  get latest(): readonly RefusalRow[] {
    return this.#latest.toReversed();
  }

  /** Increases with every refusal. */
  get mark(): number {
    return this.#mark;
  }

  /** Refused new orders by ExecID(17) of the refusal, oldest first. */
  get orders(): ReadonlyMap<string, OrderRow> {
    return this.#orders;
  }

  /** Returns why this order, or the last request for it, was refused. */
  reasonOf(key: string): string | undefined {
    return this.#reasons.get(key);
  }

  add({ atMs, clOrdId, denial, key, session }: Refusal): void {
    const code = denial.refusal.name;
    this.#mark += 1;
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
    this.#latest.push({ atMs, session, clOrdId, code, text: denial.text ?? '' });
    if (this.#latest.length > maxLatest) this.#latest.shift();
    if (key !== undefined) keepLatest(this.#reasons, key, reasonOf(denial), maxReasons);
  }

  addOrder(sent: SentOrder, execId: string, { atMs, denial, session }: Refusal): void {
    const row: OrderRow = {
      ...{ ...sent, key: execId, session, orderId: null, quoteId: null, venueRef: null },
      ...{ cumQty: '0', leavesQty: '0', avgPx: null, status: 'rejected', pending: null },
      ...{ isUnknown: false, isOpen: false, changedMs: atMs, reason: reasonOf(denial) },
    };
    keepLatest(this.#orders, execId, row, maxOrders);
  }
}

function reasonOf({ refusal: { name }, text }: Denial): string {
  return text === null || text === '' ? name : `${name}: ${text}`;
}
