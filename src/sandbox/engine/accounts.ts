/** Money and inventory: an account's free funds, the funds that its open orders hold, and the transfers of a trade. */
import { costOf } from './notional.ts';
import { AccountState, type Balance, type Order, type State, saveOrder } from './state.ts';

export function openAccount(state: State, id: string, keepsHistory = true): AccountState {
  const known = state.accounts.get(id);
  if (known !== undefined) return known;
  const { caps } = state.config;
  if (state.accounts.size >= caps.accounts) {
    throw new RangeError(`the exchange holds at most ${caps.accounts} accounts`);
  }
  const account = new AccountState(state, id, keepsHistory);
  state.accounts.set(id, account);
  return account;
}

export function balanceOf(account: AccountState, asset: number): Balance {
  const known = account.balances[asset];
  if (known !== undefined) return known;
  const balance = { free: 0, held: 0 };
  account.balances[asset] = balance;
  return balance;
}

/** Adds the order to its account's open orders. */
export function addOpen(order: Order): void {
  const { open, openByMarket } = order.account;
  const { index } = order.at.market;
  order.openIndex = open.length;
  open.push(order);
  openByMarket[index] = (openByMarket[index] ?? 0) + 1;
}

export function removeOpen(order: Order): void {
  const { open, openByMarket } = order.account;
  const { index } = order.at.market;
  const last = open.pop();
  if (last !== undefined && last !== order) {
    open[order.openIndex] = last;
    last.openIndex = order.openIndex;
  }
  order.openIndex = -1;
  openByMarket[index] = (openByMarket[index] ?? 0) - 1;
}

/** Deposits, or withdraws if `amount` is negative. */
export function deposit(state: State, account: AccountState, asset: string, amount: number): void {
  const index = state.assetIndex.get(asset);
  if (index === undefined) throw new RangeError(`no asset ${asset}`);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`amount ${amount} is not a safe integer`);
  const balance = balanceOf(account, index);
  if (balance.free + amount < 0) {
    throw new RangeError(`account ${account.id} has ${balance.free} ${asset} free`);
  }
  const supply = (state.supply[index] ?? 0) + amount;
  if (supply > Number.MAX_SAFE_INTEGER - Math.abs(state.counters.feesMicro)) {
    throw new RangeError(`the supply of ${asset} would leave the exact range`);
  }
  state.supply[index] = supply;
  balance.free += amount;
}

/** Moves the funds that an open order needs out of the free balance. */
export function hold(state: State, order: Order, amount: number): void {
  const balance = heldBalance(order);
  state.undo.save(balance);
  saveOrder(state, order);
  balance.free -= amount;
  balance.held += amount;
  order.held += amount;
  if (order.side === 'Ask') return;
  const { market } = order.at;
  state.undo.save(market);
  market.heldQuote += amount;
}

/** Returns funds that the order no longer needs. */
export function release(state: State, order: Order, amount: number): void {
  if (amount !== 0) hold(state, order, -amount);
}

function heldBalance(order: Order): Balance {
  const { market, baseAsset } = order.at;
  return balanceOf(order.account, order.side === 'Bid' ? market.quoteAsset : baseAsset);
}

/** The funds that the order must hold for `leavesQty`. */
export function holdFor(order: Order, leavesQty: number): number {
  if (order.side === 'Ask') return leavesQty;
  return costOf(order.price, leavesQty, order.at.market.divisor, order.makerBps);
}

/** Transfers one side of a trade. A resting order first releases the funds that the trade uses. */
export function settleSide(
  state: State,
  order: Order,
  qty: number,
  notional: number,
  feeMicro: number,
): void {
  const { account, at, side } = order;
  if (order.level !== null) {
    const after = holdFor(order, order.qty - order.filledQty - qty);
    release(state, order, order.held - after);
  }
  const base = balanceOf(account, at.baseAsset);
  const quote = balanceOf(account, at.market.quoteAsset);
  state.undo.save(base);
  state.undo.save(quote);
  const sign = side === 'Bid' ? 1 : -1;
  base.free += sign * qty;
  quote.free -= sign * notional + feeMicro;
  if (base.free < 0 || quote.free < 0) throw new Error(`order ${order.id} overdrew its account`);
  state.counters.feesMicro += feeMicro;
}

/** The maker's rate: that of the month's volume tier, if it is better than the order's own rate. */
export function makerRate(state: State, order: Order): number {
  const { tiers } = state.fees;
  if (tiers.length === 0) return order.makerBps;
  const { account } = order;
  const volume = account.volumeMonth === monthOf(state.nowMs) ? account.makerVolumeMicro : 0;
  let rebateBps = 0;
  for (const tier of tiers) if (volume >= tier.minVolumeMicro) rebateBps = tier.rebateBps;
  return Math.min(order.makerBps, 0 - rebateBps);
}

export function addMakerVolume(state: State, account: AccountState, notional: number): void {
  const month = monthOf(state.nowMs);
  state.undo.save(account);
  if (account.volumeMonth !== month) {
    account.volumeMonth = month;
    account.makerVolumeMicro = 0;
  }
  account.makerVolumeMicro = Math.min(Number.MAX_SAFE_INTEGER, account.makerVolumeMicro + notional);
}

function monthOf(nowMs: number): number {
  const date = new Date(nowMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
