/** The client that `causeway client --fixp` is: commands become messages of orders.xml, and what is heard has names. */

import { parseDecimal } from '../domain/units.ts';
import type { FixpApplication, FixpAppSession, FixpSessionEnd } from '../fixp/application.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { fixpSettings } from '../fixp/settings.ts';
import { inDecimals } from '../mapping/sbe/amounts.ts';
import {
  OrderFlags,
  OrdType,
  Scope,
  SecurityListRequestType,
  Side,
  SubscriptionRequestType,
  TimeInForce,
} from '../mapping/sbe/generated/codes.ts';
import { MarketDataRequest } from '../mapping/sbe/generated/market-data-request.ts';
import { NewOrderSingle } from '../mapping/sbe/generated/new-order-single.ts';
import { OrderCancelReplaceRequest } from '../mapping/sbe/generated/order-cancel-replace-request.ts';
import { OrderCancelRequest } from '../mapping/sbe/generated/order-cancel-request.ts';
import { OrderMassStatusRequest } from '../mapping/sbe/generated/order-mass-status-request.ts';
import { OrderStatusRequest } from '../mapping/sbe/generated/order-status-request.ts';
import { SecurityListRequest } from '../mapping/sbe/generated/security-list-request.ts';
import { shippedSchema } from '../mapping/sbe/shipped-schemas.ts';
import { systemClock } from '../runtime/clock.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import { isObject, type Json, type JsonMessage, type JsonObject } from '../sbe/json.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Turns } from '../store/turns.ts';
import { BookWatch, type HandTls, type HandTrader, Presence, tradeByHand } from './conversation.ts';

export const fixpCommands = `buy SYMBOL QTY [PRICE] [ioc|fok|post]   without a price: a market order
sell SYMBOL QTY [PRICE] [ioc|fok|post]
cancel ID                      an order by its ClOrdID
replace ID QTY PRICE           change it
status ID | orders             one order, or all that are open
watch SYMBOL | unwatch SYMBOL  its order book, as it changes
symbols                        what can be traded
help | quit`;

export interface FixpPeer {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly tls?: HandTls | undefined;
}

const maxMessageBytes = 64 * 1024;
const bookMessage = 'MarketDataSnapshot';

/** Trades until the input ends. */
export async function runFixpClient(peer: FixpPeer, isJson: boolean): Promise<void> {
  const turns = new Turns(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new FixpDirectory({ turns, clock: systemClock });
  const trader = new FixpTrader(isJson ? (telling) => console.log(JSON.stringify(telling)) : tell);
  const session = await directory.addClient({
    settings: fixpSettings({
      role: 'initiator',
      principal: peer.name,
      applicationSchemas: new Set([NewOrderSingle.schemaId]),
      maxMessageBytes,
      credentials: () => ({ username: peer.username, password: peer.password }),
    }),
    application: trader,
  });
  await tradeByHand(peer, directory, session, trader);
}

/** What the user sees, as text or as one JSON object a line. */
type Telling =
  | { readonly kind: 'established' }
  | { readonly kind: 'received' | 'sent'; readonly message: string; readonly fields: JsonObject }
  | { readonly kind: 'disconnected' | 'problem'; readonly reason: string };

function tell(telling: Telling): void {
  switch (telling.kind) {
    case 'established':
      console.log('established');
      return;
    case 'received':
    case 'sent': {
      const arrow = telling.kind === 'sent' ? '->' : '<-';
      console.log(`${arrow} ${telling.message}  ${textOf(inDecimals(telling.fields))}`);
      return;
    }
    case 'disconnected':
      console.log(`disconnected: ${telling.reason}`);
      return;
    case 'problem':
      console.log(telling.reason);
  }
}

/** Names and values, names of orders first; what was not said is left out. */
function textOf(fields: JsonObject): string {
  const said = Object.entries(fields).filter(([, value]) => !isUnsaid(value));
  return said
    .sort(([, a], [, b]) => Number(isObject(a)) - Number(isObject(b)))
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join('  ');
}

function isUnsaid(value: Json): boolean {
  if (Array.isArray(value)) return value.every((one) => one === 0);
  if (isObject(value)) return Object.values(value).every(isUnsaid);
  return value === null || value === '' || value === 'Unset';
}

function shown(value: Json): string {
  if (isObject(value)) return `(${textOf(value)})`;
  if (!Array.isArray(value)) return String(value).replace(/\p{Cc}/gu, '·');
  const isOctets = value.length === 32 && value.every((one) => typeof one === 'number');
  return isOctets
    ? `0x${Buffer.from(value as number[]).toString('hex')}`
    : `[${value.map(shown).join(' ')}]`;
}

class FixpTrader implements FixpApplication, HandTrader {
  readonly presence = new Presence();
  readonly #tell: (telling: Telling) => void;
  readonly #schema = shippedSchema('orders.xml');
  readonly #out = Buffer.alloc(1_024);
  readonly #order = new NewOrderSingle();
  readonly #cancel = new OrderCancelRequest();
  readonly #replace = new OrderCancelReplaceRequest();
  readonly #status = new OrderStatusRequest();
  readonly #orders = new OrderMassStatusRequest();
  readonly #watch = new MarketDataRequest();
  readonly #list = new SecurityListRequest();
  /** Symbol and side of each order of this client, which a change must say again. */
  readonly #sent = new Map<string, { readonly symbol: string; readonly side: number }>();
  readonly #books = new BookWatch();
  #session: FixpAppSession | undefined;

  constructor(tellUser: (telling: Telling) => void) {
    this.#tell = tellUser;
  }

  readonly problem = (reason: string): void => this.#tell({ kind: 'problem', reason });

  onEstablished(session: FixpAppSession): void {
    this.#session = session;
    this.#tell({ kind: 'established' });
    this.presence.enter();
  }

  onMessage(message: Uint8Array): void {
    this.presence.moved();
    this.#show('received', message);
  }

  onDisconnect(_: FixpAppSession, { reason }: FixpSessionEnd): void {
    this.#tell({ kind: 'disconnected', reason });
    this.presence.refuse(reason);
  }

  obey(line: string, nowMs: number): string | undefined {
    const [word = '', ...args] = line.trim().split(/\s+/);
    switch (word) {
      case 'buy':
      case 'sell':
        return this.#place(word === 'buy' ? Side.Buy : Side.Sell, args, nowMs);
      case 'cancel':
        return this.#cancels(args, nowMs);
      case 'replace':
        return this.#replaces(args, nowMs);
      case 'status':
        return this.#asks(args);
      case 'orders':
        this.#orders
          .encode(this.#out)
          .setScope(Scope.All)
          .setMassStatusReqId(this.presence.nextId());
        return this.#send(this.#orders.bytes);
      case 'watch':
      case 'unwatch':
        return this.#watches(args, word === 'watch');
      case 'symbols':
        this.#list
          .encode(this.#out)
          .setSecurityListRequestType(SecurityListRequestType.AllSecurities)
          .setSecurityReqId(this.presence.nextId());
        return this.#send(this.#list.bytes);
      default:
        return fixpCommands;
    }
  }

  #place(side: number, args: readonly string[], nowMs: number): string | undefined {
    const [symbol, qty = '', ...more] = args;
    const price = more.find((word) => /^\d/.test(word));
    const isPatient = price !== undefined && !more.includes('ioc') && !more.includes('fok');
    const id = this.presence.nextId();
    if (symbol === undefined) return 'buy SYMBOL QTY [PRICE] [ioc|fok|post]';
    this.#order
      .encode(this.#out)
      .setClOrdId(id)
      .setTransactTime(nowMs)
      .setTermsSide(side)
      .setTermsOrdType(price === undefined ? OrdType.Market : OrdType.Limit)
      .setTermsTimeInForce(
        isPatient
          ? TimeInForce.GoodTillCancel
          : more.includes('fok')
            ? TimeInForce.FillOrKill
            : TimeInForce.ImmediateOrCancel,
      )
      .setTermsFlags(more.includes('post') ? OrderFlags.PostOnly : 0);
    const wrong = putAmounts(this.#order, qty, price);
    if (wrong !== undefined) return wrong;
    this.#sent.set(id, { symbol, side });
    return this.#send(this.#order.setSymbol(symbol).bytes);
  }

  #cancels([id = '']: readonly string[], nowMs: number): string | undefined {
    const order = this.#sent.get(id);
    if (order === undefined) return `no order ${id} was sent from here`;
    this.#cancel
      .encode(this.#out)
      .setClOrdId(this.presence.nextId())
      .setTransactTime(nowMs)
      .setSide(order.side);
    return this.#send(this.#cancel.setOrigClOrdId(id).setSymbol(order.symbol).bytes);
  }

  #replaces([id = '', qty = '', price]: readonly string[], nowMs: number): string | undefined {
    const order = this.#sent.get(id);
    if (order === undefined) return `no order ${id} was sent from here`;
    if (price === undefined) return 'replace ID QTY PRICE';
    const newId = this.presence.nextId();
    this.#replace
      .encode(this.#out)
      .setClOrdId(newId)
      .setTransactTime(nowMs)
      .setTermsSide(order.side)
      .setTermsOrdType(OrdType.Limit)
      .setTermsTimeInForce(TimeInForce.GoodTillCancel);
    const wrong = putAmounts(this.#replace, qty, price);
    if (wrong !== undefined) return wrong;
    this.#sent.set(newId, order);
    return this.#send(this.#replace.setOrigClOrdId(id).setSymbol(order.symbol).bytes);
  }

  #asks([id = '']: readonly string[]): string | undefined {
    const order = this.#sent.get(id);
    if (order === undefined) return `no order ${id} was sent from here`;
    this.#status
      .encode(this.#out)
      .setSide(order.side)
      .setClOrdId(id)
      .setOrdStatusReqId(this.presence.nextId());
    return this.#send(this.#status.setSymbol(order.symbol).bytes);
  }

  #watches([symbol]: readonly string[], begins: boolean): string | undefined {
    if (symbol === undefined) return 'watch SYMBOL, unwatch SYMBOL';
    const id = begins ? this.presence.nextId() : this.#books.end(symbol);
    if (id === undefined) return `${symbol} is not watched`;
    if (begins) this.#books.begin(symbol, id);
    const { Subscribe, Unsubscribe } = SubscriptionRequestType;
    this.#watch
      .encode(this.#out)
      .setSubscriptionRequestType(begins ? Subscribe : Unsubscribe)
      .setMarketDepth(5);
    this.#watch.writeInstruments().add().setSymbol(symbol);
    return this.#send(this.#watch.setMdReqId(id).bytes);
  }

  #send(message: Uint8Array): string | undefined {
    this.presence.moved();
    this.#show('sent', message);
    const outcome = this.#session?.send(message, systemClock.now());
    return outcome === 'sent' ? undefined : 'not sent: the session is not established';
  }

  /** The bridge sends a book again and again, whether it has changed or not. */
  #isShown({ message, fields }: JsonMessage): boolean {
    const { Entries, MDReqID } = fields;
    return message === bookMessage && !this.#books.isNew(String(MDReqID), JSON.stringify(Entries));
  }

  #show(kind: 'received' | 'sent', message: Uint8Array): void {
    const told = decodeMessage(this.#schema, message);
    if (typeof told === 'string') this.problem(told);
    else if (this.#isShown(told)) return;
    else this.#tell({ kind, message: told.message, fields: told.fields });
  }
}

/** A quantity and a price as integers with the exponents in which they were written. */
function putAmounts(
  out: NewOrderSingle | OrderCancelReplaceRequest,
  qtyText: string,
  priceText: string | undefined,
): string | undefined {
  const qty = parseDecimal(qtyText);
  if (qty === undefined || qty.scale > 18) return `not a quantity: ${qtyText}`;
  out.setTermsQtyExponent(-qty.scale).setTermsOrderQtyBig(qty.mantissa);
  if (priceText === undefined) return undefined;
  const price = parseDecimal(priceText);
  if (price === undefined || price.scale > 18) return `not a price: ${priceText}`;
  out.setTermsPriceExponent(-price.scale).setTermsPriceBig(price.mantissa);
  return undefined;
}
