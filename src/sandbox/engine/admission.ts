/**
 * Decides whether an order is accepted (contract A.18.3), with the checks in order. Nothing is changed here, so a
 * refusal has no side effects.
 */
import { type Book, formatAtoms, type StpMode } from '../../domain/units.ts';
import { balanceOf } from './accounts.ts';
import type { Place } from './action.ts';
import { mayRest } from './matching.ts';
import { costOf, feeOn, mulDivFloor } from './notional.ts';
import type { EngineCode, Refusal } from './refusal.ts';
import {
  type AccountState,
  type Actor,
  type BookState,
  bookOf,
  crosses,
  type MarketState,
  oppositeSide,
  ownSide,
  type State,
} from './state.ts';

export type Terms = Omit<Place, 'kind'>;

/** The price of an outcome share is below its payout of one whole unit. */
export const payoutOf = (market: MarketState): number => 10 ** market.spec.priceScale;

export function refusal(code: EngineCode, text: string): Refusal {
  return { code, text };
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value;
}

/** The gates before every placement; cancels and amends downward pass them. */
export function closedGate(state: State, account: AccountState, marketId: number): Refusal | null {
  if (state.tradingHalted) return refusal('trading_halted', 'trading is halted');
  if (state.killed) return refusal('KILL_SWITCH', 'the kill switch of the venue is on');
  if (account.killed) return refusal('KILL_SWITCH', 'the kill switch of the account is on');
  const market = state.markets.get(marketId);
  if (market === undefined || (!market.killed && market.status === 'open')) return null;
  return market.killed
    ? refusal('KILL_SWITCH', `the kill switch of market ${marketId} is on`)
    : refusal('MARKET_HALTED', `market ${marketId} is ${market.status}`);
}

/** The book in the envelope, or why there is none. */
export function findBook(state: State, marketId: number, book: Book | null): BookState | Refusal {
  const market = state.markets.get(marketId);
  if (market === undefined) return refusal('market_not_found', `no market ${marketId}`);
  const found = bookOf(market, book);
  if (found !== undefined) return found;
  return market.spec.kind === 'spot'
    ? refusal('insufficient_shares', `market ${marketId} is spot and has no book ${book}`)
    : refusal('market_not_found', `market ${marketId} is not a spot market`);
}

/** Checks price and quantity against the market's grid; this applies to algos and conditionals too. */
export function refuseAmounts({ spec }: MarketState, price: number, qty: number): Refusal | null {
  if (price <= 0) return refusal('price_must_be_positive', `price ${price}`);
  if (qty <= 0) return refusal('qty_must_be_positive', `qty ${qty}`);
  if (price % spec.tick !== 0) {
    return refusal('price_not_aligned_to_tick', `price ${price} is off the tick ${spec.tick}`);
  }
  if (spec.kind !== 'spot' && price >= 10 ** spec.priceScale) {
    return refusal('price_not_aligned_to_tick', `price ${price} is not below the payout`);
  }
  if (qty % spec.lot !== 0) {
    return refusal('qty_not_aligned_to_lot', `qty ${qty} is off the lot ${spec.lot}`);
  }
  if (qty > spec.maxQty)
    return refusal(
      'qty_exceeds_max',
      `more than ${formatAtoms(BigInt(spec.maxQty), spec.qtyScale)}`,
    );
  return null;
}

export function resolveStp(state: State, mode: string | null): StpMode | null {
  const named = mode ?? state.config.defaultStp;
  return stpModes.find((known) => known === named) ?? null;
}

const stpModes: readonly StpMode[] = ['cancel_maker', 'cancel_taker', 'reject', 'skip_self'];

/** An order that an account wants to place in a book. */
export interface Placement extends Actor {
  readonly at: BookState;
  readonly terms: Terms;
  readonly orderId: string;
}

/** All checks of a placement after the gates. */
export function refusePlacement(placement: Placement): Refusal | null {
  const { at, orderId, state, terms } = placement;
  return (
    refuseAmounts(at.market, terms.price, terms.qty) ??
    refuseStp(placement) ??
    refuseTiming(placement) ??
    refuseDuplicate(state, orderId) ??
    refuseReduceOnly(placement) ??
    refuseNotional(placement) ??
    refuseFunds(placement) ??
    refuseCaps(placement) ??
    refuseAgainstBook(placement)
  );
}

function refuseStp({ state, terms: { stpMode } }: Placement): Refusal | null {
  if (resolveStp(state, stpMode) !== null) return null;
  return refusal('invalid_stp_mode', `no STP mode ${stpMode}`);
}

function refuseTiming({ state, terms }: Placement): Refusal | null {
  const { timeInForce, isMarket, expiresAt } = terms;
  if (timeInForce === 'post_only' && isMarket) {
    return refusal('post_only_requires_passive_limit_order', 'a market order cannot be post_only');
  }
  if (expiresAt !== null && state.nowMs >= expiresAt) {
    return refusal('expired', `expires_at ${expiresAt} has passed`);
  }
  return null;
}

export function refuseDuplicate(state: State, orderId: string): Refusal | null {
  const isKnown = state.orders.has(orderId) || state.parents.has(orderId);
  return isKnown ? refusal('duplicate_order_id', `order ${orderId} exists already`) : null;
}

/** On spot there is no position against which a reduce-only sell could be measured (contract G60). */
function refuseReduceOnly({ state, account, at, terms }: Placement): Refusal | null {
  const { reduceOnly, side, qty } = terms;
  if (!reduceOnly) return null;
  if (side === 'Bid') return refusal('reduce_only_invalid_side', 'a bid cannot reduce');
  if (at.book === null) {
    if (state.config.spotReduceOnly !== 'refuse') return null;
    return refusal('reduce_only_invalid_side', 'spot orders cannot reduce');
  }
  const { free } = balanceOf(account, at.baseAsset);
  if (qty <= free) return null;
  return refusal('reduce_only_qty_exceeds_position', `qty ${qty} is above the position ${free}`);
}

function refuseNotional({ state, at, terms }: Placement): Refusal | null {
  const { kind, minNotional } = at.market.spec;
  const notional = mulDivFloor(terms.price, terms.qty, at.market.divisor);
  if (kind === 'spot' && notional < minNotional) {
    return refusal('spot_notional_below_minimum', `notional ${notional} is below ${minNotional}`);
  }
  const { takerBps, makerBps } = state.fees;
  const feeMicro = feeOn(notional, Math.max(takerBps, makerBps));
  if (feeMicro > notional && notional < Number.POSITIVE_INFINITY) {
    return refusal('fee_exceeds_notional', `fee ${feeMicro} is above the notional ${notional}`);
  }
  return null;
}

function refuseFunds(placement: Placement): Refusal | null {
  const { state, account, at, terms } = placement;
  const { side, price, qty } = terms;
  if (side === 'Ask') return refuseInventory(placement);
  const { takerBps, makerBps } = state.fees;
  const cost = costOf(price, qty, at.market.divisor, Math.max(takerBps, makerBps));
  const { free, held } = balanceOf(account, at.market.quoteAsset);
  if (free + held === 0) return refusal('insufficient_balance', 'the account holds no funds');
  if (free + held < cost) {
    return refusal(
      'insufficient_usdc',
      `the order may cost ${cost}, the account has ${free + held}`,
    );
  }
  if (free < cost) {
    const text = `the order may cost ${cost}, ${free} is free and ${held} is held`;
    return refusal('risk_would_exceed_available_usdc', text);
  }
  return refuseCredit(placement, held, cost);
}

function refuseInventory({ account, at, terms }: Placement): Refusal | null {
  const { free } = balanceOf(account, at.baseAsset);
  if (terms.qty <= free) return null;
  const code = at.book === null ? 'insufficient_spot_asset' : 'insufficient_shares';
  return refusal(code, `qty ${terms.qty} is above the free ${free}`);
}

/** Open bids lock credit between the shard of the funds and the shard of the market. */
function refuseCredit({ state, at }: Placement, held: number, cost: number): Refusal | null {
  const { mode, accountCapMicro, marketCapMicro } = state.credit;
  const { heldQuote } = at.market;
  switch (mode) {
    case 'off':
      return null;
    case 'killed':
      return refusal('cross_shard_credit_kill_switch', 'cross-shard credit is switched off');
    case 'rejecting':
      return refusal('cross_shard_credit_rejected', 'cross-shard credit is refused by policy');
    case 'on':
      if (held + cost > accountCapMicro) {
        const text = `${held + cost} of credit is above the account's cap ${accountCapMicro}`;
        return refusal('cross_shard_account_cap_exceeded', text);
      }
      if (heldQuote + cost > marketCapMicro) {
        const text = `${heldQuote + cost} of credit is above the market's cap ${marketCapMicro}`;
        return refusal('cross_shard_market_cap_exceeded', text);
      }
      return null;
  }
}

/** Caps count orders that may rest; in the worst case, an order that trades first still adds one. */
function refuseCaps({ state, account, at, terms }: Placement): Refusal | null {
  if (!mayRest(terms)) return null;
  const { openOrders, openOrdersPerMarket, ordersPerLevel, levelsPerSide } = state.config.caps;
  if (account.open.length >= openOrders) {
    return refusal('account_open_order_cap_exceeded', `${openOrders} orders are open`);
  }
  if ((account.openByMarket[at.market.index] ?? 0) >= openOrdersPerMarket) {
    const text = `${openOrdersPerMarket} orders are open in market ${at.market.spec.marketId}`;
    return refusal('account_market_open_order_cap_exceeded', text);
  }
  const ladder = ownSide(at, terms.side);
  const level = ladder.levelAt(terms.price);
  if (level === undefined) {
    if (ladder.levels.length < levelsPerSide) return null;
    return refusal('book_depth_exceeded', `the side has ${levelsPerSide} price levels`);
  }
  if (level.orders.length < ordersPerLevel) return null;
  return refusal(
    'price_level_order_cap_exceeded',
    `there are ${ordersPerLevel} orders at this price`,
  );
}

/** Checks that depend on resting orders: post-only, fill-or-kill, and STP `reject`. */
function refuseAgainstBook(placement: Placement): Refusal | null {
  const { state, at, terms } = placement;
  const { side, price, qty, timeInForce } = terms;
  const stpMode = resolveStp(state, terms.stpMode);
  const best = oppositeSide(at, side).best();
  const meets = best !== undefined && crosses(side, price, best.price);
  if (timeInForce === 'post_only') {
    return meets ? refusal('post_only_would_cross', `price ${price} meets ${best.price}`) : null;
  }
  if (!meets) return timeInForce === 'fok' ? notFilled(0, qty) : null;
  if (timeInForce !== 'fok' && stpMode !== 'reject') return null;
  const { available, ownFirst } = probe(placement);
  if (ownFirst && stpMode === 'reject') {
    return refusal('self_trade_prevented', 'the order would trade with its own account');
  }
  if (timeInForce !== 'fok') return null;
  if (available < qty) return notFilled(available, qty);
  return ownFirst && stpMode === 'cancel_taker' ? notFilled(0, qty) : null;
}

function notFilled(available: number, qty: number): Refusal {
  return refusal('fok_not_filled', `${available} of ${qty} can be filled`);
}

/** Computes how much an incoming order would fill, and whether it would first match own orders. */
function probe({ account, at, terms }: Placement): { available: number; ownFirst: boolean } {
  const { side, price, qty } = terms;
  const { levels } = oppositeSide(at, side);
  let available = 0;
  let ownFirst = false;
  for (let index = levels.length - 1; index >= 0 && available < qty; index -= 1) {
    const level = levels[index];
    if (level === undefined || !crosses(side, price, level.price)) break;
    for (const maker of level.orders) {
      if (available >= qty) break;
      if (maker.account === account) ownFirst = true;
      else available += maker.qty - maker.filledQty;
    }
  }
  return { available: Math.min(available, qty), ownFirst };
}
