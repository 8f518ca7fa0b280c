/** `causeway client --fixp`: requests and responses by the names in orders.xml. */
import { ownHosting } from '../certify/own-connection.ts';
import { summaryOf } from '../console/sbe-message.ts';
import { parseDecimal } from '../domain/units.ts';
import type { FixpApplication, FixpAppSession } from '../fixp/application.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { fixpSettings, maxSentBytes } from '../fixp/settings.ts';
import { shippedSchema } from '../mapping/sbe/shipped-schemas.ts';
import { systemClock } from '../runtime/clock.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import { encodeMessage } from '../sbe/generic-encoder.ts';
import type { JsonMessage, JsonObject } from '../sbe/json.ts';
import {
  type HandLane,
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
  const lane = new FixpLane(print);
  const session = await directory.addClient({
    settings: fixpSettings({
      role: 'initiator',
      principal: peer.name,
      applicationSchemas: new Set([schema.id]),
      maxMessageBytes: maxSentBytes,
      credentials: () => ({ username: peer.username, password: peer.password }),
    }),
    application: lane.application,
  });
  await tradeByHand(peer, directory, session, lane.trader);
}

class FixpLane implements HandLane {
  readonly trader: HandTrader<FixpAppSession>;
  readonly application: FixpApplication;

  constructor(print: Print) {
    const trader = new HandTrader<FixpAppSession>(this, print);
    this.trader = trader;
    this.application = {
      onEstablished: (session) => trader.enter(session, 'established'),
      onMessage: (message) => this.#show('received', message),
      onDisconnect: trader.onDisconnect,
    };
  }

  send(request: HandRequest, nowMs: number): string | undefined {
    const json = messageOf(request, nowMs);
    if (typeof json === 'string') return json;
    const message = encodeMessage(schema, json);
    this.#show('sent', message);
    const outcome = this.trader.session?.send(message, systemClock.now());
    return outcome === 'sent' ? undefined : 'not sent: the session is not established';
  }

  #show(kind: 'received' | 'sent', bytes: Uint8Array): void {
    this.trader.moved();
    const decoded = decodeMessage(schema, bytes);
    if (typeof decoded === 'string') {
      this.trader.print(decoded, { kind: 'problem', reason: decoded });
      return;
    }
    const { fields, message } = decoded;
    const { Entries, MDReqID } = fields;
    // The bridge sends a book repeatedly, whether it has changed or not.
    const isOldBook =
      message === bookMessage && !this.trader.isNewBook(String(MDReqID), JSON.stringify(Entries));
    if (isOldBook) return;
    const facts = summaryOf(fields).map(([name, value]) => `${name}=${value}`);
    const text = `${message}  ${facts.join('  ')}`.replace(/\p{Cc}/gu, '·');
    this.trader.print(`${kind === 'sent' ? '->' : '<-'} ${text}`, { kind, message, fields });
  }
}

const sides = { buy: 'Buy', sell: 'Sell' } as const;
const lifetimes = { gtc: 'GoodTillCancel', ioc: 'ImmediateOrCancel', fok: 'FillOrKill' } as const;

/** Fields that the user does not choose; the encoder needs every field that is not optional. */
const Instrument = { MarketId: null, Book: 'Unset' };
const OrderID = Array<number>(32).fill(0);
const unset = 'Unset';
const modes = { StpMode: unset, TriggerDirection: unset, ConditionalKind: unset, AlgoKind: unset };
const plainTerms = {
  ...modes,
  OrdType: 'Limit',
  TimeInForce: lifetimes.gtc,
  Flags: [],
  PriceExponent: 0,
  Currency: '',
};

/** Returns the message, or the fault in the request as text. */
function messageOf(request: HandRequest, nowMs: number): JsonMessage | string {
  const { id, kind } = request;
  const named = { ClOrdID: id, TransactTime: nowMs, Instrument };
  switch (kind) {
    case 'order': {
      const { isPostOnly, lifetime, price, qty, side, symbol } = request;
      const amounts = amountsOf(qty, price);
      if (typeof amounts === 'string') return amounts;
      const Terms = {
        ...plainTerms,
        ...amounts,
        Side: sides[side],
        OrdType: price === undefined ? 'Market' : 'Limit',
        TimeInForce: lifetimes[lifetime],
        Flags: isPostOnly ? ['PostOnly'] : [],
      };
      const fields = { ...named, Flags: [], Terms, Symbol: symbol };
      return { message: 'NewOrderSingle', fields };
    }
    case 'replace': {
      const { of, price, qty, side, symbol } = request;
      const amounts = amountsOf(qty, price);
      if (typeof amounts === 'string') return amounts;
      const Terms = { ...plainTerms, ...amounts, Side: sides[side] };
      const fields = { ...named, OrderID, Terms, OrigClOrdID: of, Symbol: symbol };
      return { message: 'OrderCancelReplaceRequest', fields };
    }
    case 'cancel': {
      const { of, side, symbol } = request;
      const fields = { ...named, OrderID, Side: sides[side], OrigClOrdID: of, Symbol: symbol };
      return { message: 'OrderCancelRequest', fields };
    }
    case 'status': {
      const { of, side, symbol } = request;
      const named = { ClOrdID: of, OrdStatusReqID: id, Symbol: symbol };
      return {
        message: 'OrderStatusRequest',
        fields: { ...named, OrderID, Instrument, Side: sides[side] },
      };
    }
    case 'orders':
      return {
        message: 'OrderMassStatusRequest',
        fields: { Scope: 'All', Instrument, MassStatusReqID: id },
      };
    case 'watch':
    case 'unwatch': {
      const SubscriptionRequestType = kind === 'watch' ? 'Subscribe' : 'Unsubscribe';
      const Instruments = [{ Instrument, Symbol: request.symbol }];
      const fields = { SubscriptionRequestType, MarketDepth: 5, Instruments, MDReqID: id };
      return { message: 'MarketDataRequest', fields };
    }
    case 'symbols': {
      const fields = { SecurityListRequestType: 'AllSecurities', Instrument, SecurityReqID: id };
      return { message: 'SecurityListRequest', fields };
    }
  }
}

/** Converts quantity and price to integers with the exponents in which they were written. */
function amountsOf(qtyText: string, priceText: string | undefined): JsonObject | string {
  const qty = parseDecimal(qtyText);
  if (qty === undefined || qty.scale > 18) return `not a quantity: ${qtyText}`;
  const amounts = { QtyExponent: -qty.scale, OrderQty: String(qty.mantissa) };
  if (priceText === undefined) return amounts;
  const price = parseDecimal(priceText);
  if (price === undefined || price.scale > 18) return `not a price: ${priceText}`;
  return { ...amounts, PriceExponent: -price.scale, Price: String(price.mantissa) };
}
