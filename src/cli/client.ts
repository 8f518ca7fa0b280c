/** `causeway client`: a small interactive client of FIX or FIXP, to try a bridge by hand or from a script. */
import { readFileSync } from 'node:fs';
import type { Application, AppSession } from '../fix/application.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { Message } from '../fix/message.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionSettings } from '../fix/session-settings.ts';
import { systemClock } from '../runtime/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Turns } from '../store/turns.ts';
import { type FixpPeer, runFixpClient } from './client-fixp.ts';
import { command } from './command.ts';
import { BookWatch, type HandTls, type HandTrader, Presence, tradeByHand } from './conversation.ts';
import type { DemoSession } from './demo-files.ts';
import { messageJson, messageText } from './fix-text.ts';
import { readInfo } from './info-file.ts';
import { flag, integer, portRange, text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

const commands = `buy SYMBOL QTY [PRICE] [ioc|fok|post]   without a price: a market order
sell SYMBOL QTY [PRICE] [ioc|fok|post]
cancel ID                      an order by its ClOrdID
replace ID QTY PRICE           change it
status ID | orders             one order, or all that are open
watch SYMBOL | unwatch SYMBOL  its order book, as it changes
symbols                        what can be traded
raw TYPE TAG=VALUE …           any message, such as: raw q 11=m1 530=7 60=now
help | quit`;

interface Peer
  extends Pick<DemoSession, 'senderCompId' | 'targetCompId' | 'username' | 'password'> {
  readonly host: string;
  readonly port: number;
  readonly tls?: HandTls | undefined;
}

export const verb = command({
  name: 'client',
  summary: 'trade by hand over FIX or FIXP',
  forms: [
    '--info FILE [--session COMPID]',
    '--host H --port P --sender COMPID --target COMPID --user NAME --password-file FILE',
    '--fixp --info FILE [--session NAME]',
    '--fixp --host H --port P --user NAME --password-file FILE',
  ],
  about: 'Connects as a client of FIX 4.4, or of FIXP, and shows each message with names.',
  options: {
    info: text('FILE', 'what "causeway demo --info FILE" wrote'),
    session: text('COMPID', 'which of its sessions; the first for order entry when absent'),
    host: text('H', 'where the bridge is', '127.0.0.1'),
    fixp: flag('speak FIXP and SBE'),
    port: integer('P', 'its port', portRange),
    sender: text('COMPID', 'SenderCompID(49)'),
    target: text('COMPID', 'TargetCompID(56)'),
    user: text('NAME', 'Username(553)', ''),
    'password-file': text('FILE', 'the password of the user'),
    tls: flag('connect over TLS; implied by the files below'),
    ca: text('FILE', 'certificates that are trusted, as PEM; those of the system when absent'),
    cert: text('FILE', 'certificate of the client, where the bridge asks for one'),
    key: text('FILE', 'its key'),
  },
  notes: `Commands on standard input, one a line:\n\n  ${commands.replaceAll('\n', '\n  ')}`,
  examples: [
    'causeway client --info demo.json',
    "echo 'buy BTC-USDC 0.01 49000' | causeway client --info demo.json --session BRAVO",
    "echo 'buy BTC-USDC 0.01 49000' | causeway client --fixp --info demo.json",
  ],
  async run({ info, session: compId, json, fixp, tls: isTls, ca, cert, key, ...values }) {
    const tls = tlsOf(isTls, { ca, cert, key });
    if (fixp) {
      const peer = info === undefined ? givenFixp(values) : fixpFromInfo(info, compId);
      await runFixpClient({ ...peer, tls }, json);
      return exitCodes.done;
    }
    const peer = { ...(info === undefined ? given(values) : fromInfo(info, compId)), tls };
    const turns = new Turns(new MemoryStore(), (error) => {
      throw error;
    });
    const directory = new SessionDirectory({ dictionary: causeway44(), turns, clock: systemClock });
    const trader = new Trader(json ? tellJson : tellText);
    const session = await directory.add({
      settings: sessionSettings({
        identity: { senderCompId: peer.senderCompId, targetCompId: peer.targetCompId },
        role: 'initiator',
        allowsReset: true,
        resetsOnLogon: true,
        credentials: () => ({ username: peer.username, password: peer.password }),
      }),
      application: trader,
    });
    await tradeByHand(peer, directory, session, trader);
    return exitCodes.done;
  },
});

/** What the user sees, as text or as one JSON object a line. */
type Telling =
  | { readonly kind: 'logged_on' }
  | { readonly kind: 'received'; readonly message: Message }
  | { readonly kind: 'sent'; readonly msgType: string; readonly fields: string }
  | { readonly kind: 'disconnected' | 'problem'; readonly reason: string };
type Tell = (telling: Telling) => void;

function tellText(telling: Telling): void {
  console.log(textOf(telling));
}

function textOf(telling: Telling): string {
  switch (telling.kind) {
    case 'logged_on':
      return 'logged on';
    case 'received':
      return `<- ${messageText(telling.message)}`;
    case 'sent':
      return `-> 35=${telling.msgType} ${telling.fields}`;
    case 'disconnected':
      return `disconnected: ${telling.reason}`;
    case 'problem':
      return telling.reason;
  }
}

function tellJson(telling: Telling): void {
  if (telling.kind !== 'received') console.log(JSON.stringify(telling));
  else console.log(JSON.stringify({ kind: 'received', ...messageJson(telling.message) }));
}

class Trader implements Application, HandTrader {
  readonly presence = new Presence();
  readonly #tell: Tell;
  readonly #out = new FieldWriter();
  readonly #books = new BookWatch();
  #session: AppSession | undefined;
  /** Symbol(55) and Side(54) of each order sent or heard of, which a cancel must say again. */
  readonly #orders = new Map<string, { readonly symbol: string; readonly side: string }>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly problem = (reason: string): void => this.#tell({ kind: 'problem', reason });

  onLogon(session: AppSession): void {
    this.#session = session;
    this.#tell({ kind: 'logged_on' });
    this.presence.enter();
  }

  onMessage(message: Message): void {
    this.presence.moved();
    const { msgType } = message;
    if (msgType === 'W' && !this.#books.isNew(message.text(262) ?? '', bookOf(message))) return;
    this.#tell({ kind: 'received', message });
    const id = message.text(11);
    const side = message.text(54);
    const symbol = message.text(55);
    if (message.msgType === '8' && id && side && symbol) this.#orders.set(id, { symbol, side });
  }

  onDisconnect(_: AppSession, { reason }: { readonly reason: string }): void {
    this.#tell({ kind: 'disconnected', reason });
    this.presence.refuse(reason);
  }

  /** Says what is wrong with the line, or undefined. */
  obey(line: string, nowMs: number): string | undefined {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    switch (word) {
      case 'buy':
      case 'sell':
        return this.#order(word === 'buy' ? '1' : '2', rest, nowMs);
      case 'cancel':
        return this.#change('F', rest, nowMs);
      case 'replace':
        return this.#change('G', rest, nowMs);
      case 'status':
        return this.#status(rest);
      case 'orders':
        return this.#send('AF', (out) => out.text(584, this.presence.nextId()).char(585, '7'));
      case 'watch':
      case 'unwatch':
        return this.#watch(rest, word === 'watch');
      case 'symbols':
        return this.#send('x', (out) => out.text(320, this.presence.nextId()).int(559, 4));
      case 'raw':
        return this.#raw(rest, nowMs);
      default:
        return commands;
    }
  }

  #order(side: string, args: readonly string[], nowMs: number): string | undefined {
    const [symbol, qty, ...more] = args;
    const price = more.find((word) => /^\d/.test(word));
    if (symbol === undefined || qty === undefined) return 'buy SYMBOL QTY [PRICE] [ioc|fok|post]';
    const lifetime = more.includes('fok') ? '4' : more.includes('ioc') || !price ? '3' : '1';
    const id = this.presence.nextId();
    this.#orders.set(id, { symbol, side });
    return this.#send('D', (out) => {
      out.text(11, id);
      if (more.includes('post')) out.text(18, '6');
      out.text(55, symbol).text(54, side).utc(60, nowMs).text(38, qty);
      out.char(40, price === undefined ? '1' : '2');
      if (price !== undefined) out.text(44, price);
      out.text(59, lifetime);
    });
  }

  #change(type: 'F' | 'G', args: readonly string[], nowMs: number): string | undefined {
    const [id = '', qty, price] = args;
    const order = this.#orders.get(id);
    if (order === undefined) return `no order ${id} was sent or heard of here`;
    if (type === 'G' && (qty === undefined || price === undefined)) return 'replace ID QTY PRICE';
    const newId = this.presence.nextId();
    if (type === 'G') this.#orders.set(newId, order);
    return this.#send(type, (out) => {
      out.text(41, id).text(11, newId).text(55, order.symbol).text(54, order.side);
      out.utc(60, nowMs);
      if (type === 'G')
        out
          .text(38, qty ?? '')
          .char(40, '2')
          .text(44, price ?? '')
          .char(59, '1');
    });
  }

  #status([id = '']: readonly string[]): string | undefined {
    const order = this.#orders.get(id);
    if (order === undefined) return `no order ${id} was sent or heard of here`;
    return this.#send('H', (out) =>
      out
        .text(11, id)
        .text(55, order.symbol)
        .text(54, order.side)
        .text(790, this.presence.nextId()),
    );
  }

  #watch([symbol]: readonly string[], begins: boolean): string | undefined {
    if (symbol === undefined) return 'watch SYMBOL, unwatch SYMBOL';
    const id = begins ? this.presence.nextId() : this.#books.end(symbol);
    if (id === undefined) return `${symbol} is not watched`;
    if (begins) this.#books.begin(symbol, id);
    return this.#send('V', (out) => {
      out
        .text(262, id)
        .char(263, begins ? '1' : '2')
        .int(264, 5)
        .int(265, 0);
      out.int(267, 2).char(269, '0').char(269, '1').int(146, 1).text(55, symbol);
    });
  }

  #raw([type, ...fields]: readonly string[], nowMs: number): string | undefined {
    const parsed = fields.map((field) => /^(\d+)=(.*)$/.exec(field));
    if (type === undefined || parsed.includes(null)) return 'raw TYPE TAG=VALUE …';
    return this.#send(type, (out) => {
      for (const match of parsed) {
        const [, tag = '', value = ''] = match ?? [];
        if (value === 'now') out.utc(Number(tag), nowMs);
        else out.text(Number(tag), value);
      }
    });
  }

  #send(msgType: string, write: (out: FieldWriter) => void): undefined {
    write(this.#out.clear());
    const now = systemClock.now();
    const fields = Buffer.from(this.#out.bytes).toString().replaceAll('\x01', ' ');
    this.#tell({ kind: 'sent', msgType, fields });
    this.presence.moved();
    this.#session?.send(msgType, this.#out.bytes, now);
  }
}

/** What a snapshot says of the book, without its number and its time. */
function bookOf(message: Message): string {
  const said = [...message.fields()].filter(({ tag }) => tag > 262 && tag < 5000);
  return said.map(({ tag, value }) => `${tag}=${Buffer.from(value)}`).join('|');
}

type TlsFiles = Readonly<Record<'ca' | 'cert' | 'key', string | undefined>>;

function tlsOf(isTls: boolean, files: TlsFiles): HandTls | undefined {
  const given = Object.entries(files).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFileSync(file)] as const],
  );
  return isTls || given.length > 0 ? Object.fromEntries(given) : undefined;
}

function fromInfo(file: string, compId: string | undefined): Peer {
  const { fix } = readInfo(file);
  const session = fix.sessions.find(({ senderCompId, role }) =>
    compId === undefined ? role === 'order-entry' : senderCompId === compId,
  );
  if (session === undefined) {
    const known = fix.sessions.map(({ senderCompId }) => senderCompId).join(', ');
    throw new UsageError(`--session ${compId}: ${file} has ${known}`);
  }
  return { ...session, host: fix.host, port: fix.port };
}

interface Given {
  readonly host: string;
  readonly port: number | undefined;
  readonly sender: string | undefined;
  readonly target: string | undefined;
  readonly user: string;
  readonly 'password-file': string | undefined;
}

function given({ host, port, sender, target, user, 'password-file': file }: Given): Peer {
  if (port === undefined || sender === undefined || target === undefined) {
    throw new UsageError('--info FILE, or --port, --sender and --target, are needed');
  }
  const password = file === undefined ? '' : readFileSync(file, 'utf8').trim();
  return { host, port, senderCompId: sender, targetCompId: target, username: user, password };
}

function fixpFromInfo(file: string, name: string | undefined): FixpPeer {
  const { fixp } = readInfo(file);
  if (fixp === undefined) throw new UsageError(`${file} names no FIXP port`);
  const session = fixp.sessions.find((one) =>
    name === undefined ? one.role === 'order-entry' : one.name === name,
  );
  if (session === undefined) {
    const known = fixp.sessions.map((one) => one.name).join(', ');
    throw new UsageError(`--session ${name}: ${file} has ${known}`);
  }
  return { ...session, host: fixp.host, port: fixp.port };
}

function givenFixp({ host, port, user, 'password-file': file }: Given): FixpPeer {
  if (port === undefined || user === '') {
    throw new UsageError('--info FILE, or --port and --user, are needed');
  }
  const password = file === undefined ? '' : readFileSync(file, 'utf8').trim();
  return { host, port, name: user, username: user, password };
}
