import { expect, test } from 'vitest';
import { RecordStream, recordsAfter } from '../../src/store/record-stream.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

function started(store: MemoryStore) {
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const taken: number[] = [];
  const stream = new RecordStream<number>(transactions, 'numbers', (value) => taken.push(value));
  return { stream, taken, transactions };
}

test('a start takes all that was appended, however much it is, and goes on after it', async () => {
  const store = new MemoryStore();
  const count = 1_100;
  const { stream, taken, transactions } = started(store);
  await stream.read();
  transactions.run(() => {
    for (let value = 0; value < count; value += 1) stream.append(value);
  });
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  const again = started(store);
  await again.stream.read();
  expect(again.taken).toEqual(taken);
  again.transactions.run(() => again.stream.append(count));
  expect(again.taken).toHaveLength(count + 1);
});

test('a reader may begin after a position', async () => {
  const store = new MemoryStore();
  const { stream, transactions } = started(store);
  transactions.run(() => {
    for (const value of [7, 8, 9]) stream.append(value);
  });
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  const positions: number[] = [];
  for await (const { position } of recordsAfter(store, 'numbers', 1)) positions.push(position);
  expect(positions).toEqual([2, 3]);
});
