/** A NewOrderSingle(100) as its client wrote it. */
import { maxSentChars, type SentOrder, sideTexts } from '../../domain/sent-order.ts';
import { formatAtoms, maxScale } from '../../domain/units.ts';
import { lifetimes, ordTypes, sides } from './codes.ts';
import type { NewOrderSingle } from './generated/messages.ts';

export function sentOrder(m: NewOrderSingle): SentOrder {
  const side = sides.word(m.termsSide);
  const price = m.termsPriceBig;
  const marketId = m.instrumentMarketIdBig ?? '';
  return {
    clOrdId: m.clOrdId.slice(0, maxSentChars),
    account: m.account.slice(0, maxSentChars),
    symbol: m.symbol.slice(0, maxSentChars) || String(marketId),
    side: side === undefined ? '' : sideTexts[side],
    qty: amount(m.termsOrderQtyBig, m.termsQtyExponent),
    price: price === undefined ? null : amount(price, m.termsPriceExponent),
    ordType: ordTypes.word(m.termsOrdType) ?? '',
    timeInForce: lifetimes.word(m.termsTimeInForce) ?? 'day',
  };
}

/** Empty for an exponent that no amount may have. */
function amount(mantissa: bigint, exponent: number): string {
  return exponent <= 0 && exponent >= -maxScale ? formatAtoms(mantissa, -exponent) : '';
}
