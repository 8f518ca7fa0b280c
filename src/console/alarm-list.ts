/** The latest alarms and notices, for people who look later than they came. */
import type { Clock } from '../runtime/clock.ts';
import { redactText } from '../runtime/redact.ts';

export interface Told {
  readonly number: number;
  readonly atMs: number;
  readonly level: 'alarm' | 'notice';
  readonly text: string;
}

const most = 1_000;

export class AlarmList {
  readonly #clock: Clock;
  readonly #told: Told[] = [];
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

  tell(level: Told['level'], text: string): void {
    this.#count += 1;
    if (level === 'alarm') this.#alarms += 1;
    const atMs = this.#clock.now().wallMs;
    this.#told.push({ number: this.#count, atMs, level, text: redactText(text) });
    if (this.#told.length > most) this.#told.shift();
  }

  /** The latest first. */
  list(level?: Told['level']): readonly Told[] {
    return this.#told.filter((one) => level === undefined || one.level === level).reverse();
  }
}
