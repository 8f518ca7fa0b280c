/** What one client was told, by its own reading of the bytes: its orders in chains of ClOrdIDs, each with what it heard. */
import type { Said } from './fix-trader.ts';

/** The orders of one chain, as the client believes them. */
export interface Chain {
  readonly session: string;
  readonly root: string;
  readonly symbol: string;
  readonly side: string;
  /** Whether it is the side of a quote. */
  readonly isQuote: boolean;
  readonly orderIds: Set<string>;
  /** Of the last report. */
  orderId: string;
  status: string;
  cumQty: number;
  /** LeavesQty(151) of the last report. */
  leavesQty: string;
  /** Σ(price × quantity) of its trades. */
  notional: number;
  ends: number;
  /** A line for each report. */
  readonly told: string[];
}

export interface Trade {
  readonly session: string;
  readonly alias: string;
  readonly seq: number;
  readonly chain: Chain | undefined;
  readonly said: string;
  readonly qty: string;
  readonly price: string;
  /** MiscFeeAmt(137). */
  readonly fee: string;
}

export interface ClientKind {
  readonly isCopy: boolean;
  readonly isQuoting: boolean;
  /** Whether its mass cancels are also about orders of others, or orders that it has not heard of. */
  readonly isForAll: boolean;
  /** Whether two answers have come to each other's request. */
  readonly hasSwapped: () => boolean;
  /** Of a reader: whose orders it gets copies of. */
  readonly sees?: (session: string | undefined) => boolean;
}

const pendingStatuses = new Set(['A', '6', 'E']);
const ended = new Set(['2', '4', '8', 'C']);

export function textOf(said: Said, tag: string): string | undefined {
  return said.find(([name]) => name === tag)?.[1];
}

export class ClientLog {
  readonly session: string;
  readonly chains = new Set<Chain>();
  readonly trades: Trade[] = [];
  /** Answers to status requests, by MassStatusReqID(584) or OrdStatusReqID(790). */
  readonly statuses = new Map<string, Said[]>();
  /** What has no OrderStatus: 9, b, r, j and so on. */
  readonly others: Said[] = [];
  /** All reports by their contents: those of a session that all readers get a copy of, and the copies of a reader. */
  readonly reports = new Map<string, number>();
  /** What is to end, and why: a mass cancel was about it, or its client has left. */
  readonly doomed = new Map<Chain, string>();
  readonly #byName = new Map<string, Chain>();
  /** ClOrdIDs of requests that are under way, as far as it was told. */
  readonly #asked = new Set<string>();
  readonly #wrong: (text: string, chain?: Chain) => void;
  readonly #kind: ClientKind;
  readonly #copied = new Set<string>();
  /** A reader that has not logged on yet. */
  isAway = false;

  constructor(session: string, kind: ClientKind, wrong: (text: string, chain?: Chain) => void) {
    this.session = session;
    this.#kind = kind;
    this.#wrong = wrong;
  }

  /** Of which the last word is still to come. */
  get waiting(): readonly Chain[] {
    return [...this.chains].filter(({ status }) => pendingStatuses.has(status));
  }

  /** The sides of its quotes that are open, as far as it was told. */
  get quotes(): readonly Chain[] {
    return [...this.chains].filter((chain) => chain.isQuote && !isOver(chain));
  }

  /** Its orders that have traded and are open, as far as it was told. */
  get partly(): readonly Chain[] {
    return [...this.chains].filter(({ status }) => status === '1');
  }

  /** OrderID(37) of an order by one of its names, as far as it was told. */
  orderIdOf(clOrdId: string): string | undefined {
    const orderId = this.#byName.get(clOrdId)?.orderId;
    return orderId?.startsWith('0x') ? orderId : undefined;
  }

  sees(session: string | undefined): boolean {
    return this.#kind.sees?.(session) !== false;
  }

  hasCopy(execId: string): boolean {
    return this.#copied.has(execId);
  }

  hear(said: Said): void {
    if (textOf(said, '35') !== '8') {
      this.others.push(said);
      if (textOf(said, '35') === '9' && !this.#kind.isCopy) this.#cancelReject(said);
      if (textOf(said, '35') === 'r') this.#massCancel(said);
      return;
    }
    const type = textOf(said, '150') ?? '';
    if (this.#kind.isCopy) {
      // What may be there already says so.
      const execId = textOf(said, '17') ?? '';
      const isAgain = textOf(said, '97') === 'Y' && this.#copied.has(execId);
      this.#copied.add(execId);
      // The copy of an order of another channel names nobody.
      const isOfSession = textOf(said, '448') !== undefined;
      if (type !== 'I' && !isAgain && isOfSession) this.#count(said);
      if (type === 'F' && !isAgain) this.#trade(said, undefined);
      return;
    }
    if (type === 'I') {
      const asked = textOf(said, '584') ?? textOf(said, '790') ?? '';
      this.statuses.set(asked, [...(this.statuses.get(asked) ?? []), said]);
      this.#state(said);
      return;
    }
    // A refusal by the bridge is of a request that became no order.
    if (/-r\d+$/.test(textOf(said, '17') ?? '')) {
      this.others.push(said);
      return;
    }
    this.#count(said);
    this.#report(said, type);
  }

  #count(said: Said): void {
    const key = copiedOf(said);
    this.reports.set(key, (this.reports.get(key) ?? 0) + 1);
  }

  /** Whatever the moment, the state of an order is that of the last report on it, which has been heard before. */
  #state(said: Said): void {
    const orderId = textOf(said, '37') ?? 'NONE';
    const chain = [...this.chains].find((one) => one.orderId === orderId);
    if (chain === undefined || textOf(said, '39') === '8') return;
    const told = [chain.status, chain.cumQty, chain.leavesQty].join();
    const state = [textOf(said, '39'), Number(textOf(said, '14')), textOf(said, '151')].join();
    if (told === state) return;
    chain.told.push(wordsOf(said));
    this.#wrong(`the state of ${chain.root} is ${state}, its last report told ${told}`, chain);
  }

  #report(said: Said, type: string): void {
    const chain = this.#chainOf(said);
    const status = textOf(said, '39') ?? '';
    const cumQty = Number(textOf(said, '14'));
    const orderQty = Number(textOf(said, '38'));
    const line = wordsOf(said);
    chain.told.push(line);
    const wrong = (text: string) => this.#wrong(text, chain);
    if (textOf(said, '55') !== chain.symbol || textOf(said, '54') !== chain.side) {
      wrong(`a report of ${chain.root} is of another instrument or side`);
    }
    if (cumQty < chain.cumQty) wrong(`CumQty(14) of ${chain.root} went back`);
    if (cumQty > orderQty && status !== '6' && status !== '4') {
      wrong(`CumQty(14) of ${chain.root} exceeds OrderQty(38)`);
    }
    this.#sums(said, chain, type, wrong);
    // An answer that came to another request may end an order that the venue then shows (decision 0255); nothing else may.
    const isBack = type === 'D' && this.#kind.hasSwapped();
    if (ended.has(chain.status) && !isBack) wrong(`${chain.root} was told to be over, and goes on`);
    const clOrdId = textOf(said, '11') ?? '';
    if (type === 'E' || type === '6') this.#asked.add(clOrdId);
    else this.#asked.delete(clOrdId);
    chain.cumQty = Math.max(chain.cumQty, cumQty);
    chain.status = status;
    chain.leavesQty = textOf(said, '151') ?? '';
    if (ended.has(status)) chain.ends += 1;
    const orderId = textOf(said, '37') ?? 'NONE';
    if (orderId !== 'NONE') {
      chain.orderId = orderId;
      chain.orderIds.add(orderId);
    }
    if (type === 'F') this.#trade(said, chain);
  }

  /** OrderQty(38), CumQty(14), LeavesQty(151) and AvgPx(6) are those of the trades that were told. */
  #sums(said: Said, chain: Chain, type: string, wrong: (text: string) => void): void {
    const number = (tag: string) => Number(textOf(said, tag) ?? Number.NaN);
    const status = textOf(said, '39') ?? '';
    const [cumQty, leavesQty, orderQty, lastQty] = [
      number('14'),
      number('151'),
      number('38'),
      number('32'),
    ];
    const isOut = ended.has(status);
    if (!isSame(leavesQty, isOut ? 0 : orderQty - cumQty))
      wrong(`LeavesQty(151) of ${chain.root} is not what is open`);
    if (type === 'F') chain.notional += number('31') * lastQty;
    if (!isSame(cumQty, type === 'F' ? chain.cumQty + lastQty : chain.cumQty))
      wrong(`CumQty(14) of ${chain.root} is not the sum of its trades`);
    if (!isSame(number('6'), cumQty === 0 ? 0 : chain.notional / cumQty))
      wrong(`AvgPx(6) of ${chain.root} is not the average of its trades`);
    if (fixedStatus[type] !== undefined && status !== fixedStatus[type])
      wrong(`${chain.root} is told with 150=${type} and 39=${status}`);
  }

  /** It says where the order stands, which may be its end. */
  #cancelReject(said: Said): void {
    const chain = this.#byName.get(textOf(said, '41') ?? '');
    const status = textOf(said, '39') ?? '';
    const clOrdId = textOf(said, '11') ?? '';
    // The ClOrdID of a request that was refused names nothing.
    if (this.#asked.delete(clOrdId)) this.#byName.delete(clOrdId);
    if (chain === undefined || isOver(chain)) return;
    chain.told.push(wordsOf(said));
    chain.status = status;
    if (ended.has(status)) chain.ends += 1;
  }

  /** All that was said before it has been heard, so what is open now is what it was about. */
  #massCancel(said: Said): void {
    if (textOf(said, '531') === '0') return;
    const symbol = textOf(said, '55');
    const side = textOf(said, '54');
    const about = [...this.chains].filter(
      (chain) =>
        !isOver(chain) &&
        (symbol === undefined || chain.symbol === symbol) &&
        (side === undefined || chain.side === side),
    );
    const name = textOf(said, '11') ?? '';
    const told = Number(textOf(said, '533'));
    // Quotes that wait for the end of others are orders already, and nothing was said of them yet.
    const isTrue =
      this.#kind.isQuoting || this.#kind.isForAll ? told >= about.length : told === about.length;
    if (!isTrue)
      this.#wrong(`the mass cancel ${name} tells ${told} orders, ${about.length} were open`);
    for (const chain of about) this.doomed.set(chain, `the mass cancel ${name}`);
  }

  /** The connection ended, and that cancels what is open. */
  leave(): void {
    for (const chain of this.chains) {
      if (!isOver(chain)) this.doomed.set(chain, 'the end of its connection');
    }
  }

  #trade(said: Said, chain: Chain | undefined): void {
    this.trades.push({
      session: this.session,
      alias: textOf(said, '1') ?? '',
      seq: Number(textOf(said, '9110')),
      chain,
      said: wordsOf(said),
      qty: textOf(said, '32') ?? '',
      price: textOf(said, '31') ?? '',
      fee: textOf(said, '137') ?? '',
    });
  }

  #chainOf(said: Said): Chain {
    const clOrdId = textOf(said, '11') ?? '';
    const origClOrdId = textOf(said, '41');
    const known = this.#byName.get(origClOrdId ?? clOrdId) ?? this.#byName.get(clOrdId);
    const chain = known ?? {
      session: this.session,
      root: clOrdId,
      symbol: textOf(said, '55') ?? '',
      side: textOf(said, '54') ?? '',
      isQuote: textOf(said, '526') !== undefined,
      orderIds: new Set(),
      ...{ orderId: '', status: '', cumQty: 0, leavesQty: '', notional: 0, ends: 0, told: [] },
    };
    for (const name of [clOrdId, origClOrdId])
      if (name !== undefined) this.#byName.set(name, chain);
    this.chains.add(chain);
    return chain;
  }
}

export function isOver(chain: Chain): boolean {
  return ended.has(chain.status);
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-7 * Math.max(1, Math.abs(other));
}

/** OrdStatus(39) of reports that leave no choice, by ExecType(150). */
const fixedStatus: Readonly<Record<string, string>> = {
  ...{ A: 'A', 4: '4', 8: '8', C: 'C', 6: '6', E: 'E' },
};

const reasons = ['58', '9101', '9102'];
/** What a copy has in common with the report of the owner. */
const copied =
  '35 17 1 37 198 11 41 434 150 39 102 103 378 55 54 38 40 44 99 59 32 31 151 14 6 60 58 638 9101 9102 9110 9112'.split(
    ' ',
  );

export function copiedOf(said: Said): string {
  // Over FIXP a restated order has no reason (decision 0255).
  const isRestated = textOf(said, '150') === 'D';
  return (
    said
      .filter(([tag]) => copied.includes(tag) && !(isRestated && reasons.includes(tag)))
      // A text of the client comes back in its own reports.
      .filter(([tag, value]) => tag !== '58' || !value.startsWith('note of '))
      .map((field) => field.join('='))
      .toSorted()
      .join('|')
  );
}

const shown = [
  '35',
  '34',
  '43',
  '97',
  '797',
  '37',
  '526',
  '11',
  '41',
  '17',
  '150',
  '39',
  '55',
  '54',
  '38',
  '44',
  '14',
  '151',
  '32',
  '31',
  '58',
  '9110',
  '9112',
  '9102',
];

/** A report in short. */
export function wordsOf(said: Said): string {
  return said
    .filter(([tag]) => shown.includes(tag))
    .map(([tag, value]) => `${tag}=${value.startsWith('0x') ? value.slice(0, 10) : value}`)
    .join('|');
}
