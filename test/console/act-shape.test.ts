/** What the console accepts as the text of an operator. */
import { expect, test } from 'vitest';
import { actShape } from '../../src/console/act-shape.ts';

const release = (why: string, name = 'desk-a') =>
  actShape.safeParse({ act: 'release', scope: { kind: 'account', name }, why });

test('a reason may be in any language, and spaces around it do not count', () => {
  expect(release(' Preise sind falsch: 価格 📉 \n').data?.why).toBe('Preise sind falsch: 価格 📉');
  expect(release(`${'x'.repeat(200)} `).success).toBe(true);
  expect(release('x'.repeat(201)).success).toBe(false);
});

test.each([
  ['NUL', '\u0000'],
  ['a new line', '\n'],
  ['an escape sequence', '\u001b[31m'],
  ['a control character beyond ASCII', '\u0085'],
  ['the first half of a surrogate pair', '\ud83d'],
  ['the second half of a surrogate pair', '\udcc9'],
])(
  'a reason or a name with %s, which a database or a terminal cannot take, is refused',
  (_, text) => {
    expect(release(`wrong${text}prices`).error?.issues[0]).toMatchObject({
      path: ['why'],
      message: 'must not contain control characters',
    });
    expect(release('wrong prices', `desk${text}a`).error?.issues[0]?.path).toEqual([
      'scope',
      'name',
    ]);
  },
);
