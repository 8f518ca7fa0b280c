import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EngineCode } from '../../../src/sandbox/engine/refusal.ts';
import { coarseLabel, coarseLabels, isSequenced } from '../../../src/sandbox/engine/refusal.ts';

const contract = readFileSync('docs/venue/contract.md', 'utf8');
const codes = Object.keys(coarseLabels) as EngineCode[];

/** The labels that contract A.18.4 lists. */
const known = [
  ...(/^Coarse `rejectCode` labels[^:]*: (.*)$/m.exec(contract)?.[1] ?? '').matchAll(
    /`([A-Z_]+)`/g,
  ),
].map(([, label = '']) => label);

test('every refusal of the engine has a coarse label of the contract', () => {
  expect(known).toContain('ENGINE_REJECTED');
  for (const code of codes) expect(known).toContain(coarseLabel(code));
});

test('every code of the engine is in the contract, letter for letter', () => {
  for (const code of codes) expect(contract).toContain(`\`${code}\``);
});

test.each([
  ['nonce_below_floor', 'NONCE_REJECTED'],
  ['nonce_anything_new', 'NONCE_REJECTED'],
  ['insufficient_shares', 'INSUFFICIENT_BALANCE'],
  ['order_not_open', 'ORDER_NOT_FOUND'],
  ['trading_halted', 'KILL_SWITCH'],
  ['MARKET_HALTED', 'ENGINE_REJECTED'],
  ['SHARD_BUSY', 'SHARD_BUSY'],
  ['INVALID_SCOPE', 'INVALID_SCOPE'],
  ['unknown_field', 'ENGINE_REJECTED'],
  ['constructor', 'ENGINE_REJECTED'],
])('the coarse label of %s is %s', (code, label) => {
  expect(coarseLabel(code)).toBe(label);
});

test('G18: exactly the gates precede the sequencer, so that their refusals take no nonce', () => {
  const before = codes.filter((code) => !isSequenced({ code, text: '' }));
  expect(before.sort()).toEqual(['KILL_SWITCH', 'MARKET_HALTED', 'trading_halted']);
});
