/** Invariants of the sandbox's exchange that hold between any two calls. */
import { holdFor } from '../../../src/sandbox/engine/accounts.ts';
import type { Ladder } from '../../../src/sandbox/engine/order-book.ts';
import {
  type AccountState,
  type BookState,
  leavesOf,
  type Order,
  type State,
} from '../../../src/sandbox/engine/state.ts';

/** Throws if money, inventory, a book or an order is inconsistent. */
export function assertInvariants({ state }: { readonly state: State }): void {
  for (const market of state.markets.values()) {
    let heldQuote = 0;
    for (const at of market.books) {
      assertBook(at);
      for (const order of at.bids.orders()) heldQuote += order.held;
      for (const { id, state } of at.conditionals) {
        expect(state === 'open', `conditional ${id} waits and has ended`);
      }
    }
    expect(market.heldQuote === heldQuote, `market ${market.spec.marketId}: held quote differs`);
  }
  for (const order of state.orders.values()) assertOrder(order);
  for (const account of state.accounts.values()) assertAccount(state, account);
  for (const [asset, name] of state.assetNames.entries()) assertSupply(state, asset, name);
  expect(state.staged.events.length === 0, 'events are staged between calls');
}

function assertBook({ bids, asks, market, book }: BookState): void {
  const name = `book ${market.spec.marketId} ${book ?? ''}`;
  assertLadder(bids, name);
  assertLadder(asks, name);
  const bid = bids.best();
  const ask = asks.best();
  expect(bid === undefined || ask === undefined || bid.price < ask.price, `${name} is crossed`);
}

function assertLadder({ levels, side }: Ladder<Order>, name: string): void {
  let before: number | null = null;
  for (const { price, qty, orders } of levels) {
    const better = before === null || (side === 'Bid' ? price > before : price < before);
    expect(better, `${name}: ${side} levels are not sorted at ${price}`);
    before = price;
    let total = 0;
    for (const order of orders) {
      expect(order.price === price, `${name}: ${order.id} rests at ${price}`);
      expect(order.state === 'open', `${name}: order ${order.id} rests and has ended`);
      total += leavesOf(order);
    }
    expect(orders.length > 0, `${name}: nothing rests at ${price}`);
    expect(total === qty, `${name}: quantity differs at ${price}`);
  }
}

function assertOrder(order: Order): void {
  const { id, qty, filledQty, fills, state, held, level } = order;
  const filled = fills.reduce((sum, fill) => sum + fill.qty, 0);
  expect(filled === filledQty && filledQty <= qty, `order ${id}: fills do not add up`);
  expect((state === 'filled') === (filledQty === qty), `order ${id}: ${state} at ${filledQty}`);
  expect((state === 'open') === (level !== null), `order ${id}: ${state} and its place differ`);
  const due = state === 'open' ? holdFor(order, qty - filledQty) : 0;
  expect(held === due, `order ${id} holds ${held}, not ${due}`);
}

function assertAccount(state: State, account: AccountState): void {
  const held = state.assetNames.map(() => 0);
  const openByMarket = account.openByMarket.map(() => 0);
  for (const [index, order] of account.open.entries()) {
    const { side, at, held: amount } = order;
    const known = state.orders.get(order.id) === order && order.level !== null;
    expect(known && order.openIndex === index, `account ${account.id}: ${order.id} is not open`);
    const asset = side === 'Bid' ? at.market.quoteAsset : at.baseAsset;
    held[asset] = (held[asset] ?? 0) + amount;
    openByMarket[at.market.index] = (openByMarket[at.market.index] ?? 0) + 1;
  }
  for (const [asset, name] of state.assetNames.entries()) {
    const balance = account.balances[asset] ?? { free: 0, held: 0 };
    expect(Number.isSafeInteger(balance.free), `account ${account.id}: ${name} is not exact`);
    expect(balance.free >= 0, `account ${account.id}: ${name} is negative`);
    expect(balance.held === held[asset], `account ${account.id}: held ${name} differs`);
  }
  expect(
    openByMarket.every((count, index) => count === account.openByMarket[index]),
    `account ${account.id}: open orders are miscounted`,
  );
  const { events, lastSeq } = account;
  const newest = events.at(events.length - 1);
  expect((newest?.seq ?? 0) === lastSeq, `account ${account.id}: last seq differs`);
}

function assertSupply(state: State, asset: number, name: string): void {
  let total = 0n;
  for (const { balances } of state.accounts.values()) {
    const balance = balances[asset];
    if (balance !== undefined) total += BigInt(balance.free) + BigInt(balance.held);
  }
  const first = state.markets.values().next().value;
  if (asset === first?.quoteAsset) total += BigInt(state.counters.feesMicro);
  expect(total === BigInt(state.supply[asset] ?? 0), `${name} is not conserved`);
}

function expect(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}
