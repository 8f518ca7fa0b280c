/** The operator of a random walk (`core-walk.ts`): kill switches, cancels, limits and a gate that closes. */
import { type Amendment, amendmentOf, lastExecId } from '../../src/domain/amended-trade.ts';
import { type Denial, deny } from '../../src/domain/denial.ts';
import { expiredText, hasEnded, type Owner } from '../../src/domain/order.ts';
import type { Side } from '../../src/domain/units.ts';
import { allOrders } from '../../src/engine/mass-cancels.ts';
import type { RiskLimits } from '../../src/gateway/config/config.ts';
import { type BoundAccount, cancelOrders } from '../../src/gateway/gate/principal.ts';
import { RiskGuard } from '../../src/gateway/gate/risk.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Dice } from '../simulation/dice.ts';

const killed = deny('bridge.kill_switch', 'stop');
const closed = deny('bridge.draining', 'the gate is closed');
const halted = deny('bridge.gate_closed', 'the venue is halted');

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
  /** Called before a trade of the order with this key is busted or corrected. */
  readonly amended: (key: string, amendment: Amendment) => void;
  #isClosed = false;
  #isHalted = false;
  #office: Office | undefined;

  constructor(dice: Dice, sessions: readonly string[], amended: WalkOperator['amended']) {
    this.#dice = dice;
    this.amended = amended;
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

  /** The venue takes no orders for the moment, as it says itself. */
  halt(): void {
    this.#isHalted = true;
  }

  resume(): void {
    this.#isHalted = false;
  }

  get halted(): Denial | null {
    return this.#isHalted ? halted : null;
  }

  /** Why orders of this session may not leave now. */
  objection(session: string, sizes: readonly bigint[]): string | undefined {
    if (this.killed(session)) return 'although its session is stopped';
    if (this.#isClosed || this.#isHalted) return 'although the gate is closed';
    for (const name of [session, 'desk']) {
      const largest = this.#largest.get(name);
      const isBeyond = largest !== undefined && sizes.some((size) => size > largest);
      if (isBeyond) return `although ${name} may send no more than ${largest}`;
    }
    return undefined;
  }

  act(): void {
    const dice = this.#dice;
    const isOver = this.#isClosed || this.#isHalted || this.#killed.size > 0;
    this.#isClosed = false;
    this.#isHalted = false;
    this.#killed.clear();
    if (isOver) return;
    const scope = dice.pick([...this.#sessions, null]);
    const choice = dice.below(20);
    if (choice < 1) this.#kill(scope);
    else if (choice < 2) this.#massCancel(scope, 'operator');
    else if (choice < 4) this.#close();
    else if (choice < 6) this.halt();
    else if (choice < 13) this.#cancelOne();
    else if (choice < 15) this.#amendTrade();
    else if (choice < 16) this.#restate();
    else {
      const [name, guard] = dice.pick([...this.#guards]);
      guard.limit(this.#newLimits(name));
    }
  }

  /** The bridge is to shut down, and withdraws what has not left; it may be told to go on. */
  #close(): void {
    this.#isClosed = true;
    if (this.#dice.hits(500)) this.#present.bound.runner.withdraw(null, closed);
  }

  /** The day ends, and each open order is told again. */
  #restate(): void {
    const { bound, clock } = this.#present;
    const input = { kind: 'restate', nowMs: clock.now().wallMs } as const;
    for (const { owner } of [...bound.runner.orders.open()]) {
      bound.runner.apply({ kind: 'order', key: owner.key, input });
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

  /** Busts a trade, or corrects it to less if its order is open, because the venue would go on filling it. */
  #amendTrade(): void {
    const dice = this.#dice;
    const { bound, clock } = this.#present;
    const { orders } = bound.runner;
    const traded = [...orders.all()].filter(({ executions }) => executions.length > 0);
    if (traded.length === 0) return;
    const order = dice.pick(traded);
    const trade = dice.pick(order.executions);
    const most = hasEnded(order) ? trade.qty + 1n : trade.qty;
    const qty = `${1n + BigInt(dice.below(Number(most === 0n ? 1n : most)))}`;
    const price = `${trade.price + BigInt(dice.below(2))}`;
    const execId = lastExecId(trade);
    const asked = dice.hits(500)
      ? ({ act: 'bust' } as const)
      : ({ act: 'correct', price, qty } as const);
    const amendment = amendmentOf(order, { ...asked, execId });
    if (typeof amendment === 'string') return;
    const { key } = order.owner;
    const input = { ...amendment, nowMs: clock.now().wallMs };
    this.amended(key, amendment);
    bound.runner.apply({ kind: 'order', key, input });
  }

  /** All orders that are meant must end, those too that have ended and that the venue then shows to be open. */
  doom(session: string | null, onlyQuotes: boolean, side: Side | null = null): void {
    for (const { owner, terms } of this.#present.bound.runner.orders.all()) {
      const isOfSide = side === null || terms.side === side;
      const isMeant = isOfSide && (session === null || owner.session === session);
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
    this.#isHalted = false;
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
