import { expect, test } from 'vitest';
import { SetAside } from '../../src/store/set-aside.ts';
import { type CommitOptions, PositionConflict, type Write } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { append } from './contract.ts';

class CountingStore extends MemoryStore {
  readonly commits: number[] = [];

  override commit(writes: readonly Write[], options?: CommitOptions): Promise<void> {
    this.commits.push(writes.length);
    return super.commit(writes, options);
  }
}

function setup() {
  const store = new CountingStore();
  const failures: unknown[] = [];
  return {
    store,
    failures,
    transactions: new Transactions(store, (error) => failures.push(error)),
  };
}

test('a transaction within a transaction is a part of it: one commit for all', async () => {
  const { store, transactions } = setup();
  const answer = transactions.run(() => {
    transactions.write(append('a', 0, 'one'));
    return transactions.run(() => {
      transactions.write(append('a', 1, 'two'));
      return 'inner';
    });
  });
  expect(answer).toBe('inner');
  expect(store.commits).toEqual([2]);
});

test('what waits runs once the commit is durable, in the order of the transactions', async () => {
  const { transactions } = setup();
  const order: string[] = [];
  transactions.run(() => {
    transactions.after(() => order.push('first'));
    transactions.write(append('a', 0, 'x'));
  });
  transactions.run(() => transactions.after(() => order.push('second, which recorded nothing')));
  transactions.run(() => {
    transactions.write(append('a', 1, 'y'));
    transactions.after(() => order.push('third'));
  });
  expect(order).toEqual([]);
  await expect.poll(() => order).toHaveLength(3);
  expect(order).toEqual(['first', 'second, which recorded nothing', 'third']);
});

test('what may begin once a commit is written does not wait until it is durable', async () => {
  const { store, transactions } = setup();
  const order: string[] = [];
  transactions.run(() => {
    transactions.write(append('a', 0, 'x'));
    transactions.after(() => order.push('durable'));
    transactions.afterWrite(() => order.push(`written: ${store.commits}`));
  });
  expect(order).toEqual(['written: 1']);
  await expect.poll(() => order).toEqual(['written: 1', 'durable']);
});

test('a transaction that records nothing waits for nobody when nothing is under way', () => {
  const { store, transactions } = setup();
  const order: string[] = [];
  transactions.run(() => transactions.after(() => order.push('done')));
  expect(order).toEqual(['done']);
  expect(store.commits).toEqual([]);
});

test('parts settle at the end of the transaction, also those that join while others settle', () => {
  const { store, transactions } = setup();
  transactions.run(() => {
    transactions.atEnd(() => {
      transactions.write(append('a', 0, 'x'));
      transactions.atEnd(() => transactions.write(append('a', 1, 'y')));
    });
    expect(store.commits).toEqual([]);
  });
  expect(store.commits).toEqual([2]);
});

test('a transaction that throws leaves no record, and there is no transaction after it', async () => {
  const { store, failures, transactions } = setup();
  const ran: string[] = [];
  const fails = () =>
    transactions.run(() => {
      transactions.write(append('a', 0, 'x'));
      transactions.after(() => ran.push('after'));
      throw new Error('our mistake');
    });
  expect(fails).toThrow('our mistake');
  expect(() => transactions.run(() => ran.push('the next one'))).toThrow('our mistake');
  await expect.poll(() => failures.map(String)).toEqual([expect.stringMatching(/our mistake/)]);
  expect(await store.end('a')).toBe(0);
  expect(ran).toEqual([]);
});

const takes = (transactions: Transactions, message: string | Uint8Array, session = 'S') =>
  transactions.takes(session, Buffer.from(message), (bytes) => Buffer.from(bytes).toString());

test('the message that a transaction threw on is not taken again, the others of its transaction are', async () => {
  const { store, failures, transactions } = setup();
  const fails = () =>
    transactions.run(() => {
      for (const text of ['good', 'bad']) {
        expect(takes(transactions, text)).toBe(true);
        if (text === 'bad') throw new Error('our mistake');
      }
    });
  expect(fails).toThrow('our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain('our mistake; set aside: a message of S');
  const next = new Transactions(store, () => {}, await SetAside.open(store));
  next.run(() => {
    expect(takes(next, 'bad')).toBe(false);
    expect(takes(next, 'good')).toBe(true);
    expect(takes(next, 'bad', 'another session')).toBe(true);
  });
});

test('where the end of a transaction throws, none of its messages is taken again', async () => {
  const { store, failures, transactions } = setup();
  const lent = Buffer.from('one');
  const fails = () =>
    transactions.run(() => {
      transactions.takes('S', lent, String);
      lent.fill('x');
      takes(transactions, 'two');
      transactions.atEnd(() => {
        throw new Error('our mistake');
      });
    });
  expect(fails).toThrow('our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain('our mistake; set aside: a message of S, S');
  const next = new Transactions(store, () => {}, await SetAside.open(store));
  next.run(() => {
    for (const text of ['one', 'two']) expect(takes(next, text)).toBe(false);
  });
});

test('a message that cannot be set aside does not hide why the transaction threw', async () => {
  class Full extends MemoryStore {
    override async keepNow(): Promise<void> {
      throw new Error('the disk is full');
    }
  }
  const failures: unknown[] = [];
  const transactions = new Transactions(new Full(), (error) => failures.push(error));
  const fails = () =>
    transactions.run(() => {
      takes(transactions, 'bad');
      throw new Error('our mistake');
    });
  expect(fails).toThrow('a transaction threw: our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain(
    'our mistake; what it was about could not be set aside: the disk is full',
  );
});

test('after a failed commit nothing is recorded or sent any more, and the owner is notified once', async () => {
  const { store, failures, transactions } = setup();
  await store.commit([append('a', 0, 'by another owner')]);
  const ran: string[] = [];
  const writes = [append('a', 0, 'x'), { kind: 'cursor', name: 'c', value: 1 }] as const;
  for (const write of writes) {
    transactions.run(() => {
      transactions.write(write);
      transactions.after(() => ran.push(write.kind));
    });
  }
  await expect.poll(() => failures.length).toBe(1);
  await store.commit([]);
  transactions.run(() => transactions.after(() => ran.push('later')));
  expect(failures[0]).toBeInstanceOf(PositionConflict);
  expect(ran).toEqual([]);
  expect(await store.end('a')).toBe(1);
});

test('after the close nothing is recorded or let out, and that is no failure', async () => {
  const { store, failures, transactions } = setup();
  const out: string[] = [];
  transactions.run(() => {
    transactions.write(append('a', 0, 'before'));
    transactions.after(() => out.push('before'));
  });
  transactions.close();
  transactions.run(() => {
    transactions.write(append('a', 1, 'late'));
    transactions.after(() => out.push('late'));
  });
  await store.close();
  expect(store.commits).toEqual([1]);
  expect([out, failures]).toEqual([[], []]);
});

test('a record outside of a transaction is our mistake', () => {
  const { transactions } = setup();
  expect(() => transactions.write(append('a', 0, 'x'))).toThrow('outside of a transaction');
  expect(() => transactions.after(() => {})).toThrow('outside of a transaction');
});
