/**
 * The acts of an operator on a running bridge. Every act has an author and a reason, and goes into the audit chain in
 * the same commit (docs/OPERATING.md, docs/decisions/0125-audit-chain.md).
 */
import { type AskedAmendment, amendmentOf } from '../../domain/amended-trade.ts';
import { type Denial, deny } from '../../domain/denial.ts';
import { hasEnded, isOfOtherChannel } from '../../domain/order.ts';
import { allOrders } from '../../engine/mass-cancels.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import type { AuditChain } from '../../store/audit-chain.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { RosterSession, SessionRoster } from '../../transport/session-roster.ts';
import type { Gate, GateChange } from '../../venue/gate.ts';
import { type Config, changedKeys, type RiskLimits } from '../config/config.ts';
import type { Kill, KillScope, KillSwitch } from '../gate/kill-switch.ts';
import { type LimitChanges, type LimitTarget, scopeText } from '../gate/limit-changes.ts';
import { type BoundAccount, cancelOrders } from '../gate/principal.ts';
import { tradeRows, tradeState } from '../view/order-row.ts';

/** The author of an act and the reason. */
export interface Actor {
  readonly who: string;
  readonly why: string;
}

export type SessionAct =
  | { readonly kind: 'start' | 'stop' | 'logout' | 'test_request' | 'reset' }
  | { readonly kind: 'set_numbers'; readonly nextIn: number; readonly nextOut: number };

/** A trade of an order to bust or correct. */
export type TradeAct = AskedAmendment & { readonly order: string };
type TradeState = ReturnType<typeof tradeState>;

/** The part of a lane's sessions that operators use. */
export type Roster = Pick<
  SessionRoster<RosterSession>,
  | 'get'
  | 'isStopped'
  | 'list'
  | 'logout'
  | 'replies'
  | 'setNumbers'
  | 'start'
  | 'stop'
  | 'testRequest'
>;

export interface OperatorParts extends OperatorLines {
  readonly audit: AuditChain;
  readonly kills: KillSwitch;
  readonly limits: LimitChanges;
  /** Applies the limits in force; returns false if there is no such account or session. */
  readonly limited: (target: LimitTarget) => boolean;
  readonly accounts: () => readonly BoundAccount[];
  /** The sessions of every lane. */
  readonly rosters: readonly Roster[];
  readonly gate: Gate;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly changed: (changes: readonly GateChange[]) => void;
}

/** The act is not possible now; the text contains the reason and a remedy. */
export class ActRefused extends Error {}

export class Operator {
  readonly #parts: OperatorParts;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  get kills(): readonly Kill[] {
    return this.#parts.kills.engaged;
  }

  /** Blocks new orders in this scope until it is released, and cancels its open orders; returns their number. */
  kill(by: Actor, scope: KillScope): number {
    const { alarm, clock, kills } = this.#parts;
    this.#knows(scope);
    const { wallMs } = clock.now();
    alarm(`kill switch on: ${scopeText(scope)}: ${by.why} (${by.who})`, { event: 'kill_switch' });
    return this.#act(by, 'kill', scopeText(scope), () => {
      const before = { kills: kills.engaged };
      kills.engage({ scope, reason: by.why, sinceMs: wallMs });
      const withdrawn = deny('bridge.kill_switch', by.why);
      const canceled = this.#cancelAll(scope, null, `kill switch: ${by.why}`, withdrawn);
      return { before, after: { kills: kills.engaged, canceled }, result: canceled };
    });
  }

  /** Returns false if the scope was not blocked. */
  release(by: Actor, scope: KillScope): boolean {
    const { clock, kills, notice } = this.#parts;
    const wasOn = this.#act(by, 'release', scopeText(scope), () => {
      const before = { kills: kills.engaged };
      const result = kills.release(scope, clock.now().wallMs);
      return { before, after: { kills: kills.engaged }, result };
    });
    if (wasOn) {
      const text = `kill switch released: ${scopeText(scope)} (${by.who})`;
      notice(text, { event: 'kill_switch_released' });
    }
    return wasOn;
  }

  /**
   * Reopens an account after an operator has checked it. The bridge had stopped it because the venue blocked it,
   * restricted it to reducing orders (G51), or stated a nonce lower than before.
   */
  reopen(by: Actor, account: string): void {
    const { changed, gate } = this.#parts;
    const { runner } = this.#accountNamed(account);
    this.#act(by, 'reopen', `account ${account}`, () => {
      const before = this.stopOf(account);
      changed(gate.setAccount(runner.account, 'open', 'opened by the operator'));
      if (before.isLatched) runner.unlatch();
      return { before, after: this.stopOf(account), result: undefined };
    });
  }

  /** Why an account is stopped. */
  stopOf(account: string) {
    const { runner } = this.#accountNamed(account);
    return { ...this.#parts.gate.account(runner.account), isLatched: runner.nonces.isLatched };
  }

  #accountNamed(account: string) {
    const found = this.#parts.accounts().find(({ name }) => name === account);
    if (found === undefined) throw new ActRefused(`there is no account ${account}`);
    return found;
  }

  /** Cancels the open orders among these keys; returns their number. */
  cancel(by: Actor, keys: readonly string[]): number {
    const { accounts, clock } = this.#parts;
    const { wallMs: nowMs } = clock.now();
    const input = { kind: 'own_cancel', text: canceledText(by), nowMs } as const;
    const subject = keys.length === 1 ? `order ${keys[0]}` : `${keys.length} orders`;
    return this.#act(by, 'cancel', subject, () => {
      let canceled = 0;
      for (const { runner } of accounts()) {
        for (const key of new Set(keys)) {
          const order = runner.orders.get(key);
          if (order === undefined || hasEnded(order) || isOfOtherChannel(order)) continue;
          runner.apply({ kind: 'order', key, input });
          canceled += 1;
        }
      }
      return { before: null, after: { orders: keys, canceled }, result: canceled };
    });
  }

  /** Cancels all open orders in this scope, in one market or all; returns their number. New ones are still accepted. */
  massCancel(by: Actor, scope: KillScope, symbol: string | undefined): number {
    this.#knows(scope);
    return this.#act(by, 'mass_cancel', scopeText(scope), () => {
      const symbols = symbol === undefined ? null : [symbol];
      const canceled = this.#cancelAll(scope, symbols, canceledText(by));
      return { before: null, after: { symbol: symbol ?? null, canceled }, result: canceled };
    });
  }

  /** Busts or corrects a trade; resolves with the new state once it is durable and reported. */
  amendTrade(by: Actor, asked: TradeAct): Promise<TradeState> {
    const { clock, transactions } = this.#parts;
    const { act, execId, order: key } = asked;
    const { amendment, runner, order } = this.amendable(asked);
    const input = { ...amendment, nowMs: clock.now().wallMs };
    const place = tradeRows(order).findIndex((row) => row.execId === execId);
    return new Promise((resolve) => {
      this.#act(by, act, `trade ${execId} of order ${key}`, () => {
        runner.apply({ kind: 'order', key, input });
        const before = tradeState(order, place);
        const after = tradeState(runner.orders.get(key) ?? order, place);
        transactions.after(() => resolve(after));
        return { before, after, result: undefined };
      });
    });
  }

  /** Returns what becomes of a trade and its order, or refuses it. */
  amendable(asked: TradeAct) {
    const { order: key } = asked;
    const runner = this.#parts.accounts().find((bound) => bound.runner.orders.get(key))?.runner;
    const order = runner?.orders.get(key);
    if (runner === undefined || order === undefined)
      throw new ActRefused(`there is no order ${key} here, or it ended too long ago`);
    const amendment = amendmentOf(order, asked);
    if (typeof amendment === 'string') throw new ActRefused(amendment);
    return { amendment, runner, order };
  }

  /** Changes all limits of an account or a session; null restores those of the configuration. */
  setLimits(by: Actor, target: LimitTarget, limits: RiskLimits | null): void {
    const { clock, limited, limits: changes, notice } = this.#parts;
    const subject = scopeText(target);
    if (!limited(target)) throw new ActRefused(`there is no ${subject}`);
    const { who, why } = by;
    notice(`limits of ${subject} were changed by ${who}: ${why}`, { event: 'limits_changed' });
    this.#act(by, 'set_limits', subject, () => {
      const before = changes.of(target)?.limits ?? null;
      changes.set({ target, limits, who, why, sinceMs: clock.now().wallMs });
      limited(target);
      return { before: { limits: before }, after: { limits }, result: undefined };
    });
  }

  session(by: Actor, name: string, act: SessionAct): void {
    const roster = this.#rosterOf(name);
    const hindered = hindrance(roster, name, act);
    if (hindered !== undefined) throw new ActRefused(hindered);
    this.#act(by, act.kind, `session ${name}`, () => {
      const before = stateOf(roster, name);
      carryOut(roster, name, act, by.why);
      return { before, after: stateOf(roster, name), result: undefined };
    });
  }

  /** The sequence numbers of a session: incoming, outgoing. */
  numbersOf(name: string): readonly (number | undefined)[] {
    const session = this.#rosterOf(name).get(name);
    return [session?.nextIn, session?.nextOut];
  }

  #rosterOf(name: string): Roster {
    const roster = this.#parts.rosters.find((one) => one.get(name) !== undefined);
    if (roster === undefined) throw new ActRefused(`there is no session ${name}`);
    return roster;
  }

  /** Records an act outside the bridge, such as the start of a certification; it changes nothing here. */
  recordExternalAct(by: Actor, what: string, subject: string, after: unknown): void {
    this.#act(by, what, subject, () => ({ before: null, after, result: undefined }));
  }

  /** Records the changes of a reloaded configuration. */
  reloaded(before: Config, after: Config): void {
    const keys = changedKeys(before, after) as (keyof Config)[];
    const part = (config: Config) => Object.fromEntries(keys.map((key) => [key, config[key]]));
    const by = { who: 'the configuration file', why: 'it was read again' };
    this.#act(by, 'reload', 'everything', () => {
      return { before: part(before), after: part(after), result: undefined };
    });
  }

  /** Called within a transaction. `withdrawn` also ends orders in this scope that have not left the bridge. */
  #cancelAll(
    scope: KillScope,
    symbols: readonly string[] | null,
    text: string,
    withdrawn?: Denial,
  ): number {
    const { accounts, clock } = this.#parts;
    const session = scope.kind === 'session' ? scope.name : null;
    let canceled = 0;
    for (const bound of accounts()) {
      if (scope.kind === 'account' && scope.name !== bound.name) continue;
      if (withdrawn !== undefined) bound.runner.withdraw(session, withdrawn);
      const meant = { ...allOrders, session, symbols };
      canceled += cancelOrders(bound, text, clock.now().wallMs, meant);
    }
    return canceled;
  }

  #act<T>(
    { who, why }: Actor,
    what: string,
    subject: string,
    call: () => { readonly before: unknown; readonly after: unknown; readonly result: T },
  ): T {
    const { audit, clock, transactions } = this.#parts;
    return transactions.run(() => {
      const { before, after, result } = call();
      audit.add({ atMs: clock.now().wallMs, who, what, subject, why, before, after });
      return result;
    });
  }

  #knows(scope: KillScope): void {
    const { accounts, rosters } = this.#parts;
    const isKnown =
      scope.kind === 'all' ||
      (scope.kind === 'account'
        ? accounts().some(({ name }) => name === scope.name)
        : rosters.some((roster) => roster.get(scope.name) !== undefined));
    if (!isKnown) throw new ActRefused(`there is no ${scopeText(scope)}`);
  }
}

/** The order keeps this text until the cancel is answered. */
function canceledText({ why }: Actor): string {
  return `canceled by the operator: ${why}`;
}

function stateOf(roster: Roster, name: string): object {
  const { nextIn, nextOut, phase } = roster.get(name) ?? {};
  return { phase, isStopped: roster.isStopped(name), nextIn, nextOut };
}

/**
 * Returns why the act is not possible now. It runs before the transaction, because a transaction that throws ends the
 * process.
 */
function hindrance(roster: Roster, name: string, act: SessionAct): string | undefined {
  const session = roster.get(name);
  switch (act.kind) {
    case 'test_request':
      if (session?.testRequest === undefined) return `the protocol of ${name} has no test request`;
      return session.phase === 'active' ? undefined : `${name} is not logged on`;
    case 'reset':
    case 'set_numbers': {
      if (session?.phase !== 'down') {
        return `${name} has a connection; stop it, then set its numbers`;
      }
      const { maxNumber } = session;
      if (maxNumber === 0) return `${name} has no numbers before it has negotiated a session id`;
      const highest = 'nextIn' in act ? Math.max(act.nextIn, act.nextOut) : 1;
      return highest > maxNumber ? `${name} takes numbers up to ${maxNumber}` : undefined;
    }
    case 'logout':
      return session?.phase === 'down' ? `${name} has no connection` : undefined;
    case 'start':
    case 'stop':
      return undefined;
  }
}

function carryOut(roster: Roster, name: string, act: SessionAct, why: string): void {
  const calls: Readonly<Record<SessionAct['kind'], () => void>> = {
    start: () => roster.start(name),
    stop: () => roster.stop(name, why),
    logout: () => roster.logout(name, why),
    test_request: () => roster.testRequest(name),
    reset: () => roster.setNumbers(name, 1, 1),
    set_numbers: () => 'nextIn' in act && roster.setNumbers(name, act.nextIn, act.nextOut),
  };
  calls[act.kind]();
}
