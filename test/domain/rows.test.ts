/** Values as rows of a table: what they have in common and what is not written takes no room, and all of it comes back. */
import { expect, test } from 'vitest';
import {
  amount,
  members,
  optional,
  orNull,
  plain,
  shared,
  unless,
  word,
} from '../../src/domain/form.ts';
import { Rows } from '../../src/domain/rows.ts';

interface Inner {
  readonly side: string;
  readonly price: bigint | null;
  readonly slot?: string | undefined;
}

interface Sample {
  readonly name: string;
  readonly inner: Inner;
  readonly qty: bigint;
  readonly market: { readonly id: number };
  readonly note: string | null;
}

const table = new Rows(
  members<Sample>({
    name: plain(),
    inner: members<Inner>({ side: word(), price: orNull(amount()), slot: optional(word()) }),
    qty: unless(0n, amount()),
    market: shared(members<{ readonly id: number }>({ id: plain() })),
    note: plain(),
  }),
);

function sample(name: string, inner: Partial<Inner> = {}, more: Partial<Sample> = {}): Sample {
  const own = { side: 'Bid', price: 5n, ...inner };
  return { name, inner: own, qty: 0n, market: { id: 1 }, note: 'n', ...more };
}

function again(values: readonly Sample[]) {
  const { heading, rows } = table.write(values);
  const read = table.reader(JSON.parse(heading));
  return { heading: JSON.parse(heading), rows, values: rows.map((row) => read(JSON.parse(row))) };
}

test('what all rows have in common is in the heading, once', () => {
  const values = [sample('a'), sample('b')];
  const { heading, rows, values: read } = again(values);
  expect(heading).toEqual({
    common: { 'inner.side': 'Bid', 'inner.price': '5', market: { id: 1 }, note: 'n' },
    columns: [['name']],
  });
  expect(rows).toEqual(['["a"]', '["b"]']);
  expect(read).toStrictEqual(values);
  expect(read[0]?.market).toBe(read[1]?.market);
  expect(read[0]?.inner).not.toBe(read[1]?.inner);
});

test('a cell of a word, or of a value with few different ones, is a place in the list of its column', () => {
  const values = [
    sample('a', { slot: 'x' }),
    sample('b', { side: 'Ask' }, { market: { id: 2 } }),
    sample('c', { side: 'Ask', slot: 'y' }),
  ];
  const { heading, rows, values: read } = again(values);
  expect(heading.columns).toEqual([
    ['name'],
    ['inner.side', ['Bid', 'Ask']],
    ['inner.slot', ['x', 'y']],
    ['market', [{ id: 1 }, { id: 2 }]],
  ]);
  expect(rows).toEqual(['["a",0,0,0]', '["b",1,null,1]', '["c",1,1,0]']);
  expect(read).toStrictEqual(values);
});

test('a default value in some rows is an empty cell, and null stays null where it is no default', () => {
  const values = [
    sample('a', { price: null }, { qty: 7n }),
    sample('b', {}, { note: null }),
    sample('c', {}, { qty: 2n ** 80n }),
  ];
  const { rows, values: read } = again(values);
  expect(rows).toEqual([
    '["a",null,"7","n"]',
    '["b","5",null,null]',
    `["c","5","${2n ** 80n}","n"]`,
  ]);
  expect(read).toStrictEqual(values);
});

test('one value, or none, needs no columns', () => {
  expect(again([]).values).toEqual([]);
  const one = again([sample('a')]);
  expect(one.rows).toEqual(['[]']);
  expect(one.values).toStrictEqual([sample('a')]);
});

test('a column that the form does not have is refused by its name', () => {
  expect(() => table.reader({ common: {}, columns: [['inner.colour']] })).toThrow(
    'the column inner.colour is unknown',
  );
  expect(() => table.reader({ common: { 'inner.colour': 1 }, columns: [] })).toThrow(
    'the column inner.colour is unknown',
  );
});
