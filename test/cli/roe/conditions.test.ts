/** The conditions in the rules of engagement are those by which orders are admitted. */
import { expect, test } from 'vitest';
import {
  type AdmissionRules,
  requiredFields,
  unsupportedTerms,
} from '../../../src/domain/admission.ts';
import type { RequestedTerms } from '../../../src/domain/command.ts';
import { lifetimes, ordTypes } from '../../../src/mapping/fix/codes.ts';

const bare = {
  ordType: 'market',
  lifetime: 'gtc',
  price: null,
  stopPrice: null,
  expireTimeMs: null,
  algo: null,
} as unknown as RequestedTerms;

test.each([
  ['OrdType(40)', ordTypes.code, (word: string) => ({ ordType: word })],
  ['TimeInForce(59)', lifetimes.code, (word: string) => ({ lifetime: word })],
] as const)(
  'a field that depends on %s is required with exactly the values that are stated',
  (field, code, terms) => {
    const rules = requiredFields.filter(({ when }) => when.startsWith(field));
    expect(rules.length).toBeGreaterThan(0);
    for (const { broken, when } of rules) {
      const stated = when.slice(field.length).match(/\b[0-9A-Z]\b/g) ?? [];
      const asked = Object.entries(code)
        .filter(([word]) =>
          broken({ ...bare, ...terms(word) } as RequestedTerms, {} as AdmissionRules),
        )
        .map(([, value]) => value);
      expect(asked).toEqual(stated);
    }
  },
);

test('a combination that only some sessions refuse is marked with their setting', () => {
  const terms = { ordType: 'limit', lifetime: 'day', maxFloor: null, postOnly: false };
  const day = {
    ...bare,
    ...terms,
    triggerDirection: null,
    conditionalKind: null,
  } as RequestedTerms;
  const refusedBy = (dayOrders: AdmissionRules['dayOrders']) =>
    unsupportedTerms.filter(({ broken }) =>
      broken(day, { dayOrders, goodTillDate: true, algos: new Set() } as unknown as AdmissionRules),
    );
  expect(refusedBy('gtc')).toEqual([]);
  expect(refusedBy('end_of_day')).toEqual([]);
  expect(refusedBy('reject').map(({ only }) => only)).toEqual(['reject']);
});
