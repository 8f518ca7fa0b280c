/**
 * Whether all that the bridge told its clients is true, and all that it promised was kept at the venue. It reads what
 * clients heard and what the venue's engine did; of the bridge itself it asks only what an operator sees.
 */
import { type Chain, type ClientLog, isOver, type Trade, textOf } from './client-log.ts';
import type { Limits, LimitsInForce } from './limits-in-force.ts';
import {
  type LedgerFill,
  type LedgerOrder,
  otherChannel,
  type VenueLedger,
} from './venue-ledger.ts';

export interface InstrumentFacts {
  readonly symbol: string;
  readonly market: number;
  readonly book: 'YES' | 'NO' | null;
  readonly qtyScale: number;
  readonly priceScale: number;
  /** No order that rests is beyond these, so no best price ever was. */
  readonly lowest: number;
  readonly highest: number;
}

export interface CheckerParts {
  readonly ledger: VenueLedger;
  readonly logs: ReadonlyMap<string, ClientLog>;
  readonly copies: readonly ClientLog[];
  readonly instruments: readonly InstrumentFacts[];
  /** Whether two answers have come to each other's request. */
  readonly hasSwapped: () => boolean;
  /** Whether the venue has forgotten events of the account, by its alias: those behind them may be rebuilt, too. */
  readonly hasForgotten: (alias: string) => boolean;
  /** Of sessions by CompID, of accounts by alias. */
  readonly limits: Pick<LimitsInForce, 'of'>;
}

export class Checker {
  readonly faults: string[] = [];
  readonly #parts: CheckerParts;
  readonly #told = new Set<string>();

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /** Once for each kind of fault and subject; `trace` is what concerns it. */
  wrong(text: string, trace: readonly string[] = []): void {
    if (this.#told.has(text) || this.faults.length > 20) return;
    this.#told.add(text);
    this.faults.push([text, ...trace.slice(-12).map((line) => `    ${line}`)].join('\n'));
  }

  /** After every step of the venue. */
  watch(): void {
    const { ledger, limits } = this.#parts;
    const { events } = ledger;
    for (const order of ledger.read()) this.#entered(order);
    if (ledger.events === events) return;
    for (const [alias, open] of ledger.open) {
      const most = limits.of(alias)?.maxOpenOrders ?? Number.POSITIVE_INFINITY;
      if (open.size > most)
        this.wrong(`account ${alias} has over ${most} open orders at the venue`, linesOf(open));
      const bySession = new Map<string, number>();
      for (const { origin } of open) {
        if (origin === undefined) continue;
        const count = (bySession.get(origin.session) ?? 0) + 1;
        bySession.set(origin.session, count);
        const own = limits.of(origin.session)?.maxOpenOrders ?? Number.POSITIVE_INFINITY;
        if (count <= own) continue;
        this.wrong(
          `session ${origin.session} has over ${own} open orders at the venue`,
          linesOf(open),
        );
      }
    }
  }

  #entered(order: LedgerOrder): void {
    const { ledger, limits } = this.#parts;
    const { alias, origin } = order;
    if (origin === undefined) {
      this.wrong(`the venue has an order of ${alias} that nobody commanded`, [lineOf(order)]);
      return;
    }
    if (origin.session === otherChannel) return;
    // What the venue makes of an algo or a conditional was judged when that came.
    if (order.form !== 'slice' && order.form !== 'fired') {
      for (const own of [limits.of(alias), limits.of(origin.session)]) {
        if (own !== undefined) this.#within(order, own);
      }
    }
    if (origin.slot === null || order.leavesQty === 0) return;
    const same = [...ledger.openOf(alias)].filter(
      (other) => other.origin?.slot === origin.slot && other.origin.session === origin.session,
    );
    // An order that was refused by the answer to another request is canceled once it shows up (decision 0255).
    if (same.length > 1 && !this.#parts.hasSwapped())
      this.wrong(
        `${origin.session} has ${same.length} live orders in the slot ${origin.slot}`,
        same.flatMap((one) => this.#about(one)),
      );
  }

  #within(order: LedgerOrder, { collarBps, maxNotional, maxOrderQty }: Limits): void {
    const { form, price, qty, side } = order;
    const { highest, lowest, priceScale, qtyScale } = this.#instrument(order);
    const wrong = (text: string) => this.wrong(`an order at the venue ${text}`, [lineOf(order)]);
    const whole = qty / 10 ** qtyScale;
    if (whole > maxOrderQty) wrong(`of ${whole} is over maxOrderQty ${maxOrderQty}`);
    const notional = (BigInt(price) * BigInt(qty)) / 10n ** BigInt(qtyScale);
    if (maxNotional !== undefined && notional > BigInt(maxNotional) * 10n ** BigInt(priceScale))
      wrong(`for ${notional} atoms is over maxNotional ${maxNotional}`);
    if (collarBps === undefined || form === 'conditional') return;
    const most =
      side === 'Bid' ? highest * (1 + collarBps / 10_000) : lowest * (1 - collarBps / 10_000);
    if (side === 'Bid' ? price > most : price < most)
      wrong(`at ${price} is beyond a collar of ${collarBps} bps, the market never beyond ${most}`);
  }

  /** Once nothing is under way any more. */
  settled(): void {
    const { ledger, logs } = this.#parts;
    const fault = ledger.difference();
    if (fault !== undefined) this.wrong(fault);
    const claimed = new Map<string, Chain>();
    for (const { chains, doomed } of logs.values()) {
      for (const chain of chains) this.#chain(chain, claimed);
      for (const [chain, by] of doomed) {
        if (isOver(chain)) doomed.delete(chain);
        else this.wrong(`${chain.session} ${chain.root} outlived ${by}`, chain.told);
      }
    }
    for (const order of ledger.orders.values()) {
      if (order.leavesQty === 0 || order.form === 'slice' || claimed.has(order.orderId)) continue;
      if (order.origin?.session === otherChannel) continue;
      const trace = this.#about(order);
      this.wrong(`the venue has an order open that no client knows: ${order.orderId}`, trace);
    }
    for (const order of ledger.shortLived)
      this.wrong(`${order.orderId} outlives its ExpireTime(126)`, this.#about(order));
    this.#trades();
    this.#reports();
  }

  /** Of the readers that have logged on. */
  get #copies(): readonly ClientLog[] {
    return this.#parts.copies.filter(({ isAway }) => !isAway);
  }

  /** Each report is copied as it is to each reader that may see it. */
  #reports(): void {
    const { logs } = this.#parts;
    for (const copy of this.#copies) {
      const { reports, session } = copy;
      const owners = new Map<string, number>();
      for (const own of logs.values()) {
        if (!copy.sees(own.session)) continue;
        for (const [key, count] of own.reports) owners.set(key, (owners.get(key) ?? 0) + count);
      }
      for (const key of new Set([...owners.keys(), ...reports.keys()])) {
        const [told, copied] = [owners.get(key) ?? 0, reports.get(key) ?? 0];
        if (told !== copied)
          this.wrong(
            `${session} has ${copied} copies of a report that was told ${told} times: ${key}`,
          );
      }
    }
  }

  #chain(chain: Chain, claimed: Map<string, Chain>): void {
    const { ledger } = this.#parts;
    const orders = [...chain.orderIds].flatMap((id) => ledger.orders.get(id) ?? []);
    const open = orders.filter(({ leavesQty }) => leavesQty > 0);
    const trace = [...chain.told, ...orders.map(lineOf)];
    const name = `${chain.session} ${chain.root}`;
    for (const order of orders) {
      const { symbol } = this.#instrument(order);
      const side = order.side === 'Bid' ? '1' : '2';
      if (symbol === chain.symbol && side === chain.side) continue;
      this.wrong(
        `${name} is told as ${chain.symbol} ${chain.side}, at the venue it is ${symbol} ${side}`,
        trace,
      );
    }
    const filled = orders.reduce((sum, { filledQty }) => sum + filledQty, 0);
    const scale = orders[0] === undefined ? 0 : this.#instrument(orders[0]).qtyScale;
    const told = Math.round(chain.cumQty * 10 ** scale);
    if (told !== filled && orders.length > 0) {
      this.wrong(
        `${name}: CumQty(14) is ${chain.cumQty}, the venue filled ${filled / 10 ** scale}`,
        trace,
      );
    }
    if (isOver(chain)) {
      if (open.length > 0)
        this.wrong(
          `${name} was told to be over (39=${chain.status}) and is open at the venue`,
          trace,
        );
      return;
    }
    const [only] = open;
    if (only === undefined || open.length > 1 || only.orderId !== chain.orderId) {
      this.wrong(
        `${name} is told to be open (39=${chain.status}), at the venue ${open.length} of its orders are`,
        trace,
      );
      return;
    }
    const other = claimed.get(only.orderId);
    if (other !== undefined) this.wrong(`${name} and ${other.root} are told as one order`, trace);
    claimed.set(only.orderId, chain);
  }

  /** Each fill once to the session whose order it is, and once to each drop copy. */
  #trades(): void {
    const { hasForgotten, ledger, logs } = this.#parts;
    const bySeq = (trades: readonly Trade[]) => {
      const found = new Map<string, Trade[]>();
      for (const trade of trades) {
        // It was rebuilt from a receipt, which knows no seq.
        if (Number.isNaN(trade.seq)) continue;
        const key = `${trade.alias} ${trade.seq}`;
        found.set(key, [...(found.get(key) ?? []), trade]);
      }
      return found;
    };
    const all = [...logs.values()].flatMap(({ trades }) => trades);
    const owners = bySeq(all);
    const rebuilt = new Set(all.filter(({ seq }) => Number.isNaN(seq)));
    const readers = this.#copies.map((copy) => ({
      ...{ copy, name: copy.session, trades: bySeq(copy.trades) },
    }));
    const atVenue = new Set<string>();
    for (const fill of ledger.fills) {
      const key = `${fill.alias} ${fill.seq}`;
      atVenue.add(key);
      const told = owners.get(key) ?? [];
      const about = () => this.#about(fill.order);
      const isOthers = fill.order.origin?.session === otherChannel;
      if (told.length === 0 && hasForgotten(fill.alias)) {
        const one = [...rebuilt].find((trade) => this.#isOf(trade, fill));
        if (one === undefined) this.wrong(`the lost fill ${key} was not rebuilt`, about());
        else rebuilt.delete(one);
        continue;
      }
      if (told.length !== (isOthers ? 0 : 1))
        this.wrong(`the fill ${key} was told ${told.length} times to its owner`, about());
      const [first] = told;
      if (first !== undefined && fill.order.origin?.session !== first.session) {
        this.wrong(
          `the fill ${key} was told to ${first.session}, the order is of ${fill.order.origin?.session}`,
          about(),
        );
      }
      for (const trade of told) {
        if (!this.#isOf(trade, fill))
          this.wrong(
            `the fill ${key} was told as ${trade.qty} at ${trade.price} for ${trade.fee}, of ${trade.chain?.root}`,
            about(),
          );
      }
      for (const { copy, name, trades } of readers) {
        const count = trades.get(key)?.length ?? 0;
        if (count === (copy.sees(fill.order.origin?.session) ? 1 : 0)) continue;
        const copied = trades.get(key)?.map(({ said }) => `${name}: ${said}`) ?? [];
        this.wrong(`the drop copy ${name} got the fill ${key} ${count} times`, [
          ...about(),
          ...copied,
        ]);
      }
    }
    for (const { said, session } of rebuilt)
      this.wrong(`${session} was told a trade that the venue does not have`, [said]);
    for (const [key, [trade]] of owners) {
      if (!atVenue.has(key))
        this.wrong(`a fill ${key} was told that the venue does not have`, [trade?.said ?? '']);
    }
  }

  #isOf({ chain, fee, price, qty }: Trade, fill: LedgerFill): boolean {
    const { priceScale, qtyScale } = this.#instrument(fill.order);
    return (
      atoms(qty, qtyScale) === fill.qty &&
      atoms(price, priceScale) === fill.price &&
      atoms(fee, feeScale) === fill.feeMicro &&
      chain?.orderIds.has(fill.order.orderId) === true
    );
  }

  /** `answers` are reports of a mass status of this account. */
  status(
    session: string,
    alias: string,
    answers: readonly (readonly (readonly [string, string])[])[],
  ): void {
    const open = this.#parts.ledger.openOf(alias);
    const told = new Map(
      answers
        .filter((said) => textOf(said, '1') === alias && textOf(said, '39') !== '8')
        .map((said) => [textOf(said, '37') ?? '', said]),
    );
    for (const order of open) {
      const said = told.get(order.orderId);
      if (said === undefined) {
        this.wrong(
          `the mass status of ${session} lacks an order that the venue has open`,
          this.#about(order),
        );
        continue;
      }
      const { qtyScale, symbol } = this.#instrument(order);
      const side = order.side === 'Bid' ? '1' : '2';
      const leaves = atoms(textOf(said, '151') ?? '', qtyScale);
      if (
        textOf(said, '55') === symbol &&
        textOf(said, '54') === side &&
        leaves === order.leavesQty
      )
        continue;
      this.wrong(
        `the mass status of ${session} tells an order otherwise than the venue has it`,
        this.#about(order),
      );
    }
    if (told.size > open.size)
      this.wrong(
        `the mass status of ${session} has ${told.size} orders of ${alias}, the venue ${open.size}`,
      );
  }

  #instrument({ book, market }: Pick<LedgerOrder, 'book' | 'market'>): InstrumentFacts {
    const found = this.#parts.instruments.find((one) => one.market === market && one.book === book);
    if (found === undefined) throw new Error(`no instrument ${market} ${book}`);
    return found;
  }

  /** The order at the venue, and what was told of it. */
  #about(order: LedgerOrder): readonly string[] {
    const lines = [lineOf(order)];
    for (const { chains } of this.#parts.logs.values()) {
      for (const chain of chains) {
        if (chain.orderIds.has(order.orderId))
          lines.push(...chain.told.map((line) => `${chain.session}: ${line}`));
      }
    }
    return lines;
  }
}

export function lineOf({
  alias,
  book,
  filledQty,
  form,
  leavesQty,
  market,
  orderId,
  origin,
  parentOrderId,
  qty,
  side,
}: LedgerOrder): string {
  const by = origin === undefined ? 'nobody' : `${origin.session} ${origin.command}`;
  const of = parentOrderId === null ? '' : ` (instead of ${parentOrderId.slice(0, 10)})`;
  return `venue: ${orderId.slice(0, 10)}${of} ${form} ${alias} ${side} ${market}${book ?? ''} qty ${qty} filled ${filledQty} leaves ${leavesQty}: ${by}`;
}

function linesOf(orders: Iterable<LedgerOrder>): readonly string[] {
  return [...orders].map(lineOf);
}

const feeScale = 6;

/** Decimal text as atoms; NaN where it is none. */
function atoms(text: string, scale: number): number {
  return text === '' ? Number.NaN : Math.round(Number(text) * 10 ** scale);
}
