import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ActionError, actionKinds, canonicalFields } from '../../src/signer/action.ts';

test('R4: the members of each action are those of the contract, in its order where it has one', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/venue/contract.md'), 'utf8');
  const [section = ''] = text.split('## A.6 ').slice(1).join().split('## A.7 ');
  const rows = [...section.matchAll(/^\| (leg of )?`(\w+)`[^|]*\|(?:[^|:]*:)? ([^|]+) \|$/gm)];
  const legs: Readonly<Record<string, string>> = {
    SpotQuoteReplace: 'SpotLeg',
    QuoteReplace: 'OutcomeLeg',
  };
  const contract = rows
    .filter(([, , , fields]) => fields !== 'fields and order not shown')
    .map(([, leg, name = '', fields = '']) => [
      leg === undefined ? name : (legs[name] ?? ''),
      fields.replace(/\[\]|\{.*\}/g, '').split(', '),
    ]);
  // The contract does not show those of the other two: a cancel names its order (G05).
  const cancels = ['CancelAlgoOrder', 'CancelConditionalOrder'].map((name) => [name, ['order_id']]);
  expect(contract).toHaveLength(10);
  expect(Object.fromEntries([...contract, ...cancels])).toEqual(canonicalFields);
});

test('no shape has a member twice', () => {
  for (const [shape, fields] of Object.entries(canonicalFields)) {
    expect(new Set(fields).size, shape).toBe(fields.length);
  }
});

test('a leg is no action of its own', () => {
  expect(actionKinds).toHaveLength(10);
  expect(actionKinds.filter((kind) => !(kind in canonicalFields))).toEqual([]);
  expect(actionKinds).not.toContain('SpotLeg');
  expect(actionKinds).not.toContain('OutcomeLeg');
});

test('the error of an action says where and what', () => {
  const error = new ActionError('legs[1].price', 'is no integer');
  expect(error.field).toBe('legs[1].price');
  expect(error.message).toBe('legs[1].price: is no integer');
});
