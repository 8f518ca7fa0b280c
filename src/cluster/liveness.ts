/**
 * Whether owners and nodes are alive, by what they renew in the database. A lease that is over by the clock of the database is not
 * enough: that clock may have stepped, or the database may have been away, so that nobody could renew. A renewal must also have
 * been missing for a while by the clock of this process, as long as it has read without a break.
 */

/** Something that is renewed again and again. */
export interface Renewable {
  readonly renewedAt: string;
  readonly ageMs: number;
}

/** Rows that were read so long apart say nothing about the time between. */
const breakMs = 1_000;

interface Seen {
  readonly renewedAt: string;
  readonly sinceMs: number;
}

export class Liveness {
  readonly #leaseMs: number;
  readonly #quietMs: number;
  #seen = new Map<string, Seen>();
  #readMs = Number.NEGATIVE_INFINITY;

  /** `quietMs` by the clock of this process: less than a lease, so that a takeover does not wait for it. */
  constructor(leaseMs: number, quietMs: number) {
    this.#leaseMs = leaseMs;
    this.#quietMs = quietMs;
  }

  /** All rows of one reading. Returns the names of those that are over. */
  over(rows: ReadonlyMap<string, Renewable>, nowMs: number): ReadonlySet<string> {
    const isBroken = nowMs - this.#readMs > breakMs;
    const before = isBroken ? new Map<string, Seen>() : this.#seen;
    this.#readMs = nowMs;
    this.#seen = new Map();
    const over = new Set<string>();
    for (const [name, { ageMs, renewedAt }] of rows) {
      const known = before.get(name);
      const seen = known?.renewedAt === renewedAt ? known : { renewedAt, sinceMs: nowMs };
      this.#seen.set(name, seen);
      const isQuiet = nowMs - seen.sinceMs >= this.#quietMs;
      if (isQuiet && Math.abs(ageMs) > this.#leaseMs) over.add(name);
    }
    return over;
  }
}
