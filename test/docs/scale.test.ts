/** The arithmetic of docs/SCALE.md: each figure follows from the symbols of its first table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const scale = readFileSync(join(import.meta.dirname, '../../docs/SCALE.md'), 'utf8');
const rows = scale
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => {
    const cells = line.split('|').slice(1, -1);
    return cells.map((cell) => cell.trim());
  });

function numberIn(text: string): number {
  const found = /[\d,]*\d(\.\d+)?/.exec(text);
  if (found === null) throw new Error(`no number in "${text}"`);
  return Number(found[0].replaceAll(',', ''));
}

/** The value of a symbol, in the unit that the page uses. */
function symbol(name: string): number {
  const row = rows.find(([, second]) => second === `*${name}*`);
  return numberIn(row?.[2] ?? '');
}

function said(pattern: RegExp): number {
  return numberIn(pattern.exec(scale.replaceAll('\n', ' '))?.[1] ?? '');
}

const [w, r, s, p] = ['w', 'r', 's', 'p'].map((name) => symbol(name) / (name === 's' ? 1 : 1e6));
const b = symbol('b') * 1_000;
const share = 0.6;
const perDatabase = said(/carries about ([\d,]+) orders\/s with half/);
/** Rounding errors must not add a core. */
const up = (value: number) => Math.ceil(Number(value.toFixed(6)));

test.each([
  [2, 10_000, 3],
  [3, 1_000_000, 172],
])('column %i is what %i orders/s need, with clients on %i nodes', (column, rate, nodes) => {
  const workers = up((rate * (w ?? 0)) / share);
  const relays = up((rate * (r ?? 0) * (1 - 1 / nodes)) / share);
  const expected = [
    workers,
    relays,
    up((workers + relays) / 16) + 1,
    workers,
    (rate * b) / 1e6,
    up(rate / perDatabase),
    up((rate * 100e-6) / share),
  ];
  const first = rows.findIndex(([name]) => name === 'cores for workers');
  const found = rows
    .slice(first, first + expected.length)
    .map((row) => numberIn(row[column] ?? ''));
  expect(found).toEqual(expected);
});

test('the limits of one server follow from the log of an order, and its processor from its statements', () => {
  expect(said(/1\.2 GB\/s \/ \*b\* = ([\d,]+) orders/)).toBe(Math.round(1.2e9 / b / 1_000) * 1_000);
  expect(said(/syncs 200 MB\/s carries ([\d,]+)\./)).toBe(Math.round(200e6 / b / 1_000) * 1_000);
  expect(perDatabase).toBe(Math.floor(200e6 / b / 2 / 10_000) * 10_000);
  expect(said(/is ([\d.]+) cores at 10,000/)).toBe(
    Number((10_000 * (s ?? 0) * (p ?? 0)).toFixed(1)),
  );
  expect(said(/([\d,]+) TB a day/)).toBe(Math.round((10_000 * b * 86_400) / 1e12));
});

test('what all nodes together read follows from shards and nodes', () => {
  const [shards, nodes] = [
    said(/with ([\d,]+) shards and [\d,]+ nodes/),
    said(/shards and ([\d,]+) nodes/),
  ];
  const thousands = Math.round((4 * (shards + nodes) * nodes) / 1_000);
  expect(said(/that is ([\d,]+) rows\/s/)).toBe(thousands * 1_000);
  const row = (name: string) => rows.find(([first]) => first === name)?.[3] ?? '';
  expect(shards).toBe(numberIn(row('shards, one per worker core')));
  expect(nodes).toBe(numberIn(row('nodes with 16 cores, plus one spare')));
});
