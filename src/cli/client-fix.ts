/** `causeway client` over FIX 4.4: each request is a line of `TAG=VALUE`, which a person may also type after `raw`. */
import { ownHosting } from '../certify/own-connection.ts';
import type { AppSession } from '../fix/application.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { Message } from '../fix/message.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionSettings } from '../fix/session-settings.ts';
import { systemClock } from '../runtime/clock.ts';
import {
  type HandPeer,
  type HandRequest,
  HandTrader,
  type Print,
  tradeByHand,
} from './conversation.ts';
import { messageJson, messageText } from './fix-text.ts';

export interface FixPeer extends HandPeer {
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** The directory in which sequence numbers are stored between runs; without it, each logon resets them. */
  readonly data?: string | undefined;
}

/** Trades until the input ends. */
export async function runFixClient(peer: FixPeer, print: Print): Promise<void> {
  const { data } = peer;
  await using own = await ownHosting(data);
  const directory = new SessionDirectory({ dictionary: causeway44(), ...own.hosting });
  const trader: Trader = new HandTrader(
    {
      send: (request, nowMs) => sendLine(trader, lineOf(request).split(' '), nowMs),
      raw: (words, nowMs) => sendLine(trader, words, nowMs),
    },
    print,
  );
  const session = await directory.add({
    settings: sessionSettings({
      identity: { senderCompId: peer.senderCompId, targetCompId: peer.targetCompId },
      role: 'initiator',
      allowsReset: true,
      resetsOnLogon: data === undefined,
      credentials: () => ({ username: peer.username, password: peer.password }),
    }),
    application: {
      onLogon: (session) => trader.enter(session, 'logged on'),
      onMessage: (message) => show(trader, message),
      onDisconnect: trader.onDisconnect,
      // Without this, a Reject(3) would be invisible: the session handles it, and it is no application message.
      onAlarm: (_session, { kind, text }) =>
        trader.print(`!! ${text}`, { kind: 'alarm', alarm: kind, text }),
    },
  });
  await tradeByHand(peer, directory, session, trader);
}

type Trader = HandTrader<AppSession>;

const sides = { buy: '1', sell: '2' } as const;
const lifetimes = { gtc: '1', ioc: '3', fok: '4' } as const;

function show(trader: Trader, message: Message): void {
  trader.noteActivity();
  const { msgType } = message;
  if (msgType === 'W' && !trader.isNewBook(message.text(262) ?? '', bookOf(message))) return;
  trader.print(`<- ${messageText(message)}`, { kind: 'received', ...messageJson(message) });
  const [id, side, symbol] = [11, 54, 55].map((tag) => message.text(tag));
  if (msgType !== '8' || !id || !side || !symbol) return;
  trader.noteOrder(id, { symbol, side: side === sides.buy ? 'buy' : 'sell' });
}

function sendLine(
  trader: Trader,
  [msgType, ...fields]: readonly string[],
  nowMs: number,
): string | undefined {
  const parsed = fields.map((field) => /^(\d+)=(.*)$/.exec(field));
  if (msgType === undefined || parsed.includes(null)) return 'raw TYPE TAG=VALUE …';
  const out = new FieldWriter();
  for (const match of parsed) {
    const [, tag = '', value = ''] = match ?? [];
    if (value === 'now') out.utc(Number(tag), nowMs);
    else out.text(Number(tag), value);
  }
  const sent = Buffer.from(out.bytes).toString().replaceAll('\x01', ' ');
  trader.print(`-> 35=${msgType} ${sent}`, { kind: 'sent', msgType, fields: sent });
  trader.noteActivity();
  trader.session?.send(msgType, out.bytes, systemClock.now());
  return undefined;
}

/** The message type and its fields, separated by spaces, which no value contains. */
function lineOf(request: HandRequest): string {
  const { id, kind } = request;
  switch (kind) {
    case 'order': {
      const { isPostOnly, lifetime, price, qty, side, symbol } = request;
      const post = isPostOnly ? ' 18=6' : '';
      const type = price === undefined ? '40=1' : `40=2 44=${price}`;
      return `D 11=${id}${post} 55=${symbol} 54=${sides[side]} 60=now 38=${qty} ${type} 59=${lifetimes[lifetime]}`;
    }
    case 'replace': {
      const { of, price, qty, side, symbol } = request;
      return `G 41=${of} 11=${id} 55=${symbol} 54=${sides[side]} 60=now 38=${qty} 40=2 44=${price} 59=1`;
    }
    case 'cancel':
      return `F 41=${request.of} 11=${id} 55=${request.symbol} 54=${sides[request.side]} 60=now`;
    case 'status':
      return `H 11=${request.of} 55=${request.symbol} 54=${sides[request.side]} 790=${id}`;
    case 'orders':
      return `AF 584=${id} 585=7`;
    case 'watch':
    case 'unwatch': {
      const subscription = kind === 'watch' ? 1 : 2;
      return `V 262=${id} 263=${subscription} 264=5 265=0 267=2 269=0 269=1 146=1 55=${request.symbol}`;
    }
    case 'symbols':
      return `x 320=${id} 559=4`;
  }
}

/** The content of a book, without the sequence number and time of its message. */
function bookOf(message: Message): string {
  const entries = [...message.fields()].filter(({ tag }) => tag > 262 && tag < 5000);
  return entries.map(({ tag, value }) => `${tag}=${Buffer.from(value)}`).join('|');
}
