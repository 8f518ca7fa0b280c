/**
 * Commands that a client may send at any time, at random: every kind, names that come again and names that are alike,
 * changes of orders that wait, sizes beyond the limits. Each order and side of a quote has a quantity of its own, by
 * which the checker knows it again at the venue.
 */
import type { Habit } from './cast.ts';
import type { InstrumentFacts } from './checker.ts';
import type { Chain } from './client-log.ts';
import type { Dice } from './dice.ts';
import { MarketQuestions } from './market-questions.ts';
import { markOf, type Origin, replaceMark } from './venue-ledger.ts';

export interface Traded extends InstrumentFacts {
  /** One lot in atoms, and where prices begin. */
  readonly lot: number;
  readonly tick: number;
  readonly price: number;
}

const ethUsdc = { market: 2, book: null, symbol: 'ETH-USDC', qtyScale: 8, priceScale: 6 } as const;
const solUsdc = { market: 3, book: null, symbol: 'SOL-USDC', qtyScale: 8, priceScale: 6 } as const;
const outcome = { market: 7, qtyScale: 6, priceScale: 6, lot: 10_000, tick: 1_000 } as const;

/** Orders rest less than so many ticks from where prices begin. */
const widestTicks = 45;
type Beginning = Omit<Traded, 'lowest' | 'highest'>;
const around = (one: Beginning): Traded => ({
  ...one,
  lowest: one.price - widestTicks * one.tick,
  highest: one.price + widestTicks * one.tick,
});

export const instruments: readonly Traded[] = [
  around({ ...ethUsdc, lot: 10_000, tick: 10_000, price: 2_500_000_000 }),
  around({ ...solUsdc, lot: 100_000, tick: 1_000, price: 150_000_000 }),
  around({ ...outcome, book: 'YES', symbol: 'RATE-CUT-2027:YES', price: 570_000 }),
  around({ ...outcome, book: 'NO', symbol: 'RATE-CUT-2027:NO', price: 430_000 }),
];

const sides = ['|54=1', '|54=2'] as const;
const smallestLots = 100;
/** So far through the market that every collar refuses it. */
const farShare = 0.15;
const namePool = [
  '1',
  '2',
  '1.1',
  '1.2',
  '2.1',
  'A',
  'A.1',
  'A:1',
  '1/1',
  'Q.1.1.B',
  'Q.1.1.1.S',
  'S.S.B',
];
const quotePool = ['Q', 'Q.1', 'A', '1'];
const entryPool = ['1', '1.1', '2', 'A'];
const setPool = ['1', '1.1', 'A'];

export interface Actor {
  readonly compId: string;
  readonly protocol: 'fix' | 'fixp';
  /** Of its accounts; the first is meant where none is named. */
  readonly accounts: readonly string[];
  readonly habits: ReadonlySet<Habit>;
  /** Above this an order is too large, in whole units of any instrument. */
  readonly maxOrderQty: number;
  /** Above this it is too dear, in the quoted currency. */
  readonly maxNotional: number;
}

type Target = Pick<Chain, 'root' | 'symbol' | 'side'>;

interface Sent {
  readonly clOrdId: string;
  readonly instrument: Traded;
  readonly side: '1' | '2';
  readonly alias: string | null;
  readonly lots: number;
  /** Price(44), or empty. */
  readonly price: string;
}

export class RandomCommands {
  readonly origins: Map<string, Origin>;
  readonly #dice: Dice;
  readonly #actor: Actor;
  readonly #serial: () => number;
  readonly #orderIdOf: (clOrdId: string) => string | undefined;
  readonly #quotes: () => readonly Target[];
  readonly #partly: () => readonly Target[];
  readonly #questions: MarketQuestions;
  /** The latest orders and changes, to be said again. */
  readonly #lines: string[] = [];
  /** The names of everybody, to be used again. */
  readonly #names: string[];
  readonly #sent: Sent[] = [];
  readonly #lastQuote = new Map<string, string>();
  #count = 0;

  constructor(
    dice: Dice,
    actor: Actor,
    shared: {
      readonly origins: Map<string, Origin>;
      readonly names: string[];
      readonly serial: () => number;
      /** OrderID(37) of an order that was reported, by its ClOrdID(11). */
      readonly orderIdOf: (clOrdId: string) => string | undefined;
      /** The sides of its quotes that are open. */
      readonly quotes: () => readonly Target[];
      /** Its orders that have traded and are open. */
      readonly partly: () => readonly Target[];
    },
  ) {
    this.#dice = dice;
    this.#actor = actor;
    this.origins = shared.origins;
    this.#names = shared.names;
    this.#serial = shared.serial;
    this.#orderIdOf = shared.orderIdOf;
    this.#quotes = shared.quotes;
    this.#partly = shared.partly;
    const symbols = instruments.map(({ symbol }) => symbol);
    this.#questions = new MarketQuestions(dice, symbols);
  }

  next(): string {
    const isQuestion = this.#isVaried() && this.#dice.hits(30);
    if (isQuestion) return this.#questions.next();
    const line = this.#again() ?? this.#ofDay(this.#anything());
    this.#lines.push(line);
    if (this.#lines.length > 12) this.#lines.shift();
    return line;
  }

  /** Whether it says what only the FIX lane can say here. */
  #isVaried(): boolean {
    return this.#has('variants') && this.#actor.protocol === 'fix';
  }

  /** Mostly by its symbol; also by its number, by both, or by those of two. */
  #instrument({ book, market, symbol }: Traded): string {
    if (!this.#isVaried() || !this.#dice.hits(250)) return `55=${symbol}`;
    const byId = `48=${market}${book === null ? '' : `:${book}`}|22=8`;
    if (this.#dice.hits(100)) return `55=${this.#dice.pick(instruments).symbol}|${byId}`;
    return this.#dice.hits(500) ? byId : `55=${symbol}|${byId}`;
  }

  /** TimeInForce(59) 0 in place of 1. */
  #ofDay(line: string): string {
    return this.#has('days') && this.#dice.hits(600) ? line.replace('|59=1', '|59=0') : line;
  }

  /** A request that was sent before, as what may have been lost: the client does not know better. */
  #again(): string | undefined {
    if (!this.#has('refs') || !this.#dice.hits(40) || this.#lines.length === 0) return undefined;
    const line = this.#dice.pick(this.#lines);
    const isOrder = line.startsWith('D|');
    const again = this.#has('requests') ? /^[FGiS]\|/ : /^[FG]\|/;
    const isOfFix = this.#actor.protocol === 'fix' && again.test(line);
    if (!isOrder && !isOfFix) return undefined;
    return line.includes('|97=Y') ? line : `${line.slice(0, 2)}97=Y|${line.slice(2)}`;
  }

  #anything(): string {
    const dice = this.#dice.below(100);
    const { habits } = this.#actor;
    if (dice < 15 && habits.has('changes')) return this.replace();
    if (dice < 27) return this.cancel();
    if (dice < 49 && habits.has('quotes')) return this.massQuote();
    if (dice < 55 && habits.has('quotes')) return this.quote();
    if (dice < 59 && habits.has('quotes')) return this.#quoteCancel();
    if (dice < 62 && habits.has('mass-cancels')) return this.massCancel();
    if (dice < 66) return this.#status();
    return dice < 68 ? this.massStatus(this.#unique('m')) : this.order();
  }

  order(): string {
    const instrument = this.#dice.pick(instruments);
    const side = this.#dice.hits(500) ? '1' : '2';
    const clOrdId = this.#name();
    const lots = this.#lots(instrument, this.#dice.hits(30));
    const alias = this.#alias();
    const { form, terms } = this.#special(instrument, side, lots) ?? {
      form: 'order',
      terms: this.#terms(instrument, side),
    };
    const origin = { session: this.#actor.compId, command: `D ${clOrdId}`, slot: null, form };
    this.#mark(instrument, side, lots, { ...origin, isShort: /126=now\+\d\d?s/.test(terms) });
    const price = /(?<=\|44=)[^|]+/.exec(terms)?.[0] ?? '';
    this.#sent.push({ clOrdId, instrument, side, alias, lots, price });
    if (this.#sent.length > 400) this.#sent.shift();
    const of = alias === null ? '' : `|1=${alias}`;
    return `D|11=${clOrdId}${of}|${this.#instrument(instrument)}|54=${side}|38=${qtyText(instrument, lots)}|${terms}|60=now`;
  }

  #terms(instrument: Traded, side: '1' | '2'): string {
    const isMarket = this.#dice.hits(30);
    const times = isMarket ? '3' : this.#dice.pick(['1', '1', '1', '1', '3', '4']);
    const price = isMarket ? '' : `|44=${this.#price(instrument, side)}`;
    const postOnly = !isMarket && times === '1' && this.#dice.hits(100) ? '|18=6' : '';
    const rests = !isMarket && times === '1' && postOnly === '';
    const more = this.#has('terms') ? this.#moreTerms(rests) : '';
    const limits = isMarket ? '' : more.includes('|59=') ? price : `${price}|59=${times}`;
    return `40=${isMarket ? '1' : '2'}${limits}${isMarket ? '|59=3' : ''}${postOnly}${more}`;
  }

  /** What few orders say. An order that ends by itself has ended before all is at rest, or lives longer than that. */
  #moreTerms(rests: boolean): string {
    const stp = ['cancel_maker', 'cancel_taker', 'reject', 'skip_self', 'none'] as const;
    const mode = this.#dice.hits(300) ? `|9104=${this.#dice.pick(stp)}` : '';
    const reduces = this.#dice.hits(60) ? '|77=C' : '';
    if (!rests || !this.#dice.hits(150)) return `${mode}${reduces}`;
    const seconds = this.#dice.hits(150) ? 86_400 : 1 + this.#dice.below(25);
    return `|59=6|126=now+${seconds}s${mode}${reduces}`;
  }

  /** An algo or a conditional order, now and then. */
  #special(instrument: Traded, side: '1' | '2', lots: number) {
    if (this.#has('algos') && this.#dice.hits(100)) {
      return { form: 'algo', terms: this.#algo(instrument, side, lots) } as const;
    }
    if (this.#has('conditionals') && this.#dice.hits(100)) {
      return { form: 'conditional', terms: this.#conditional(instrument, side) } as const;
    }
    return undefined;
  }

  /** All that is to come of it comes soon, so that it does nothing of itself once all is at rest. */
  #algo(instrument: Traded, side: '1' | '2', lots: number): string {
    const slice = qtyText(instrument, Math.ceil(lots / (2 + this.#dice.below(4))));
    const everyMs = 50 + this.#dice.below(4_000);
    const times = this.#dice.pick(['59=1', '59=1', '59=3']);
    const kinds = [
      `59=1|111=${slice}`,
      `59=1|9107=iceberg|9108=${slice}`,
      `${times}|9107=twap|9108=${slice}|9109=${everyMs}`,
      `${times}|9107=vwap|9108=${slice}|9109=${everyMs}`,
      `${times}|847=1001|848=slice_qty=${slice};interval_ms=${everyMs}`,
    ];
    return `40=2|44=${this.#price(instrument, side)}|${this.#dice.pick(kinds)}`;
  }

  /** Of a stop the trigger is where the market comes to from the other side, of one that is touched the reverse. */
  #conditional(instrument: Traded, side: '1' | '2'): string {
    const { price, priceScale, tick } = instrument;
    const type = this.#dice.pick(['3', '4', 'J']);
    const rises = (side === '1') === (type !== 'J');
    const away = this.#dice.below(12) - 2;
    const trigger = `99=${text(price + (rises ? away : -away) * tick, priceScale)}`;
    const limit = type === '4' ? `|44=${this.#price(instrument, side)}` : '';
    return `40=${type}${limit}|${trigger}|59=1`;
  }

  /** Of a thousand so many ask for too much. */
  replace(tooLarge = 150): string {
    const target = this.#target();
    if (target === undefined) return this.order();
    const { alias, clOrdId, instrument, side } = target;
    if (this.#has('variants') && this.#dice.hits(200)) return this.#replaceBy(target);
    const made = this.#dice.hits(60) ? this.#name() : this.#unique(replaceMark);
    const isLess = target.price !== '' && this.#has('terms') && this.#dice.hits(300);
    // Odd, so that it is no command's of its own.
    const lots = isLess
      ? 1 + 2 * this.#dice.below(target.lots / 2)
      : this.#lots(instrument, this.#dice.hits(tooLarge)) + 1;
    const price = isLess ? target.price : this.#price(instrument, side);
    this.#sent.push({ ...target, clOrdId: made, lots, price });
    const of = alias === null ? '' : `|1=${alias}`;
    const id = made.startsWith(replaceMark) ? made : `${replaceMark}${made}`;
    return `G|11=${id}|${this.#ref(clOrdId)}${of}|${this.#instrument(instrument)}|54=${side}|38=${qtyText(instrument, lots)}|40=2|44=${price}|${this.#shape()}|60=now`;
  }

  /** By less than was filled, or by nothing. */
  #replaceBy(target: Sent): string {
    const { alias, clOrdId, instrument, side } = target;
    const isSame = target.price !== '' && this.#dice.hits(300);
    const lots = isSame ? target.lots : 1;
    const price = isSame ? target.price : this.#price(instrument, side);
    const id = this.#unique(replaceMark);
    this.#sent.push({ ...target, clOrdId: id, lots, price });
    const of = alias === null ? '' : `|1=${alias}`;
    return `G|11=${id}|${this.#ref(clOrdId)}${of}|${this.#instrument(instrument)}|54=${side}|38=${qtyText(instrument, lots)}|40=2|44=${price}|59=1|60=now`;
  }

  /** What else a replace may change. */
  #shape(): string {
    if (!this.#has('shapes') || !this.#dice.hits(350)) return '59=1';
    const shapes = ['59=3', '59=4', '59=1|18=6', '59=6|126=now+86400s', '59=1|9104=cancel_maker'];
    return this.#dice.pick(shapes);
  }

  /** The order by its name, by its OrderID(37), or by both. */
  #ref(clOrdId: string): string {
    const orderId =
      this.#has('refs') && this.#dice.hits(500) ? this.#orderIdOf(clOrdId) : undefined;
    if (orderId === undefined) return `41=${clOrdId}`;
    // FIX requires OrigClOrdID(41).
    const isAlone = this.#actor.protocol === 'fixp' && this.#dice.hits(700);
    return isAlone ? `37=${orderId}` : `41=${clOrdId}|37=${orderId}`;
  }

  cancel(): string {
    const target = this.#target();
    if (target === undefined) return this.order();
    const { alias, clOrdId, instrument, side } = target;
    const of = alias === null ? '' : `|1=${alias}`;
    return `F|11=${this.#unique('c')}|${this.#ref(clOrdId)}${of}|${this.#instrument(instrument)}|54=${side}|60=now`;
  }

  massQuote(): string {
    const { compId } = this.#actor;
    const quoteId = this.#dice.hits(150) ? this.#dice.pick(quotePool) : this.#unique('q');
    const alias = this.#alias();
    const sets: string[] = [];
    const setCount = 1 + this.#dice.below(3);
    for (let i = 0; i < setCount; i += 1) {
      const setId = this.#dice.pick(setPool);
      const entryCount = 1 + this.#dice.below(4);
      const entries: string[] = [];
      for (let j = 0; j < entryCount; j += 1) {
        const entryId = this.#dice.pick(entryPool);
        entries.push(this.#entry(quoteId, setId, entryId, alias ?? this.#actor.accounts[0] ?? ''));
      }
      sets.push(`302=${setId}|304=${entryCount}|295=${entryCount}|${entries.join('|')}`);
    }
    const of = alias === null ? '' : `|1=${alias}`;
    if (quotePool.includes(quoteId)) this.#names.push(`${quoteId}.1.1.B`, `${compId}.1`);
    return `i|117=${quoteId}|301=2${of}|296=${setCount}|${sets.join('|')}`;
  }

  quote(): string {
    const quoteId = this.#dice.hits(150) ? this.#dice.pick(quotePool) : this.#unique('s');
    const instrument = this.#dice.pick(instruments);
    const alias = this.#alias();
    const of = alias === null ? '' : `|1=${alias}`;
    const sides = this.#sides(
      instrument,
      `quote ${quoteId}`,
      `S ${instrument.symbol}`,
      alias ?? this.#actor.accounts[0] ?? '',
    );
    return `S|117=${quoteId}|301=2${of}|55=${instrument.symbol}${sides === '' ? '' : `|${sides}`}`;
  }

  massCancel(): string {
    const id = this.#unique('x');
    const side = this.#has('requests') && this.#dice.hits(300) ? this.#dice.pick(sides) : '';
    if (this.#dice.hits(600)) return `q|11=${id}|530=7${side}|60=now`;
    return `q|11=${id}|530=1|55=${this.#dice.pick(instruments).symbol}${side}|60=now`;
  }

  massStatus(reqId: string): string {
    return `AF|584=${reqId}|585=7`;
  }

  #entry(quoteId: string, setId: string, entryId: string, alias: string): string {
    const instrument = this.#dice.pick(instruments);
    const slot = `${entryId} ${instrument.symbol}`;
    // The same again now and then, which leaves what is alive alone.
    const last = this.#lastQuote.get(`${alias} ${slot}`);
    const command = `quote ${quoteId} set ${setId} entry ${entryId}`;
    const sides =
      last !== undefined && this.#dice.hits(80)
        ? last
        : this.#sides(instrument, command, slot, alias);
    this.#lastQuote.set(`${alias} ${slot}`, sides);
    return `299=${entryId}|55=${instrument.symbol}${sides === '' ? '' : `|${sides}`}`;
  }

  #sides(instrument: Traded, command: string, slot: string, alias: string): string {
    const bid = this.#side(instrument, '1', command, slot, alias);
    const ask = this.#side(instrument, '2', command, slot, alias);
    const prices = [bid && `132=${bid.price}`, ask && `133=${ask.price}`];
    const sizes = [bid && `134=${bid.size}`, ask && `135=${ask.size}`];
    return [...prices, ...sizes].filter((field) => field !== undefined).join('|');
  }

  #side(instrument: Traded, side: '1' | '2', command: string, slot: string, alias: string) {
    const dice = this.#dice.below(100);
    if (dice < 8) return undefined;
    const price = this.#price(instrument, side, 2);
    if (dice < 16) return { price, size: '0' };
    const lots = this.#lots(instrument, this.#dice.hits(15));
    const origin = { session: this.#actor.compId, command, slot: `${alias} ${slot} ${side}` };
    this.#mark(instrument, side, lots, { ...origin, form: 'order' });
    return { price, size: qtyText(instrument, lots) };
  }

  #quoteCancel(): string {
    const alias = this.#alias();
    const isOfOne = this.#has('requests') && this.#actor.protocol === 'fix' && this.#dice.hits(400);
    const what = isOfOne ? `298=1|295=1|55=${this.#dice.pick(instruments).symbol}` : '298=4';
    return `Z|117=${this.#unique('z')}|301=2${alias === null ? '' : `|1=${alias}`}|${what}`;
  }

  #status(): string {
    const target = this.#target();
    if (target === undefined) return this.massStatus(this.#unique('m'));
    const { clOrdId, instrument, side } = target;
    const orderId =
      this.#has('refs') && this.#dice.hits(500) ? this.#orderIdOf(clOrdId) : undefined;
    const ref = orderId === undefined ? `11=${clOrdId}` : `11=${clOrdId}|37=${orderId}`;
    return `H|${ref}|790=${this.#unique('h')}|55=${instrument.symbol}|54=${side}`;
  }

  #target(): Sent | undefined {
    return (
      (this.#has('variants') && this.#dice.hits(200) ? this.#oneOf(this.#partly()) : undefined) ??
      (this.#has('refs') && this.#dice.hits(200) ? this.#oneOf(this.#quotes()) : undefined) ??
      this.#ordered()
    );
  }

  /** A side of a quote is an order like others. */
  #oneOf(targets: readonly Target[]): Sent | undefined {
    if (targets.length === 0) return undefined;
    const { root: clOrdId, side, symbol } = this.#dice.pick(targets);
    const instrument = instruments.find((one) => one.symbol === symbol);
    if (instrument === undefined) return undefined;
    return {
      ...{ clOrdId, instrument, alias: null, lots: 2 * smallestLots, price: '' },
      side: side === '1' ? '1' : '2',
    };
  }

  #ordered(): Sent | undefined {
    const { length } = this.#sent;
    if (length === 0) return undefined;
    // Mostly one of the latest: what is on its way is changed as well as what rests.
    const back = this.#dice.hits(700)
      ? this.#dice.below(Math.min(16, length))
      : this.#dice.below(length);
    return this.#sent[length - 1 - back];
  }

  #name(): string {
    const dice = this.#actor.habits.has('names') ? this.#dice.below(100) : 0;
    if (dice < 80) {
      const name = this.#unique('o');
      if (this.#dice.hits(100)) this.#names.push(name);
      return name;
    }
    return dice < 92 || this.#names.length === 0
      ? this.#dice.pick(namePool)
      : this.#dice.pick(this.#names);
  }

  #unique(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  #alias(): string | null {
    const { accounts } = this.#actor;
    if (accounts.length === 1 || this.#dice.hits(500)) return null;
    return this.#dice.pick(accounts);
  }

  #lots(instrument: Traded, isTooLarge: boolean): number {
    const { lot, price, priceScale, qtyScale } = instrument;
    const { maxNotional, maxOrderQty } = this.#actor;
    const serial = smallestLots + 2 * this.#serial();
    const isTooDear = !isTooLarge && this.#has('risk') && this.#dice.hits(30);
    if (!isTooLarge && !isTooDear) return serial;
    const units = isTooLarge ? maxOrderQty : maxNotional / (price / 10 ** priceScale);
    const most = Math.round((Math.min(units, maxOrderQty) * 10 ** qtyScale) / lot);
    return most + (most % 2) + serial;
  }

  #mark({ book, lot, market }: Traded, side: '1' | '2', lots: number, origin: Origin): void {
    this.origins.set(markOf(market, book, side === '1' ? 'Bid' : 'Ask', lots * lot), origin);
  }

  /** Mostly on its own side of the market. */
  #price({ price, priceScale, tick }: Traded, side: '1' | '2', through = 6): string {
    const sign = side === '1' ? 1 : -1;
    if (this.#has('risk') && this.#dice.hits(40)) {
      return text(price + sign * tick * Math.round((farShare * price) / tick), priceScale);
    }
    const away = this.#dice.below(40) - through;
    return text(price - sign * away * tick, priceScale);
  }

  #has(habit: Habit): boolean {
    return this.#actor.habits.has(habit);
  }
}

export function qtyText({ lot, qtyScale }: Traded, lots: number): string {
  return text(lots * lot, qtyScale);
}

function text(atoms: number, scale: number): string {
  const digits = String(atoms).padStart(scale + 1, '0');
  const rest = digits.slice(-scale).replace(/0+$/, '');
  return `${digits.slice(0, -scale)}${rest === '' ? '' : `.${rest}`}`;
}
