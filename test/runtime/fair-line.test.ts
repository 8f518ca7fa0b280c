import { expect, test } from 'vitest';
import { FairLine } from '../../src/runtime/fair-line.ts';

/** Items such as `B2x`: the door, the network and a name. */
function lineOf(...items: string[]): FairLine<string> {
  const line = new FairLine<string>();
  for (const item of items) line.add(item, item.slice(0, 1), item.slice(1, 2));
  return line;
}

function taken(line: FairLine<string>): string[] {
  const all: string[] = [];
  for (let item = line.take(); item !== undefined; item = line.take()) all.push(item);
  return all;
}

test('doors have turns, and behind each door its networks; one network is served in order', () => {
  const line = lineOf('A1a', 'A1b', 'A1c', 'A2d', 'B1e', 'B1f', 'C9g');
  expect(taken(line)).toEqual(['A1a', 'B1e', 'C9g', 'A2d', 'B1f', 'A1b', 'A1c']);
  expect(line.size).toBe(0);
});

test('what is taken out is not served, and leaves no empty place', () => {
  const line = lineOf('A1a', 'A1b', 'B1c');
  expect([line.remove('A1a'), line.remove('A1a'), line.remove('B1c')]).toEqual([true, false, true]);
  expect(line.oldest).toBe('A1b');
  expect(taken(line)).toEqual(['A1b']);
  expect(line.oldest).toBeUndefined();
});

test('the fullest network of the fullest name loses its last entry', () => {
  expect(lineOf('A1a', 'B1b', 'B2c', 'B2d', 'C1e', 'C1f').newestOfFullest).toBe('B2d');
  expect(lineOf().newestOfFullest).toBeUndefined();
});

test('all from one network are found at whatever door they wait', () => {
  expect(lineOf('A1a', 'B2b', 'B1c').of('1')).toEqual([
    { item: 'A1a', door: 'A' },
    { item: 'B1c', door: 'B' },
  ]);
});
