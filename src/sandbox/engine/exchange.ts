/**
 * The exchange behind the sandbox: verified actions in, results and execution events out. It does no I/O and reads
 * no clock; the same calls give the same ledger hash. Time never runs backward: an earlier `nowMs` counts as the
 * latest one seen. Every call first runs what was due (expiries, algo slices).
 */
import type { Book } from '../../domain/units.ts';
import type { ActionRequest } from './action.ts';
import type { Credit, ExchangeConfig, Fees } from './config.ts';
import type { ExecutionEvent } from './event.ts';
import type {
  ActionResult,
  BalanceView,
  DepthView,
  EventPage,
  LedgerView,
  MarketView,
  OrderView,
  ReceiptView,
  Scope,
  TradeView,
} from './view.ts';

/** The switches of an operator that stand before placements; cancels and amends pass them. */
export type KillScope =
  | { readonly kind: 'venue' }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'market'; readonly market: number };

type Events = readonly ExecutionEvent[];

function missing(): never {
  throw new Error('not built yet');
}

export class Exchange {
  readonly config: ExchangeConfig;

  constructor(config: ExchangeConfig) {
    this.config = config;
  }

  openAccount(_account: string): void {
    missing();
  }
  /** Credits an asset (`USDC`, `BTC`, or an outcome book `7:YES`); a negative amount withdraws from what is free. */
  deposit(_account: string, _asset: string, _amount: number): void {
    missing();
  }
  apply(_request: ActionRequest): ActionResult {
    return missing();
  }
  /** Runs everything due at or before `nowMs`. */
  advance(_nowMs: number): Events {
    return missing();
  }
  /** When the next expiry, slice or market end is due; null when nothing waits. */
  nextDueMs(): number | null {
    return missing();
  }
  cancelAll(_account: string, _scope: Scope, _nowMs: number): { canceled: number; events: Events } {
    return missing();
  }

  haltTrading(_on: boolean, _nowMs: number): Events {
    return missing();
  }
  haltMarket(_market: number, _nowMs: number): Events {
    return missing();
  }
  resumeMarket(_market: number, _nowMs: number): Events {
    return missing();
  }
  /** Cancels every order of the market with reason MARKET_HALTED; nothing opens it again. */
  closeMarket(_market: number, _nowMs: number): Events {
    return missing();
  }
  /** Pays the payout for each share of `outcome`; a spot market cannot settle. */
  settleMarket(_market: number, _outcome: Book, _nowMs: number): Events {
    return missing();
  }
  setKillSwitch(_scope: KillScope, _on: boolean): void {
    missing();
  }
  setCredit(_credit: Credit): void {
    missing();
  }
  setFees(_fees: Fees): void {
    missing();
  }

  get tradingHalted(): boolean {
    return missing();
  }
  markets(): MarketView[] {
    return missing();
  }
  depth(_market: number, _book: Book | null, _levels: number): DepthView | null {
    return missing();
  }
  lastTrade(_market: number, _book: Book | null): TradeView | null {
    return missing();
  }
  order(_orderId: string): OrderView | null {
    return missing();
  }
  openOrders(_account: string, _scope?: Scope): OrderView[] {
    return missing();
  }
  balances(_account: string): BalanceView[] {
    return missing();
  }
  /** The newest receipts last; `actionHash` or `orderId` narrows. */
  receipts(
    _account: string,
    _query: { actionHash?: string; orderId?: string; limit: number },
  ): ReceiptView[] {
    return missing();
  }
  lastSeq(_account: string): number {
    return missing();
  }
  /** Events with seq >= fromSeq, at most `limit`. */
  events(_account: string, _fromSeq: number, _limit: number): EventPage {
    return missing();
  }
  ledger(): LedgerView {
    return missing();
  }
  /** Hash of the ledger; equal inputs give equal hashes. */
  hash(): string {
    return missing();
  }
  /** Throws when money, inventory, a book or an order does not add up. */
  assertInvariants(): void {
    missing();
  }
  /** The whole state as plain JSON. */
  snapshot(): unknown {
    return missing();
  }
  static restore(_config: ExchangeConfig, _snapshot: unknown): Exchange {
    return missing();
  }
}
