import { expect, test } from 'vitest';
import { UndoLog } from '../../../src/sandbox/engine/undo-log.ts';

test('changes go back in reverse order', () => {
  const undo = new UndoLog();
  const record = { value: 1 };
  const seen: number[] = [];
  undo.begin();
  undo.save(record);
  record.value = 2;
  undo.step(() => seen.push(record.value));
  undo.save(record);
  record.value = 3;
  undo.rollback();
  expect([record.value, seen, undo.active]).toEqual([1, [2], false]);
});

test('what was committed or was never begun stays', () => {
  const undo = new UndoLog();
  const record = { value: 1 };
  undo.save(record);
  record.value = 2;
  undo.rollback();
  expect(record.value).toBe(2);
  undo.begin();
  undo.save(record);
  record.value = 3;
  undo.commit();
  undo.rollback();
  expect(record.value).toBe(3);
});
