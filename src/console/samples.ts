/** What the console measures by looking now and then: how fast each session is answered, how long quotes stand. */
import type { ConsoleView } from '../gateway/console-view.ts';
import type { QuoteRow } from '../gateway/quoted-markets.ts';
import type { Clock } from '../runtime/clock.ts';

export interface Presence extends QuoteRow {
  /** Looks since the start of the UTC day, and those that found both sides. */
  readonly looks: number;
  readonly twoSided: number;
  /** The spread at the last looks, null where a side was missing. */
  readonly spreads: readonly (number | null)[];
}

export const sampleMs = 2_000;
const kept = 60;
const mostPresences = 5_000;

interface Counted {
  count: number;
  sumUs: number;
  readonly meansUs: (number | null)[];
}

export class Samples {
  readonly #view: ConsoleView;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Counted>();
  readonly #presences = new Map<string, Presence>();
  #day = 0;
  #isLooking = false;
  #cancel = () => {};

  constructor(view: ConsoleView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  start(): void {
    this.#cancel = this.#clock.at(this.#clock.now().monoMs + sampleMs, () => {
      this.#lookAtSessions();
      void this.#lookAtQuotes();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** The mean time to an answer at each of the last looks, null where there was none. */
  latencyOf(session: string): readonly (number | null)[] {
    return this.#sessions.get(session)?.meansUs ?? [];
  }

  get presences(): readonly Presence[] {
    return [...this.#presences.values()];
  }

  #lookAtSessions(): void {
    for (const { answered, name } of this.#view.sessions()) {
      const { count, sumUs } = answered;
      const known = this.#sessions.get(name);
      if (known === undefined) {
        this.#sessions.set(name, { count, sumUs, meansUs: [] });
        continue;
      }
      const more = count - known.count;
      known.meansUs.push(more > 0 ? (sumUs - known.sumUs) / more : null);
      if (known.meansUs.length > kept) known.meansUs.shift();
      known.count = count;
      known.sumUs = sumUs;
    }
  }

  /** None while one is under way: on a desk with very many orders it may take longer than to the next. */
  async #lookAtQuotes(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const quotes = await this.#view.quotes();
    this.#isLooking = false;
    const day = Math.floor(this.#clock.now().wallMs / 86_400_000);
    if (day !== this.#day) this.#presences.clear();
    this.#day = day;
    const now = new Map(quotes.map((row) => [`${row.account} ${row.symbol}`, row]));
    for (const [key, row] of now) {
      if (this.#presences.has(key) || this.#presences.size >= mostPresences) continue;
      this.#presences.set(key, { ...row, looks: 0, twoSided: 0, spreads: [] });
    }
    for (const [key, before] of this.#presences) {
      const row = now.get(key) ?? { ...before, ...nothing };
      this.#presences.set(key, {
        ...row,
        looks: before.looks + 1,
        twoSided: before.twoSided + (row.spreadBps === null ? 0 : 1),
        spreads: [...before.spreads, row.spreadBps].slice(-kept),
      });
    }
  }
}

const nothing = { bid: null, ask: null, bidQty: '0', askQty: '0', spreadBps: null };
