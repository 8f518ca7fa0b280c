/**
 * The recorded actions of an account that have no outcome yet. A snapshot of the desk takes them along, because it
 * stands for the records before it, and a start sends them again (docs/ARCHITECTURE.md, "Durability").
 */
import type { Desk } from './desk.ts';
import type { PreparedAction } from './prepared-action.ts';

/** Between two looks at what is over at least so many actions are added. */
const leastBetweenLooks = 64;

export class OpenActions {
  readonly #desk: Pick<Desk, 'awaits'>;
  #actions: PreparedAction[];
  #lookAt = leastBetweenLooks;

  constructor(desk: Pick<Desk, 'awaits'>, unresolved: readonly PreparedAction[]) {
    this.#desk = desk;
    this.#actions = [...unresolved];
  }

  add(actions: readonly PreparedAction[]): void {
    this.#actions.push(...actions);
    if (this.#actions.length < this.#lookAt) return;
    this.list();
    this.#lookAt = 2 * this.#actions.length + leastBetweenLooks;
  }

  /** Those that are still waited for. */
  list(): readonly PreparedAction[] {
    this.#actions = this.#actions.filter(({ key, requestId, actionHash }) =>
      this.#desk.awaits(key, requestId, actionHash),
    );
    return this.#actions;
  }
}
