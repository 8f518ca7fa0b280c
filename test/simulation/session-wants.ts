/**
 * What a FIX session may want otherwise in its profile, and whether it gets that: acknowledgements of quotes, fields that
 * only describe the client, orders that may not be old, restatements after numbers began anew, orders of other channels.
 */
import type { SessionWant } from './cast.ts';
import { type Chain, type ClientLog, isOver, textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import type { Said } from './fix-trader.ts';
import { otherChannel, type VenueLedger } from './venue-ledger.ts';

export interface SessionWantsParts {
  readonly compId: string;
  readonly accounts: readonly string[];
  readonly want: SessionWant;
  readonly dice: Dice;
  /** Whether the clock of the bridge keeps its time. */
  readonly isSteady: boolean;
  readonly ledger: Pick<VenueLedger, 'fills' | 'isOfOthers' | 'orders'>;
  readonly log: Pick<ClientLog, 'chains'>;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
}

const unique = /^D\|(?:97=Y\|)?11=(o\d+)\|/;

export class SessionWants {
  readonly #parts: SessionWantsParts;
  /** Text(58) by ClOrdID(11), which comes back in every report. */
  readonly #notes = new Map<string, string>();
  /** ClOrdIDs of orders that must not be placed. */
  readonly #forbidden = new Set<string>();
  readonly #named = new Set<string>();
  readonly #quoteIds = new Set<string>();
  /** What was open when the numbers began anew, and how much was told of it until then. */
  readonly #open = new Map<Chain, number>();
  /** Trades of other channels, by account and number, and how often they were told. */
  readonly #others = new Map<string, number>();

  constructor(parts: SessionWantsParts) {
    this.#parts = parts;
  }

  /** Whether a quote that is taken is not acknowledged. */
  get isSilent(): boolean {
    return this.#parts.want.quoteResponse === 'refusals';
  }

  /** The command as the session gives it. */
  command(line: string): string {
    const { dice, isSteady, want } = this.#parts;
    if (want.quoteResponse !== undefined && line.includes('|301=2')) {
      this.#quoteIds.add(/\|117=([^|]+)/.exec(line)?.[1] ?? '');
      return line.replace('|301=2', '');
    }
    const [, clOrdId] = unique.exec(line) ?? [];
    if (clOrdId === undefined) return line;
    // Of several with one ClOrdID any may be the one that is placed, also where it is sent again.
    this.#forbidden.delete(clOrdId);
    this.#notes.delete(clOrdId);
    if (this.#named.has(clOrdId) || line.startsWith('D|97')) return line;
    this.#named.add(clOrdId);
    if (want.maxOrderAgeMs !== undefined && isSteady && dice.hits(150)) {
      this.#forbidden.add(clOrdId);
      return line.replace('|60=now', '|60=now-30s');
    }
    if (!dice.hits(200)) return line;
    const note = `note of ${clOrdId}`;
    if (want.clientFields === 'refuse') this.#forbidden.add(clOrdId);
    else this.#notes.set(clOrdId, note);
    return `${line}|58=${note}`;
  }

  /** Whether it is about an order of another channel, of which the log of its own orders knows nothing. */
  hear(said: Said): boolean {
    const { ledger, want, wrong } = this.#parts;
    const [type, clOrdId] = [textOf(said, '150') ?? '', textOf(said, '11') ?? ''];
    const quoteId = textOf(said, '117') ?? '';
    const isTaken = textOf(said, '35') === 'b' && textOf(said, '297') === '0';
    if (this.isSilent && isTaken && this.#quoteIds.has(quoteId))
      wrong(`the quote ${quoteId} is acknowledged unasked`);
    if (textOf(said, '35') !== '8') return false;
    const note = this.#notes.get(clOrdId);
    if (note !== undefined && (type === 'A' || type === '0') && textOf(said, '58') !== note)
      wrong(`a report of ${clOrdId} lacks its Text(58)`, [textOf(said, '58') ?? '']);
    if (want.reportOtherChannels !== true || !ledger.isOfOthers(textOf(said, '37') ?? ''))
      return false;
    const key = `${textOf(said, '1')} ${textOf(said, '9110')}`;
    if (type === 'F') this.#others.set(key, (this.#others.get(key) ?? 0) + 1);
    return type !== 'I';
  }

  /** Its numbers have begun anew with a logon. */
  begunAnew(): void {
    if (this.#parts.want.restateOrders !== true) return;
    for (const chain of this.#parts.log.chains)
      if (!isOver(chain)) this.#open.set(chain, chain.told.length);
  }

  /**
   * `hasForgotten`: whether the venue no longer has events of this account. `mayMiss`: whether the file may have been without
   * an account or a market of the session for a while.
   */
  settled(hasForgotten: (alias: string) => boolean, mayMiss = false): void {
    const { accounts, compId, ledger, want, wrong } = this.#parts;
    for (const { orderId, origin } of ledger.orders.values()) {
      const [kind, clOrdId = ''] = origin?.command.split(' ') ?? [];
      if (kind === 'D' && origin?.session === compId && this.#forbidden.has(clOrdId))
        wrong(`${clOrdId} was to be refused and is at the venue: ${orderId}`);
    }
    for (const [chain, told] of this.#open) {
      if (!isOver(chain) && !chain.told.slice(told).some((line) => line.includes('|150=D|')))
        wrong(`${chain.root} was not restated after the numbers began anew`, chain.told);
    }
    this.#open.clear();
    if (want.reportOtherChannels !== true) return;
    for (const { alias, order, seq } of ledger.fills) {
      const isMeant = order.origin?.session === otherChannel && accounts.includes(alias);
      const count = this.#others.get(`${alias} ${seq}`) ?? 0;
      if (isMeant && count !== 1 && !hasForgotten(alias) && !(count === 0 && mayMiss))
        wrong(`a trade ${alias} ${seq} of another channel was told ${count} times`);
    }
  }
}
