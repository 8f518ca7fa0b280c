/**
 * What `exactJson` would write of what every order leaves in the journal: its entry, its being sent, its events, its
 * action. Member by member and without looking at what comes, in a third of the time: a client waits for it.
 */
import type { Fill, StreamEvent } from '../domain/event.ts';
import { exactJson } from '../domain/exact-json.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Owner } from '../domain/order.ts';
import type { Terms } from '../domain/terms.ts';
import type { DeskInput } from './desk.ts';
import type { PreparedAction } from './prepared-action.ts';

type Entry = Extract<DeskInput, { kind: 'entry' }>;
type OfOrder = Extract<DeskInput, { kind: 'order' }>;

/** The venue's list of instruments changes seldom, and every new order names one of them whole. */
const instrumentTexts = new WeakMap<Instrument, string>();

export function inputJson(input: DeskInput): string {
  switch (input.kind) {
    case 'entry':
      return entryJson(input);
    case 'event':
      return `{"kind":"event","event":${eventJson(input.event)}}`;
    case 'order':
      return orderJson(input);
    default:
      return exactJson(input);
  }
}

export function actionJson(action: PreparedAction): string {
  const { key, requestId, nonce, actionHash, orderId, canonical } = action;
  return `{"key":${text(key)},"requestId":${text(requestId)},"nonce":${amount(nonce)},"actionHash":"${actionHash}","orderId":${word(orderId)},"canonical":${JSON.stringify(canonical)}}`;
}

function entryJson({ owner, clOrdId, instrument, terms, nowMs }: Entry): string {
  let named = instrumentTexts.get(instrument);
  if (named === undefined) {
    named = exactJson(instrument);
    instrumentTexts.set(instrument, named);
  }
  return `{"kind":"entry","owner":${ownerJson(owner)},"clOrdId":${text(clOrdId)},"terms":${termsJson(terms)},"nowMs":${nowMs},"instrument":${named}}`;
}

function ownerJson({ session, account, accountName, tag, key, quoteId, slot }: Owner): string {
  const last = slot === undefined ? '}' : `,"slot":${text(slot)}}`;
  return `{"session":${text(session)},"account":"${account}","accountName":${text(accountName)},"tag":${text(tag)},"key":${text(key)},"quoteId":${maybe(quoteId)}${last}`;
}

function termsJson(terms: Terms): string {
  const { side, ordType, lifetime, qty, price, limitPrice, timeInForce, isMarket, stp } = terms;
  const { cancelAtMs, expiresAtMs, reduceOnly, strategy, trigger } = terms;
  const special = `"strategy":${exactJson(strategy)},"trigger":${exactJson(trigger)}`;
  return `{"side":"${side}","ordType":"${ordType}","lifetime":"${lifetime}","qty":${amount(qty)},"price":${amount(price)},"limitPrice":${amount(limitPrice)},"timeInForce":"${timeInForce}","expiresAtMs":${expiresAtMs},"cancelAtMs":${cancelAtMs},"isMarket":${isMarket},"reduceOnly":${reduceOnly},"stp":${word(stp)},${special}}`;
}

function orderJson(input: OfOrder): string {
  const sent = input.input;
  if (sent.kind !== 'sent' || sent.legIds !== undefined) return exactJson(input);
  const { requestId, actionHash, orderId, firedOrderId, nowMs } = sent;
  const fired = firedOrderId === undefined ? '' : `"firedOrderId":${word(firedOrderId)},`;
  return `{"kind":"order","key":${text(input.key)},"input":{"kind":"sent","requestId":${text(requestId)},"actionHash":"${actionHash}","orderId":${word(orderId)},${fired}"nowMs":${nowMs}}}`;
}

function eventJson(event: StreamEvent): string {
  const { seq, prevSeq, kind, account, market, book, orderId, parentOrderId, legIndex } = event;
  const { clientOrderId, nonce, actionHash, side, price, qty, filledQty, leavesQty } = event;
  const { status, reason, fill, nonceConsumed, engineTsMs, serverTsMs } = event;
  const whose = `"seq":${seq},"prevSeq":${prevSeq},"kind":"${kind}","account":"${account}","market":${market},"book":${word(book)},"orderId":${word(orderId)},"parentOrderId":${word(parentOrderId)},"legIndex":${legIndex},"clientOrderId":${maybe(clientOrderId)},"nonce":${amount(nonce)},"actionHash":${word(actionHash)}`;
  const what = `"side":${word(side)},"price":${amount(price)},"qty":${amount(qty)},"filledQty":${amount(filledQty)},"leavesQty":${amount(leavesQty)},"status":${word(status)}`;
  return `{${whose},${what},"reason":${exactJson(reason)},"fill":${fillJson(fill)},"nonceConsumed":${nonceConsumed},"engineTsMs":${engineTsMs},"serverTsMs":${serverTsMs}}`;
}

function fillJson(fill: Fill | null): string {
  if (fill === null) return 'null';
  const { fillId, price, qty, feeMicro, liquidity, tsMs } = fill;
  return `{"fillId":${text(fillId)},"price":${amount(price)},"qty":${amount(qty)},"feeMicro":${amount(feeMicro)},"liquidity":"${liquidity}","tsMs":${tsMs}}`;
}

/** Words of our own, and what was read as hex digits: nothing in them needs an escape. */
function word(value: string | null): string {
  return value === null ? 'null' : `"${value}"`;
}

function amount(value: bigint | null): string {
  return value === null ? 'null' : `{"$":"${value}"}`;
}

function maybe(value: string | null): string {
  return value === null ? 'null' : text(value);
}

/** What others have chosen. */
function text(value: string): string {
  return exactJson(value);
}
