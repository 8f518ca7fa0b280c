/**
 * The exchange behind the sandbox: verified actions in, results and execution events out. It has no I/O and reads no
 * clock; the same calls give the same ledger hash. Time never goes backward: an earlier `nowMs` counts as the latest
 * one so far. Every call with a time first runs everything that was due (expiries, algo slices, market ends).
 */
import { createHash } from 'node:crypto';
import type { VenueStatus } from '../../domain/event.ts';
import type { Book } from '../../domain/units.ts';
import { deposit, openAccount } from './accounts.ts';
import type { ActionRequest, EngineAction } from './action.ts';
import { placeAlgo } from './algo.ts';
import { placeConditional } from './conditional.ts';
import type { Credit, ExchangeConfig, Fees } from './config.ts';
import { commit } from './emit.ts';
import type { ExecutionEvent } from './event.ts';
import { amend, cancel, place } from './orders.ts';
import { statusOf } from './outcome.ts';
import {
  balanceViews,
  depthView,
  eventPage,
  findReceipts,
  ledgerView,
  type MarketView,
  marketView,
  type OrderView,
  orderView,
  type ReceiptView,
  receiptView,
} from './queries.ts';
import { isSequenced } from './refusal.ts';
import { replace } from './replace.ts';
import {
  cancelParent,
  cancelScope,
  haltTrading,
  inScope,
  marketChanges,
  runDue,
  runFollowUps,
  settleMarket,
} from './run.ts';
import { restoreState, type Snapshot, takeSnapshot } from './snapshot.ts';
import { type AccountState, type Call, type MarketState, State } from './state.ts';
import type { ActionResult, Outcome, Scope } from './view.ts';

/** The scopes in which an operator can stop placements; cancels and amends are not affected. */
export type KillScope =
  | { readonly kind: 'venue' }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'market'; readonly market: number };

type Events = readonly ExecutionEvent[];

export class Exchange {
  readonly state: State;
  /** Called with the events of each change, once it is certain. */
  onEvents: (events: Events) => void = () => {};

  constructor(config: ExchangeConfig, state = new State(config)) {
    this.state = state;
  }

  static restore(config: ExchangeConfig, snapshot: Snapshot): Exchange {
    return new Exchange(config, restoreState(config, snapshot));
  }

  openAccount(account: string, keepsHistory = true): void {
    openAccount(this.state, account, keepsHistory);
  }

  /** Deposits an asset (`USDC`, `BTC`, or an outcome book such as `7:YES`); a negative amount withdraws free funds. */
  deposit(account: string, asset: string, amount: number): void {
    deposit(this.state, this.#account(account), asset, amount);
  }

  apply(request: ActionRequest): ActionResult {
    const state = this.state;
    const account = this.#account(request.account);
    runDue(state, request.nowMs);
    const due = this.#commit();
    const seqBefore = account.lastSeq;
    const call = { state, account, ids: request.ids };
    state.cause = call;
    const outcome = perform(call, request.action);
    state.cause = null;
    const seq = account.lastSeq > seqBefore ? account.lastSeq : null;
    runFollowUps(state);
    const events = this.#commit();
    const result: ActionResult = {
      ...outcome,
      nonceConsumed: outcome.refusal === null || isSequenced(outcome.refusal),
      seq,
      events: due.length === 0 ? events : [...due, ...events],
      engineTsMs: state.nowMs,
    };
    if (result.nonceConsumed) keepReceipts(call, result);
    return result;
  }

  /** Runs everything due at or before `nowMs`. */
  advance(nowMs: number): Events {
    return this.#run(nowMs, () => undefined);
  }

  /** The time of the next expiry, slice or market end; null if there is none. */
  nextDueMs(): number | null {
    return this.state.timers.first()?.dueMs ?? null;
  }

  cancelAll(account: string, scope: Scope, nowMs: number): Events {
    const owner = this.#account(account);
    return this.#run(nowMs, () => cancelScope(this.state, owner, scope, null));
  }

  haltTrading(on: boolean, nowMs: number): Events {
    return this.#run(nowMs, () => haltTrading(this.state, on));
  }

  /** Closing cancels every order of the market with reason MARKET_HALTED; the market never reopens. */
  changeMarket(market: number, change: keyof typeof marketChanges, nowMs: number): Events {
    return this.#run(nowMs, () => marketChanges[change](this.state, this.#market(market)));
  }

  /** Pays the payout for each share of `outcome` in a closed outcome market. */
  settleMarket(market: number, outcome: Book, nowMs: number): Events {
    return this.#run(nowMs, () => settleMarket(this.state, this.#market(market), outcome));
  }

  setKillSwitch(scope: KillScope, on: boolean): void {
    this.#killable(scope).killed = on;
  }

  setCredit(credit: Credit): void {
    this.state.credit = credit;
  }

  /** Open orders keep the maker rate with which they entered, unless a tier is better. */
  setFees(fees: Fees): void {
    this.state.fees = fees;
  }

  get nowMs(): number {
    return this.state.nowMs;
  }

  markets(): readonly MarketView[] {
    return Array.from(this.state.markets.values(), marketView);
  }

  depth(market: number, book: Book | null, levels: number): ReturnType<typeof depthView> {
    const found = this.state.markets.get(market);
    return found === undefined ? null : depthView(found, book, levels);
  }

  /** An order, algo or stored conditional, open or ended. */
  order(orderId: string): OrderView | null {
    const found = this.state.orders.get(orderId) ?? this.state.parents.get(orderId);
    return found === undefined ? null : orderView(found);
  }

  /** Open orders, algos and stored conditionals, oldest first. */
  openOrders(account: string, scope: Scope = {}): OrderView[] {
    const { open, parents } = this.#account(account);
    return inScope([...open, ...parents], scope).map(orderView);
  }

  balances(account: string): ReturnType<typeof balanceViews> {
    return balanceViews(this.state, this.#account(account));
  }

  /** The newest `limit` receipts, newest last; `actionHash` and `orderId` are filters. */
  receipts(
    account: string,
    query: { actionHash?: string; orderId?: string; limit: number },
  ): ReceiptView[] {
    const records = findReceipts(this.#account(account), query);
    return records.map((record) => receiptView(this.state, record));
  }

  lastSeq(account: string): number {
    return this.#account(account).lastSeq;
  }

  /** Events with seq >= fromSeq, at most `limit`. */
  events(account: string, fromSeq: number, limit: number): ReturnType<typeof eventPage> {
    return eventPage(this.state, this.#account(account), fromSeq, limit);
  }

  ledger(): ReturnType<typeof ledgerView> {
    return ledgerView(this.state);
  }

  /** Hash of the whole state, streams included; equal calls give equal hashes. */
  hash(): string {
    return createHash('sha256')
      .update(JSON.stringify(takeSnapshot(this.state)))
      .digest('hex');
  }

  /** The whole state as plain JSON. */
  snapshot(): Snapshot {
    return takeSnapshot(this.state);
  }

  #run(nowMs: number, change: () => void): Events {
    runDue(this.state, nowMs);
    change();
    runFollowUps(this.state);
    return this.#commit();
  }

  #commit(): Events {
    const events = commit(this.state);
    this.onEvents(events);
    return events;
  }

  #killable(scope: KillScope): { killed: boolean } {
    if (scope.kind === 'venue') return this.state;
    return scope.kind === 'account' ? this.#account(scope.account) : this.#market(scope.market);
  }

  #account(id: string): AccountState {
    const account = this.state.accounts.get(id);
    if (account === undefined) throw new RangeError(`no account ${id}`);
    return account;
  }

  #market(id: number): MarketState {
    const market = this.state.markets.get(id);
    if (market === undefined) throw new RangeError(`no market ${id}`);
    return market;
  }
}

function perform(call: Call, action: EngineAction): Outcome {
  switch (action.kind) {
    case 'place':
      return place(call, action);
    case 'cancel':
      return cancel(call, action);
    case 'amend':
      return amend(call, action);
    case 'replace':
      return replace(call, action);
    case 'place_algo':
      return placeAlgo(call, action);
    case 'place_conditional':
      return placeConditional(call, action);
    case 'cancel_algo':
    case 'cancel_conditional':
      return cancelParent(call, action);
  }
}

/** A group has a receipt for each order that it places, or would have placed. */
function keepReceipts({ state, account, ids }: Call, result: ActionResult): void {
  const { engineTsMs, refusal, seq, status } = result;
  const { actionHash, clientOrderId, nonce } = ids;
  const keep = (orderId: string | null, ofOrder: VenueStatus) =>
    account.receipts.push({
      seq,
      actionHash,
      orderId,
      clientOrderId,
      nonce,
      status: ofOrder,
      code: refusal?.code ?? null,
      text: refusal?.text ?? null,
      engineTsMs,
    });
  const placedIds = ids.legIds.filter((id) => id !== null);
  if (placedIds.length === 0) keep(result.orderId, status);
  for (const orderId of placedIds) {
    const order = state.orders.get(orderId);
    keep(orderId, refusal === null && order !== undefined ? statusOf(order) : status);
  }
}
