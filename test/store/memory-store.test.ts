import { expect, test } from 'vitest';
import { MemoryStore } from '../support/memory-store.ts';
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

test('messages that follow each other share a range, and those handed out stay as they were', async () => {
  const store = new MemoryStore();
  const lent: Uint8Array[] = [];
  for (let seq = 1; seq <= 1_000; seq += 1) {
    await store.commit([messages('A', seq, `text of ${seq}`), numbers('A', 1, seq + 1)]);
    const [message] = await store.messages('A', seq, seq, 1);
    if (message !== undefined) lent.push(message.bytes);
  }
  const expected = Array.from({ length: 1_000 }, (_, i) => `text of ${i + 1}`);
  expect(lent.map((bytes) => Buffer.from(bytes).toString())).toEqual(expected);
  expect(await kept(store, 'A')).toEqual(expected.map((text, i) => `${i + 1}:${text}`));
});
