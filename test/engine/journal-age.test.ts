import { expect, test } from 'vitest';
import { JournalAge } from '../../src/engine/journal-age.ts';

const at = (day: number) => day * 86_400_000 + 5;

test('records are over that many days after the day on which they were the last', () => {
  const age = new JournalAge();
  age.note(10, at(100));
  age.note(20, at(100));
  age.note(30, at(101));
  age.note(40, at(105));
  expect(age.expired(at(102), 2)).toBe(0);
  expect(age.expired(at(103), 2)).toBe(10);
  expect(age.expired(at(104), 2)).toBe(30);
  expect(age.expired(at(107), 2)).toBe(30);
  expect(age.expired(at(108), 2)).toBe(40);
});

test('an entry that was written is read back with the same content', () => {
  const age = new JournalAge();
  age.note(10, at(100));
  age.note(30, at(101));
  expect(new JournalAge(age.encode()).expired(at(104), 2)).toBe(30);
});

test('a clock that goes back forgets nothing and notes nothing', () => {
  const age = new JournalAge();
  age.note(10, at(100));
  age.note(20, at(99));
  expect(age.expired(at(99), 2)).toBe(0);
  expect(age.expired(at(103), 2)).toBe(10);
});

test('notes are as many as days are kept', () => {
  const age = new JournalAge();
  for (let day = 0; day < 1000; day += 1) {
    age.note(day, at(day));
    age.expired(at(day), 3);
  }
  expect(JSON.parse(Buffer.from(age.encode()).toString())).toHaveLength(5);
});
