import { expect, test } from 'vitest';
import { LiveIndex } from '../../../src/store/log/live-index.ts';
import { conflictOf } from '../../../src/store/store.ts';
import { append, messages, numbers } from '../contract.ts';

const at = (segment: number, isCarried = false) => ({ segment, block: 0, isCarried });

test('a commit conflicts by the first of its appends that does not follow, its own counted', () => {
  const index = new LiveIndex(1e6);
  index.apply(append('a', 0, 'x'), at(1));
  expect(conflictOf([append('a', 1, 'x'), append('a', 2, 'x')], index)).toBeUndefined();
  expect(conflictOf([append('b', 0, 'x'), append('a', 0, 'x')], index)).toMatchObject({
    stream: 'a',
    expected: 0,
    actual: 1,
  });
  expect(index.end('b')).toBe(0);
});

test('a write that does not follow what is there is refused', () => {
  const index = new LiveIndex(1e6);
  index.apply(messages('A', 1, 'one', 'two'), at(1));
  index.apply({ kind: 'hold', session: 'A', position: 3, bytes: new Uint8Array(1) }, at(1));
  for (const write of [
    append('a', 1, 'x'),
    messages('A', 2, 'again'),
    { kind: 'hold', session: 'A', position: 3, bytes: new Uint8Array(1) } as const,
  ]) {
    expect(() => index.apply(write, at(1))).toThrow('follow');
  }
});

test('a segment is live as long as anything in it is needed', () => {
  const index = new LiveIndex(1e6);
  const live = () => [...index.liveBytes().keys()].sort();
  index.apply(append('a', 0, 'x'), at(1));
  index.apply({ kind: 'snapshot', stream: 'a', position: 1, payload: new Uint8Array(5) }, at(2));
  index.apply(messages('A', 1, 'one'), at(3));
  index.apply({ kind: 'hold', session: 'A', position: 1, bytes: new Uint8Array(1) }, at(4));
  index.apply(append('a', 1, 'x'), at(5));
  expect(live()).toEqual([1, 2, 3, 4, 5]);
  index.apply({ kind: 'forget', stream: 'a', position: 1 }, at(5));
  index.apply({ kind: 'snapshot', stream: 'a', position: 2, payload: new Uint8Array(5) }, at(5));
  index.apply({ kind: 'reset', session: 'A', nextIn: 1, nextOut: 1 }, at(5));
  index.apply({ kind: 'mark', session: 'A', name: 'released', value: 1 }, at(5));
  expect(live()).toEqual([5]);
});

test('what is carried forward keeps its position and does not count twice', () => {
  const index = new LiveIndex(1e6);
  for (const position of [0, 1]) index.apply(append('a', position, 'x'), at(1));
  index.apply(messages('A', 1, 'one'), at(1));
  for (const position of [0, 1]) index.apply(append('a', position, 'x'), at(2, true));
  index.apply(messages('A', 1, 'one'), at(2, true));
  expect([...index.liveBytes().keys()]).toEqual([2]);
  expect([index.end('a'), index.session('A').row.keptBytes]).toEqual([2, 3]);
});

test('a session that keeps enough in later segments drops its oldest segment', () => {
  const index = new LiveIndex(10);
  index.apply(messages('A', 1, 'ten bytes.', 'ten bytes.'), at(1));
  index.apply(messages('A', 3, 'nine byte'), at(2));
  expect(index.session('A').row).toMatchObject({ oldestKept: 1, keptBytes: 29 });
  index.apply(messages('A', 4, '!'), at(2));
  expect(index.session('A').row).toMatchObject({ oldestKept: 3, keptBytes: 10 });
});

test('packed and unpacked it is the same', () => {
  const index = new LiveIndex(1e6);
  index.apply(append('a', 0, 'x'), at(1));
  index.apply({ kind: 'snapshot', stream: 'a', position: 1, payload: new Uint8Array(5) }, at(1));
  index.apply(messages('A', 1, 'one'), at(2));
  index.apply(numbers('A', 3, 2), at(2));
  index.apply({ kind: 'cursor', name: 'c', value: 2 ** 53 - 1 }, at(2));
  const packed = JSON.parse(JSON.stringify(index.pack()));
  expect(LiveIndex.unpack(packed, 1e6).pack()).toEqual(index.pack());
});
