import { expect, test } from 'vitest';
import { placed } from '../../src/sandbox/placed.ts';

test('each value is written at its pointer, and an undefined one is left out', () => {
  const pointers = { a: '/x/y', b: '/x/z', c: '/w', d: '/odd~1name/~0', e: '/none' };
  expect(placed(pointers, { a: 1, b: null, c: [2], d: 3 })).toEqual({
    x: { y: 1, z: null },
    w: [2],
    'odd/name': { '~': 3 },
  });
});

test('values are added to a record, also inside its members', () => {
  const record = { x: { y: 1 }, w: 'old' };
  expect(placed({ a: '/x/z', b: '/w' }, { a: 2, b: 'new' }, record)).toEqual({
    x: { y: 1, z: 2 },
    w: 'new',
  });
});
