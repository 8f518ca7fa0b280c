import { expect, test } from 'vitest';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { endOf, FieldIndex, numberOf, startOf, stride } from '../../src/fix/field-index.ts';
import { scan } from '../../src/fix/scan.ts';
import { fromText } from '../support/fix-text.ts';

const bytes = fromText('8=FIX.4.4|9=1|35=0|58=a|5000=u|10=000|');

function scanned(capacity?: number): FieldIndex {
  const index = new FieldIndex(fix44(), capacity);
  index.open(bytes, 0, bytes.length);
  scan(index, 100);
  return index;
}

test('a field is its tag, its number in the dictionary and where its value lies', () => {
  const { fields } = scanned();
  const at = 3 * stride;
  expect(fields[at]).toBe(58);
  expect(numberOf(fields, at)).toBe(fix44().fieldOf[58]);
  expect(Buffer.from(bytes.subarray(startOf(fields, at), endOf(fields, at))).toString()).toBe('a');
});

test('tags are found by table or, undefined ones, by search', () => {
  const index = scanned();
  expect(index.find(58)).toBe(3 * stride);
  expect(index.find(5000)).toBe(4 * stride);
  for (const tag of [44, 5001, -1, 0, 20_000]) expect(index.find(tag)).toBe(-1);
});

test('the last message is forgotten, even when the numbers start over', () => {
  const index = scanned();
  index.base = (1 << 29) + 1;
  index.open(bytes, 0, bytes.length);
  expect(index.base).toBe(1);
  expect(index.find(58)).toBe(-1);
  scan(index, 100);
  expect(index.find(58)).toBe(3 * stride);
});

test('an index of any size grows to what the message needs', () => {
  for (const capacity of [2, 3, 5, 6, 7, 8]) {
    const index = scanned(capacity * stride);
    expect(index.length).toBe(6 * stride);
    expect(index.find(10)).toBe(5 * stride);
  }
});
