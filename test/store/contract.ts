/** What any store does, whatever its driver: each driver's test calls this with a way to open and to reopen one. */
import { expect, test } from 'vitest';
import { PositionConflict, type Store } from '../../src/store/store.ts';

export interface Driver {
  /** A new, empty store. */
  open(): Promise<Store>;
  /** What a next start finds, or a second owner; absent for a store that forgets. */
  reopen?(store: Store): Promise<Store>;
}

const text = (value: string) => new TextEncoder().encode(value);
const words = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

export function append(stream: string, expected: number, payload: string) {
  return { kind: 'append', stream, expected, payload: text(payload) } as const;
}

export function messages(session: string, firstSeq: number, ...bodies: string[]) {
  let end = 0;
  const ends = bodies.map((body) => {
    end += text(body).length;
    return end;
  });
  return { kind: 'messages', session, firstSeq, bytes: text(bodies.join('')), ends } as const;
}

export function numbers(session: string, nextIn: number, nextOut: number) {
  return { kind: 'numbers', session, nextIn, nextOut } as const;
}

export async function kept(store: Store, session: string, from = 1, to = 1e9, maxBytes = 1e9) {
  const found = await store.messages(session, from, to, maxBytes);
  return found.map(({ seq, bytes }) => `${seq}:${words(bytes)}`);
}

export async function journal(store: Store, stream: string, after = 0, limit = 1000) {
  const found = await store.read(stream, after, limit);
  return found.map(({ position, payload }) => `${position}:${words(payload)}`);
}

export function storeContract({ open, reopen }: Driver): void {
  test('an empty store has streams that end at 0, sessions at 1, no cursors and no snapshots', async () => {
    const store = await open();
    expect(await store.end('orders')).toBe(0);
    expect(await journal(store, 'orders')).toEqual([]);
    expect(await store.snapshot('orders')).toBeUndefined();
    expect(await store.cursor('venue')).toBeUndefined();
    expect(await store.numbers('A')).toEqual({
      nextIn: 1,
      nextOut: 1,
      oldestKept: 1,
      releasedTo: 0,
      heldTo: 0,
      periodStartMs: 0,
    });
    expect(await kept(store, 'A')).toEqual([]);
    expect(store.room()).toBe('plenty');
  });

  test('records come back in order, in pieces of the size asked for', async () => {
    const store = await open();
    await store.commit([append('a', 0, 'one'), append('a', 1, 'two'), append('b', 0, 'other')]);
    await store.commit([append('a', 2, 'three')]);
    expect(await journal(store, 'a')).toEqual(['1:one', '2:two', '3:three']);
    expect(await journal(store, 'a', 1, 1)).toEqual(['2:two']);
    expect(await store.end('a')).toBe(3);
    expect(await store.end('b')).toBe(1);
  });

  test('an append at a position that is taken fails, and nothing of its commit is done', async () => {
    const store = await open();
    await store.commit([append('a', 0, 'first')]);
    const refused = store.commit([
      { kind: 'cursor', name: 'c', value: 9 },
      numbers('A', 5, 5),
      append('b', 0, 'x'),
      append('a', 0, 'second'),
    ]);
    await expect(refused).rejects.toThrow(PositionConflict);
    await expect(refused).rejects.toMatchObject({ stream: 'a', expected: 0, actual: 1 });
    expect(await journal(store, 'a')).toEqual(['1:first']);
    expect(await store.end('b')).toBe(0);
    expect(await store.cursor('c')).toBeUndefined();
    expect((await store.numbers('A')).nextOut).toBe(1);
  });

  test('of commits made at once, one that conflicts fails alone, and all settle in the order of the calls', async () => {
    const store = await open();
    const settled: string[] = [];
    const note = (name: string) => [
      () => void settled.push(name),
      () => void settled.push(`${name} refused`),
    ];
    const commits = [
      store.commit([append('a', 0, 'one')]).then(...note('1')),
      store.commit([append('a', 0, 'again')]).then(...note('2')),
      store.commit([append('a', 1, 'two')]).then(...note('3')),
      store.commit([append('a', 5, 'ahead')]).then(...note('4')),
    ];
    await Promise.all(commits);
    expect(settled).toEqual(['1', '2 refused', '3', '4 refused']);
    expect(await journal(store, 'a')).toEqual(['1:one', '2:two']);
  });

  test('a read that follows a commit sees it, without waiting for it', async () => {
    const store = await open();
    const committed = store.commit([messages('A', 1, 'x', 'yy'), numbers('A', 2, 3)]);
    expect(await kept(store, 'A')).toEqual(['1:x', '2:yy']);
    const more = [store.commit([append('a', 0, 'one')]), store.commit([append('a', 1, 'two')])];
    expect(await store.end('a')).toBe(2);
    await Promise.all([committed, ...more]);
  });

  test('any range of kept messages can be read, across ranges and holes, in bounded pieces', async () => {
    const store = await open();
    await store.commit([messages('A', 2, 'two', 'three')]);
    await store.commit([messages('A', 6, 'six'), messages('A', 7, 'seven', 'eight', 'nine')]);
    await store.commit([messages('B', 1, 'other'), numbers('A', 1, 10)]);
    expect(await kept(store, 'A')).toEqual([
      '2:two',
      '3:three',
      '6:six',
      '7:seven',
      '8:eight',
      '9:nine',
    ]);
    expect(await kept(store, 'A', 3, 8)).toEqual(['3:three', '6:six', '7:seven', '8:eight']);
    expect(await kept(store, 'A', 4, 5)).toEqual([]);
    expect(await kept(store, 'A', 8, 8)).toEqual(['8:eight']);
    expect(await kept(store, 'A', 1, 9, 12)).toEqual(['2:two', '3:three', '6:six']);
    expect(await kept(store, 'A', 7, 9, 1)).toEqual(['7:seven']);
  });

  test('messages with any bytes come back byte for byte', async () => {
    const store = await open();
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const large = new Uint8Array(300_000).fill(7);
    const view = new Uint8Array(new ArrayBuffer(1000), 100, 5).fill(9);
    for (const [index, bytes] of [all, large, view].entries()) {
      const firstSeq = index + 1;
      await store.commit([
        { kind: 'messages', session: 'A', firstSeq, bytes, ends: [bytes.length] },
      ]);
    }
    await store.commit([numbers('A', 1, 4)]);
    const found = await store.messages('A', 1, 3, 1e9);
    expect(found.map(({ bytes }) => Buffer.from(bytes))).toEqual(
      [all, large, view].map((bytes) => Buffer.from(bytes)),
    );
  });

  test('forgotten records are gone; the stream goes on, here and for the next owner', async () => {
    const store = await open();
    await store.commit([append('J', 0, 'a'), append('J', 1, 'b'), append('J', 2, 'c')]);
    await store.commit([
      { kind: 'snapshot', stream: 'J', position: 2, payload: text('s') },
      { kind: 'forget', stream: 'J', position: 2 },
    ]);
    expect(await store.end('J')).toBe(3);
    expect(await journal(store, 'J')).toEqual(['3:c']);
    await store.commit([append('J', 3, 'd')]);
    const next = reopen === undefined ? store : await reopen(store);
    expect(await journal(next, 'J')).toEqual(['3:c', '4:d']);
    await next.commit([append('J', 4, 'e')]);
    expect(await journal(next, 'J', 3)).toEqual(['4:d', '5:e']);
  });

  test('a reset sets the numbers and drops kept messages, but not those of others and not what is held', async () => {
    const store = await open();
    await store.commit([messages('A', 1, 'old', 'old'), numbers('A', 8, 3)]);
    await store.commit([messages('B', 1, 'other'), numbers('B', 1, 2)]);
    await store.commit([{ kind: 'hold', session: 'A', position: 1, bytes: text('waits') }]);
    await store.commit([
      { kind: 'reset', session: 'A', nextIn: 1, nextOut: 1 },
      messages('A', 1, 'new'),
      numbers('A', 2, 2),
    ]);
    expect(await kept(store, 'A')).toEqual(['1:new']);
    expect(await store.numbers('A')).toMatchObject({ nextIn: 2, nextOut: 2, oldestKept: 1 });
    expect(await kept(store, 'B')).toEqual(['1:other']);
    expect(await store.held('A', 0, 10)).toHaveLength(1);
  });

  test('held messages wait in order until they are released', async () => {
    const store = await open();
    for (const position of [1, 2, 3, 4]) {
      await store.commit([{ kind: 'hold', session: 'A', position, bytes: text(`m${position}`) }]);
    }
    const held = async (after: number, limit: number) =>
      (await store.held('A', after, limit)).map((m) => `${m.position}:${words(m.bytes)}`);
    expect(await held(0, 2)).toEqual(['1:m1', '2:m2']);
    await store.commit([{ kind: 'mark', session: 'A', name: 'released', value: 2 }]);
    expect(await held(0, 10)).toEqual(['3:m3', '4:m4']);
    expect(await held(3, 10)).toEqual(['4:m4']);
    expect(await store.numbers('A')).toMatchObject({ releasedTo: 2, heldTo: 4 });
  });

  test('snapshots and cursors are replaced by later ones', async () => {
    const store = await open();
    await store.commit([append('a', 0, 'one'), append('a', 1, 'two')]);
    for (const position of [1, 2]) {
      await store.commit([
        { kind: 'snapshot', stream: 'a', position, payload: text(`state ${position}`) },
        { kind: 'cursor', name: 'venue', value: position * 10 },
      ]);
    }
    const { position, payload } = (await store.snapshot('a'))!;
    expect([position, words(payload)]).toEqual([2, 'state 2']);
    expect(await store.cursor('venue')).toBe(20);
  });

  test('an empty commit resolves after those before it', async () => {
    const store = await open();
    const order: number[] = [];
    const first = store.commit([append('a', 0, 'x')]).then(() => order.push(1));
    await store.commit([]);
    order.push(2);
    await first;
    expect(order).toEqual([1, 2]);
  });

  if (reopen === undefined) return;

  test('the next start finds all that was committed', async () => {
    const store = await open();
    await store.commit([append('a', 0, 'one'), messages('A', 1, 'x'), numbers('A', 7, 2)]);
    await store.commit([{ kind: 'hold', session: 'A', position: 1, bytes: text('waits') }]);
    await store.commit([{ kind: 'cursor', name: 'c', value: 2 ** 53 - 1 }]);
    await store.commit([{ kind: 'mark', session: 'A', name: 'period', value: 1_700_000_000_000 }]);
    await store.close();
    const next = await reopen(store);
    expect(await journal(next, 'a')).toEqual(['1:one']);
    expect(await kept(next, 'A')).toEqual(['1:x']);
    expect(await next.numbers('A')).toMatchObject({
      nextIn: 7,
      nextOut: 2,
      heldTo: 1,
      periodStartMs: 1_700_000_000_000,
    });
    expect(await next.cursor('c')).toBe(2 ** 53 - 1);
  });

  test('what is kept at once is there for the next start of an owner that never closed', async () => {
    const store = await open();
    void store.commit([append('a', 0, 'under way')]).catch(() => {});
    await store.keepNow({ kind: 'snapshot', stream: 'aside', position: 0, payload: text('kept') });
    const next = await reopen(store);
    expect(words((await next.snapshot('aside'))?.payload ?? text(''))).toBe('kept');
  });

  test('a second owner that appends first makes the first owner fail', async () => {
    const first = await open();
    await first.commit([append('own', 0, 'epoch 1')]);
    const second = await reopen(first);
    await second.commit([append('own', 1, 'epoch 2')]);
    await expect(first.commit([append('own', 1, 'late')])).rejects.toThrow(PositionConflict);
    expect(await journal(second, 'own')).toEqual(['1:epoch 1', '2:epoch 2']);
  });

  test('a closed store refuses', async () => {
    const store = await open();
    await store.close();
    await expect(store.commit([append('a', 0, 'x')])).rejects.toThrow('closed');
    await expect(store.end('a')).rejects.toThrow('closed');
  });
}
