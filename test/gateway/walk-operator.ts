/** The operator of a random walk (`core-walk.ts`): kill switches, cancels, limits and a gate that closes. */
import { type Denial, deny } from '../../src/domain/denial.ts';
import { expiredText, type Owner } from '../../src/domain/order.ts';
import { allOrders } from '../../src/engine/mass-cancels.ts';
import type { RiskLimits } from '../../src/gateway/config.ts';
import { type BoundAccount, cancelOrders } from '../../src/gateway/principal.ts';
import { RiskGuard } from '../../src/gateway/risk.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Dice } from '../simulation/dice.ts';

const killed = deny('bridge.kill_switch', 'stop');
const closed = deny('bridge.draining', 'the gate is closed');

interface Office {
  readonly bound: BoundAccount;
  readonly clock: Clock;
}

export class WalkOperator {
  readonly #dice: Dice;
  readonly #sessions: readonly string[];
  readonly #guards: ReadonlyMap<string, RiskGuard>;
  /** The highest limit of open orders so far, of the sessions and the account. */
  readonly #limits = new Map<string, number>();
  /** The largest order that may leave now, of the sessions and the account. */
  readonly #largest = new Map<string, number | undefined>();
  readonly #killed = new Set<string | null>();
  /** The keys of orders that must end. */
  readonly #doomed = new Set<string>();
  #isClosed = false;
  #office: Office | undefined;

  constructor(dice: Dice, sessions: readonly string[]) {
    this.#dice = dice;
    this.#sessions = sessions;
    this.#guards = new Map(
      [...sessions, 'desk'].map((name) => [name, new RiskGuard(name, this.#newLimits(name))]),
    );
  }

  /** The office in the present process. */
  attend(office: Office): void {
    this.#office = office;
  }

  guardOf(name: string): RiskGuard {
    return this.#guards.get(name) as RiskGuard;
  }

  limitOf(name: string): number {
    return this.#limits.get(name) ?? Number.POSITIVE_INFINITY;
  }

  killed(session: string): Denial | undefined {
    return this.#killed.has(session) || this.#killed.has(null) ? killed : undefined;
  }

  get closed(): Denial | undefined {
    return this.#isClosed ? closed : undefined;
  }

  /** Why orders of this session may not leave now. */
  objection(session: string, sizes: readonly bigint[]): string | undefined {
    if (this.killed(session)) return 'although its session is stopped';
    for (const name of [session, 'desk']) {
      const largest = this.#largest.get(name);
      const isBeyond = largest !== undefined && sizes.some((size) => size > largest);
      if (isBeyond) return `although ${name} may send no more than ${largest}`;
    }
    return undefined;
  }

  act(): void {
    const dice = this.#dice;
    const isOver = this.#isClosed || this.#killed.size > 0;
    this.#isClosed = false;
    this.#killed.clear();
    if (isOver) return;
    const scope = dice.pick([...this.#sessions, null]);
    const choice = dice.below(20);
    if (choice < 1) this.#kill(scope);
    else if (choice < 2) this.#massCancel(scope, 'operator');
    else if (choice < 5) this.#isClosed = true;
    else if (choice < 16) this.#cancelOne();
    else {
      const [name, guard] = dice.pick([...this.#guards]);
      guard.limit(this.#newLimits(name));
    }
  }

  #kill(scope: string | null): void {
    this.#killed.add(scope);
    this.#present.bound.runner.withdraw(scope, killed);
    this.#massCancel(scope, 'kill switch');
  }

  #massCancel(session: string | null, why: string): void {
    const { bound, clock } = this.#present;
    const { wallMs } = clock.now();
    this.doom(session, false);
    cancelOrders(bound, `${why} ${session ?? '*'}:all`, wallMs, { ...allOrders, session });
  }

  #cancelOne(): void {
    const { bound, clock } = this.#present;
    const [order] = [...bound.runner.orders.open()].slice(this.#dice.below(8));
    if (order === undefined) return;
    const { key } = order.owner;
    this.#doomed.add(key);
    const nowMs = clock.now().wallMs;
    const input = { kind: 'own_cancel', text: `operator ${key}:one`, nowMs } as const;
    bound.runner.apply({ kind: 'order', key, input });
  }

  /** All open orders that are meant must end. */
  doom(session: string | null, onlyQuotes: boolean): void {
    for (const { owner } of this.#present.bound.runner.orders.open()) {
      const isMeant = session === null || owner.session === session;
      if (isMeant && (!onlyQuotes || owner.quoteId !== null)) this.#doomed.add(owner.key);
    }
  }

  isDoomed(key: string): boolean {
    return this.#doomed.has(key);
  }

  /** Whether a cancel with this text concerns an order of this owner. */
  mayCancel({ key, quoteId, session }: Owner, text: string): boolean {
    const [, of, scope] = /(\S+):(all|quotes|one)$/.exec(text) ?? [];
    if (scope === undefined) return text === expiredText || quoteId !== null || isLate(text);
    if (!this.#doomed.has(key)) return false;
    if (scope === 'one') return of === key;
    return (of === '*' || of === session) && (scope === 'all' || quoteId !== null);
  }

  rest(): void {
    this.#killed.clear();
    this.#isClosed = false;
  }

  #newLimits(name: string): RiskLimits {
    const maxOpenOrders = this.#dice.pick([undefined, undefined, undefined, 5, 12]);
    const before = this.#limits.get(name) ?? 0;
    this.#limits.set(name, Math.max(before, maxOpenOrders ?? Number.POSITIVE_INFINITY));
    const largest = this.#dice.pick([undefined, undefined, undefined, 3]);
    this.#largest.set(name, largest);
    return {
      ...(maxOpenOrders !== undefined && { maxOpenOrders }),
      ...(largest !== undefined && { maxOrderQty: `${largest}` }),
    };
  }

  get #present(): Office {
    if (this.#office === undefined) throw new Error('the operator has no office');
    return this.#office;
  }
}

function isLate(text: string): boolean {
  return text.startsWith('the venue has this order after all');
}
