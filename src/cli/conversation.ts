/**
 * Trading by hand: commands that a person types, or a script contains, one per line. What a command means is the same on
 * both protocols; a lane (`client-fix.ts`, `client-fixp.ts`) writes it as a message. A script is given time to receive its
 * last answers.
 */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { systemClock } from '../runtime/clock.ts';
import { Connector } from '../transport/connector.ts';
import type { Link } from '../transport/link.ts';
import type { Session } from '../transport/session.ts';
import { Failure, noLogon } from './advice.ts';

/** The fields of an order that a cancel and a replace must repeat. */
interface Traded {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
}

type HandLifetime = 'gtc' | 'ioc' | 'fok';

/** `id` names the request, `of` the order that it is about. */
export type HandRequest = { readonly id: string } & (
  | (Traded & {
      readonly kind: 'order';
      readonly qty: string;
      readonly price: string | undefined;
      readonly lifetime: HandLifetime;
      readonly isPostOnly: boolean;
    })
  | (Traded & { readonly kind: 'replace'; readonly of: string; qty: string; price: string })
  | (Traded & { readonly kind: 'cancel' | 'status'; readonly of: string })
  | { readonly kind: 'watch' | 'unwatch'; readonly symbol: string }
  | { readonly kind: 'orders' | 'symbols' }
);

/** One protocol: `send` and `raw` answer what is wrong with the request, or undefined once it is sent. */
export interface HandLane {
  send(request: HandRequest, nowMs: number): string | undefined;
  /** Any message of a protocol that can be typed. */
  raw?(words: readonly string[], nowMs: number): string | undefined;
}

const orderForm = 'SYMBOL QTY [PRICE] [ioc|fok|post]';
const commands = `buy ${orderForm}   without a price: a market order
sell ${orderForm}
cancel ID                      an order by its ClOrdID
replace ID QTY PRICE           change it
status ID | orders             one order, or all that are open
watch SYMBOL | unwatch SYMBOL  its order book, as it changes
symbols                        what can be traded
`;
const rawCommand =
  'raw TYPE TAG=VALUE …           any message, such as: raw q 11=m1 530=7 60=now\n';

export const allCommands = `${commands}${rawCommand}help | quit`;

/** Prints for the user, as text or as one JSON object per line. */
export type Print = (text: string, json: object) => void;

export function printer(isJson: boolean): Print {
  return (text, json) => console.log(isJson ? JSON.stringify(json) : text);
}

export class HandTrader<S> {
  readonly print: Print;
  /** Undefined before the logon was accepted. */
  session: S | undefined;
  /** Resolves when the other side has accepted the logon; rejects with what it said instead. */
  readonly entered: Promise<void>;
  readonly #lane: HandLane;
  readonly #orders = new Map<string, Traded>();
  /** Books that are watched: the id by which each was requested, and what was shown of it last. */
  readonly #watched = new Map<string, string>();
  readonly #shownBooks = new Map<string, string>();
  #enter = () => {};
  #fail = (_: Error) => {};
  #requests = 0;
  #lastMs = Date.now();

  constructor(lane: HandLane, print: Print) {
    this.#lane = lane;
    this.print = print;
    this.entered = new Promise((resolve, reject) => {
      this.#enter = resolve;
      this.#fail = reject;
    });
  }

  get idleMs(): number {
    return Date.now() - this.#lastMs;
  }

  /** A message went out or came in. */
  moved(): void {
    this.#lastMs = Date.now();
  }

  /** An application calls it when the session is logged on or established. */
  enter(session: S, text: string): void {
    this.session = session;
    this.print(text, { kind: text.replace(' ', '_') });
    this.#enter();
  }

  /** An application's `onDisconnect`. */
  readonly onDisconnect = (_: S, { reason }: { readonly reason: string }): void => {
    this.print(`disconnected: ${reason}`, { kind: 'disconnected', reason });
    this.refuse(reason);
  };

  /** Before the logon was accepted this ends the client. */
  refuse(reason: string): void {
    this.#fail(new Failure(`not let in: ${reason}`, noLogon));
  }

  /** An order that the other side reported, or that is sent from here. */
  knows(id: string, order: Traded): void {
    this.#orders.set(id, order);
  }

  /** False for a book, by the id of its request, that is the same as when it was last shown. */
  isNewBook(id: string, book: string): boolean {
    if (this.#shownBooks.get(id) === book) return false;
    this.#shownBooks.set(id, book);
    return true;
  }

  obey(line: string, nowMs: number): void {
    const problem = this.#obey(line.trim().split(/\s+/), nowMs);
    if (problem !== undefined) this.print(problem, { kind: 'problem', reason: problem });
  }

  /** Answers what is wrong with the command. */
  #obey(words: readonly string[], nowMs: number): string | undefined {
    const [kind = '', ...args] = words;
    switch (kind) {
      case 'buy':
      case 'sell':
        return this.#order(kind, args, nowMs);
      case 'cancel':
      case 'replace':
      case 'status':
        return this.#change(kind, args, nowMs);
      case 'watch':
      case 'unwatch':
        return this.#watch(kind, args[0], nowMs);
      case 'orders':
      case 'symbols':
        return this.#lane.send({ kind, id: this.#nextId() }, nowMs);
      default:
        if (this.#lane.raw === undefined) return `${commands}help | quit`;
        return kind === 'raw' ? this.#lane.raw(args, nowMs) : allCommands;
    }
  }

  #order(side: Traded['side'], args: readonly string[], nowMs: number): string | undefined {
    const [symbol, qty, ...more] = args;
    if (symbol === undefined || qty === undefined) return `${side} ${orderForm}`;
    const price = more.find((word) => /^\d/.test(word));
    const usual: HandLifetime = price === undefined ? 'ioc' : 'gtc';
    const lifetime = (['ioc', 'fok'] as const).find((word) => more.includes(word)) ?? usual;
    const how = { lifetime, isPostOnly: more.includes('post') };
    return this.#place(
      { kind: 'order', id: this.#nextId(), symbol, side, qty, price, ...how },
      nowMs,
    );
  }

  #change(
    kind: 'cancel' | 'replace' | 'status',
    [of = '', qty, price]: readonly string[],
    nowMs: number,
  ): string | undefined {
    const order = this.#orders.get(of);
    if (order === undefined) return `no order ${of} was sent from here or reported here`;
    const request = { id: this.#nextId(), of, ...order };
    if (kind !== 'replace') return this.#lane.send({ kind, ...request }, nowMs);
    if (qty === undefined || price === undefined) return 'replace ID QTY PRICE';
    return this.#place({ kind, ...request, qty, price }, nowMs);
  }

  #place(request: HandRequest & Traded, nowMs: number): string | undefined {
    const { id, side, symbol } = request;
    const problem = this.#lane.send(request, nowMs);
    if (problem === undefined) this.knows(id, { symbol, side });
    return problem;
  }

  #watch(kind: 'watch' | 'unwatch', symbol: string | undefined, nowMs: number): string | undefined {
    if (symbol === undefined) return 'watch SYMBOL, unwatch SYMBOL';
    const id = kind === 'watch' ? this.#nextId() : this.#watched.get(symbol);
    if (id === undefined) return `${symbol} is not watched`;
    if (kind === 'watch') this.#watched.set(symbol, id);
    else this.#watched.delete(symbol);
    this.#shownBooks.delete(id);
    return this.#lane.send({ kind, id, symbol }, nowMs);
  }

  #nextId(): string {
    this.#requests += 1;
    return `c${process.pid}-${this.#requests}`;
  }
}

/** The sessions of either protocol, as far as a client of one session needs them. */
interface HandDirectory<S extends Session> {
  readonly roster: {
    act(name: string, call: (session: S, now: { readonly wallMs: number }) => void): void;
    stop(name: string, text?: string): void;
  };
  attach(session: S, link: Link, first: Uint8Array): boolean;
  close(): void;
}

/** The trusted authorities, and the client's own certificate if the bridge requires one. */
export type HandTls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

export interface HandPeer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly tls?: HandTls | undefined;
}

const goodbyeMs = 200;

/** Connects, obeys what is typed, and logs out. */
export async function tradeByHand<S extends Session, App>(
  { host, port, tls }: HandPeer,
  directory: HandDirectory<S>,
  session: S & { readonly name: string },
  trader: HandTrader<App>,
): Promise<void> {
  let isConnected = false;
  const connector = new Connector({
    host,
    port,
    ...(tls && { tls: { ...tls, servername: host } }),
    clock: systemClock,
    attach: (link) => directory.attach(session, link, new Uint8Array()),
    notice: (notice) => {
      if (notice.kind === 'connected') isConnected = true;
      // The session knows the text of a Logout, the connector only why there is no connection.
      else trader.refuse(isConnected ? session.endReason : notice.reason);
    },
  });
  connector.start();
  try {
    await trader.entered;
    await converse(trader, (line) =>
      directory.roster.act(session.name, (_, now) => trader.obey(line, now.wallMs)),
    );
  } finally {
    connector.stop();
    directory.roster.stop(session.name, 'The client ends');
    await pause(goodbyeMs);
    directory.close();
  }
}

/** The last answer to a script is waited for, up to a limit. */
const quietMs = 1_500;
const longestWaitMs = 5_000;

async function converse<App>(trader: HandTrader<App>, obey: (line: string) => void): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, prompt: '> ', terminal: isTerminal });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() === 'quit') break;
    if (line.trim() !== '') obey(line);
    if (isTerminal) lines.prompt();
  }
  const endMs = Date.now() + longestWaitMs;
  while (!isTerminal && trader.idleMs < quietMs && Date.now() < endMs) await pause(50);
}
