/**
 * Determines whether owners and nodes are alive, from their renewals in the database. A lease that is over by the clock
 * of the database is not enough: that clock may have stepped, or the database may have been away, so that nobody could
 * renew. A renewal must also have been missing for a while by this process's clock, during which every read succeeded.
 */

/** Something that its owner renews periodically. */
export interface Renewable {
  readonly renewedAt: string;
  readonly ageMs: number;
}

interface Seen {
  readonly renewedAt: string;
  readonly sinceMs: number;
}

export class Liveness {
  readonly #leaseMs: number;
  readonly #quietMs: number;
  #seen = new Map<string, Seen>();
  #dueMs = Number.POSITIVE_INFINITY;

  /** `quietMs` is measured by this process's clock. It is shorter than a lease, so a takeover does not wait for it. */
  constructor(leaseMs: number, quietMs: number) {
    this.#leaseMs = leaseMs;
    this.#quietMs = quietMs;
  }

  /** The database did not respond: owners that could not renew their leases get time to do so. */
  reset(): void {
    this.#seen.clear();
  }

  /** The time at which the next lease may expire, unless it is renewed; a read should happen then. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Takes all rows of one read, and returns the names of those that have expired. */
  over(rows: ReadonlyMap<string, Renewable>, nowMs: number): ReadonlySet<string> {
    const before = this.#seen;
    this.#seen = new Map();
    const over = new Set<string>();
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const [name, { ageMs, renewedAt }] of rows) {
      const known = before.get(name);
      const seen = known?.renewedAt === renewedAt ? known : { renewedAt, sinceMs: nowMs };
      this.#seen.set(name, seen);
      const isQuiet = nowMs - seen.sinceMs >= this.#quietMs;
      if (isQuiet && Math.abs(ageMs) > this.#leaseMs) over.add(name);
      const leftMs = Math.max(
        this.#leaseMs - Math.abs(ageMs),
        seen.sinceMs + this.#quietMs - nowMs,
      );
      if (leftMs > 0) this.#dueMs = Math.min(this.#dueMs, nowMs + leftMs);
    }
    return over;
  }
}
