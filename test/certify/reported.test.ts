import { expect, test } from 'vitest';
import { tracesOf } from '../../src/certify/reported.ts';
import { fixpMessage, heard } from './messages.ts';

/** A venue that knows these orders, and answers in its own order. */
function bridgeWith(...known: string[]) {
  const asked: (readonly string[])[] = [];
  const trace = (orderIds: readonly string[]) => {
    asked.push(orderIds);
    const found = known.filter((orderId) => orderIds.includes(orderId));
    return found.map((orderId) => ({ orderId, actionHash: '0xa', nonce: 7, state: 'open' }));
  };
  return { asked, trace };
}

test('each order is asked for once, and has the numbers of its reports of either protocol in ascending order', () => {
  const bridge = bridgeWith('0x2', '0x1');
  const reports = [
    heard('8|37=0x1|11=a|9110=10'),
    fixpMessage('ExecutionReport', { OrderID: '0x2', ClOrdID: 'b', VenueSeq: 9 }),
    heard('8|37=0x1|11=a|9110=9'),
    heard('8|37=0x1|11=a|9110=10'),
    heard('8|37=0x1|11=later'),
  ];
  expect(tracesOf(reports, bridge)).toEqual([
    { orderId: '0x2', clOrdId: 'b', seqs: [9], actionHash: '0xa', nonce: 7, state: 'open' },
    { orderId: '0x1', clOrdId: 'a', seqs: [9, 10], actionHash: '0xa', nonce: 7, state: 'open' },
  ]);
  expect(bridge.asked).toEqual([['0x1', '0x2']]);
});

test('an order that the venue does not know has no trace, and a report without an order asks for none', () => {
  const bridge = bridgeWith();
  expect(tracesOf([heard('8|11=a'), heard('8|37=NONE|11=b')], bridge)).toEqual([]);
  expect(bridge.asked).toEqual([['NONE']]);
});

test('an order without a ClOrdID or a number has none', () => {
  expect(tracesOf([heard('8|37=0x1')], bridgeWith('0x1'))).toMatchObject([
    { clOrdId: '', seqs: [] },
  ]);
});
