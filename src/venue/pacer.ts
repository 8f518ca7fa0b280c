/**
 * Decides when the next request of an account may be sent (contract A.18.6; R39, R40). It follows the venue's headers.
 * A 429 for an account stops that account; a 429 from the edge stops all accounts of this address. A part of each
 * window is reserved for cancels, which go before placements under overload (R137). It is pure: the caller passes the
 * time.
 */
export type Priority = 'cancel' | 'place';

interface Budget {
  /** Requests left in this window according to the venue's last headers; null before the first. */
  left: number | null;
  limit: number;
  resetMonoMs: number;
  blockedUntilMs: number;
  inFlight: number;
}

/** One in this many requests of a window is reserved for cancels. */
const cancelShare = 10;
const maxAccounts = 100_000;
/** The longest wait that the venue may request; a longer one is treated as an error. */
export const longestWaitMs = 3_600_000;

export class Pacer {
  readonly #budgets = new Map<string, Budget>();
  #edgeUntilMs = 0;

  /** Returns the monotonic time from which this request may be sent; now or earlier means at once. */
  readyAtMs(account: string, priority: Priority, nowMs: number): number {
    const budget = this.#budget(account);
    if (budget.left !== null && nowMs >= budget.resetMonoMs) budget.left = null;
    const kept = priority === 'place' ? Math.floor(budget.limit / cancelShare) : 0;
    const exhausted = budget.left !== null && budget.left <= kept;
    return Math.max(
      this.#edgeUntilMs,
      budget.blockedUntilMs,
      exhausted ? budget.resetMonoMs : nowMs,
    );
  }

  sent(account: string): void {
    const budget = this.#budget(account);
    budget.inFlight += 1;
    if (budget.left !== null) budget.left -= 1;
  }

  /** Called at the end of every exchange; without headers the budget does not change. */
  answered(account: string, headers: Readonly<Record<string, string>>, nowMs: number): void {
    const budget = this.#budget(account);
    budget.inFlight = Math.max(0, budget.inFlight - 1);
    const limit = wholeNumber(headers['x-ratelimit-limit']);
    const remaining = wholeNumber(headers['x-ratelimit-remaining']);
    const resetMs = wholeNumber(headers['x-ratelimit-reset-ms']);
    if (remaining === null || resetMs === null) return;
    budget.limit = limit ?? budget.limit;
    budget.left = remaining - budget.inFlight;
    budget.resetMonoMs = nowMs + Math.min(resetMs, longestWaitMs);
    // The next answer may be an older one, from when some were left.
    if (remaining === 0) this.block(account, budget.resetMonoMs);
  }

  /** The account must wait because of its own 429 or a Retry-After. */
  block(account: string, untilMs: number): void {
    const budget = this.#budget(account);
    budget.blockedUntilMs = Math.max(budget.blockedUntilMs, untilMs);
  }

  /** The edge limits the address, so every account waits. */
  blockAll(untilMs: number): void {
    this.#edgeUntilMs = Math.max(this.#edgeUntilMs, untilMs);
  }

  #budget(account: string): Budget {
    let budget = this.#budgets.get(account);
    if (budget === undefined) {
      if (this.#budgets.size >= maxAccounts) throw new Error(`over ${maxAccounts} accounts`);
      budget = { left: null, limit: 0, resetMonoMs: 0, blockedUntilMs: 0, inFlight: 0 };
      this.#budgets.set(account, budget);
    }
    return budget;
  }
}

/** Reads a header that is a whole number; null if it is absent or anything else. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
