/**
 * Which limits count at the venue while an operator changes them: an order on its way was let through by any of those
 * since all was at rest, and what was open then may stay. A refusal for a limit must name one of them that it exceeds.
 */
import { textOf } from './client-log.ts';
import type { Said } from './fix-trader.ts';

export interface Limits {
  readonly maxOpenOrders: number;
  /** In whole units of any instrument. */
  readonly maxOrderQty: number;
  /** In the quoted currency. */
  readonly maxNotional: number | undefined;
  readonly collarBps: number | undefined;
}

export class LimitsInForce {
  /** By CompID, or by the alias of the account; the last are the present ones. */
  readonly #since: Map<string, Limits[]>;
  readonly #seats = new Map<string, number>();

  constructor(limits: ReadonlyMap<string, Limits>) {
    this.#since = new Map([...limits].map(([name, own]) => [name, [own]]));
  }

  change(name: string, limits: Limits): void {
    this.#since.get(name)?.push(limits);
  }

  /** All is at rest, and so many orders are open. */
  rest(openOf: (name: string) => number): void {
    for (const [name, all] of this.#since) {
      this.#since.set(name, all.slice(-1));
      this.#seats.set(name, openOf(name));
    }
  }

  /** The loosest of those that count. */
  of(name: string): Limits | undefined {
    const all = this.#since.get(name);
    if (all === undefined) return undefined;
    const most = (value: (limits: Limits) => number | undefined) =>
      Math.max(...all.map((limits) => value(limits) ?? Number.POSITIVE_INFINITY));
    const finite = (value: number) => (value === Number.POSITIVE_INFINITY ? undefined : value);
    return {
      maxOpenOrders: Math.max(
        most(({ maxOpenOrders }) => maxOpenOrders),
        this.#seats.get(name) ?? 0,
      ),
      maxOrderQty: most(({ maxOrderQty }) => maxOrderQty),
      maxNotional: finite(most(({ maxNotional }) => maxNotional)),
      collarBps: finite(most(({ collarBps }) => collarBps)),
    };
  }

  /** What is untrue in a refusal; undefined where it is true, or no refusal for a limit. */
  untruth(said: Said): string | undefined {
    const text = textOf(said, '58') ?? '';
    const [, name = '', reason = ''] = /^(?:session|account) (\S+): (.*)$/.exec(text) ?? [];
    const all = this.#since.get(name);
    if (all === undefined || textOf(said, '9102') !== 'bridge.limit') return undefined;
    const number = (pattern: RegExp) => Number(pattern.exec(reason)?.[1] ?? Number.NaN);
    const qty = number(/^OrderQty\(38\) is above (.*)$/);
    const notional = number(/^notional is above (.*)$/);
    const collarBps = number(/more than (\d+) bps/);
    const open = number(/^(\d+) open orders/);
    const seats = /and (\d+) more,/.exec(reason)?.[1] ?? '1';
    const asked = Number(textOf(said, '38') ?? Number.POSITIVE_INFINITY);
    const isTrue = all.some(
      (limits) =>
        (limits.maxOrderQty === qty && asked > qty) ||
        limits.maxNotional === notional ||
        limits.collarBps === collarBps ||
        open + Number(seats) > limits.maxOpenOrders,
    );
    return isTrue ? undefined : text;
  }
}
