/**
 * Hours of FIX sessions: in some rounds a session is closed for a moment or for some seconds, and its numbers begin anew
 * with the next logon. Its client knows them, tries to log on all the same, and sometimes begins its numbers anew itself.
 */
import type { Dice } from './dice.ts';
import { FixTrader, type Renumbering, type Said, type Trader } from './fix-trader.ts';
import type { LostMessages } from './lost-messages.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { WholeBridge } from './whole-bridge.ts';

export interface SessionHoursParts {
  readonly time: VirtualTime;
  readonly wallMs: () => number;
  readonly dice: Dice;
  /** Of a reader nothing is lost, because what it has not confirmed comes again. */
  readonly lost: (from: number) => ReturnType<LostMessages['take']>;
  /** Its numbers have begun anew, and what was lost by that has been heard. */
  readonly begun: () => void;
  /** Whether the client has a connection, and reads what comes. */
  readonly isUp: () => boolean;
  readonly wrong: (text: string) => void;
}

/** Hours, and the time zone that is so far ahead of UTC in winter. */
const zones = [
  ['UTC', 0],
  ['Europe/Zurich', 3_600_000],
  ['Asia/Kolkata', 19_800_000],
] as const;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const closedText = 'Logon outside of session hours';
/** The way of a message, at most. */
const wayMs = 100;
/** Until then the bridge waits for the answer to its Logout(5), and for the end of the connection. */
const endedMs = 8_000;

export class SessionHours implements Renumbering {
  readonly #parts: SessionHoursParts;
  /** The end of its hours, and the next start. */
  #closed = { fromMs: 0, toMs: 0 };
  #isBegun = true;
  #connectedMs = 0;
  /** Logons that were refused, outside of the hours. */
  refusals = 0;

  constructor(parts: SessionHoursParts) {
    this.#parts = parts;
  }

  /** The hours as the file has them, where the session is to be closed in the next seconds. */
  next(): object | undefined {
    const { dice, time, wallMs } = this.#parts;
    if (!dice.hits(600)) return undefined;
    const fromMs = 1_000 * (Math.ceil(wallMs() / 1_000) + 1 + dice.below(15));
    const toMs = fromMs + 1_000 * dice.pick([0, 0, 3, 15, 30]);
    this.#closed = { fromMs, toMs };
    this.#isBegun = false;
    time.after(fromMs + endedMs - wallMs(), () => this.#mustHaveEnded(fromMs));
    const [timeZone, aheadMs] = dice.pick(zones);
    const [end, start] = [new Date(fromMs + aheadMs), new Date(toMs + aheadMs)];
    const days = { startDay: weekdays[start.getUTCDay()], endDay: weekdays[end.getUTCDay()] };
    const [endText, startText] = [end, start].map((date) => date.toISOString().slice(11, 19));
    return { timeZone, start: startText, end: endText, ...(dice.hits(400) && days) };
  }

  /** Whether the client begins its numbers anew with its next logon. */
  resets(): boolean {
    return this.#parts.dice.hits(150);
  }

  isDue(): boolean {
    this.#connectedMs = this.#parts.wallMs();
    const isDue = !this.#isBegun && this.#connectedMs >= this.#closed.toMs;
    if (isDue) this.#isBegun = true;
    return isDue;
  }

  came(): void {
    const { fromMs, toMs } = this.#closed;
    if (this.#connectedMs >= fromMs && this.#connectedMs < toMs - wayMs)
      this.#parts.wrong('it is logged on outside of its hours');
    // Its logon was on the way when they began.
    if (this.#connectedMs >= fromMs) this.#isBegun = true;
  }

  missed(from: number): readonly Said[] {
    return this.#parts.lost(from);
  }

  begun(): void {
    this.#parts.begun();
  }

  refused(text: string): void {
    // Without a text the session ended otherwise, while the client was leaving.
    if (text === '') return;
    const { fromMs, toMs } = this.#closed;
    const isClosed = this.#connectedMs >= fromMs - wayMs && this.#connectedMs < toMs;
    if (text === closedText) this.refusals += 1;
    if (isClosed !== (text === closedText) && this.#connectedMs >= fromMs)
      this.#parts.wrong(
        `its logon is refused ${isClosed ? 'outside of' : 'in'} its hours: ${text}`,
      );
  }

  #mustHaveEnded(fromMs: number): void {
    if (this.#connectedMs < fromMs - wayMs && this.#parts.isUp())
      this.#parts.wrong('it is still logged on after its hours');
  }
}

interface Scheduled {
  readonly plan: { readonly compId: string };
  readonly trader: Trader;
  readonly hours: SessionHours | undefined;
}

/** At rest: some sessions are closed for a while during the round that comes. */
export async function setHours(
  clients: readonly Scheduled[],
  bridge: WholeBridge,
  time: VirtualTime,
  note: (text: string) => void,
): Promise<void> {
  for (const { hours, plan } of clients) {
    // A session without hours so far begins with the numbers that it has, and one that the file leaves out gets none.
    const isLeftOut = bridge.edits.get(plan.compId) === null;
    const next = isLeftOut ? undefined : hours?.next();
    if (next === undefined) continue;
    bridge.hours.set(plan.compId, next);
    note(`${plan.compId} has the hours ${JSON.stringify(next)}`);
  }
  await time.until(bridge.reload());
}

/** A FIX client begins its numbers anew in its connection. */
export function renumber({ plan, trader }: Scheduled, note: (text: string) => void): void {
  if (trader instanceof FixTrader && trader.resetInSession())
    note(`${plan.compId} begins its numbers anew`);
}
