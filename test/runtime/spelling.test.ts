import { expect, test } from 'vitest';
import { didYouMean } from '../../src/runtime/spelling.ts';

const words = ['check', 'decode', 'keys', 'sbe'];

test.each([
  ['chek', ' Did you mean check?'],
  ['chekc', ' Did you mean check?'],
  ['ddecode', ' Did you mean decode?'],
  ['key', ' Did you mean keys?'],
  ['sb', ' Did you mean sbe?'],
  ['chickens', ''],
  ['x', ''],
  ['', ''],
])('%j is answered with %j', (word, answer) => {
  expect(didYouMean(word, words)).toBe(answer);
});

test('a word that is part of exactly one known word is answered with that', () => {
  const keys = ['certFile', 'keyFile', 'clientCaFile'];
  expect(didYouMean('caFile', keys)).toBe(' Did you mean clientCaFile?');
  expect(didYouMean('file', keys)).toBe('');
});

test('the nearest word is named, not the first that is near', () => {
  expect(didYouMean('lists', ['live', 'list'])).toBe(' Did you mean list?');
});
