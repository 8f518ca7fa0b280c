/**
 * The gate of the venue, of each market and of each account: it decides whether an order may be placed (contract A.2,
 * G52; R77-R80). It closes at the first bad sign and opens after several good polls. Cancels are never checked. It is
 * pure: the caller passes the time.
 */
import { type Refusal, refusalNamed } from '../domain/refusal.ts';
import type { Account, MarketId } from '../domain/units.ts';
import type { Profile } from './profile.ts';
import type { StatusRecord } from './records.ts';

/** `ledgerReasons` are the words in placementReason that indicate the ledger (number 104). */
type Rules = Pick<Profile['gate'], 'goodPolls' | 'goodPollApartMs' | 'ledgerReasons'> & {
  readonly placeWithoutStream: boolean;
};

export interface VenuePoll {
  /** The readiness route; only its HTTP status counts. */
  readonly readiness: 'ready' | 'not_ready' | 'unreachable';
  readonly reason: string;
  /** Null if the status could not be read, which is a bad sign as well. */
  readonly status: StatusRecord | null;
}

export type VenueState = 'open' | 'halted' | 'ledger_degraded' | 'not_ready' | 'unreachable';

/** For h TradingSessionStatus and f SecurityStatus (R80). */
export type GateChange =
  | { readonly kind: 'venue'; readonly state: VenueState; readonly reason: string }
  | { readonly kind: 'market'; readonly market: MarketId; readonly state: MarketState }
  | { readonly kind: 'account'; readonly account: Account; readonly state: AccountState };

export type MarketState = 'open' | 'halted' | 'closed';
export type AccountState = 'open' | 'reducing' | 'blocked';

export class Gate {
  readonly #rules: Rules;
  #state: VenueState = 'unreachable';
  #reason = 'readiness was not asked yet';
  #distrust = '';
  #goodPolls = 0;
  #lastGoodMs = Number.NEGATIVE_INFINITY;
  readonly #streamsDown = new Map<Account, string>();
  readonly #markets = new Map<MarketId, Exclude<MarketState, 'open'>>();
  readonly #accounts = new Map<Account, { state: AccountState; reason: string }>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  get state(): VenueState {
    return this.#state;
  }

  get reason(): string {
    return this.#reason;
  }

  market(market: MarketId): MarketState {
    return this.#markets.get(market) ?? 'open';
  }

  isHalted(market: MarketId): boolean {
    return this.#markets.has(market);
  }

  /** The state of the account alone, regardless of the venue and the markets. */
  account(account: Account): { readonly state: AccountState; readonly reason: string } {
    const own = this.#accounts.get(account);
    const down = this.#streamsDown.get(account);
    if (own !== undefined && own.state !== 'open') return { ...own };
    return { state: 'open', reason: down ?? '' };
  }

  /** Returns null if the order may pass, otherwise the refusal and its text. */
  refusal(
    account: Account,
    market: MarketId,
    isReducing: boolean,
  ): { readonly refusal: Refusal; readonly text: string } | null {
    const refused = (name: string, text: string) => ({ refusal: refusalNamed(name), text });
    if (this.#state !== 'open') return refused(closedRow[this.#state], this.#reason);
    const own = this.#accounts.get(account);
    if (own?.state === 'blocked') return refused('bridge.gate_closed', own.reason);
    if (own?.state === 'reducing' && !isReducing) {
      return refused('bridge.account_closing', own.reason);
    }
    if (this.isHalted(market)) {
      return refused('bridge.market_halted', `market ${market} is ${this.market(market)}`);
    }
    const down = this.#streamsDown.get(account);
    if (down !== undefined && !this.#rules.placeWithoutStream) {
      return refused('bridge.gate_closed', down);
    }
    return null;
  }

  polled(poll: VenuePoll, nowMs: number): GateChange[] {
    const bad = this.#badSign(poll);
    if (bad !== null) return this.#close(bad.state, bad.reason);
    if (this.#state === 'open') return [];
    if (nowMs - this.#lastGoodMs >= this.#rules.goodPollApartMs) {
      this.#goodPolls += 1;
      this.#lastGoodMs = nowMs;
    }
    return this.#goodPolls < this.#rules.goodPolls ? [] : this.#move('open', poll.reason);
  }

  /** Act GG of a refusal: trading is halted, the ledger is degraded, or the write runtime is recovering (R79). */
  refused(refusal: Refusal, text: string): GateChange[] {
    const { number } = refusal;
    const state = number === 103 ? 'halted' : number === 104 ? 'ledger_degraded' : 'not_ready';
    return this.#close(state, `${refusal.text} ${text}`.trim());
  }

  /** Records differences between the venue and the profile; no orders are placed while there are any. */
  distrust(reason: string): GateChange[] {
    this.#distrust = reason;
    return reason === '' ? [] : this.#close('not_ready', reason);
  }

  /** The stream calls a market halted that the market list calls closed, so a closed one stays closed. */
  haltMarket(market: MarketId, state: 'halted' | 'closed' = 'halted'): GateChange[] {
    const before = this.market(market);
    if (before === state || before === 'closed') return [];
    this.#markets.set(market, state);
    return [{ kind: 'market', market, state }];
  }

  /** Reopens a market: after a `resume` event, a market list, or a successful placement. */
  resumeMarket(market: MarketId): GateChange[] {
    if (!this.#markets.delete(market)) return [];
    return [{ kind: 'market', market, state: 'open' }];
  }

  /** Handles a halt or resume event of the stream. Without a market it applies to the whole venue. */
  halted(reason: string): GateChange[] {
    return this.#close('halted', reason);
  }

  /** Acts GR and CR, or an operator who reopens the account. A blocked account is opened by the operator alone. */
  setAccount(account: Account, state: AccountState, reason: string): GateChange[] {
    const { state: before } = this.account(account);
    if (before === state || (before === 'blocked' && state === 'reducing')) return [];
    this.#accounts.set(account, { state, reason });
    return [{ kind: 'account', account, state }];
  }

  streamDown(account: Account, reason: string): void {
    this.#streamsDown.set(account, reason);
  }

  streamUp(account: Account): void {
    this.#streamsDown.delete(account);
  }

  #badSign({ readiness, reason, status }: VenuePoll): {
    readonly state: Exclude<VenueState, 'open'>;
    readonly reason: string;
  } | null {
    if (this.#distrust !== '') return { state: 'not_ready', reason: this.#distrust };
    if (readiness === 'unreachable') return { state: 'unreachable', reason };
    if (status === null) return { state: 'not_ready', reason: 'status cannot be read' };
    const why = status.placementReason ?? reason;
    if (status.tradingHalted) return { state: 'halted', reason: why };
    if (readiness === 'ready' && status.placementReady) return null;
    const isLedger = this.#rules.ledgerReasons.some((word) => why.includes(word));
    return { state: isLedger ? 'ledger_degraded' : 'not_ready', reason: why };
  }

  #close(state: VenueState, reason: string): GateChange[] {
    this.#goodPolls = 0;
    this.#lastGoodMs = Number.NEGATIVE_INFINITY;
    return this.#move(state, reason);
  }

  #move(state: VenueState, reason: string): GateChange[] {
    const isSame = this.#state === state;
    this.#state = state;
    this.#reason = reason;
    return isSame ? [] : [{ kind: 'venue', state, reason }];
  }
}

const closedRow = {
  halted: 'gate_closed_by_halt',
  ledger_degraded: 'gate_closed_by_ledger',
  not_ready: 'bridge.gate_closed',
  unreachable: 'bridge.venue_unreachable',
} as const satisfies Record<Exclude<VenueState, 'open'>, string>;
