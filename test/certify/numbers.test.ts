import { expect, test } from 'vitest';
import { heard, numbersAt } from './messages.ts';

test('what is sent ahead counts once the gap before it is filled', () => {
  const numbers = numbersAt(5, 1);
  numbers.sent(heard('0', 7));
  expect(numbers.nextOut).toBe(5);
  numbers.sent(heard('4|43=Y|122=now|123=Y|36=7', 5));
  expect(numbers.nextOut).toBe(8);
});

test('a GapFill with an old number, and a reset backward, move nothing', () => {
  const numbers = numbersAt(5, 1);
  numbers.sent(heard('4|43=Y|122=now|123=Y|36=20', 4));
  numbers.sent(heard('4|123=N|36=2', 5));
  expect(numbers.nextOut).toBe(5);
});

test('a number of the counterparty that is not the next is told', () => {
  const numbers = numbersAt(1, 3);
  expect(numbers.received(heard('0', 5))).toBe('expected 3, not 5');
  expect(numbers.nextIn).toBe(6);
  expect(numbers.received(heard('0', 2))).toBe('expected 6, not 2');
  expect(numbers.received(heard('0|43=Y|122=now', 2))).toBeUndefined();
  expect(numbers.received(heard('A|98=0|108=30', 9))).toBeUndefined();
});

test('141=Y sets both sides to 1, whichever side sends it first', () => {
  const theirs = numbersAt(8, 8);
  expect(theirs.received(heard('A|98=0|108=30|141=Y', 1))).toBeUndefined();
  theirs.sent(heard('A|98=0|108=30|141=Y', 1));
  expect([theirs.nextOut, theirs.nextIn]).toEqual([2, 2]);
  const ours = numbersAt(8, 8);
  ours.sent(heard('A|98=0|108=30|141=Y', 1));
  expect(ours.received(heard('A|98=0|108=30|141=Y', 1))).toBeUndefined();
  expect([ours.nextOut, ours.nextIn]).toEqual([2, 2]);
});

test('a new day begins at 1 on both sides, whatever was asked for before', () => {
  const numbers = numbersAt(8, 8);
  numbers.sent(heard('A|98=0|108=30|141=Y', 8));
  numbers.begin();
  expect([numbers.nextOut, numbers.nextIn]).toEqual([1, 1]);
  expect(numbers.received(heard('A|98=0|108=30', 1))).toBeUndefined();
});
