/** What a client's end means for its orders in random runs. */
import { expect, test } from 'vitest';
import { Dice } from './dice.ts';
import { chosenRule, ruleOf } from './parting-rule.ts';

const configured = { cancelOnDisconnect: { when: 'abrupt', graceMs: 5 } };

test('without a choice the rule is as configured, and without a configuration nothing is canceled', () => {
  expect(ruleOf(configured)).toEqual({ when: 'abrupt', graceMs: 5 });
  expect(ruleOf({ cancelOnDisconnect: {} })).toEqual({ when: 'off', graceMs: 0 });
});

test('a client may choose the rule, the time, or both', () => {
  expect(ruleOf(configured, { type: 'OnTerminate', windowMs: null })).toEqual({
    when: 'graceful',
    graceMs: 5,
  });
  expect(ruleOf(configured, { type: null, windowMs: 0 })).toEqual({ when: 'abrupt', graceMs: 0 });
});

test('every rule is chosen at some time', () => {
  const dice = new Dice(1);
  const chosen = Array.from({ length: 100 }, () => ruleOf(configured, chosenRule(dice)).when);
  expect(new Set(chosen)).toEqual(new Set(['off', 'abrupt', 'graceful', 'always']));
});
