/**
 * Tracks since when and why the bridge and each session are in their state. The bridge reports logons and
 * disconnections at once; everything else is noticed at the next sample.
 */
import type { ConsoleView } from '../gateway/console-view.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LineEvent, LineFacts } from '../runtime/operator-line.ts';
import type { SessionStatus } from '../transport/session-roster.ts';

/** The FIX and FIXP sessions. */
const loggedOnPhases: ReadonlySet<string> = new Set(['active', 'established']);

export interface SessionSince {
  readonly isUp: boolean;
  /** Null if the session has not logged on since the start. */
  readonly sinceMs: number | null;
  /** The reason of the last disconnection, or how the session logged on. */
  readonly why: string;
}

const sessionEvents: ReadonlySet<LineEvent> = new Set(['logged_on', 'disconnected']);
const longestWhy = 300;
const unknownSince: SessionSince = { isUp: false, sinceMs: null, why: '' };

export class Watch {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, SessionSince>();
  #statuses: readonly SessionStatus[] = [];
  /** The reasons why the bridge is not ready; undefined while it is starting. */
  #state: string | undefined;
  #sinceMs: number;
  readonly startedMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedMs = clock.now().wallMs;
    this.#sinceMs = this.startedMs;
  }

  /** Since when the bridge has been ready, or not ready for the same reasons. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  get loggedOn(): number {
    return this.#statuses.filter(isUp).length;
  }

  get statuses(): readonly SessionStatus[] {
    return this.#statuses;
  }

  since(session: string): SessionSince {
    return this.#sessions.get(session) ?? unknownSince;
  }

  /** Processes every log line. Lines about a session's connection contain its state, since when, and the reason. */
  reported(text: string, { event, session }: LineFacts): void {
    if (session === undefined || !sessionEvents.has(event)) return;
    const isLogon = event === 'logged_on';
    const whole = text.startsWith(`${session}: `) ? text.slice(session.length + 2) : text;
    // The sender determines the length of a Logout's text, and one text is stored for each session.
    const why = whole.slice(0, longestWhy);
    this.#sessions.set(session, { isUp: isLogon, sinceMs: this.#clock.now().wallMs, why });
  }

  look(view: ConsoleView): void {
    const { wallMs } = this.#clock.now();
    const state = view.notReady.join('\n');
    if (state !== this.#state) this.#sinceMs = wallMs;
    this.#state = state;
    this.#statuses = view.statuses();
    const names = new Set(this.#statuses.map(({ name }) => name));
    for (const name of this.#sessions.keys()) if (!names.has(name)) this.#sessions.delete(name);
    for (const status of this.#statuses) {
      const known = this.since(status.name);
      if (isUp(status) === known.isUp) continue;
      const why = known.sinceMs === null ? '' : known.why;
      this.#sessions.set(status.name, { isUp: isUp(status), sinceMs: wallMs, why });
    }
  }

  /**
   * Sessions that were logged on, or that the bridge itself connects, and that are down during their hours; at most 50,
   * most recently lost first.
   */
  lost(view: ConsoleView) {
    const { wallMs } = this.#clock.now();
    return this.#statuses
      .filter((status) => !isUp(status) && !status.isStopped)
      .map((status) => ({ status, name: status.name, ...this.since(status.name) }))
      .filter(({ sinceMs, status }) => sinceMs !== null || status.role === 'initiator')
      .filter(({ name }) => view.hoursOf(name, wallMs).isOpen)
      .sort((a, b) => (b.sinceMs ?? 0) - (a.sinceMs ?? 0))
      .slice(0, maxLost)
      .map(({ status: _, ...row }) => ({ ...row, openOrders: view.openOrdersOf(row.name) }));
  }
}

const maxLost = 50;

function isUp({ phase }: SessionStatus): boolean {
  return loggedOnPhases.has(phase);
}
