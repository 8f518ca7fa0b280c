/**
 * Trading by hand: commands that a person types or a script contains, one per line. Commands are the same for both
 * protocols; a lane (`client-fix.ts`, `client-fixp.ts`) converts them to messages. A script gets time to receive its
 * last responses.
 */
import { isIP } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { systemClock } from '../runtime/clock.ts';
import { Connector } from '../transport/connector.ts';
import type { Link } from '../transport/link.ts';
import type { Session } from '../transport/session.ts';
import { Failure, noLogon } from './advice.ts';

/** The order fields that a cancel and a replace must repeat. */
interface Traded {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
}

type HandLifetime = 'gtc' | 'ioc' | 'fok';

/** `id` identifies the request, `of` the order that it concerns. */
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

/** One protocol: `send` and `raw` return the fault in the request, or undefined once it is sent. */
export interface HandLane {
  send(request: HandRequest, nowMs: number): string | undefined;
  /** Sends any message of a protocol that can be typed. */
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
  readonly #lane: HandLane;
  readonly #entry = Promise.withResolvers<void>();
  readonly #orders = new Map<string, Traded>();
  /** Subscribed books: the id of each request, and what was last displayed. */
  readonly #watched = new Map<string, string>();
  readonly #shownBooks = new Map<string, string>();
  #requests = 0;
  #lastMs = Date.now();

  constructor(lane: HandLane, print: Print) {
    this.#lane = lane;
    this.print = print;
  }

  /** Resolves when the other side has accepted the logon; rejects with its response if it does not. */
  get entered(): Promise<void> {
    return this.#entry.promise;
  }

  get idleMs(): number {
    return Date.now() - this.#lastMs;
  }

  /** A message was sent or received. */
  noteActivity(): void {
    this.#lastMs = Date.now();
  }

  /** Called by an application when the session is logged on or established. */
  enter(session: S, text: string): void {
    this.session = session;
    this.print(text, { kind: text.replace(' ', '_') });
    this.#entry.resolve();
  }

  readonly onDisconnect = (_: S, { reason }: { readonly reason: string }): void => {
    this.print(`disconnected: ${reason}`, { kind: 'disconnected', reason });
    this.refuse(reason);
  };

  /** Ends the client if the logon was not accepted yet. */
  refuse(reason: string): void {
    this.#entry.reject(new Failure(`logon refused: ${reason}`, noLogon));
  }

  /** Records an order that the other side reported, or that was sent from here. */
  noteOrder(id: string, order: Traded): void {
    this.#orders.set(id, order);
  }

  /** Returns false if the book, by its request id, is the same as when it was last displayed. */
  isNewBook(id: string, book: string): boolean {
    if (this.#shownBooks.get(id) === book) return false;
    this.#shownBooks.set(id, book);
    return true;
  }

  execute(line: string, nowMs: number): void {
    const problem = this.#execute(line.trim().split(/\s+/), nowMs);
    if (problem !== undefined) this.print(problem, { kind: 'problem', reason: problem });
  }

  /** Returns the fault in the command, if any. */
  #execute(words: readonly string[], nowMs: number): string | undefined {
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
    if (problem === undefined) this.noteOrder(id, { symbol, side });
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

/** The sessions of either protocol, as used by a client with one session. */
interface HandDirectory<S extends Session> {
  readonly roster: {
    act(name: string, call: (session: S, now: { readonly wallMs: number }) => void): void;
    stop(name: string, text?: string): void;
  };
  attach(session: S, link: Link, first: Uint8Array): boolean;
  close(): void;
}

/** The trusted CAs, and the client's own certificate if the bridge requires one. */
export type HandTls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

export interface HandPeer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly tls?: HandTls | undefined;
}

const goodbyeMs = 200;

/** A server name in a TLS handshake may not be an address (RFC 6066); the certificate is checked in any case. */
export function serverNamed(tls: HandTls, host: string): ConnectionOptions {
  return isIP(host) === 0 ? { ...tls, servername: host } : tls;
}

/** Connects, executes the typed commands, and logs out. */
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
    ...(tls && { tls: serverNamed(tls, host) }),
    clock: systemClock,
    attach: (link) => directory.attach(session, link, new Uint8Array()),
    notice: (notice) => {
      if (notice.kind === 'connected') isConnected = true;
      // The session has the text of a Logout; the connector only has the reason for a missing connection.
      else trader.refuse(isConnected ? session.endReason : notice.reason);
    },
  });
  connector.start();
  try {
    await trader.entered;
    await converse(trader, (line) =>
      directory.roster.act(session.name, (_, now) => trader.execute(line, now.wallMs)),
    );
  } finally {
    connector.stop();
    directory.roster.stop(session.name, 'The client ends');
    await pause(goodbyeMs);
    directory.close();
  }
}

/** How long a script waits for its last response. */
const quietMs = 1_500;
const longestWaitMs = 5_000;

async function converse<App>(
  trader: HandTrader<App>,
  execute: (line: string) => void,
): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, prompt: '> ', terminal: isTerminal });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() === 'quit') break;
    if (line.trim() !== '') execute(line);
    if (isTerminal) lines.prompt();
  }
  const endMs = Date.now() + longestWaitMs;
  while (!isTerminal && trader.idleMs < quietMs && Date.now() < endMs) await pause(50);
}
