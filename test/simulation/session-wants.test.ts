/** Whether a session that gets something else than it wants is noticed. */
import { expect, test } from 'vitest';
import type { SessionWant } from './cast.ts';
import type { ClientLog } from './client-log.ts';
import { Dice } from './dice.ts';
import type { Said } from './fix-trader.ts';
import { SessionWants } from './session-wants.ts';
import { type LedgerOrder, otherChannel } from './venue-ledger.ts';

function wanting(want: SessionWant, chains: readonly object[] = []) {
  const faults: string[] = [];
  const orders = new Map<string, LedgerOrder>();
  const fills: object[] = [];
  const wants = new SessionWants({
    ...{ compId: 'ALPHA', accounts: ['desk-a'], want, dice: new Dice(1), isSteady: true },
    ledger: {
      ...{ orders, fills },
      isOfOthers: (id: string) => orders.get(id)?.origin?.session === otherChannel,
    } as never,
    log: { chains } as unknown as Pick<ClientLog, 'chains'>,
    wrong: (text) => faults.push(text),
  });
  return { faults, fills, orders, wants };
}

const said = (text: string) => text.split('|').map((field) => field.split('=')) as unknown as Said;

/** The ClOrdID of the first order that the session changes, and how. */
function changed(wants: SessionWants, by: string): string {
  for (let count = 1; count < 200; count += 1) {
    const line = wants.command(`D|11=o${count}|55=BTC-USDC|60=now`);
    if (line.includes(by)) return `o${count}`;
  }
  throw new Error(`no order has ${by}`);
}

test.each([
  ['a text that it must not have', { clientFields: 'refuse' }, '58=note'],
  ['a time long ago', { maxOrderAgeMs: 10_000 }, '60=now-30s'],
] as const)('an order with %s may not be at the venue', (_, want, by) => {
  const { faults, orders, wants } = wanting(want);
  const clOrdId = changed(wants, by);
  const origin = { command: `D ${clOrdId}`, session: 'ALPHA' };
  orders.set('0x1', { orderId: '0x1', origin } as LedgerOrder);
  wants.settled(() => false);
  expect(faults).toEqual([`${clOrdId} was to be refused and is at the venue: 0x1`]);
});

test('the text of an order comes back in its first reports', () => {
  const { faults, wants } = wanting({});
  const clOrdId = changed(wants, '58=note');
  wants.hear(said(`35=8|150=0|11=${clOrdId}|58=note of ${clOrdId}`));
  expect(faults).toEqual([]);
  wants.hear(said(`35=8|150=0|11=${clOrdId}`));
  expect(faults).toEqual([`a report of ${clOrdId} lacks its Text(58)`]);
});

test('of two orders with one ClOrdID either may be the one that was taken, so no text is expected', () => {
  const { faults, wants } = wanting({});
  const clOrdId = changed(wants, '58=note');
  wants.command(`D|11=${clOrdId}|55=ETH-USDC|60=now`);
  wants.hear(said(`35=8|150=0|11=${clOrdId}`));
  expect(faults).toEqual([]);
});

test('a quote is not acknowledged where only refusals are wanted', () => {
  const { faults, wants } = wanting({ quoteResponse: 'refusals' });
  expect(wants.command('i|117=q1|301=2|296=1')).toBe('i|117=q1|296=1');
  wants.hear(said('35=b|117=q1|297=5'));
  expect(faults).toEqual([]);
  wants.hear(said('35=b|117=q1|297=0'));
  expect(faults).toEqual(['the quote q1 is acknowledged unasked']);
});

test('a trade of another channel may be missing where the file may have been without its account', () => {
  const { faults, fills, orders, wants } = wanting({ reportOtherChannels: true });
  const order = { orderId: '0x1', origin: { command: 'place', session: otherChannel } };
  orders.set('0x1', order as LedgerOrder);
  fills.push({ alias: 'desk-a', order, seq: 7 });
  wants.settled(() => false, true);
  expect(faults).toEqual([]);
  wants.settled(() => false);
  expect(faults).toHaveLength(1);
});

test('a trade of another channel is reported once', () => {
  const { faults, fills, orders, wants } = wanting({ reportOtherChannels: true });
  const order = { orderId: '0x1', origin: { command: 'place', session: otherChannel } };
  orders.set('0x1', order as LedgerOrder);
  fills.push({ alias: 'desk-a', order, seq: 7 });
  wants.settled(() => true);
  expect(faults).toEqual([]);
  wants.settled(() => false);
  expect(faults).toEqual(['a trade desk-a 7 of another channel was told 0 times']);
  expect(wants.hear(said('35=8|150=F|1=desk-a|9110=7|37=0x1'))).toBe(true);
  wants.settled(() => false);
  expect(faults).toHaveLength(1);
});

test('an open order is restated once the numbers have begun anew', () => {
  const chain = { root: 'o1', told: ['|150=0|'], status: '0', isOver: false };
  const { faults, wants } = wanting({ restateOrders: true }, [chain]);
  wants.begunAnew();
  chain.told.push('35=8|150=D|');
  wants.settled(() => false);
  expect(faults).toEqual([]);
  wants.begunAnew();
  wants.settled(() => false);
  expect(faults).toEqual(['o1 was not restated after the numbers began anew']);
});
