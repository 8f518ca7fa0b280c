/**
 * Determines whether owners and nodes are alive, from their renewals in the database. A lease that is over by the clock
 * of the database is not enough: that clock may have stepped, or nobody could renew because the database was away or
 * its commits waited for a standby. A renewal must also have been missing for a while by this process's clock, during
 * which it read at short intervals and the owner's session waited for nothing.
 */

/** Something that its owner renews periodically. */
export interface Renewable {
  readonly renewedAt: string;
  readonly ageMs: number;
  /** Its session waits in the database, so a missing renewal says nothing. */
  readonly isWaiting?: boolean;
}

interface Seen {
  readonly renewedAt: string;
  /** How long no renewal has been seen; negative after an outage of the database. */
  readonly quietMs: number;
}

/** A shard whose lease has expired must also have been quiet for this long while this process was reading. */
export const quietShardMs = 1_000;
/** A reading counts for no more time than this: in a longer one, this process or the database may have been stopped. */
const readingMs = 300;

export class Liveness {
  readonly #leaseMs: number;
  readonly #quietMs: number;
  #seen = new Map<string, Seen>();
  #readMs = 0;
  /** The time that a first reading counts for. */
  #firstMs = 0;
  #dueMs = Number.POSITIVE_INFINITY;

  /** `quietMs` is measured by this process's clock. It is shorter than a lease, so a takeover does not wait for it. */
  constructor(leaseMs: number, quietMs: number) {
    this.#leaseMs = leaseMs;
    this.#quietMs = quietMs;
  }

  /** The database did not respond: owners that could not renew their leases get a whole lease of time to do so. */
  reset(): void {
    this.#seen.clear();
    this.#firstMs = this.#quietMs - this.#leaseMs;
  }

  /** The time at which the next lease may expire, unless it is renewed; a read should happen then. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Takes all rows of one read, and returns the names of those that have expired. */
  over(rows: ReadonlyMap<string, Renewable>, nowMs: number): ReadonlySet<string> {
    const before = this.#seen;
    const passedMs = Math.min(nowMs - this.#readMs, readingMs);
    this.#seen = new Map();
    const over = new Set<string>();
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const [name, { ageMs, isWaiting, renewedAt }] of rows) {
      const known = before.get(name);
      const isQuiet = known?.renewedAt === renewedAt && isWaiting !== true;
      const quietMs = isQuiet ? known.quietMs + passedMs : known === undefined ? this.#firstMs : 0;
      this.#seen.set(name, { renewedAt, quietMs });
      const leftMs = Math.max(this.#leaseMs - Math.abs(ageMs), this.#quietMs - quietMs);
      if (quietMs >= this.#quietMs && Math.abs(ageMs) > this.#leaseMs) over.add(name);
      if (leftMs > 0) this.#dueMs = Math.min(this.#dueMs, nowMs + leftMs);
    }
    this.#readMs = nowMs;
    this.#firstMs = 0;
    return over;
  }
}
