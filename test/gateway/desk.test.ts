/** What a desk remembers, and what it forgets. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { Desk } from '../../src/gateway/desk.ts';
import { account, fullRules, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;

function newDesk(): Desk {
  return new Desk(() => fullRules, { endedOrders: 2, spentNames: 2 });
}

function send(desk: Desk, clOrdId: string): void {
  const owner = {
    session: 'S',
    account,
    accountName: 'desk',
    tag: 'T',
    key: clOrdId,
    quoteId: null,
  };
  const wanted = terms({ qty: 10n as Qty });
  desk.apply({ kind: 'entry', owner, clOrdId, instrument, terms: wanted, nowMs: 0 });
  const orderId = `0x${clOrdId}` as OrderId;
  const ids = { actionHash: `hash ${clOrdId}`, orderId, firedOrderId: null };
  desk.apply({
    kind: 'order',
    key: clOrdId,
    input: { kind: 'sent', requestId: submissionId, ...ids, nowMs: 0 },
  });
}

/** The order ends by the venue's refusal. */
function end(desk: Desk, clOrdId: string): void {
  const outcome = { kind: 'refused', denial: deny('post_only_would_cross') } as const;
  const input = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  desk.apply({ kind: 'order', key: clOrdId, input });
}

test('of ended orders the newest are remembered, with their ids; open ones always are', () => {
  const desk = newDesk();
  for (const name of ['open', 'a', 'b', 'c']) send(desk, name);
  for (const name of ['a', 'b', 'c']) end(desk, name);
  const found = (name: string) => [desk.byClOrdId('S', name), desk.byVenueId(`0x${name}`)];
  expect(found('a')).toEqual([undefined, undefined]);
  for (const name of ['open', 'b', 'c']) expect(found(name)).not.toContain(undefined);
  expect([...desk.all()].map(({ clOrdId }) => clOrdId)).toEqual(['open', 'b', 'c']);
});

test('the ClOrdID of a forgotten order is still spent, until newer ones take its place', () => {
  const desk = newDesk();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) send(desk, name);
  for (const name of names) end(desk, name);
  expect(names.map((name) => desk.isSpent('S', name))).toEqual([false, true, true, true, true]);
});

test('what a desk forgets next is the same after a restart', () => {
  const desk = newDesk();
  for (const name of ['a', 'b', 'open']) send(desk, name);
  for (const name of ['b', 'a']) end(desk, name);
  const restored = newDesk();
  restored.restore(desk.state());
  expect(restored.state()).toEqual(desk.state());
  end(restored, 'open');
  expect(restored.byClOrdId('S', 'b')).toBeUndefined();
  expect(restored.byClOrdId('S', 'a')).toBeDefined();
});
