/** What one client was told, by its own reading of the bytes: its orders in chains of ClOrdIDs, each with what it heard. */
import type { Said } from './fix-trader.ts';

/** The orders of one chain, as the client believes them. */
export interface Chain {
  readonly session: string;
  readonly root: string;
  readonly symbol: string;
  readonly side: string;
  readonly orderIds: Set<string>;
  /** Of the last report. */
  orderId: string;
  status: string;
  cumQty: number;
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
  /** Whether two answers have come to each other's request. */
  readonly hasSwapped: () => boolean;
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
  /** What is to end, and why: a mass cancel was about it, or its client has left. */
  readonly doomed = new Map<Chain, string>();
  readonly #byName = new Map<string, Chain>();
  readonly #wrong: (text: string, chain?: Chain) => void;
  readonly #kind: ClientKind;
  readonly #copied = new Set<string>();

  constructor(session: string, kind: ClientKind, wrong: (text: string, chain?: Chain) => void) {
    this.session = session;
    this.#kind = kind;
    this.#wrong = wrong;
  }

  /** Of which the last word is still to come. */
  get waiting(): readonly Chain[] {
    return [...this.chains].filter(({ status }) => pendingStatuses.has(status));
  }

  hear(said: Said): void {
    if (textOf(said, '35') !== '8') {
      this.others.push(said);
      if (textOf(said, '35') === '9') this.#cancelReject(said);
      if (textOf(said, '35') === 'r') this.#massCancel(said);
      return;
    }
    const type = textOf(said, '150') ?? '';
    if (this.#kind.isCopy) {
      // What may be there already says so.
      const execId = textOf(said, '17') ?? '';
      const isAgain = textOf(said, '97') === 'Y' && this.#copied.has(execId);
      this.#copied.add(execId);
      if (type === 'F' && !isAgain) this.#trade(said, undefined);
      return;
    }
    if (type === 'I') {
      const asked = textOf(said, '584') ?? textOf(said, '790') ?? '';
      this.statuses.set(asked, [...(this.statuses.get(asked) ?? []), said]);
      return;
    }
    // A refusal by the bridge is of a request that became no order.
    if (/-r\d+$/.test(textOf(said, '17') ?? '')) {
      this.others.push(said);
      return;
    }
    this.#report(said, type);
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
    // An answer that came to another request may end an order that the venue then shows (decision 0255); nothing else may.
    const isBack = type === 'D' && this.#kind.hasSwapped();
    if (ended.has(chain.status) && !isBack) wrong(`${chain.root} was told to be over, and goes on`);
    chain.cumQty = Math.max(chain.cumQty, cumQty);
    chain.status = status;
    if (ended.has(status)) chain.ends += 1;
    const orderId = textOf(said, '37') ?? 'NONE';
    if (orderId !== 'NONE') {
      chain.orderId = orderId;
      chain.orderIds.add(orderId);
    }
    if (type === 'F') this.#trade(said, chain);
  }

  /** It says where the order stands, which may be its end. */
  #cancelReject(said: Said): void {
    const chain = this.#byName.get(textOf(said, '41') ?? '');
    const status = textOf(said, '39') ?? '';
    if (chain === undefined || isOver(chain)) return;
    chain.told.push(wordsOf(said));
    chain.status = status;
    if (ended.has(status)) chain.ends += 1;
  }

  /** All that was said before it has been heard, so what is open now is what it was about. */
  #massCancel(said: Said): void {
    if (textOf(said, '531') === '0') return;
    const symbol = textOf(said, '55');
    const about = [...this.chains].filter(
      (chain) => !isOver(chain) && (symbol === undefined || chain.symbol === symbol),
    );
    const name = textOf(said, '11') ?? '';
    const told = Number(textOf(said, '533'));
    // Quotes that wait for the end of others are orders already, and nothing was said of them yet.
    const isTrue = this.#kind.isQuoting ? told >= about.length : told === about.length;
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
      orderIds: new Set(),
      ...{ orderId: '', status: '', cumQty: 0, ends: 0, told: [] },
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
