/** A new order as its FIXP client wrote it, whatever that is worth. */
import { expect, test } from 'vitest';
import type { NewOrderSingle } from '../../../src/mapping/sbe/generated/messages.ts';
import { takeRequest } from '../../../src/mapping/sbe/requests.ts';
import { sentOrder } from '../../../src/mapping/sbe/sent-order.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import { orders, requestOf } from '../../acceptance/parity/fixp-words.ts';

const line = 'D|11=O1|1=desk|55=BTC-USDC|54=2|60=now|38=1.5|40=2|44=10|59=3|';

function requested(text = line) {
  const request = takeRequest(encodeMessage(orders, requestOf(text)));
  if (typeof request === 'string') throw new Error(request);
  return request;
}

test('values are in the words of the console', () => {
  expect(requested().id()).toBe('O1');
  expect(requested().order()).toEqual({
    ...{ clOrdId: 'O1', account: 'desk', symbol: 'BTC-USDC', side: 'Sell', qty: '1.5' },
    ...{ price: '10', ordType: 'limit', timeInForce: 'ioc' },
  });
});

test('what has no meaning is empty, and text is kept up to 64 characters', () => {
  const names = { clOrdId: 'O1', account: '', symbol: 'x'.repeat(100), instrumentBook: 0 };
  const terms = { termsOrderQtyBig: 1n, termsQtyExponent: 5, termsPriceBig: 15n };
  const sent = { ...names, ...terms, termsPriceExponent: -1, termsSide: 7 };
  const shown = { qty: '', price: '1.5', side: '', symbol: 'x'.repeat(64), ordType: '' };
  expect(sentOrder(sent as NewOrderSingle)).toMatchObject(shown);
});

test('only a new order is one', () => {
  const cancel = requested('F|11=C1|41=O1|55=BTC-USDC|54=2|60=now|');
  expect([cancel.id(), cancel.order()]).toEqual(['C1', null]);
});
