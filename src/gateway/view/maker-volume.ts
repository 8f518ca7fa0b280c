/**
 * The maker volume of each account in this month (UTC), for the tier of the maker program (contract A.3). It is stored
 * in the commit of the report, so that a restart counts no trade twice. It is only a statistic: an error in it raises
 * an alarm, and neither trading nor the record of a report depends on it.
 */
import type { Report } from '../../domain/report.ts';
import { tenTo } from '../../domain/units.ts';
import type { Store } from '../../store/store.ts';
import type { Transactions } from '../../store/transactions.ts';

type Problem = (text: string) => void;

export class MakerVolume {
  readonly #transactions: Transactions;
  readonly #problem: Problem;
  readonly #micro = new Map<string, bigint>();

  static async open(
    transactions: Transactions,
    accounts: readonly { readonly account: string }[],
    nowMs: number,
    problem: Problem,
  ): Promise<MakerVolume> {
    const own = new MakerVolume(transactions, problem);
    for (const { account } of accounts) {
      const name = nameOf(account, nowMs);
      try {
        own.#micro.set(name, await stored(transactions.store, name));
      } catch (error) {
        problem(`${name} is counted from zero: ${String(error)}`);
      }
    }
    return own;
  }

  private constructor(transactions: Transactions, problem: Problem) {
    this.#transactions = transactions;
    this.#problem = problem;
  }

  /** The volume in millionths of the quote currency. */
  of(account: string, nowMs: number): bigint {
    return this.#micro.get(nameOf(account, nowMs)) ?? 0n;
  }

  /** Called within the transaction of the report. */
  count(report: Report, nowMs: number): void {
    if (report.kind !== 'execution' || report.execType !== 'trade') return;
    const { fill, order } = report;
    if (fill === null || fill.liquidity !== 'maker') return;
    try {
      const { priceScale, qtyScale } = order.instrument.market;
      const micro = (fill.price * fill.qty * 1_000_000n) / tenTo(priceScale + qtyScale);
      const name = nameOf(order.owner.account, nowMs);
      const total = (this.#micro.get(name) ?? 0n) + micro;
      this.#micro.set(name, total);
      // The value is text, because it can exceed the integers that a cursor holds exactly.
      const payload = Buffer.from(String(total));
      this.#transactions.write({ kind: 'snapshot', stream: name, position: 0, payload });
    } catch (error) {
      this.#problem(`the maker volume of ${order.owner.account} misses a trade: ${String(error)}`);
    }
  }
}

/** Earlier versions kept the month's total in a cursor. */
async function stored(store: Store, name: string): Promise<bigint> {
  const kept = await store.snapshot(name);
  if (kept !== undefined) return BigInt(Buffer.from(kept.payload).toString());
  return BigInt((await store.cursor(name)) ?? 0);
}

function nameOf(account: string, nowMs: number): string {
  return `maker/${account}/${new Date(nowMs).toISOString().slice(0, 7)}`;
}
