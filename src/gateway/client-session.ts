/**
 * One FIX session of a client as an application: its messages become commands, by its role; what is refused is
 * answered in the form of the request, what is reported goes out in the client's own words (contract C.4, D.6).
 */

import type { Answer } from '../domain/answer.ts';
import type { Command } from '../domain/command.ts';
import { type Denial, deny, isDenial } from '../domain/denial.ts';
import type { Order } from '../domain/order.ts';
import type { Report } from '../domain/report.ts';
import { statusReport } from '../domain/status.ts';
import type { Application, AppSession, SessionEnd } from '../fix/application.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { Message } from '../fix/message.ts';
import { writeAnswer } from '../mapping/fix/answer-message.ts';
import { type ReadSettings, readCommand } from '../mapping/fix/read-command.ts';
import { writeRefusal } from '../mapping/fix/refusal-message.ts';
import {
  type ReportFrame,
  type ReportSettings,
  writeReport,
} from '../mapping/fix/report-message.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import type { MarketQueries } from './market-queries.ts';
import { type Floor, type Known, OrderEntry, type Refused } from './order-entry.ts';
import {
  accountNamed,
  type BoundAccount,
  cancelOrders,
  openOrders,
  type Principal,
} from './principal.ts';
import { Quoting } from './quoting.ts';

export interface ClientParts {
  readonly principal: Principal;
  readonly floor: Floor;
  readonly markets: MarketQueries;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly messages: ReportSettings & Omit<ReadSettings, 'session'>;
  readonly isStreamBehind: (account: BoundAccount) => boolean;
}

type Role = Principal['role'];
type Kind = Command['kind'];

const queries: readonly Kind[] = [
  'security_list',
  'security_status',
  'session_status',
  'market_data',
  'user_status',
];
const allowed: Readonly<Record<Role, ReadonlySet<Kind>>> = {
  'order-entry': new Set<Kind>([
    ...queries,
    'new_order',
    'cancel_order',
    'replace_order',
    'mass_cancel',
    'mass_quote',
    'quote',
    'quote_cancel',
    'order_status',
    'mass_status',
  ]),
  'market-data': new Set<Kind>(queries),
  'drop-copy': new Set<Kind>([]),
};

export class ClientSession implements Application {
  readonly #parts: ClientParts;
  #principal: Principal;
  #entry: OrderEntry;
  #quoting: Quoting;
  readonly #out = new FieldWriter();
  readonly #settings: ReadSettings;
  /** What is news of the moment is told to nobody who is away. */
  isLoggedOn = false;
  #session: AppSession | undefined;
  #cancelGrace = () => {};
  #refusals = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#principal = parts.principal;
    this.#entry = new OrderEntry(parts.principal, parts.floor);
    this.#quoting = new Quoting(parts.principal, parts.floor, this);
    this.#settings = { ...parts.messages, session: parts.principal.session };
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** What the client may do from now on. */
  change(principal: Principal): void {
    this.#principal = principal;
    this.#entry = new OrderEntry(principal, this.#parts.floor);
    this.#quoting = new Quoting(principal, this.#parts.floor, this);
  }

  /** The session through which this client is spoken to; known before its first logon. */
  bind(session: AppSession): void {
    this.#session = session;
  }

  onLogon(_session: AppSession, _now: Instant): void {
    this.isLoggedOn = true;
    this.#cancelGrace();
    this.#cancelGrace = () => {};
    this.#parts.markets.arrived(this);
  }

  onDisconnect(_session: AppSession, end: SessionEnd, now: Instant): void {
    this.isLoggedOn = false;
    this.#parts.markets.left(this);
    const { when, graceMs } = this.principal.cancelOnDisconnect;
    if (when === 'off' || (when === 'abrupt' && end.graceful)) return;
    const cancel = () => {
      this.#parts.turns.run(() => this.cancelAll(`cancel on disconnect: ${end.reason}`));
    };
    if (graceMs === 0) cancel();
    else this.#cancelGrace = this.#parts.clock.at(now.monoMs + graceMs, cancel);
  }

  onMessage(message: Message, _session: AppSession, now: Instant): void {
    const command = readCommand(message, this.#settings);
    if (isDenial(command)) {
      this.#refuse(message, { denial: command }, now);
      return;
    }
    if (!allowed[this.principal.role].has(command.kind)) {
      const denial = deny(
        'bridge.not_authorized',
        `not for a session of role ${this.principal.role}`,
      );
      this.#refuse(message, { denial }, now);
      return;
    }
    const refused = this.#obey(command, now);
    if (refused !== undefined) this.#refuse(message, refused, now);
  }

  /** Inside a turn. */
  report(report: Report, frame: ReportFrame = {}): void {
    this.#send(writeReport(this.#out.clear(), report, this.#parts.messages, frame));
  }

  /** Inside a turn. */
  answer(answer: Answer): void {
    this.#send(writeAnswer(this.#out.clear(), answer, this.#parts.messages));
  }

  /** Inside a turn: signed cancels of this session's own orders (C.2). */
  cancelAll(text: string): number {
    return this.#cancelWhere(text, ({ owner }) => owner.session === this.principal.session);
  }

  #obey(command: Command, now: Instant): Refused | undefined {
    switch (command.kind) {
      case 'new_order': {
        const result = this.#entry.newOrder(command, now);
        if (result === undefined || !isKnown(result)) return result;
        if (command.origin.possResend) this.#state(result.known, now, {});
        return undefined;
      }
      case 'cancel_order':
        return this.#entry.cancel(command, now);
      case 'replace_order':
        return this.#entry.replace(command, now);
      case 'mass_cancel':
        return this.#massCancel(command, now);
      case 'order_status':
        return this.#orderStatus(command, now);
      case 'mass_status':
        return this.#massStatus(command, now);
      case 'security_list':
      case 'security_status':
      case 'session_status':
      case 'market_data':
      case 'user_status':
        return this.#parts.markets.ask(command, this, now);
      case 'mass_quote':
        return this.#quoting.massQuote(command, now);
      case 'quote':
        return this.#quoting.quote(command, now);
      case 'quote_cancel':
        return this.#quoting.cancel(command, now);
    }
  }

  #orderStatus(
    command: Extract<Command, { kind: 'order_status' }>,
    now: Instant,
  ): Refused | undefined {
    const { clOrdId, orderId, reqId } = command;
    const found = this.#entry.find({ origClOrdId: clOrdId, orderId });
    if (found === undefined) return { denial: deny('bridge.unknown_order', clOrdId ?? orderId) };
    const behind = this.#parts.isStreamBehind(found.bound);
    this.#state(found.order, now, { statusReqId: reqId ?? undefined, behind });
    return undefined;
  }

  #massStatus(
    command: Extract<Command, { kind: 'mass_status' }>,
    now: Instant,
  ): Refused | undefined {
    const scope = this.#scope(command);
    if (isDenial(scope)) return { denial: scope };
    const found = [...openOrders(this.principal)].filter(([bound, order]) => scope(bound, order));
    if (found.length === 0) return { denial: deny('bridge.unknown_order', 'no open order') };
    for (const [index, [bound, order]] of found.entries()) {
      const massStatus = {
        reqId: command.reqId,
        total: found.length,
        isLast: index === found.length - 1,
      };
      this.#state(order, now, { massStatus, behind: this.#parts.isStreamBehind(bound) });
    }
    return undefined;
  }

  #massCancel(
    command: Extract<Command, { kind: 'mass_cancel' }>,
    now: Instant,
  ): Refused | undefined {
    const scope = this.#scope(command);
    if (isDenial(scope)) return { denial: scope };
    const { instrument, side, clOrdId } = command;
    const named = instrument === null ? null : this.#parts.floor.instruments().resolve(instrument);
    if (named !== null && isDenial(named)) return { denial: named };
    const isOfSession = this.principal.profile.massCancelScope === 'session';
    const affected = this.#cancelWhere(`mass cancel ${clOrdId}`, (order, bound) => {
      if (isOfSession && order.owner.session !== this.principal.session) return false;
      return scope(bound, order) && (side === null || order.terms.side === side);
    });
    this.answer({
      kind: 'mass_cancel',
      clOrdId,
      instrument: named,
      side,
      affected,
      nowMs: now.wallMs,
    });
    return undefined;
  }

  /** Which open orders a request is about, by its instrument and account. */
  #scope({
    instrument,
    account,
  }: Pick<Extract<Command, { kind: 'mass_status' }>, 'instrument' | 'account'>):
    | ((bound: BoundAccount, order: Order) => boolean)
    | Denial {
    const named = instrument === null ? null : this.#parts.floor.instruments().resolve(instrument);
    if (named !== null && isDenial(named)) return named;
    const only = account === null ? null : accountNamed(this.principal, account);
    if (only === undefined) return deny('bridge.unknown_account', account);
    return (bound, order) =>
      (only === null || bound === only) &&
      (named === null || order.instrument.securityId === named.securityId);
  }

  #cancelWhere(text: string, isMeant: (order: Order, bound: BoundAccount) => boolean): number {
    const { wallMs } = this.#parts.clock.now();
    return this.principal.accounts
      .map((bound) => cancelOrders(bound, text, wallMs, (order) => isMeant(order, bound)))
      .reduce((sum, count) => sum + count, 0);
  }

  #state(order: Order, now: Instant, frame: ReportFrame): void {
    this.report(statusReport(order, this.principal.rules, now.wallMs), frame);
  }

  #refuse(message: Message, { denial, about }: Refused, now: Instant): void {
    this.#refusals += 1;
    const execId = `${this.principal.compId}-${now.wallMs}-r${this.#refusals}`;
    const { messages } = this.#parts;
    const facts = { execId, nowMs: now.wallMs, about };
    this.#send(writeRefusal(this.#out.clear(), message, denial, messages, facts));
  }

  #send(msgType: string): void {
    this.#session?.send(msgType, this.#out.bytes, this.#parts.clock.now());
  }
}

function isKnown(result: Refused | Known): result is Known {
  return 'known' in result;
}
