/**
 * What the sessions of a random walk (`core-walk.ts`) have asked for and been told. Each request has one final answer,
 * to the session that made it; each order one end; each report follows from the one before, and each trade is told once.
 */
import type { Amendment } from '../../src/domain/amended-trade.ts';
import { type Order, otherChannel } from '../../src/domain/order.ts';
import type { GroupAnswer } from '../../src/domain/quote-group.ts';
import type { CancelReject, ExecutionReport, Report } from '../../src/domain/report.ts';
import type { WalkBook } from './walk-book.ts';

export type Asking = 'new' | 'cancel' | 'replace' | 'quotes';

interface Request {
  readonly kind: Asking;
  answers: number;
}

interface Traded {
  readonly price: bigint;
  readonly qty: bigint;
}

/** An order by its last report. */
interface Told {
  readonly session: string;
  /** The id of its first request. */
  readonly first: string;
  status: string;
  clOrdId: string;
  cumQty: bigint;
  notional: bigint;
  isNew: boolean;
  /** The trades by their last ExecIDs. */
  readonly executions: Map<string, Traded>;
  /** How much of the trades an operator has taken back. */
  takenBack: bigint;
}

interface ToldParts {
  readonly trades: WalkBook['trades'];
  /** Whether the venue has an open order with this id now. */
  readonly isOpen: (orderId: string) => boolean;
  readonly fault: (text: string) => void;
  /** Whether an untrue answer about this order was given, so that its client may have been told that it is dead. */
  readonly isMisled: (key: string) => boolean;
}

const ends = new Set(['filled', 'canceled', 'expired', 'rejected']);

export class WalkTold {
  readonly #parts: ToldParts;
  readonly #requests = new Map<string, Request>();
  readonly #orders = new Map<string, Told>();
  readonly #trades = new Set<string>();
  readonly #execIds = new Set<string>();
  #amendment: Amendment | undefined;

  constructor(parts: ToldParts) {
    this.#parts = parts;
  }

  statusOf(key: string): string | undefined {
    return this.#orders.get(key)?.status;
  }

  /** The session of an order that has been reported. */
  sessionOf(key: string): string | undefined {
    return this.#orders.get(key)?.session;
  }

  takenBack(key: string): bigint {
    return this.#orders.get(key)?.takenBack ?? 0n;
  }

  /** An operator busts or corrects a trade of this order. */
  amends(key: string, amendment: Amendment): void {
    if (this.#orders.has(key)) this.#amendment = amendment;
  }

  /** Makes a request. `send` returns a refusal, what is known already, or nothing if the answer comes later. */
  asks(session: string, kind: Asking, id: string, send: () => object | undefined): void {
    const name = nameOf(session, kind, id);
    const before = this.#requests.get(name);
    const request = before ?? { kind, answers: 0 };
    if (before === undefined) this.#requests.set(name, request);
    const answer = send();
    if (before !== undefined) {
      if (answer === undefined && kind !== 'quotes') this.#fault(`${name} is used twice`);
    } else if (answer !== undefined) this.#answered(name, kind);
  }

  answer(session: string, { quoteId }: Pick<GroupAnswer, 'quoteId'>): void {
    this.#answered(nameOf(session, 'quotes', quoteId), 'quotes');
  }

  report(session: string, report: Report): void {
    const { key } = report.order.owner;
    if (report.order.owner.session !== session) this.#fault(`${key} is told to ${session}`);
    if (report.kind === 'cancel_reject') this.#rejected(session, report);
    else this.#executed(session, report);
  }

  #rejected(session: string, reject: CancelReject): void {
    const { clOrdId, denial, order, origClOrdId, request } = reject;
    const { key } = order.owner;
    const told = this.#orders.get(key) ?? this.#first(session, order, origClOrdId);
    if (told.session !== session) this.#fault(`${key}: ${request} refused to ${session}`);
    if (told.clOrdId !== origClOrdId) {
      this.#fault(`${key}: ${request} of ${origClOrdId} refused, it is ${told.clOrdId}`);
    }
    this.#answered(nameOf(session, request, clOrdId), request);
    // The order goes on under an id that the bridge knows, so the cancel may name that.
    const isTooLate = denial.refusal.cancel === 0 || denial.refusal.cancel === 1;
    const isOpen = this.#parts.isOpen(order.orderId ?? '');
    if (request === 'cancel' && isTooLate && isOpen && !this.#parts.isMisled(key)) {
      this.#fault(`${key}: a cancel comes too late for ${order.orderId}, which is open`);
    }
  }

  #executed(session: string, report: ExecutionReport): void {
    const { clOrdId, execId, execType, order, origClOrdId } = report;
    const { key } = order.owner;
    const told = this.#orders.get(key) ?? this.#first(session, order, origClOrdId ?? clOrdId);
    if (told.session !== session) this.#fault(`${key} of ${told.session} is told to ${session}`);
    if (this.#execIds.has(execId)) this.#fault(`${key}: ${execId} comes twice`);
    this.#execIds.add(execId);
    if (origClOrdId !== null ? origClOrdId !== told.clOrdId : clOrdId !== told.clOrdId) {
      this.#fault(`${key}: ${execType} ${clOrdId} of ${origClOrdId}, it is ${told.clOrdId}`);
    }
    if (execType === 'replaced' && origClOrdId !== null) {
      told.clOrdId = clOrdId;
      this.#answered(nameOf(session, 'replace', clOrdId), 'replace');
    }
    if (execType === 'canceled' && origClOrdId !== null) {
      this.#answered(nameOf(session, 'cancel', clOrdId), 'cancel');
    }
    this.#begun(told, report);
    this.#sums(told, report);
    this.#life(told, report);
    told.status = report.ordStatus;
  }

  #first(session: string, order: Order, first: string): Told {
    const { key, quoteId } = order.owner;
    const name =
      quoteId === null ? nameOf(session, 'new', first) : nameOf(session, 'quotes', quoteId);
    if (session !== otherChannel && !this.#requests.has(name)) {
      this.#fault(`${key} is told to ${session}, which did not ask for ${name}`);
    }
    const { cumQty: before, unseenQty } = order;
    const cumQty = before < unseenQty ? before : unseenQty;
    const sums = { cumQty, notional: 0n };
    const begun = { session, first, status: '', clOrdId: first, isNew: false, ...sums };
    const told = { ...begun, executions: new Map(), takenBack: 0n };
    this.#orders.set(key, told);
    return told;
  }

  #begun(told: Told, { execType, order }: ExecutionReport): void {
    const { key, quoteId } = order.owner;
    if (execType !== 'new' && execType !== 'rejected') return;
    if (told.isNew) this.#fault(`${key} is ${execType} after its beginning`);
    told.isNew = true;
    if (quoteId !== null || told.session === otherChannel) return;
    this.#answered(nameOf(told.session, 'new', told.first), 'new');
  }

  /** CumQty(14), LeavesQty(151) and AvgPx(6) are those of the trades before. */
  #sums(told: Told, { execId, execType, fill, order }: ExecutionReport): void {
    const { cumQty, leavesQty, notional, owner, phase, terms, unseenQty } = order;
    const { key } = owner;
    if (execType === 'trade' && fill !== null) {
      told.cumQty += fill.qty;
      told.notional += fill.qty * fill.price;
      told.executions.set(execId, fill);
      this.#traded(key, fill);
    } else if (execType === 'trade_cancel' || execType === 'trade_correct') {
      this.#amended(told, key, execId);
    }
    if (told.cumQty !== cumQty) {
      this.#fault(`${key}: CumQty ${cumQty} after ${execType}, not ${told.cumQty}`);
    }
    if (told.notional !== notional) this.#fault(`${key}: the price of ${execType} is wrong`);
    const isOver = ends.has(phase);
    if (isOver ? leavesQty !== 0n : leavesQty + cumQty !== terms.qty || leavesQty < 0n) {
      this.#fault(`${key} ${phase}: ${leavesQty} left and ${cumQty} filled of ${terms.qty}`);
    }
    if (phase === 'filled' && (cumQty !== terms.qty || unseenQty > cumQty)) {
      this.#fault(`${key} is filled with ${cumQty} of ${terms.qty}`);
    }
  }

  #amended(told: Told, key: string, execId: string): void {
    const amendment = this.#amendment;
    const trade = told.executions.get(amendment?.execId ?? '');
    this.#amendment = undefined;
    if (amendment === undefined || trade === undefined) {
      this.#fault(`${key}: a trade is amended that was not to be`);
      return;
    }
    const { price, qty } = amendment.kind === 'bust' ? { ...trade, qty: 0n } : amendment;
    told.executions.delete(amendment.execId);
    told.executions.set(execId, { price, qty });
    told.cumQty += qty - trade.qty;
    told.notional += price * qty - trade.price * trade.qty;
    told.takenBack += trade.qty - qty;
  }

  #traded(key: string, { fillId, price, qty }: NonNullable<ExecutionReport['fill']>): void {
    const trade = this.#parts.trades.get(fillId);
    if (this.#trades.has(fillId)) this.#fault(`${key}: trade ${fillId} is told twice`);
    this.#trades.add(fillId);
    const isOthers = trade?.key === null && key.startsWith(':');
    if (trade?.price !== price || trade.qty !== qty || (trade.key !== key && !isOthers)) {
      this.#fault(`${key}: trade ${fillId} is of ${trade?.key}`);
    }
  }

  /** An order that has ended begins again only where its client was told something untrue (rule 5). */
  #life(told: Told, { denial, execType, order, ordStatus }: ExecutionReport): void {
    const { key } = order.owner;
    if (!ends.has(told.status)) return;
    if (execType === 'trade_cancel' || execType === 'trade_correct') {
      if (!ends.has(ordStatus)) this.#fault(`${key} is ${ordStatus} after a bust`);
      return;
    }
    const isRevived = denial?.refusal.name === 'bridge.applied_late';
    if (isRevived && this.#parts.isMisled(key)) return;
    if (ends.has(ordStatus) && execType === 'trade' && this.#parts.isMisled(key)) return;
    this.#fault(`${key} is ${execType} ${ordStatus} after ${told.status}`);
  }

  #answered(name: string, kind: Asking): void {
    const request = this.#requests.get(name);
    if (request?.kind !== kind) this.#fault(`${kind} ${name} is answered and was not asked`);
    else {
      request.answers += 1;
      if (request.answers > 1) this.#fault(`${name} has ${request.answers} answers`);
    }
  }

  /**
   * At rest everything is answered and told. Where events were lost, nobody knows the orders of other channels, nor
   * those that are blurred.
   */
  judge(hasLost: boolean, isBlurred: (name: string, key: string | null) => boolean): void {
    for (const [name, { answers, kind }] of this.#requests) {
      if (answers === 0 && !isBlurred(name, null)) this.#fault(`${kind} ${name} has no answer`);
    }
    for (const [fillId, { key }] of this.#parts.trades) {
      const isUnknown = hasLost && (key === null || isBlurred('', key));
      if (!isUnknown && !this.#trades.has(fillId))
        this.#fault(`trade ${fillId} of ${key} is not told`);
    }
  }

  #fault(text: string): void {
    this.#parts.fault(text);
  }
}

function nameOf(session: string, kind: Asking, id: string): string {
  return kind === 'quotes' ? `${session}/quotes ${id}` : `${session}/${id}`;
}
