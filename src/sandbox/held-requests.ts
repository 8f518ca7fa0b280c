/** Requests that the venue has received and applies later, whether or not anybody still waits for the answer. */
interface Held {
  /** Null until an operator releases it. */
  readonly dueMonoMs: number | null;
  readonly apply: () => void;
}

const maxHeld = 10_000;

export class HeldRequests {
  #held: Held[] = [];

  /** False when too many are held. */
  hold(apply: () => void, dueMonoMs: number | null): boolean {
    if (this.#held.length >= maxHeld) return false;
    this.#held.push({ dueMonoMs, apply });
    return true;
  }

  /** Those whose time has come, in the order of their times, then of their arrival. */
  takeDue(monoMs: number): readonly (() => void)[] {
    if (this.#held.length === 0) return [];
    const isDue = ({ dueMonoMs }: Held) => dueMonoMs !== null && dueMonoMs <= monoMs;
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !isDue(held));
    due.sort((a, b) => (a.dueMonoMs ?? 0) - (b.dueMonoMs ?? 0));
    return due.map(({ apply }) => apply);
  }

  takeAll(): readonly (() => void)[] {
    const all = this.#held;
    this.#held = [];
    return all.map(({ apply }) => apply);
  }
}
