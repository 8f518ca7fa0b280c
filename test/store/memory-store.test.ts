import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { kept, messages, numbers, storeContract } from './contract.ts';

storeContract({ open: async () => new MemoryStore() });

test('a session at its limit keeps the newest messages and says from where', async () => {
  const store = new MemoryStore({ keptBytesPerSession: 100 });
  for (let seq = 1; seq <= 50; seq += 1) {
    await store.commit([messages('A', seq, 'ten bytes.'), numbers('A', 1, seq + 1)]);
  }
  const { oldestKept } = await store.numbers('A');
  expect(oldestKept).toBeGreaterThan(40);
  expect((await kept(store, 'A'))[0]).toBe(`${oldestKept}:ten bytes.`);
  expect((await kept(store, 'A')).at(-1)).toBe('50:ten bytes.');
});
