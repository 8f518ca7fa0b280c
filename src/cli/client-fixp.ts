/** `causeway client --fixp`: requests and responses by the names in orders.xml. */
import { applicationMessage } from '../certify/fixp-line.ts';
import { LineError } from '../certify/line.ts';
import { ownHosting } from '../certify/own-connection.ts';
import { summaryOf } from '../console/sbe-message.ts';
import type { FixpAppSession } from '../fixp/application.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { fixpSettings, maxSentBytes } from '../fixp/settings.ts';
import { shippedSchema } from '../mapping/sbe/shipped-schemas.ts';
import { systemClock } from '../runtime/clock.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import {
  type HandPeer,
  type HandRequest,
  HandTrader,
  type Print,
  tradeByHand,
} from './conversation.ts';

export interface FixpPeer extends HandPeer {
  readonly name: string;
}

const bookMessage = 'MarketDataSnapshot';
const schema = shippedSchema('orders.xml');

/** Trades until the input ends. */
export async function runFixpClient(peer: FixpPeer, print: Print): Promise<void> {
  await using own = await ownHosting();
  const directory = new FixpDirectory(own.hosting);
  const trader: Trader = new HandTrader({ send: (...asked) => send(trader, ...asked) }, print);
  const session = await directory.addClient({
    settings: fixpSettings({
      role: 'initiator',
      principal: peer.name,
      applicationSchemas: new Set([schema.id]),
      maxMessageBytes: maxSentBytes,
      credentials: () => ({ username: peer.username, password: peer.password }),
    }),
    application: {
      onEstablished: (session) => trader.enter(session, 'established'),
      onMessage: (message) => show(trader, 'received', message),
      onDisconnect: trader.onDisconnect,
    },
  });
  await tradeByHand(peer, directory, session, trader);
}

type Trader = HandTrader<FixpAppSession>;

function send(trader: Trader, request: HandRequest, nowMs: number): string | undefined {
  let message: Uint8Array;
  try {
    message = applicationMessage(lineOf(request), nowMs);
  } catch (error) {
    if (error instanceof LineError) return error.message;
    throw error;
  }
  show(trader, 'sent', message);
  const outcome = trader.session?.send(message, systemClock.now());
  return outcome === 'sent' ? undefined : 'not sent: the session is not established';
}

function show(trader: Trader, kind: 'received' | 'sent', bytes: Uint8Array): void {
  trader.noteActivity();
  const decoded = decodeMessage(schema, bytes);
  if (typeof decoded === 'string') {
    trader.print(decoded, { kind: 'problem', reason: decoded });
    return;
  }
  const { fields, message } = decoded;
  const { Entries, MDReqID } = fields;
  // The bridge sends a book repeatedly, whether it has changed or not.
  const isOldBook =
    message === bookMessage && !trader.isNewBook(String(MDReqID), JSON.stringify(Entries));
  if (isOldBook) return;
  const facts = summaryOf(fields).map(([name, value]) => `${name}=${value}`);
  const text = `${message}  ${facts.join('  ')}`.replace(/\p{Cc}/gu, '·');
  trader.print(`${kind === 'sent' ? '->' : '<-'} ${text}`, { kind, message, fields });
}

const sides = { buy: 'Buy', sell: 'Sell' } as const;
const lifetimes = { gtc: 'GoodTillCancel', ioc: 'ImmediateOrCancel', fok: 'FillOrKill' } as const;

/** The message as in a scenario of a certification, without the fields that the user does not choose. */
export function lineOf(request: HandRequest): string {
  const { id, kind } = request;
  switch (kind) {
    case 'order': {
      const { isPostOnly, lifetime, price, qty, side, symbol } = request;
      const post = isPostOnly ? '|Terms.Flags=PostOnly' : '';
      const type = price === undefined ? 'OrdType=Market' : `OrdType=Limit|Price=${price}`;
      return `NewOrderSingle|ClOrdID=${id}|Symbol=${symbol}|Side=${sides[side]}|OrderQty=${qty}|${type}|TimeInForce=${lifetimes[lifetime]}${post}`;
    }
    case 'replace': {
      const { of, price, qty, side, symbol } = request;
      return `OrderCancelReplaceRequest|OrigClOrdID=${of}|ClOrdID=${id}|Symbol=${symbol}|Side=${sides[side]}|OrderQty=${qty}|OrdType=Limit|Price=${price}|TimeInForce=${lifetimes.gtc}`;
    }
    case 'cancel':
      return `OrderCancelRequest|OrigClOrdID=${request.of}|ClOrdID=${id}|Symbol=${request.symbol}|Side=${sides[request.side]}`;
    case 'status':
      return `OrderStatusRequest|ClOrdID=${request.of}|OrdStatusReqID=${id}|Symbol=${request.symbol}|Side=${sides[request.side]}`;
    case 'orders':
      return `OrderMassStatusRequest|MassStatusReqID=${id}|Scope=All`;
    case 'watch':
    case 'unwatch': {
      const subscription = kind === 'watch' ? 'Subscribe' : 'Unsubscribe';
      return `MarketDataRequest|MDReqID=${id}|SubscriptionRequestType=${subscription}|MarketDepth=5|Instruments.Symbol=${request.symbol}`;
    }
    case 'symbols':
      return `SecurityListRequest|SecurityReqID=${id}|SecurityListRequestType=AllSecurities`;
  }
}
