/** The words for what a schema finds, on small schemas of which each has one rule. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultParts, parseYaml } from '../../src/runtime/yaml.ts';
import { unitOf } from '../../src/runtime/yaml-problem.ts';

const schema = z.strictObject({
  name: z
    .string()
    .meta({ description: 'Who it is.', examples: ['ann'] })
    .optional(),
  waitMs: z.int().min(1).max(10).optional(),
  isOpen: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  inner: z.strictObject({ needed: z.string().describe('What for.') }).optional(),
});

function faults(text: string) {
  const checked = parseYaml(text, 'a.yaml', schema);
  return checked.kind === 'faults' ? checked.faults.map(faultParts) : [];
}

test.each([
  ['name: 10', 'name', /quotes: '10'.*for example 'ann'/],
  ['waitMs: 0', 'waitMs', /at least 1, not 0.*unit: ms/],
  ['waitMs: 11', 'waitMs', /at most 10, not 11/],
  ['waitMs: "5"', 'waitMs', /without quotes: 5/],
  ['waitMs: 1.5', 'waitMs', /whole number, not 1\.5/],
  ['isOpen: yes', 'isOpen', /true or false.*not yes/],
  ['isOpen: "true"', 'isOpen', /without quotes/],
  ['name: [a]', 'name', /single value/],
  ['list: a', 'list', /list/],
  ['list: []', 'list', /not be empty/],
  ['list: [a, b, c]', 'list', /at most 2/],
  ['inner: text', 'inner', /section/],
  ['inner: {}', 'inner.needed', /missing.*What for/],
  ['- a', '(whole file)', /section/],
  ['', '(whole file)', /section/],
])('%j is explained', (text, key, meaning) => {
  expect(faults(text)).toEqual([
    {
      file: 'a.yaml',
      line: 1,
      column: expect.any(Number),
      key,
      problem: expect.stringMatching(meaning),
    },
  ]);
});

test('a misspelt key is one fault, although the key that was meant is missing', () => {
  expect(faults('inner:\n  neded: x')).toEqual([
    { file: 'a.yaml', line: 2, column: 3, key: 'inner.neded', problem: expect.any(String) },
  ]);
  expect(faults('inner:\n  other: x').map(({ key }) => key)).toEqual([
    'inner.other',
    'inner.needed',
  ]);
});

test('a value is quoted only in part if it is long', () => {
  const [{ problem = '' } = {}] = faults(`waitMs: ${'x'.repeat(10_000)}`);
  expect(String(problem).length).toBeLessThan(200);
});

test('a text without a place is the problem alone', () => {
  expect(faultParts('no signer')).toEqual({ problem: 'no signer' });
  expect(faultParts('a.yaml:3:1: no value')).toEqual({
    file: 'a.yaml',
    line: 3,
    column: 1,
    problem: 'no value',
  });
});

test('the end of a name is its unit', () => {
  expect(['graceMs', 'maxBytes', 'priceCollarBps', 'name'].map(unitOf)).toEqual([
    'ms',
    'bytes',
    'basis points',
    undefined,
  ]);
});

test('a tab is the one thing that is reported in a file that has it as indentation', () => {
  const text = 'a:\n  b: 1\n  \tc: 2\n\t- x\nd:\te\n';
  expect(parseYaml(text, 'a.yaml', z.any())).toEqual({
    kind: 'faults',
    faults: [
      'a.yaml:3:3: a tab indents this line; YAML takes only spaces',
      'a.yaml:4:1: a tab indents this line; YAML takes only spaces',
    ],
  });
  expect(parseYaml('a: 1\n b: 2\n', 'a.yaml', z.any())).toMatchObject({ kind: 'faults' });
});

test.each([
  ['a word', 'list: [a, b, a]', 'list[2]', 'duplicate "a"'],
  [
    'a name',
    'users: [{ name: a }, { name: b }, { name: a }]',
    'users[2].name',
    'duplicate name "a"',
  ],
  [
    'a number',
    'markets: [{ market: 7 }, { market: 7 }]',
    'markets[1].market',
    'duplicate market "7"',
  ],
])(
  '%s that a list repeats, at any depth, is refused once and in its place',
  (_, text, key, problem) => {
    const checked = parseYaml(`inner:\n  ${text}`, 'a.yaml', z.unknown());
    const found = checked.kind === 'faults' ? checked.faults.map(faultParts) : [];
    expect(found).toMatchObject([{ key: `inner.${key}`, problem }]);
  },
);

test('what differs, what is in two lists, and a step that comes again, is no repeat', () => {
  const text = `
a: [x, y]
b: [x, [x], [x], { name: x }, { name: y, users: [x] }, { users: [x] }, { users: [x] }]
steps: [logon, logon]`;
  expect(parseYaml(text, 'a.yaml', z.unknown()).kind).toBe('value');
});
