/** Each command of the FIXP client becomes a message that names what the user has chosen, and nothing else. */
import { expect, test } from 'vitest';
import { applicationMessage } from '../../src/certify/fixp-line.ts';
import { lineOf } from '../../src/cli/client-fixp.ts';
import type { HandRequest } from '../../src/cli/conversation.ts';
import { summaryOf } from '../../src/console/sbe-message.ts';
import { shippedSchema } from '../../src/mapping/sbe/shipped-schemas.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';

const traded = { id: 'c1-2', symbol: 'BTC-USDC', side: 'buy' } as const;
const changed = { ...traded, of: 'c1-1' };
const placed = {
  ...traded,
  kind: 'order',
  qty: '0.01',
  lifetime: 'gtc',
  isPostOnly: false,
} as const;

function sent(request: HandRequest) {
  const message = decodeMessage(
    shippedSchema('orders.xml'),
    applicationMessage(lineOf(request), 7),
  );
  if (typeof message === 'string') throw new Error(message);
  const facts = summaryOf(message.fields).map(([name, value]) => `${name}=${value}`);
  return [message.message, ...facts].join(' ');
}

test.each<readonly [HandRequest, string]>([
  [
    { ...placed, price: '49000.5' },
    'NewOrderSingle ClOrdID=c1-2 TransactTime=7 Side=Buy OrdType=Limit TimeInForce=GoodTillCancel OrderQty=0.01 Price=49000.5 Symbol=BTC-USDC',
  ],
  [
    { ...placed, price: '1', isPostOnly: true },
    'NewOrderSingle ClOrdID=c1-2 TransactTime=7 Side=Buy OrdType=Limit TimeInForce=GoodTillCancel Flags=PostOnly OrderQty=0.01 Price=1 Symbol=BTC-USDC',
  ],
  [
    { ...placed, side: 'sell', price: undefined, lifetime: 'ioc' },
    'NewOrderSingle ClOrdID=c1-2 TransactTime=7 Side=Sell OrdType=Market TimeInForce=ImmediateOrCancel OrderQty=0.01 Symbol=BTC-USDC',
  ],
  [
    { ...changed, kind: 'replace', qty: '2', price: '3' },
    'OrderCancelReplaceRequest ClOrdID=c1-2 TransactTime=7 Side=Buy OrdType=Limit TimeInForce=GoodTillCancel OrderQty=2 Price=3 OrigClOrdID=c1-1 Symbol=BTC-USDC',
  ],
  [
    { ...changed, kind: 'cancel' },
    'OrderCancelRequest ClOrdID=c1-2 TransactTime=7 Side=Buy OrigClOrdID=c1-1 Symbol=BTC-USDC',
  ],
  [
    { ...changed, kind: 'status' },
    'OrderStatusRequest Side=Buy ClOrdID=c1-1 OrdStatusReqID=c1-2 Symbol=BTC-USDC',
  ],
  [{ id: 'c1-2', kind: 'orders' }, 'OrderMassStatusRequest Scope=All MassStatusReqID=c1-2'],
  [
    { id: 'c1-2', kind: 'unwatch', symbol: 'BTC-USDC' },
    'MarketDataRequest SubscriptionRequestType=Unsubscribe MarketDepth=5 Symbol=BTC-USDC MDReqID=c1-2',
  ],
  [
    { id: 'c1-2', kind: 'symbols' },
    'SecurityListRequest SecurityListRequestType=AllSecurities SecurityReqID=c1-2',
  ],
])('%j is one message', (request, message) => {
  expect(sent(request)).toBe(message);
});

test.each(['x', '0.0000000001', '-1e5'])('the quantity %s is refused by its name', (qty) => {
  expect(() => sent({ ...placed, qty, price: '1' })).toThrow(/OrderQty/);
});
