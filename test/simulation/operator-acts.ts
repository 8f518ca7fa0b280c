/** What an operator does to a running bridge at random: other limits, sessions that are stopped for a while, mass cancels. */
import { aliases, type SessionPlan } from './cast.ts';
import type { Dice } from './dice.ts';
import { fixNameOf, type Said } from './fix-trader.ts';
import type { Limits, LimitsInForce } from './limits-in-force.ts';
import { instruments } from './random-commands.ts';
import type { VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { WholeBridge } from './whole-bridge.ts';

export interface OperatorActParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly bridge: WholeBridge;
  readonly ledger: VenueLedger;
  readonly plans: readonly SessionPlan[];
  /** As the configuration has them. */
  readonly configured: ReadonlyMap<string, Limits>;
  readonly limits: LimitsInForce;
  readonly note: (text: string) => void;
  readonly wrong: (text: string) => void;
}

const by = { who: 'operator', why: 'by chance' };
/** A logon that was answered before the stop may arrive after it, because a slow disk holds the answer. */
const wayMs = 1_000;

export class OperatorActs {
  readonly #parts: OperatorActParts;
  /** Changes since all was at rest, by CompID or alias: a process that dies may not have kept them. */
  readonly #changes = new Map<string, Limits | null>();
  /** Since when. */
  readonly #stopped = new Map<string, number>();

  constructor(parts: OperatorActParts) {
    this.#parts = parts;
  }

  /** Seldom something. */
  step(): void {
    const { bridge, dice } = this.#parts;
    if (!dice.hits(80) || !bridge.isUp) return;
    const act = dice.below(12);
    if (act < 6) this.#changeLimits();
    else if (act < 8) this.#stop();
    else if (act < 10) this.#massCancel();
    else this.#cancel();
  }

  hear(compId: string, said: Said): void {
    const untruth = this.#parts.limits.untruth(said);
    if (untruth !== undefined) this.#parts.wrong(`${compId} is refused untruly: ${untruth}`);
  }

  /** All is at rest. */
  rest(): void {
    const { ledger, limits } = this.#parts;
    const open = ledger.allOpen;
    limits.rest(
      (name) =>
        open.filter(({ alias, origin }) => alias === name || origin?.session === name).length,
    );
    this.#changes.clear();
  }

  /** All sessions are started. */
  calm(): void {
    for (const compId of this.#stopped.keys()) this.#start(compId);
  }

  /** A next process has no stopped sessions; the operator repeats the changes that nobody has confirmed. */
  restarted(): void {
    this.#stopped.clear();
    for (const [name, limits] of this.#changes) this.#set(name, limits);
  }

  /** A client has logged on. */
  came(compId: string): void {
    const sinceMs = this.#stopped.get(compId);
    if (sinceMs !== undefined && this.#parts.time.monoMs > sinceMs + wayMs)
      this.#parts.wrong(`${compId} is logged on, and its session is stopped`);
  }

  #changeLimits(): void {
    const { configured, dice, limits } = this.#parts;
    const name = dice.pick([...configured.keys()]);
    const own = configured.get(name);
    if (own === undefined) return;
    const other = {
      maxOpenOrders: dice.pick([3, 8, 20, 800]),
      maxOrderQty: dice.pick([250, 60, 15]),
      maxNotional: own.maxNotional && dice.pick([own.maxNotional, own.maxNotional / 4]),
      collarBps: own.collarBps && dice.pick([50, 100, 300]),
    };
    const next = dice.hits(250) ? null : other;
    limits.change(name, next ?? own);
    this.#changes.set(name, next);
    this.#set(name, next);
  }

  #set(name: string, limits: Limits | null): void {
    const { bridge, note } = this.#parts;
    const plan = this.#parts.plans.find(({ compId }) => compId === name);
    const target =
      plan === undefined
        ? ({ kind: 'account', name } as const)
        : ({ kind: 'session', name: nameOf(plan) } as const);
    note(`the operator gives ${name} ${JSON.stringify(limits)}`);
    bridge.gateway.operator.setLimits(by, target, limits && keysOf(limits));
  }

  #stop(): void {
    const { bridge, dice, note, plans, time } = this.#parts;
    const plan = dice.pick(plans);
    const { compId } = plan;
    if (this.#stopped.has(compId)) return;
    // The file may be without this reader.
    if (!bridge.hasSession(nameOf(plan))) return;
    note(`the operator stops ${compId}`);
    this.#stopped.set(compId, time.monoMs);
    bridge.gateway.operator.session(by, nameOf(plan), { kind: 'stop' });
    time.after(dice.below(15_000), () => this.#start(compId));
  }

  #start(compId: string): void {
    const { bridge, plans, time } = this.#parts;
    const plan = plans.find((one) => one.compId === compId);
    if (!this.#stopped.has(compId) || plan === undefined || !bridge.isUp) return;
    // It is still stopped when the file has it again.
    if (!bridge.hasSession(nameOf(plan))) {
      time.after(200, () => this.#start(compId));
      return;
    }
    this.#stopped.delete(compId);
    bridge.gateway.operator.session(by, nameOf(plan), { kind: 'start' });
  }

  /** Single orders, some of them twice, and one that nobody knows. */
  #cancel(): void {
    const { bridge, dice, note, wrong } = this.#parts;
    const open = bridge.gateway.accounts.flatMap(({ bound }) => [...bound.runner.orders.open()]);
    if (open.length === 0) return;
    const keys = Array.from({ length: 1 + dice.below(6) }, () => dice.pick(open).owner.key);
    const count = bridge.gateway.operator.cancel(by, [...keys, 'nobody']);
    note(`the operator cancels ${count} of ${keys.join(', ')}`);
    if (count > new Set(keys).size) wrong(`${count} orders are canceled, of ${keys.join(', ')}`);
  }

  #massCancel(): void {
    const { bridge, dice, note, plans } = this.#parts;
    const clients = plans.filter(({ role }) => role === 'order-entry');
    const scope = dice.pick([
      { kind: 'account', name: dice.pick(aliases) } as const,
      { kind: 'session', name: nameOf(dice.pick(clients)) } as const,
    ]);
    const symbol = dice.hits(500) ? dice.pick(instruments).symbol : undefined;
    const count = bridge.gateway.operator.massCancel(by, scope, symbol);
    note(`the operator cancels ${count} orders of ${scope.name} in ${symbol ?? 'all markets'}`);
  }
}

function nameOf({ compId, protocol }: SessionPlan): string {
  return protocol === 'fixp' ? `FIXP:${compId}` : fixNameOf(compId);
}

/** As the configuration writes them. */
function keysOf({ collarBps, maxNotional, maxOpenOrders, maxOrderQty }: Limits) {
  return {
    ...{ maxOpenOrders, maxOrderQty: String(maxOrderQty) },
    ...(maxNotional !== undefined && { maxNotional: String(maxNotional) }),
    ...(collarBps !== undefined && { priceCollarBps: collarBps }),
  };
}
