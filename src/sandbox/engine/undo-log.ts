/**
 * Rolls back the changes of a group that was refused midway (contract A.8 rule 4). While inactive, it costs one test;
 * while active, each object is copied before it is changed, and the copies are restored in reverse order.
 */
export class UndoLog {
  #steps: (() => void)[] | null = null;

  get active(): boolean {
    return this.#steps !== null;
  }

  begin(): void {
    this.#steps = [];
  }

  commit(): void {
    this.#steps = null;
  }

  rollback(): void {
    const steps = this.#steps ?? [];
    this.#steps = null;
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) step();
  }

  /** Must be called before a field of `target` is changed. */
  save(target: object): void {
    if (this.#steps === null) return;
    const copy = { ...target };
    this.#steps.push(() => Object.assign(target, copy));
  }

  /** For changes that a copy of fields cannot restore; called only while active. */
  step(takeBack: () => void): void {
    this.#steps?.push(takeBack);
  }
}
