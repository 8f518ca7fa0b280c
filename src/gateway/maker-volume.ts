/**
 * What each account has traded as a maker in this month (UTC), for the tier of the maker program (contract A.3). It is
 * a cursor of the store, written in the commit of the report, so that a restart counts no trade twice.
 */
import type { Report } from '../domain/report.ts';
import { tenTo } from '../domain/units.ts';
import type { Turns } from '../store/turns.ts';

export class MakerVolume {
  readonly #turns: Turns;
  readonly #micro = new Map<string, bigint>();

  static async open(
    turns: Turns,
    accounts: readonly { readonly account: string }[],
    nowMs: number,
  ): Promise<MakerVolume> {
    const own = new MakerVolume(turns);
    for (const { account } of accounts) {
      const name = cursorOf(account, nowMs);
      own.#micro.set(name, BigInt((await turns.store.cursor(name)) ?? 0));
    }
    return own;
  }

  private constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** In millionths of the quote currency. */
  of(account: string, nowMs: number): bigint {
    return this.#micro.get(cursorOf(account, nowMs)) ?? 0n;
  }

  /** Inside the turn of the report. */
  count(report: Report, nowMs: number): void {
    if (report.kind !== 'execution' || report.execType !== 'trade') return;
    const { fill, order } = report;
    if (fill === null || fill.liquidity !== 'maker') return;
    const { priceScale, qtyScale } = order.instrument.market;
    const micro = (fill.price * fill.qty * 1_000_000n) / tenTo(priceScale + qtyScale);
    const name = cursorOf(order.owner.account, nowMs);
    const total = (this.#micro.get(name) ?? 0n) + micro;
    this.#micro.set(name, total);
    this.#turns.write({ kind: 'cursor', name, value: Number(total) });
  }
}

function cursorOf(account: string, nowMs: number): string {
  return `maker/${account}/${new Date(nowMs).toISOString().slice(0, 7)}`;
}
