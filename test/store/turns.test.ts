import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { SetAside } from '../../src/store/set-aside.ts';
import { type CommitOptions, PositionConflict, type Write } from '../../src/store/store.ts';
import { Turns } from '../../src/store/turns.ts';
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
  return { store, failures, turns: new Turns(store, (error) => failures.push(error)) };
}

test('a turn within a turn is a part of it: one commit for all', async () => {
  const { store, turns } = setup();
  const answer = turns.run(() => {
    turns.write(append('a', 0, 'one'));
    return turns.run(() => {
      turns.write(append('a', 1, 'two'));
      return 'inner';
    });
  });
  expect(answer).toBe('inner');
  expect(store.commits).toEqual([2]);
});

test('what waits runs once the commit is durable, in the order of the turns', async () => {
  const { turns } = setup();
  const order: string[] = [];
  turns.run(() => {
    turns.after(() => order.push('first'));
    turns.write(append('a', 0, 'x'));
  });
  turns.run(() => turns.after(() => order.push('second, which recorded nothing')));
  turns.run(() => {
    turns.write(append('a', 1, 'y'));
    turns.after(() => order.push('third'));
  });
  expect(order).toEqual([]);
  await expect.poll(() => order).toHaveLength(3);
  expect(order).toEqual(['first', 'second, which recorded nothing', 'third']);
});

test('what may begin once a commit is written does not wait until it is durable', async () => {
  const { store, turns } = setup();
  const order: string[] = [];
  turns.run(() => {
    turns.write(append('a', 0, 'x'));
    turns.after(() => order.push('durable'));
    turns.afterWrite(() => order.push(`written: ${store.commits}`));
  });
  expect(order).toEqual(['written: 1']);
  await expect.poll(() => order).toEqual(['written: 1', 'durable']);
});

test('a turn that records nothing waits for nobody when nothing is under way', () => {
  const { store, turns } = setup();
  const order: string[] = [];
  turns.run(() => turns.after(() => order.push('done')));
  expect(order).toEqual(['done']);
  expect(store.commits).toEqual([]);
});

test('parts settle at the end of the turn, also those that join while others settle', () => {
  const { store, turns } = setup();
  turns.run(() => {
    turns.atEnd(() => {
      turns.write(append('a', 0, 'x'));
      turns.atEnd(() => turns.write(append('a', 1, 'y')));
    });
    expect(store.commits).toEqual([]);
  });
  expect(store.commits).toEqual([2]);
});

test('a turn that throws leaves no record, and there is no turn after it', async () => {
  const { store, failures, turns } = setup();
  const ran: string[] = [];
  const fails = () =>
    turns.run(() => {
      turns.write(append('a', 0, 'x'));
      turns.after(() => ran.push('after'));
      throw new Error('our mistake');
    });
  expect(fails).toThrow('our mistake');
  expect(() => turns.run(() => ran.push('the next one'))).toThrow('our mistake');
  await expect.poll(() => failures.map(String)).toEqual([expect.stringMatching(/our mistake/)]);
  expect(await store.end('a')).toBe(0);
  expect(ran).toEqual([]);
});

const takes = (turns: Turns, message: string | Uint8Array, session = 'S') =>
  turns.takes(session, Buffer.from(message), (bytes) => Buffer.from(bytes).toString());

test('the message that a turn threw on is not taken again, the others of its turn are', async () => {
  const { store, failures, turns } = setup();
  const fails = () =>
    turns.run(() => {
      for (const text of ['good', 'bad']) {
        expect(takes(turns, text)).toBe(true);
        if (text === 'bad') throw new Error('our mistake');
      }
    });
  expect(fails).toThrow('our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain('our mistake; set aside: a message of S');
  const next = new Turns(store, () => {}, await SetAside.open(store));
  next.run(() => {
    expect(takes(next, 'bad')).toBe(false);
    expect(takes(next, 'good')).toBe(true);
    expect(takes(next, 'bad', 'another session')).toBe(true);
  });
});

test('where the end of a turn throws, none of its messages is taken again', async () => {
  const { store, failures, turns } = setup();
  const lent = Buffer.from('one');
  const fails = () =>
    turns.run(() => {
      turns.takes('S', lent, String);
      lent.fill('x');
      takes(turns, 'two');
      turns.atEnd(() => {
        throw new Error('our mistake');
      });
    });
  expect(fails).toThrow('our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain('our mistake; set aside: a message of S, S');
  const next = new Turns(store, () => {}, await SetAside.open(store));
  next.run(() => {
    for (const text of ['one', 'two']) expect(takes(next, text)).toBe(false);
  });
});

test('a message that cannot be set aside does not hide why the turn threw', async () => {
  class Full extends MemoryStore {
    override async keepNow(): Promise<void> {
      throw new Error('the disk is full');
    }
  }
  const failures: unknown[] = [];
  const turns = new Turns(new Full(), (error) => failures.push(error));
  const fails = () =>
    turns.run(() => {
      takes(turns, 'bad');
      throw new Error('our mistake');
    });
  expect(fails).toThrow('a turn threw: our mistake');
  await expect.poll(() => failures).toHaveLength(1);
  expect(String(failures[0])).toContain(
    'our mistake; what it was about could not be set aside: the disk is full',
  );
});

test('after a failed commit nothing is recorded or sent any more, and the owner is notified once', async () => {
  const { store, failures, turns } = setup();
  await store.commit([append('a', 0, 'by another owner')]);
  const ran: string[] = [];
  const writes = [append('a', 0, 'x'), { kind: 'cursor', name: 'c', value: 1 }] as const;
  for (const write of writes) {
    turns.run(() => {
      turns.write(write);
      turns.after(() => ran.push(write.kind));
    });
  }
  await expect.poll(() => failures.length).toBe(1);
  await store.commit([]);
  turns.run(() => turns.after(() => ran.push('later')));
  expect(failures[0]).toBeInstanceOf(PositionConflict);
  expect(ran).toEqual([]);
  expect(await store.end('a')).toBe(1);
});

test('after the close nothing is recorded or let out, and that is no failure', async () => {
  const { store, failures, turns } = setup();
  const out: string[] = [];
  turns.run(() => {
    turns.write(append('a', 0, 'before'));
    turns.after(() => out.push('before'));
  });
  turns.close();
  turns.run(() => {
    turns.write(append('a', 1, 'late'));
    turns.after(() => out.push('late'));
  });
  await store.close();
  expect(store.commits).toEqual([1]);
  expect([out, failures]).toEqual([[], []]);
});

test('a record outside of a turn is our mistake', () => {
  const { turns } = setup();
  expect(() => turns.write(append('a', 0, 'x'))).toThrow('outside of a turn');
  expect(() => turns.after(() => {})).toThrow('outside of a turn');
});
