/** Records come back as they were written, and what has its default value is not written. */
import { expect, test } from 'vitest';
import {
  amount,
  json,
  kinds,
  list,
  members,
  optional,
  orNull,
  plain,
  shared,
  unless,
  word,
} from '../../src/domain/form.ts';
import { orderForm } from '../../src/domain/forms.ts';
import type { Qty } from '../../src/domain/units.ts';
import { Ladder, terms } from './ladder.ts';

interface Sample {
  readonly name: string;
  readonly qty: bigint;
  readonly price: bigint | null;
  readonly isOn: boolean;
  readonly tags: readonly string[];
  readonly more?: number | undefined;
  readonly rest: unknown;
}

const sample = members<Sample>({
  name: plain(),
  qty: unless(0n, amount()),
  price: orNull(amount()),
  isOn: unless(false, plain<boolean>()),
  tags: list(word()),
  more: optional(plain()),
  rest: json(),
});
const again = (value: Sample) => sample.read(JSON.parse(sample.write(value) ?? ''));

test('a value comes back as it was, with amounts of any size', () => {
  const full = { name: 'a "b"', qty: 2n ** 80n, price: -1n, isOn: true, tags: ['x', 'y'] };
  const value = { ...full, more: 0, rest: { deep: [1n, null] } };
  expect(again(value)).toStrictEqual(value);
});

test('what is null, empty, absent or the default is not written, and comes back', () => {
  const value = { name: 'a', qty: 0n, price: null, isOn: false, tags: [], rest: 7 };
  expect(sample.write(value)).toBe('{"name":"a","rest":7}');
  expect(again(value)).toStrictEqual(value);
});

test('each kind has its own table', () => {
  type Either =
    | { readonly kind: 'a'; readonly qty: bigint }
    | { readonly kind: 'b'; readonly text: string | null };
  const form = kinds<Either>({
    a: members({ kind: plain(), qty: amount() }),
    b: members({ kind: plain(), text: orNull(plain()) }),
  });
  for (const value of [{ kind: 'a', qty: 5n } as const, { kind: 'b', text: null } as const]) {
    expect(form.read(JSON.parse(form.write(value) ?? ''))).toStrictEqual(value);
  }
  expect(form.write({ kind: 'b', text: null })).toBe('{"kind":"b"}');
});

test('values that are the same are in memory once', () => {
  const form = shared(members<{ readonly qty: bigint }>({ qty: amount() }));
  expect(form.read({ qty: '1' })).toBe(form.read({ qty: '1' }));
  expect(form.read({ qty: '1' })).not.toEqual(form.read({ qty: '2' }));
});

test('an order that rests is written in a third of what all of its members take, and comes back', () => {
  const { order } = new Ladder(terms({ qty: 10n as Qty }));
  const text = orderForm.write(order) ?? '';
  expect(orderForm.read(JSON.parse(text))).toStrictEqual(order);
  expect(text.length).toBeLessThan(750);
});

test('a value that is read has the members of its table in their order, and lacks optional ones', () => {
  const form = members<{ a: number | null; b?: number; c: bigint; d: readonly number[] }>({
    a: orNull(plain<number>()),
    b: optional(plain<number>()) as never,
    c: amount<bigint>(),
    d: list(plain<number>()),
  });
  expect(Object.entries(form.read({ c: '7' }))).toEqual([
    ['a', null],
    ['c', 7n],
    ['d', []],
  ]);
  expect(form.read({ b: 1, c: '7' }).b).toBe(1);
});
