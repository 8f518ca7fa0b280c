/** Commands that a person types, or a script holds, one a line; a script is given time to hear its last answers. */
import { createInterface } from 'node:readline';
import type { ConnectionOptions } from 'node:tls';
import { systemClock } from '../runtime/clock.ts';
import { Connector } from '../transport/connector.ts';
import type { Link } from '../transport/link.ts';
import type { Session } from '../transport/session.ts';
import { Failure, noLogon } from './advice.ts';

/** Whoever trades by hand, whatever it speaks. */
export interface HandTrader {
  readonly presence: Presence;
  readonly problem: (text: string) => void;
  /** Says what is wrong with the line, or undefined. */
  obey(line: string, nowMs: number): string | undefined;
}

/** Whether a trader was let in, when it last heard or said something, and what it calls what it sends. */
export class Presence {
  /** Once the other side has let it in. */
  readonly entered: Promise<void>;
  #enter = () => {};
  #fail = (_: Error) => {};
  #count = 0;
  #lastMs = Date.now();

  constructor() {
    this.entered = new Promise((resolve, reject) => {
      this.#enter = resolve;
      this.#fail = reject;
    });
  }

  get idleMs(): number {
    return Date.now() - this.#lastMs;
  }

  /** Something was heard or said. */
  moved(): void {
    this.#lastMs = Date.now();
  }

  enter(): void {
    this.#enter();
  }

  /** Before it is let in this ends the client, with what the other side said. */
  refuse(reason: string): void {
    this.#fail(new Failure(`not let in: ${reason}`, noLogon));
  }

  nextId(): string {
    this.#count += 1;
    return `c${process.pid}-${this.#count}`;
  }
}

/** Order books that are watched: by which id each is stopped, and what was shown of it last. */
export class BookWatch {
  readonly #ids = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  begin(symbol: string, id: string): void {
    this.#ids.set(symbol, id);
  }

  /** The id by which the book was asked for; undefined where it was not. */
  end(symbol: string): string | undefined {
    const id = this.#ids.get(symbol);
    this.#ids.delete(symbol);
    if (id !== undefined) this.#shown.delete(id);
    return id;
  }

  /** False for a book, by the id that it was asked for with, that is as it was shown last. */
  isNew(id: string, book: string): boolean {
    if (this.#shown.get(id) === book) return false;
    this.#shown.set(id, book);
    return true;
  }
}

/** The sessions of either protocol, as far as a client of one session needs them. */
export interface HandDirectory<S extends Session> {
  readonly roster: {
    act(name: string, call: (session: S, now: { readonly wallMs: number }) => void): void;
    stop(name: string, text?: string): void;
  };
  attach(session: S, link: Link, first: Uint8Array): boolean;
  close(): void;
}

/** Who is trusted, and who connects where the bridge asks for a certificate. */
export type HandTls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

const goodbyeMs = 200;

/** Connects, does what is typed, and leaves in good order. */
export async function tradeByHand<S extends Session>(
  { host, port, tls }: { readonly host: string; readonly port: number; tls?: HandTls | undefined },
  directory: HandDirectory<S>,
  session: S & { readonly name: string },
  trader: HandTrader,
): Promise<void> {
  const connector = new Connector({
    host,
    port,
    ...(tls && { tls: { ...tls, servername: host } }),
    clock: systemClock,
    attach: (link) => directory.attach(session, link, new Uint8Array()),
    notice: (notice) => {
      if (notice.kind === 'disconnected') trader.presence.refuse(notice.reason);
    },
  });
  connector.start();
  try {
    await trader.presence.entered;
    await converse(trader, (call) =>
      directory.roster.act(session.name, (_, now) => call(now.wallMs)),
    );
  } finally {
    connector.stop();
    directory.roster.stop(session.name, 'The client ends');
    await new Promise((resolve) => setTimeout(resolve, goodbyeMs));
    directory.close();
  }
}

/** What ends a script: its last answer is waited for, but not for ever. */
const quietMs = 1_500;
const longestWaitMs = 5_000;

/** `act` makes a turn of each command. */
async function converse(
  trader: HandTrader,
  act: (call: (nowMs: number) => void) => void,
): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, prompt: '> ', terminal: isTerminal });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() === 'quit') break;
    if (line.trim() !== '') {
      act((nowMs) => {
        const wrong = trader.obey(line, nowMs);
        if (wrong !== undefined) trader.problem(wrong);
      });
    }
    if (isTerminal) lines.prompt();
  }
  const endMs = Date.now() + longestWaitMs;
  while (!isTerminal && trader.presence.idleMs < quietMs && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
