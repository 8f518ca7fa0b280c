import { expect, test } from 'vitest';
import { inTodaysWords } from '../../../src/venue/outbox/earlier-words.ts';
import { venueRefusal } from '../../../src/venue/refusals.ts';

test('an event has its denial where it had a code, and keeps the nonce for the outbox', () => {
  const event = { prevSeq: null, kind: 'rejected', nonce: 7n, actionHash: '0x1' };
  const reason = { code: 'fok_not_filled', number: 104, text: 'no room' };
  expect(inTodaysWords({ ...event, reason, nonceConsumed: true })).toEqual({
    ...{ prevSeq: null, kind: 'rejected', nonce: 7n, venueRef: '0x1' },
    denial: {
      refusal: venueRefusal('fok_not_filled'),
      ...{ text: 'no room', number: 104, isSpent: true },
    },
  });
});

test('an event without a reason has no denial, unless it is a rejection', () => {
  const event = { prevSeq: 3, actionHash: null, reason: null, nonceConsumed: null };
  expect(inTodaysWords({ ...event, kind: 'canceled' })).toMatchObject({ denial: null });
  expect(inTodaysWords({ ...event, kind: 'rejected' })).toMatchObject({
    denial: { refusal: { name: 'no_reason' }, isSpent: null },
  });
});
