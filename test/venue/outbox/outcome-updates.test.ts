/** What the orders learn of an outcome. */
import { expect, test } from 'vitest';
import type { RequestRef } from '../../../src/engine/venue-port.ts';
import {
  acceptedUpdate,
  overdueText,
  refusedUpdate,
} from '../../../src/venue/outbox/outcome-updates.ts';
import { venueRefusal } from '../../../src/venue/refusals.ts';

const asked = { key: 'k', requestId: 'new' } as unknown as RequestRef;
const orderIds = (...ids: (string | null)[]) => ({ orderIds: ids }) as never;

test('an acceptance names the first order that the venue named', () => {
  const outcome = (...ids: (string | null)[]) => acceptedUpdate(asked, orderIds(...ids));
  expect(outcome(null, 'v2', 'v3')).toEqual({
    kind: 'outcome',
    asked,
    outcome: { kind: 'accepted', orderId: 'v2' },
  });
  expect(outcome(null)).toMatchObject({ outcome: { orderId: null } });
  expect(outcome()).toMatchObject({ outcome: { orderId: null } });
});

test.each([
  ['fok_not_filled', true],
  ['bridge.expired', null],
])('a refusal %s gives %s as what the venue said of the nonce', (name, isSpent) => {
  const refused = { nonce: { nonceConsumed: true }, refusal: venueRefusal(name), text: 'why' };
  expect(refusedUpdate(asked, refused as never)).toMatchObject({
    kind: 'outcome',
    asked,
    outcome: { kind: 'refused', denial: { text: 'why', number: null, isSpent } },
  });
});

test('an overdue outcome is called open, and never an end', () => {
  const text = overdueText('ab', 7, 2);
  expect(text).toContain('action 0xab, nonce 7, is still open (2 are)');
  expect(text).not.toMatch(/reject|refus|expired|lost/);
});
