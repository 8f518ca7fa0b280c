/** A NewOrderSingle(D) as its client wrote it. */
import { maxSentChars, type SentOrder, sideTexts } from '../../domain/sent-order.ts';
import type { FieldReader } from '../../fix/message.ts';
import { lifetimes, ordTypes, sides } from './codes.ts';

export function sentOrder(message: FieldReader): SentOrder {
  const text = (tag: number) => message.text(tag)?.slice(0, maxSentChars) ?? '';
  const side = sides.word(text(54));
  return {
    clOrdId: text(11),
    account: text(1),
    symbol: text(55) || text(48),
    side: side === undefined ? '' : sideTexts[side],
    qty: text(38),
    price: text(44) || null,
    ordType: ordTypes.word(text(40)) ?? text(40),
    timeInForce: lifetimes.word(text(59)) ?? (text(59) || 'day'),
  };
}
