/**
 * A second venue, written for comparison and not for speed: one flat list of orders, searched whole for each trade,
 * amounts in bigint, balances kept as plain sums. It knows single orders on the spot book without fees.
 */
import type { Place } from '../../../src/sandbox/engine/action.ts';
import { coin } from './floor.ts';

interface NaiveOrder {
  readonly id: string;
  readonly account: string;
  readonly side: 'Bid' | 'Ask';
  readonly price: bigint;
  qty: bigint;
  filled: bigint;
  open: boolean;
}

export interface NaiveTrade {
  readonly maker: string;
  readonly taker: string;
  readonly price: number;
  readonly qty: number;
}

export class NaiveVenue {
  readonly orders: NaiveOrder[] = [];
  readonly trades: NaiveTrade[] = [];
  readonly usdc = new Map<string, bigint>();

  place(account: string, id: string, action: Place): 'refused' | 'taken' {
    const taker: NaiveOrder = {
      id,
      account,
      side: action.side,
      price: BigInt(action.price),
      qty: BigInt(action.qty),
      filled: 0n,
      open: true,
    };
    const { timeInForce, isMarket } = action;
    const mode = action.stpMode ?? 'cancel_taker';
    if (this.#refuses(taker, timeInForce, mode, isMarket)) return 'refused';
    this.orders.push(taker);
    let passed = false;
    for (const maker of this.#facing(taker)) {
      if (taker.filled === taker.qty) break;
      if (maker.account !== account) this.#trade(maker, taker);
      else if (mode === 'cancel_maker') maker.open = false;
      else if (mode === 'skip_self') passed = true;
      else {
        taker.open = false;
        break;
      }
    }
    const full = taker.filled === taker.qty;
    if (full || passed || isMarket || timeInForce === 'ioc' || timeInForce === 'fok') {
      taker.open = false;
    }
    return 'taken';
  }

  cancel(account: string, id: string): void {
    const order = this.orders.find((each) => each.id === id && each.account === account);
    if (order !== undefined) order.open = false;
  }

  amend(account: string, id: string, newQty: number): void {
    const order = this.orders.find((each) => each.id === id && each.account === account);
    if (order === undefined || !order.open) return;
    const total = BigInt(newQty);
    if (total > order.filled && total < order.qty && total % 10n === 0n) order.qty = total;
  }

  resting(side: 'Bid' | 'Ask'): string[] {
    return this.#sorted(this.orders.filter((order) => order.open && order.side === side)).map(
      ({ id }) => id,
    );
  }

  #refuses(taker: NaiveOrder, timeInForce: string, mode: string, isMarket: boolean): boolean {
    if (taker.qty === 0n) return true;
    const facing = this.#facing(taker);
    if (timeInForce === 'post_only') return isMarket || facing.length > 0;
    let left = taker.qty;
    let own = false;
    for (const maker of facing) {
      if (left <= 0n) break;
      if (maker.account === taker.account) own = true;
      else left -= maker.qty - maker.filled;
    }
    if (mode === 'reject' && own) return true;
    return timeInForce === 'fok' && (left > 0n || (own && mode === 'cancel_taker'));
  }

  #facing(taker: NaiveOrder): NaiveOrder[] {
    const { side, price } = taker;
    const meets = (order: NaiveOrder) =>
      side === 'Bid' ? order.price <= price : order.price >= price;
    return this.#sorted(
      this.orders.filter((order) => order.open && order.side !== side && meets(order)),
    );
  }

  #sorted(orders: NaiveOrder[]): NaiveOrder[] {
    const sign = (order: NaiveOrder) => (order.side === 'Bid' ? -1n : 1n);
    return orders
      .map((order, index) => ({ order, index }))
      .sort((a, b) => Number(sign(a.order) * (a.order.price - b.order.price)) || a.index - b.index)
      .map(({ order }) => order);
  }

  #trade(maker: NaiveOrder, taker: NaiveOrder): void {
    let qty = taker.qty - taker.filled;
    if (maker.qty - maker.filled < qty) qty = maker.qty - maker.filled;
    maker.filled += qty;
    taker.filled += qty;
    if (maker.filled === maker.qty) maker.open = false;
    const paid = (maker.price * qty) / BigInt(coin);
    for (const order of [maker, taker]) {
      const before = this.usdc.get(order.account) ?? 0n;
      this.usdc.set(order.account, order.side === 'Bid' ? before - paid : before + paid);
    }
    const { price } = maker;
    this.trades.push({ maker: maker.id, taker: taker.id, price: Number(price), qty: Number(qty) });
  }
}
