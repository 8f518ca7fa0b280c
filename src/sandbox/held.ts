/** Requests and frames that wait for their time, or for an operator's release. */
interface Waiting {
  /** Null until an operator releases it. */
  readonly dueMonoMs: number | null;
  readonly apply: () => void;
}

export class Held {
  readonly #most: number;
  #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns false if too many are held. */
  hold(apply: () => void, dueMonoMs: number | null): boolean {
    if (this.#waiting.length >= this.#most) return false;
    this.#waiting.push({ dueMonoMs, apply });
    return true;
  }

  /** Applies everything that is due, in order of time, then of arrival. */
  applyDue(monoMs: number): void {
    if (this.#waiting.length === 0) return;
    const isDue = ({ dueMonoMs }: Waiting) => dueMonoMs !== null && dueMonoMs <= monoMs;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    due.sort((a, b) => (a.dueMonoMs ?? 0) - (b.dueMonoMs ?? 0));
    for (const { apply } of due) apply();
  }

  applyAll(): void {
    for (const { apply } of this.#waiting.splice(0)) apply();
  }
}
