/**
 * At rest a client leaves, in good order or not: its orders are canceled if its rule says so, and all others go on. A FIXP
 * client may choose another rule than the configuration has for each of its connections.
 */
import type { Habit, SessionPlan } from './cast.ts';
import type { Dice } from './dice.ts';
import type { Trader } from './fix-trader.ts';
import { ruleOf } from './parting-rule.ts';
import type { LedgerOrder, VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface PartingsParts {
  readonly time: VirtualTime;
  /** Without it nobody leaves. */
  readonly dice: Dice | undefined;
  readonly habits: ReadonlySet<Habit>;
  readonly ledger: VenueLedger;
  readonly note: (text: string) => void;
  readonly wrong: (text: string) => void;
}

interface Leaving {
  readonly plan: SessionPlan;
  readonly trader: Trader;
}

const noticedMs = 3_000;
const workMs = 20_000;
/** An order that may end without a command. */
export function endsOfItself({ form, origin }: LedgerOrder, habits: ReadonlySet<Habit>): boolean {
  return habits.has('days') || form !== 'order' || origin?.isShort === true;
}

export class Partings<Client extends Leaving> {
  readonly #parts: PartingsParts;

  constructor(parts: PartingsParts) {
    this.#parts = parts;
  }

  async judge(clients: readonly Client[]): Promise<void> {
    const { dice, ledger, note, time, wrong } = this.#parts;
    const here = clients.filter(({ trader }) => trader.isUp);
    if (dice === undefined || here.length === 0) return;
    const { plan, trader } = dice.pick(here);
    const { graceMs, when } = ruleOf(plan, trader.choice);
    const isGraceful = dice.hits(500);
    const isCanceled = when === 'always' || when === (isGraceful ? 'graceful' : 'abrupt');
    const what = `the end of ${plan.compId} ${isGraceful ? 'in good order' : 'of itself'}, rule ${when} ${graceMs}`;
    const isOwn = ({ origin }: LedgerOrder) => origin?.session === plan.compId;
    const others = ledger.allOpen.filter((order) => !isCanceled || !isOwn(order));
    note(what);
    if (isGraceful) trader.logout();
    else trader.cut(dice.below(noticedMs));
    await time.pass(noticedMs + graceMs + workMs);
    ledger.read();
    const left = ledger.allOpen.filter(isOwn);
    if (isCanceled && left.length > 0) wrong(`${what} leaves ${left.length} orders at the venue`);
    this.spares(what, others);
  }

  /** Those of these orders that something has canceled which does not concern them. */
  spares(what: string, others: readonly LedgerOrder[]): void {
    const { habits, wrong } = this.#parts;
    const ended = others.filter(
      (order) => order.leavesQty === 0 && order.last === 'canceled' && !endsOfItself(order, habits),
    );
    for (const { orderId, origin } of ended)
      wrong(`${what} cancels ${orderId} of ${origin?.session} ${origin?.command}`);
  }
}
