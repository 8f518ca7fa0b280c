/** JSON pointers (RFC 6901, section 5). */
import { expect, test } from 'vitest';
import { compilePointer, compilePointers } from '../../src/venue/json-pointer.ts';

const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, deep: { er: { x: null } } };

test.each([
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/m~0n', 8],
  ['/deep/er/x', null],
  ['/deep/er/y', undefined],
  ['/none/er', undefined],
  ['/deep/er/x/y', undefined],
])('%j', (pointer, value) => {
  expect(compilePointer(pointer)(document)).toEqual(value);
});

test('what an object inherits is no member of it', () => {
  expect(compilePointer('/constructor')({})).toBeUndefined();
  expect(compilePointer('/__proto__/x')({})).toBeUndefined();
});

test('several at once, by name', () => {
  const at = compilePointers({ one: '/foo/1', two: '/none' });
  expect([at.one(document), at.two(document)]).toEqual(['baz', undefined]);
});
