/**
 * The latest alarms and notices, for people who look later than they came. Alarms have a list of their own: strangers can
 * cause notices as often as they like, and push out no alarm. What repeats is one row with a count.
 */
import type { Clock } from '../runtime/clock.ts';
import { redactText } from '../runtime/redact.ts';

export interface Told {
  /** Of the last time; the highest is the latest. */
  readonly number: number;
  readonly firstMs: number;
  readonly atMs: number;
  readonly times: number;
  readonly level: 'alarm' | 'notice';
  readonly text: string;
}

const most = 1_000;

export class AlarmList {
  readonly #clock: Clock;
  /** By what they are folded by, the latest last. */
  readonly #lists: Readonly<Record<Told['level'], Map<string, Told>>> = {
    alarm: new Map(),
    notice: new Map(),
  };
  #count = 0;
  #alarms = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many there ever were. */
  get count(): number {
    return this.#count;
  }

  get alarms(): number {
    return this.#alarms;
  }

  /** `about`: what of the same kind and source has in common; without it only the same text is one row. */
  tell(level: Told['level'], text: string, about = text): void {
    const list = this.#lists[level];
    this.#count += 1;
    if (level === 'alarm') this.#alarms += 1;
    const atMs = this.#clock.now().wallMs;
    const { firstMs, times } = list.get(about) ?? { firstMs: atMs, times: 0 };
    list.delete(about);
    const row = { number: this.#count, firstMs, atMs, times: times + 1, level };
    list.set(about, { ...row, text: redactText(text) });
    const [oldest] = list.keys();
    if (list.size > most && oldest !== undefined) list.delete(oldest);
  }

  /** The latest first. */
  list(level?: Told['level']): readonly Told[] {
    const lists = level === undefined ? Object.values(this.#lists) : [this.#lists[level]];
    return lists.flatMap((list) => [...list.values()]).sort((a, b) => b.number - a.number);
  }
}
