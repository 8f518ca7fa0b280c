import { expect, test } from 'vitest';
import { json } from '../../src/sandbox/http-message.ts';
import { IdempotencyKeys, type Kept } from '../../src/sandbox/idempotency.ts';

const answer = json(200, { ok: true });

test('a key lives for its time and is then new again', () => {
  const keys = new IdempotencyKeys({ lifetimeMs: 1000, maxKeys: 10 });
  keys.keep('a', 'k', 'bytes', answer, 0);
  expect(keys.look('a', 'k', 'bytes', 999)).toEqual({ kind: 'replay', response: answer });
  expect(keys.look('a', 'k', 'other', 999)).toEqual({ kind: 'conflict' });
  expect(keys.look('b', 'k', 'other', 999)).toEqual({ kind: 'new' });
  expect(keys.look('a', 'k', 'bytes', 1000)).toEqual({ kind: 'new' });
});

test('the number of keys is bounded, the oldest goes first', () => {
  const limits = { lifetimeMs: 1000, maxKeys: 2 };
  const kept = new Map<string, Kept>();
  const keys = new IdempotencyKeys(limits, kept);
  for (const key of ['1', '2', '3']) keys.keep('a', key, '', answer, 0);
  expect(['1', '2', '3'].map((key) => keys.look('a', key, '', 0).kind)).toEqual([
    'new',
    'replay',
    'replay',
  ]);
  const copy = new IdempotencyKeys(limits, structuredClone(kept));
  expect(copy.look('a', '3', '', 0).kind).toBe('replay');
});
