/** docs/decisions/README.md is made from the titles of the decisions: `npx vitest run test/docs -u` writes it anew. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../docs/decisions');

/** The first number of each subject; what was decided once all of it stood is one list. */
const subjects: readonly (readonly [from: number, subject: string])[] = [
  [1, 'The whole'],
  [10, 'FIX messages'],
  [20, 'FIX sessions'],
  [30, 'Store and transport'],
  [40, 'Signer'],
  [50, 'Client of the venue'],
  [60, 'Sandbox'],
  [80, 'Orders'],
  [91, 'Operating'],
  [100, 'SBE and FIXP'],
  [115, 'Drop copy'],
  [120, 'Certification'],
  [125, 'Console'],
  [130, 'Command line'],
  [135, 'All together'],
];

interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
}

const decisions: readonly Decision[] = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort()
  .map((file) => {
    const [head = ''] = readFileSync(join(folder, file), 'utf8').split('\n', 1);
    const [, number = '', title = ''] = /^# (\d{4})[.:]? (.+)$/.exec(head) ?? [];
    return { file, number: Number(number), title };
  });

function section([from, subject]: (typeof subjects)[number], index: number): string {
  const [end] = subjects[index + 1] ?? [Number.POSITIVE_INFINITY];
  const lines = decisions
    .filter(({ number }) => number >= from && number < end)
    .map(({ file, title }) => `- [${file.slice(0, 4)}](${file}) ${title}`);
  return [`## ${subject}`, '', ...lines, ''].join('\n');
}

test.each(decisions)('$file begins with its own number and a title', ({ file, number, title }) => {
  expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
  expect(number).toBe(Number(file.slice(0, 4)));
  expect(title).not.toBe('');
});

test('no number is given twice', () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('the index names every decision under its subject', async () => {
  const head = [
    '# Decisions',
    '',
    'What was decided where the specification is silent, or where it could be done otherwise: context, decision,',
    'consequence, a page at most.',
    '',
  ].join('\n');
  const text = [head, ...subjects.map(section)].join('\n');
  await expect(text).toMatchFileSnapshot(join(folder, 'README.md'));
});
