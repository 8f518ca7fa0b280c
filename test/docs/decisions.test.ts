/**
 * docs/decisions/README.md is generated from the titles of the decisions: `npx vitest run test/docs -u` rewrites it.
 * Every decision that a source, test or document cites must exist.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/decisions');

/** The subjects in the order in which a newcomer reads them; a decision that is in none of them comes last. */
const subjects: readonly (readonly [subject: string, numbers: readonly number[]])[] = [
  ['The account', [247, 250, 251, 253, 210, 82, 140]],
  ['Outcomes and nonces', [255]],
  ['Recording', [32, 270, 200, 265]],
  ['Sessions', [223, 220, 11, 20, 105, 246]],
  ['Signer', [42, 285, 275, 296]],
  ['The venue', [53]],
  ['Drop copy', [116]],
  ['Several processes and machines', [280, 282, 287, 288, 289]],
  ['Operating', [91, 150, 125, 126, 130, 293]],
  ['Certification', [170]],
  ['Sandbox', [60, 235]],
  ['Tests and performance', [240, 260]],
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

function section(subject: string, those: readonly Decision[]): string {
  const lines = those.map(({ file, title }) => `- [${file.slice(0, 4)}](${file}) ${title}`);
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
    'Decisions in force where the specification is silent or there are alternatives. Each page covers one topic: context,',
    'decision, alternatives and consequences. The numbers have no meaning.',
    '',
  ].join('\n');
  const sections = subjects.map(([subject, numbers]) => {
    const those = numbers.flatMap((number) => decisions.filter((one) => one.number === number));
    return section(subject, those);
  });
  const listed = new Set(subjects.flatMap(([, numbers]) => numbers));
  const others = decisions.filter(({ number }) => !listed.has(number));
  const rest = others.length === 0 ? [] : [section('More', others)];
  const text = [head, ...sections, ...rest].join('\n');
  await expect(text).toMatchFileSnapshot(join(folder, 'README.md'));
});

const citing = ['*.md', 'docs/**/*.md', '{src,test,bench}/**/*.ts'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

test('every decision that is cited exists', () => {
  const names = new Set(decisions.flatMap(({ file }) => [file, file.slice(0, 4)]));
  const missing = citing.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const files = text.matchAll(/decisions\/(\d{4}(?:-[\w-]+\.md)?)/g);
    const numbers = text.matchAll(/\bdecisions? (0\d{3})(?:(?:,| and) (0\d{3}))?/gi);
    const cited = [...files, ...numbers].flatMap(([, ...them]) => them);
    return cited
      .filter((one) => one !== undefined && !names.has(one))
      .map((one) => `${path}: ${one}`);
  });
  expect(missing).toEqual([]);
});
