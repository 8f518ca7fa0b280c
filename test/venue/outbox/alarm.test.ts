import { expect, test } from 'vitest';
import { alarmText, floodOf } from '../../../src/venue/outbox/alarm.ts';

test('an alarm about a nonce is told in words', () => {
  expect(alarmText('foreign_writer', 'nonce 5: foreign_writer')).toBe(
    'nonce 5: another program has signed for this account',
  );
  expect(alarmText('floor_backward', 'nonce 0: floor_backward')).toMatch(
    /^nonce 0: the venue's nonces went backward, so nothing is sent/,
  );
});

test('every other alarm has words of its own', () => {
  const text = 'signer refused nonce 7: policy the price is above foreign_writer';
  expect(alarmText('not_signed', text)).toBe(text);
});

test('what another program places is one flood, and each reason of the signer another', () => {
  expect(floodOf('foreign_writer', 'nonce 5: foreign_writer')).toBe('foreign_writer');
  expect(floodOf('not_signed', 'signer refused nonce 7: policy too much')).toBe('policy');
  expect(floodOf('not_signed', 'signer refused nonce 8: paused by the desk')).toBe('paused');
  expect(
    floodOf('hole_not_filled', 'nonce 3 holds the floor, nothing can fill it'),
  ).toBeUndefined();
});
