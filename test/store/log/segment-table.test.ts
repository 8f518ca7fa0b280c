import { expect, test } from 'vitest';
import { SegmentTable } from '../../../src/store/log/segment-table.ts';
import { append, messages } from '../contract.ts';

test('a block is left for the next one when it has enough bytes', () => {
  const table = new SegmentTable();
  const blocks = [64, 100, 163, 164, 500].map((offset) => table.begin(offset, 100));
  expect(blocks).toEqual([0, 0, 0, 1, 2]);
  expect(table.blocks).toEqual([64, 164, 500]);
});

test('consecutive positions of a block are one run, and one in a hole finds the next run', () => {
  const table = new SegmentTable();
  for (const position of [0, 1, 2]) table.note(append('a', position, 'x'), 0);
  table.note(append('a', 3, 'x'), 1);
  table.note(append('a', 9, 'x'), 1);
  expect(table.find('append', 'a', 2)).toEqual({ from: 1, to: 3, block: 0 });
  expect(table.find('append', 'a', 4)).toEqual({ from: 4, to: 4, block: 1 });
  expect(table.find('append', 'a', 7)).toEqual({ from: 10, to: 10, block: 1 });
  expect(table.find('append', 'a', 11)).toBeUndefined();
  expect(table.find('append', 'b', 1)).toBeUndefined();
  expect(table.find('hold', 'a', 1)).toBeUndefined();
});

test('records that were carried forward are found between later ones that were written before them', () => {
  const table = new SegmentTable();
  table.note(append('a', 22, 'carried'), 0);
  table.note(append('a', 29, 'new'), 0);
  table.note(append('a', 23, 'carried'), 1);
  table.note(append('a', 24, 'carried'), 1);
  table.note(append('a', 30, 'new'), 1);
  const found = [23, 24, 25, 30, 31].map((at) => table.find('append', 'a', at));
  expect(found.map((run) => [run?.from, run?.to, run?.block])).toEqual([
    [23, 23, 0],
    [24, 25, 1],
    [24, 25, 1],
    [30, 30, 0],
    [31, 31, 1],
  ]);
  expect(SegmentTable.unpack(structuredClone(table.pack()))).toEqual(table);
});

test('behind a reset the numbers of a session begin again', () => {
  const table = new SegmentTable();
  table.note(messages('A', 1, 'one', 'two'), 0);
  table.note({ kind: 'reset', session: 'A', nextIn: 1, nextOut: 1 }, 1);
  expect(table.find('messages', 'A', 1)).toBeUndefined();
  table.note(messages('A', 1, 'again'), 1);
  expect(table.find('messages', 'A', 1)).toEqual({ from: 1, to: 1, block: 1 });
});
