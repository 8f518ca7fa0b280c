import { expect, test } from 'vitest';
import { canonicalFields } from '../../src/signer/action.ts';
import { fieldForms, signingContractSchema } from '../../src/signer/signing-contract.ts';
import { sandboxSigningContract } from './sandbox-contract.ts';

const problem = (change: object) => {
  const checked = signingContractSchema.safeParse({ ...sandboxSigningContract, ...change });
  return checked.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join();
};

test('the defaults of the sandbox are a contract', () => {
  expect(problem({})).toBeUndefined();
});

test('every canonical field has a form', () => {
  for (const name of Object.values(canonicalFields).flat()) expect(fieldForms).toHaveProperty(name);
});

test.each([
  ['a field too few', ['order_id'], 'must name each of order_id, new_qty once'],
  ['a field twice', ['order_id', 'order_id'], 'must name each of order_id, new_qty once'],
  ['a field that it does not have', ['order_id', 'new_price'], 'new_qty'],
])('a variant with %s is refused with its key', (_what, fields, text) => {
  const variants = { ...sandboxSigningContract.variants, AmendOrder: fields };
  expect(problem({ variants })).toMatch(/^variants\.AmendOrder/);
  expect(problem({ variants })).toContain(text);
});

test('a variant that the profile leaves out has the order of the contract', () => {
  const { AmendOrder: _left, ...variants } = sandboxSigningContract.variants;
  const parsed = signingContractSchema.parse({ ...sandboxSigningContract, variants });
  expect(parsed.variants.AmendOrder).toEqual(['order_id', 'new_qty']);
});

test('a lower-case service name and a domain with a space are refused', () => {
  expect(problem({ service: { name: 'sandbox', slug: 'sandbox' } })).toContain('service.name');
  const domains = { action: 'A B', orderId: '{NAME}/ORDER_ID/v1' };
  const signing = { ...sandboxSigningContract.signing, domains };
  expect(problem({ signing })).toContain('signing.domains.action');
});
