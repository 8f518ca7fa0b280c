/** A new order as its client wrote it, whatever that is worth. */
import { expect, test } from 'vitest';
import type { FieldReader } from '../../../src/fix/message.ts';
import { sentOrder } from '../../../src/mapping/fix/sent-order.ts';

function sent(body: string) {
  const fields = new Map(body.split('|').map((field) => field.split('=') as [string, string]));
  return sentOrder({ text: (tag: number) => fields.get(String(tag)) } as FieldReader);
}

test('values are in the words of the console, and amounts as they were written', () => {
  expect(sent('11=O1|1=desk|55=BTC-USDC|54=2|38=1.50|40=2|44=10|59=3')).toEqual({
    ...{ clOrdId: 'O1', account: 'desk', symbol: 'BTC-USDC', side: 'Sell', qty: '1.50' },
    ...{ price: '10', ordType: 'limit', timeInForce: 'ioc' },
  });
});

test('what is missing is empty, and a market is named by its id if it has no symbol', () => {
  expect(sent('11=O1|48=7|22=8|40=1')).toEqual({
    ...{ clOrdId: 'O1', account: '', symbol: '7', side: '', qty: '', price: null },
    ...{ ordType: 'market', timeInForce: 'day' },
  });
});

test('what has no meaning is kept as text, up to 64 characters', () => {
  const order = sent(`11=${'x'.repeat(100)}|54=Q|38=much|40=Z|59=W`);
  expect(order).toMatchObject({ side: '', qty: 'much', ordType: 'Z', timeInForce: 'W' });
  expect(order.clOrdId).toHaveLength(64);
});
