import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { RefusalAlarms } from '../../src/signer/refusal-alarms.ts';
import { refusal, signRefusals } from '../../src/signer/signer.ts';

function opened() {
  const clock = new ManualClock();
  const alarms: string[] = [];
  const refusals = new RefusalAlarms(clock, (text, code) => alarms.push(`${code}: ${text}`));
  return { alarms, clock, refusals };
}

test('each refusal that only a bridge causes is an alarm, and what has an alarm at its cause is none', () => {
  const { alarms, refusals } = opened();
  for (const code of signRefusals) refusals.add(refusal(code, 'why'));
  expect(alarms.map((text) => text.split(':')[0]).toSorted()).toEqual([
    ...['expired', 'nonce_too_old', 'other_digest', 'policy', 'rate', 'unreadable'],
  ]);
});

test('a flood of one refusal hides no other one, and its alarm comes once a minute with their number', () => {
  const { alarms, clock, refusals } = opened();
  for (let count = 0; count < 1000; count += 1) refusals.add(refusal('rate', 'too many'));
  refusals.add(refusal('other_digest', 'nonce 5'));
  clock.advance(59_999);
  refusals.add(refusal('rate', 'too many'));
  expect(alarms).toEqual(['rate: not signed: too many', 'other_digest: not signed: nonce 5']);
  clock.advance(1);
  refusals.add(refusal('rate', 'too many'));
  expect(alarms.slice(2)).toEqual(['rate: not signed: too many; 1000 more since the last one']);
});
