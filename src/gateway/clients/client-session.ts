/**
 * One client of the gateway, regardless of its protocol. Its role decides which commands it may use; refusals, reports
 * and answers go to its `ClientOutput` (contract C.4, D.6). The protocols parse requests and write answers:
 * `fix-client.ts`, `fixp-client.ts`.
 */
import type { Answer } from '../../domain/answer.ts';
import type {
  Command,
  MassCancel,
  MassStatus,
  OrderRef,
  OrderStatus,
} from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Order } from '../../domain/order.ts';
import type { Report, ReportFrame } from '../../domain/report.ts';
import { maxSentChars, type SentRequest } from '../../domain/sent-order.ts';
import { statusReport } from '../../domain/status.ts';
import type { Clock, Instant } from '../../runtime/clock.ts';
import { nowUs } from '../../runtime/latency.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { SessionEnd } from '../../transport/session-machine.ts';
import type { TradingContext } from '../gate/gate-view.ts';
import { isCollared, priceNeeds } from '../gate/price-needs.ts';
import {
  accountNamed,
  type BoundAccount,
  cancelOrders,
  cancelOwn,
  instrumentNamed,
  openOrders,
  type Principal,
} from '../gate/principal.ts';
import type { CancelOnDisconnect, CancelRule } from './cancel-on-disconnect.ts';
import type { MarketQueries } from './market-queries.ts';
import { type Known, OrderEntry, type Refused } from './order-entry.ts';
import { Quoting } from './quoting.ts';

/** The messages to a client, in its protocol. All methods are called within a transaction. */
export interface ClientOutput {
  /** Logged on, and neither side is logging out: what is sent otherwise is held for the next logon. */
  readonly isLoggedOn: boolean;
  report(report: Report, frame: ReportFrame): void;
  answer(answer: Answer): void;
}

export interface ClientParts {
  readonly principal: Principal;
  /** All accounts of the bridge, because a session may have orders on one that was taken from it. */
  readonly accounts: () => readonly BoundAccount[];
  readonly context: TradingContext;
  readonly markets: MarketQueries;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly cancelOnDisconnect: CancelOnDisconnect;
  readonly isStreamBehind: (account: BoundAccount) => boolean;
}

/** The start of a connection. */
export interface Arrival {
  /** Applies the client's own choice to the configured rule, if its protocol has such a field. */
  readonly rule?: (configured: CancelRule) => CancelRule;
}

/** To report one order takes some 50 µs. */
const statesAtOnce = 50;
/** In batches of that many orders: a client that asks again and again would otherwise be owed ever more reports. */
const maxOwed = 1_000;

/** A mass status with the open orders of its time, of which those before `from` are reported. */
interface MassAnswer {
  readonly reqId: string;
  readonly found: readonly (readonly [BoundAccount, Order])[];
  from: number;
}

const asConfigured = (rule: CancelRule) => rule;

const queries: ReadonlySet<Command['kind']> = new Set([
  'security_list',
  'security_status',
  'session_status',
  'market_data',
  'user_status',
]);
/** Whether a session of this role may send a command of this kind. */
const allows: Readonly<Record<Principal['role'], (kind: Command['kind']) => boolean>> = {
  'order-entry': () => true,
  'market-data': (kind) => queries.has(kind),
  'drop-copy': () => false,
};

export class ClientSession {
  readonly #parts: ClientParts;
  readonly #output: ClientOutput;
  #principal: Principal;
  #entry: OrderEntry;
  #quoting: Quoting;
  #isConnected = false;
  #rule = asConfigured;
  #refusals = 0;
  /** They are answered one after the other. */
  #massAnswers: MassAnswer[] = [];
  #cancelNextStates = () => {};

  constructor(parts: ClientParts, output: ClientOutput) {
    this.#parts = parts;
    this.#output = output;
    this.#principal = parts.principal;
    this.#entry = new OrderEntry(parts.principal, parts.context);
    this.#quoting = new Quoting(parts.principal, parts.context, this);
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Only clients that are logged on are told how things stand: held until the next logon, it would be old. */
  get isLoggedOn(): boolean {
    return this.#output.isLoggedOn;
  }

  /** Replaces the client's permissions. */
  change(principal: Principal): void {
    this.#principal = principal;
    this.#entry = new OrderEntry(principal, this.#parts.context);
    this.#quoting = new Quoting(principal, this.#parts.context, this);
    if (this.#isConnected) this.#expectEnd();
  }

  arrived({ rule = asConfigured }: Arrival = {}): void {
    this.#isConnected = true;
    this.#rule = rule;
    this.#expectEnd();
    this.#parts.markets.arrived(this);
  }

  /** Its sequence numbers began anew, so it may have lost earlier messages. */
  renumbered(): void {
    if (this.principal.profile.restateOrders) this.#restateOrders();
  }

  /**
   * The connection has ended; after an ungraceful end, orders are candidates for cancel-on-disconnect. `rule` is the
   * client's own choice, if its protocol has one.
   */
  left(
    { graceful, reason }: SessionEnd,
    now: Instant,
    rule = this.principal.cancelOnDisconnect,
  ): void {
    this.#isConnected = false;
    // A client whose connection has closed asks again.
    this.#massAnswers = [];
    this.#cancelNextStates();
    this.#parts.markets.left(this);
    const { session } = this.principal;
    this.#parts.cancelOnDisconnect.left(session, { graceful, rule, now }, () =>
      cancelOwn(session, this.#parts, `cancel on disconnect: ${reason}`),
    );
  }

  /** Carries out the command if the role allows it; otherwise returns the refusal. */
  execute(asked: Command | Denial, now: Instant): Refused | undefined {
    const { context, transactions } = this.#parts;
    context.hops.command.observe(nowUs() - transactions.startedUs);
    if (isDenial(asked)) return { denial: asked };
    const { role } = this.principal;
    if (allows[role](asked.kind)) return this.#carryOut(asked, now);
    return { denial: deny('bridge.not_authorized', `the role ${role} may not send this`) };
  }

  /** Whether any of the client's orders may have to wait for a book, not only orders without a price. */
  get isCollared(): boolean {
    return isCollared(this.#principal);
  }

  /** Resolves when the command, which has no effect yet, has all that it needs; undefined if it already does. */
  waitsFor(asked: Command | Denial): Promise<void> | undefined {
    if (isDenial(asked)) return undefined;
    const { context, markets } = this.#parts;
    if (asked.kind === 'market_data') return markets.waitsFor(asked);
    const instruments = context.instruments();
    if (asked.kind !== 'replace_order') {
      return context.priced(priceNeeds(asked, this.#principal, instruments));
    }
    // A replace need not name the instrument, because its ids identify the order.
    const { instrument } = this.#entry.find(asked.target)?.order ?? asked;
    return context.priced(priceNeeds({ ...asked, instrument }, this.#principal, instruments));
  }

  /** Keeps a refusal for the console; returns its ExecID(17), which no event of the stream numbers. */
  refused(denial: Denial, { clOrdId, order }: SentRequest, { wallMs: atMs }: Instant): string {
    const { compId, session } = this.principal;
    this.#refusals += 1;
    const execId = `${compId}-${atMs}-r${this.#refusals}`;
    const refusal = { denial, session, clOrdId: clOrdId.slice(0, maxSentChars), atMs };
    const { rejects } = this.#parts.context;
    rejects.add(refusal);
    if (order !== null) {
      const account = accountNamed(this.principal, order.account || null)?.name ?? order.account;
      rejects.addOrder({ ...order, account }, execId, refusal);
    }
    return execId;
  }

  /** The order that a request names which was refused unread, with its status: it may not be taken for over. */
  standing(target: OrderRef | null): Refused['about'] {
    return target === null ? undefined : this.#entry.standing(target);
  }

  /** Called inside a transaction. */
  report(report: Report, frame: ReportFrame = {}): void {
    this.#output.report(report, frame);
  }

  /** Called inside a transaction. */
  answer(answer: Answer): void {
    this.#output.answer(answer);
  }

  /** A crash ends the connection too, so the rule is stored before it is needed. */
  #expectEnd(): void {
    const { cancelOnDisconnect, session } = this.principal;
    this.#parts.cancelOnDisconnect.arrived(session, this.#rule(cancelOnDisconnect));
  }

  #carryOut(command: Command, now: Instant): Refused | undefined {
    switch (command.kind) {
      case 'new_order':
        return this.#answered(this.#entry.newOrder(command, now), command, now);
      case 'cancel_order':
        return this.#answered(this.#entry.cancel(command, now), command, now);
      case 'replace_order':
        return this.#answered(this.#entry.replace(command, now), command, now);
      case 'mass_cancel':
        return this.#massCancel(command, now);
      case 'order_status':
        return this.#orderStatus(command, now);
      case 'mass_status':
        return this.#massStatus(command);
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

  /** A request that was known already is answered with the state of its order, if the client asks with 97=Y. */
  #answered(
    result: Refused | Known | undefined,
    { origin }: Pick<Command, 'origin'>,
    now: Instant,
  ): Refused | undefined {
    if (result === undefined || !('known' in result)) return result;
    if (origin.possResend) this.#state(result.known, now, {});
    return undefined;
  }

  #orderStatus(command: OrderStatus, now: Instant): Refused | undefined {
    const { clOrdId, orderId, reqId } = command;
    const found = this.#entry.find({ origClOrdId: clOrdId, orderId });
    if (found === undefined) return { denial: deny('bridge.unknown_order', clOrdId ?? orderId) };
    const behind = this.#parts.isStreamBehind(found.bound);
    this.#state(found.order, now, { statusReqId: reqId ?? undefined, behind });
    return undefined;
  }

  #massStatus(command: MassStatus): Refused | undefined {
    const scope = this.#scope(command);
    if (isDenial(scope)) return { denial: scope };
    const { accounts, instrument } = scope;
    const found = [...openOrders(this.principal)].filter(
      ([bound, order]) =>
        accounts.includes(bound) &&
        (instrument === null || order.instrument.securityId === instrument.securityId),
    );
    if (found.length === 0) return { denial: deny('bridge.unknown_order', 'no open order') };
    const waiting = this.#massAnswers.length;
    this.#massAnswers.push({ reqId: command.reqId, found, from: 0 });
    if (waiting === 0) this.#states();
    else if (this.#owed > maxOwed) {
      this.#massAnswers.pop();
      const text = `${waiting} OrderMassStatusRequests are not answered yet`;
      return { denial: deny('bridge.backpressure', text) };
    }
    return undefined;
  }

  get #owed(): number {
    const batches = ({ found, from }: MassAnswer) =>
      Math.ceil((found.length - from) / statesAtOnce);
    return this.#massAnswers.reduce((sum, answer) => sum + batches(answer), 0);
  }

  /**
   * Reports the next orders of the first mass status, as they are now. Each batch is a transaction, and however much a
   * client asks, it gets one at a time, so other sessions do not wait long.
   */
  #states(): void {
    const [first] = this.#massAnswers;
    if (first === undefined || !this.isLoggedOn) return;
    const { clock, isStreamBehind, transactions } = this.#parts;
    const { found, from, reqId } = first;
    const { length: total } = found;
    for (const [index, [bound, known]] of found.slice(from, from + statesAtOnce).entries()) {
      const order = bound.runner.orders.get(known.owner.key) ?? known;
      const massStatus = { reqId, total, isLast: from + index === total - 1 };
      this.#state(order, clock.now(), { massStatus, behind: isStreamBehind(bound) });
    }
    first.from += statesAtOnce;
    this.#cancelNextStates = clock.at(clock.now().monoMs, () => {
      if (first.from >= total) this.#massAnswers.shift();
      transactions.run(() => this.#states());
    });
  }

  #massCancel(command: MassCancel, now: Instant): Refused | undefined {
    const scope = this.#scope(command);
    if (isDenial(scope)) return { denial: scope };
    const { side, clOrdId } = command;
    const { accounts: own, profile, session } = this.principal;
    const isOfSession = profile.massCancelScope === 'session';
    const meant = {
      session: isOfSession ? session : null,
      symbols: scope.instrument && [scope.instrument.securityId],
      side,
      onlyQuotes: false,
    };
    const meantOn = (bound: BoundAccount) => (own.includes(bound) ? meant : { ...meant, session });
    const affected = scope.accounts
      .map((bound) => cancelOrders(bound, `mass cancel ${clOrdId}`, now.wallMs, meantOn(bound)))
      .reduce((sum, count) => sum + count, 0);
    this.answer({
      kind: 'mass_cancel',
      clOrdId,
      instrument: scope.instrument,
      side,
      affected,
      nowMs: now.wallMs,
    });
    return undefined;
  }

  /** The accounts and the instrument of a request; null means every instrument. */
  #scope({
    instrument,
    account,
  }: Pick<MassStatus, 'instrument' | 'account'>):
    | { readonly accounts: readonly BoundAccount[]; readonly instrument: Instrument | null }
    | Denial {
    const listed = this.#parts.context.instruments();
    const named = instrument === null ? null : instrumentNamed(this.principal, instrument, listed);
    if (named !== null && isDenial(named)) return named;
    const { reach } = this.principal;
    const only = account === null ? null : accountNamed(this.principal, account, reach);
    if (only === undefined) return deny('bridge.unknown_account', account);
    return { accounts: only === null ? reach : [only], instrument: named };
  }

  #restateOrders(): void {
    const restate = { kind: 'restate', nowMs: this.#parts.clock.now().wallMs } as const;
    for (const [{ runner }, { owner }] of [...openOrders(this.principal)]) {
      if (owner.session !== this.principal.session) continue;
      runner.apply({ kind: 'order', key: owner.key, input: restate });
    }
  }

  #state(order: Order, now: Instant, frame: ReportFrame): void {
    this.report(statusReport(order, this.principal.rules, now.wallMs), frame);
  }
}
