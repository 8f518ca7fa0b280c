/** Samples every two seconds: flow and latency over time, states of sessions, and two-sided quotes. */
import { setImmediate } from 'node:timers/promises';
import type { ConsoleView } from '../gateway/console-view.ts';
import type { QuoteRow } from '../gateway/view/quoted-markets.ts';
import { type Clock, every } from '../runtime/clock.ts';
import { History, lookMs } from './history.ts';
import { SessionLatency } from './session-latency.ts';
import type { Watch } from './watch.ts';

export interface Presence extends QuoteRow {
  /** Samples since the start of the UTC day, and those in which both sides were quoted. */
  readonly looks: number;
  readonly twoSided: number;
  /** The spread in the last samples; null if a side was missing. */
  readonly spreads: readonly (number | null)[];
}

const kept = 60;
const maxPresences = 5_000;
const sessionsAtOnce = 32;

export class Samples {
  readonly #view: ConsoleView;
  readonly #clock: Clock;
  readonly #watch: Watch;
  readonly history: History;
  readonly sessions: SessionLatency;
  readonly #presences = new Map<string, Presence>();
  #day = 0;
  #isLooking = false;
  #isCounting = false;
  #cancel = () => {};

  constructor(view: ConsoleView, clock: Clock, watch: Watch) {
    this.#view = view;
    this.#clock = clock;
    this.#watch = watch;
    this.history = new History(view, clock);
    this.sessions = new SessionLatency(clock);
    watch.look(view);
  }

  start(): void {
    this.#cancel = every(this.#clock, lookMs, () => {
      this.#look();
      void this.#lookAtQuotes();
    });
  }

  stop(): void {
    this.#cancel();
  }

  get presences(): readonly Presence[] {
    return [...this.#presences.values()];
  }

  #look(): void {
    this.#watch.look(this.#view);
    this.history.look(this.#watch.loggedOn);
    void this.#lookAtSessions();
  }

  /** Runs in slices, so that orders do not wait for a sample of thousands of sessions. */
  async #lookAtSessions(): Promise<void> {
    this.sessions.look();
    if (this.#isCounting) return;
    this.#isCounting = true;
    for (const [index, { name }] of this.#watch.statuses.entries()) {
      if (index > 0 && index % sessionsAtOnce === 0) await setImmediate();
      this.sessions.add(name, this.#view.latenciesOf(name));
    }
    this.#isCounting = false;
  }

  /** No sample starts while one is in progress, which with very many orders may take longer than the interval. */
  async #lookAtQuotes(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const quotes = await this.#view.quotes();
    this.#isLooking = false;
    const day = Math.floor(this.#clock.now().wallMs / 86_400_000);
    if (day !== this.#day) this.#presences.clear();
    this.#day = day;
    const now = new Map(quotes.map((row) => [`${row.account} ${row.securityId}`, row]));
    for (const [key, row] of now) {
      if (this.#presences.has(key) || this.#presences.size >= maxPresences) continue;
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
