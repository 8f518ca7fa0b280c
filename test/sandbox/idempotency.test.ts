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

test('a key that is kept again after its time is the newest', () => {
  const keys = new IdempotencyKeys({ lifetimeMs: 1000, maxKeys: 2 });
  for (const key of ['1', '2']) keys.keep('a', key, '', answer, 0);
  keys.keep('a', '1', 'later', answer, 1000);
  keys.keep('a', '3', '', answer, 1000);
  expect(keys.look('a', '1', 'later', 1999).kind).toBe('replay');
  expect(keys.look('a', '2', '', 999).kind).toBe('new');
});

test('of many keys the newest are kept, up to a sixteenth more than the bound', () => {
  const kept = new Map<string, Kept>();
  const keys = new IdempotencyKeys({ lifetimeMs: 1000, maxKeys: 64 }, kept);
  for (let key = 1; key <= 1000; key += 1) {
    keys.keep('a', String(key), '', answer, 0);
    expect(kept.size).toBeGreaterThanOrEqual(Math.min(key, 64));
    expect(kept.size).toBeLessThan(64 + 4);
  }
  expect(keys.look('a', '937', '', 0).kind).toBe('replay');
});
