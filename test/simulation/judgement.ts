/**
 * What is asked once all is at rest: whether clients, console and venue have the same orders, and what a mass cancel or a
 * kill switch then does to them.
 */
import type { KillScope } from '../../src/gateway/gate/kill-switch.ts';
import { aliases, type Habit, type SessionPlan } from './cast.ts';
import type { Checker } from './checker.ts';
import { type ClientLog, isOver, textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import type { Trader } from './fix-trader.ts';
import { Partings } from './partings.ts';
import { instruments } from './random-commands.ts';
import type { LedgerOrder, VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { WholeBridge } from './whole-bridge.ts';

interface Judged {
  readonly plan: SessionPlan;
  readonly trader: Trader;
  readonly log: ClientLog;
}

export interface JudgementParts<Client extends Judged> {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly habits: ReadonlySet<Habit>;
  readonly bridge: WholeBridge;
  readonly ledger: VenueLedger;
  readonly checker: Checker;
  readonly clients: readonly Client[];
  readonly say: (client: Client, line: string) => void;
  readonly kill: (scope: KillScope) => number;
  readonly release: (scope: KillScope) => void;
  readonly nameOf: (client: Client) => string;
  /** For clients that leave; without it nobody does. */
  readonly partings: Dice | undefined;
  readonly note: (text: string) => void;
}

/** A way to end orders, and which it is about. */
interface Ending<Client> {
  readonly what: string;
  readonly order: { readonly kill: KillScope } | { readonly by: Client; readonly scope: string };
  readonly isMeant: (order: LedgerOrder) => boolean;
}

export class Judgement<Client extends Judged> {
  readonly #parts: JudgementParts<Client>;
  readonly #partings: Partings<Client>;
  #onTheWay: Ending<Client> | undefined;

  constructor(parts: JudgementParts<Client>) {
    this.#parts = parts;
    const { checker, habits, ledger, note, partings: dice, time } = parts;
    const wrong = (text: string) => checker.wrong(text);
    this.#partings = new Partings({ dice, habits, ledger, note, time, wrong });
  }

  part(): Promise<void> {
    return this.#partings.judge(this.#parts.clients);
  }

  async judge(): Promise<void> {
    const { bridge, checker, clients, time } = this.#parts;
    if (bridge.fatal !== undefined) checker.wrong(`the bridge ended itself: ${bridge.fatal}`);
    checker.watch();
    const asked = `st${time.monoMs}`;
    for (const { trader } of clients) trader.say(`AF|584=${asked}|585=7`);
    await time.pass(200);
    for (const { log, plan } of clients) {
      const answers = log.statuses.get(asked);
      if (answers === undefined) {
        const refusal = log.others.some(
          (said) => textOf(said, '584') === asked || textOf(said, '35') === '8',
        );
        if (!refusal) checker.wrong(`${plan.compId} gets no answer to its mass status`);
      }
      for (const alias of plan.accounts) checker.status(plan.compId, alias, answers ?? []);
    }
    checker.settled();
    await this.#console();
  }

  /** What the operator sees is what the venue has. */
  async #console(): Promise<void> {
    const { bridge, checker, ledger } = this.#parts;
    for (const alias of aliases) {
      const { rows } = await bridge.gateway.view.orders({
        account: alias,
        limit: 10_000,
        state: 'open',
      });
      const shown = rows.map(({ orderId }) => orderId ?? '');
      const open = [...ledger.openOf(alias), ...ledger.othersOf(alias)].map(
        ({ orderId }) => orderId,
      );
      if (shown.toSorted().join() === open.toSorted().join()) continue;
      checker.wrong(
        `the console shows ${shown.length} open orders of ${alias}, the venue has ${open.length}`,
      );
    }
  }

  /** A mass cancel or a kill at rest: its count is known, and it leaves nothing. */
  async bringDown(): Promise<void> {
    const { checker, release, time } = this.#parts;
    if (checker.faults.length > 0) return;
    const ending = this.#ending();
    const { order, what } = ending;
    const before = this.#meant(ending);
    const others = this.#parts.ledger.allOpen.filter((order) => !ending.isMeant(order));
    const told = 'kill' in order ? this.#parts.kill(order.kill) : await this.#massCancel(order);
    if (told !== before) checker.wrong(`${what} tells ${told} orders, the venue has ${before}`);
    // Where the events of cancels name no action, each window of nonces waits for a receipt.
    let left = Number.POSITIVE_INFINITY;
    let last: number;
    do {
      last = left;
      await time.pass(20_000);
      left = this.#meant(ending);
    } while (left > 0 && left < last);
    this.#nothingIsLeft(ending);
    this.#partings.spares(what, others);
    if ('kill' in order) release(order.kill);
  }

  /** A kill switch in the middle of everything, which stays on until all is at rest. */
  killThroughRest(): void {
    const ending = this.#killOf(this.#scope());
    this.#parts.kill(ending.order.kill);
    this.#onTheWay = ending;
  }

  /** Whether a kill switch stays on until all is at rest. */
  get isKilling(): boolean {
    return this.#onTheWay !== undefined;
  }

  /** Something is still there that is about to end. */
  get isEnding(): boolean {
    const { clients, ledger } = this.#parts;
    if (ledger.shortLived.length > 0) return true;
    if (this.#onTheWay !== undefined && this.#meant(this.#onTheWay) > 0) return true;
    return clients.some(({ log }) => [...log.doomed.keys()].some((one) => !isOver(one)));
  }

  atRest(): void {
    if (this.#onTheWay !== undefined) this.#nothingIsLeft(this.#onTheWay);
    this.#onTheWay = undefined;
  }

  #nothingIsLeft(ending: Ending<Client>): void {
    const left = this.#meant(ending);
    if (left > 0) this.#parts.checker.wrong(`${ending.what} leaves ${left} orders at the venue`);
  }

  #meant({ isMeant }: Ending<Client>): number {
    return this.#parts.ledger.allOpen.filter(isMeant).length;
  }

  #ending(): Ending<Client> {
    const { clients, dice, habits, nameOf } = this.#parts;
    const client = dice.pick(clients);
    const isKill = dice.hits(500);
    const isWide = habits.has('scopes') && dice.hits(500);
    if (isKill) {
      const own = { kind: 'session', name: nameOf(client) } as const;
      return this.#killOf(isWide ? this.#scope() : own);
    }
    const one = isWide ? dice.pick(instruments) : undefined;
    const { accounts, compId, profile } = client.plan;
    const isOfAll = profile.massCancelScope === 'account';
    return {
      what: `the mass cancel of ${compId}${one === undefined ? '' : ` for ${one.symbol}`}`,
      order: { by: client, scope: one === undefined ? '530=7' : `530=1|55=${one.symbol}` },
      isMeant: ({ alias, book, market, origin }) =>
        (isOfAll ? accounts.includes(alias) : origin?.session === compId) &&
        (one === undefined || (one.market === market && one.book === book)),
    };
  }

  #scope(): KillScope {
    const { clients, dice, nameOf } = this.#parts;
    const kind = dice.pick(['all', 'account', 'session'] as const);
    if (kind === 'all') return { kind };
    return { kind, name: kind === 'account' ? dice.pick(aliases) : nameOf(dice.pick(clients)) };
  }

  #killOf(scope: KillScope) {
    const { clients, nameOf } = this.#parts;
    const isMeant = ({ alias, origin }: LedgerOrder) => {
      if (scope.kind === 'all') return true;
      if (scope.kind === 'account') return alias === scope.name;
      const owner = clients.find(({ plan }) => plan.compId === origin?.session);
      return owner !== undefined && nameOf(owner) === scope.name;
    };
    return { what: `the kill switch ${JSON.stringify(scope)}`, order: { kill: scope }, isMeant };
  }

  async #massCancel({ by, scope }: { by: Client; scope: string }): Promise<number> {
    const { say, time } = this.#parts;
    const id = `bring-down-${time.monoMs}`;
    say(by, `q|11=${id}|${scope}|60=now`);
    await time.pass(100);
    const answer = by.log.others.find(
      (said) => textOf(said, '35') === 'r' && textOf(said, '11') === id,
    );
    return Number(textOf(answer ?? [], '533') ?? Number.NaN);
  }
}
