/** The sum of an effect tells any change of what a client or the venue would see, and is the same for the same effect. */
import { expect, test } from 'vitest';
import { exactJson, parseExactJson } from '../../src/domain/exact-json.ts';
import type { Qty } from '../../src/domain/units.ts';
import { EffectSums, readSums, sumOf } from '../../src/engine/effect-sums.ts';
import { Ladder, terms } from '../domain/ladder.ts';

const { order } = new Ladder(terms({ qty: 5n as Qty }));
const report = {
  kind: 'report',
  session: 'S',
  report: { kind: 'execution', execType: 'new', execId: 'T-1', order, fill: null, venueSeq: 7 },
};

/** Every effect that differs from this one in a single value. */
function* changed(value: unknown, name = ''): Generator<unknown> {
  if (name === 'instrument') return;
  if (typeof value === 'string') yield `${value}x`;
  else if (typeof value === 'number') yield value + 1;
  else if (typeof value === 'bigint') yield value + 1n;
  else if (typeof value === 'boolean') yield !value;
  else if (value === null) yield 0;
  else if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, held] of Object.entries(value)) {
      for (const other of changed(held, key)) yield { ...value, [key]: other };
    }
  }
}

test('an effect that differs in one value has another sum', () => {
  const others = [...changed(report)] as (typeof report)[];
  expect(others.length).toBeGreaterThan(40);
  const sums = new Set(others.map(sumOf));
  expect(sums.size).toBe(others.length);
  expect(sums.has(sumOf(report))).toBe(false);
});

test('an effect that was written down and read again has the same sum', () => {
  const again = parseExactJson(exactJson(report)) as typeof report;
  expect(sumOf(again)).toBe(sumOf(report));
  expect(sumOf({ ...report, unset: undefined } as typeof report)).toBe(sumOf(report));
});

test('an alarm has the same sum whether it names its order or not, as in earlier versions', () => {
  const alarm = { kind: 'alarm', text: 'look' };
  expect(sumOf({ ...alarm, orderId: '0xa' } as typeof alarm)).toBe(sumOf(alarm));
  const other = { kind: 'look', text: 'look' };
  expect(sumOf({ ...other, orderId: '0xa' } as typeof other)).not.toBe(sumOf(other));
});

test('the order in which the members stand does not count', () => {
  const reversed = Object.fromEntries(Object.entries(report.report).toReversed());
  expect(sumOf({ ...report, report: reversed } as typeof report)).toBe(sumOf(report));
  const of = (value: object) => sumOf({ kind: 'x', ...value });
  expect(of({ price: 1, qty: 2 })).not.toBe(of({ price: 2, qty: 1 }));
});

test('amounts of any size, fractions, and the order of a list count', () => {
  const of = (value: unknown) => sumOf({ kind: 'x', value } as { kind: string });
  const values = [2n ** 70n, 2n ** 70n + 1n, 2 ** 40, 2 ** 40 + 1, -1, 1, 0.5, 0.25, '', [], {}];
  const lists = [
    [1, 2],
    [2, 1],
    [1, [2]],
  ];
  expect(new Set([...values, ...lists].map(of)).size).toBe(values.length + lists.length);
});

test('a report counts the trades of its order and the last of them, however many there are', () => {
  const trade = (qty: bigint) => ({ fillId: 'f', execId: 'e', price: 1n, qty: qty as Qty });
  const withTrades = (...executions: unknown[]) =>
    sumOf({ kind: 'report', order: { executions } } as { kind: string });
  expect(withTrades(trade(1n))).not.toBe(withTrades(trade(1n), trade(1n)));
  expect(withTrades(trade(1n), trade(1n))).not.toBe(withTrades(trade(1n), trade(2n)));
});

test('a record has the kind and the sum of each effect, in order, and nothing of the record before', () => {
  const sums = new EffectSums();
  const wake = { kind: 'wake', id: 1, atMs: 20 };
  sums.add([report, wake]);
  sums.add([]);
  const text = sums.take();
  expect(readSums(text)).toEqual([
    { kind: 'report', sum: sumOf(report) },
    { kind: 'wake', sum: sumOf(wake) },
  ]);
  expect(readSums(sums.take())).toEqual([]);
});

test('sums of another form are not read', () => {
  expect(readSums('0 report:abc')).toBeUndefined();
});
