/** What documents and help show exists: verbs, options, actions, npm scripts, and the files that links lead to. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allVerbs } from '../../src/cli/verbs.ts';
import { causewayCalls, npmScripts, type ShownCommand } from './doc-commands.ts';

const root = join(import.meta.dirname, '../..');
const files = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'docs/venue/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }).sort(),
);
const verbs = new Map(await allVerbs());
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function faultOf({ where, words }: ShownCommand): string | undefined {
  const [name = '', ...rest] = words;
  if (/^(--help|--version|help|VERB|DIR)$/.test(name) || name === '') return undefined;
  const verb = verbs.get(name.replace(/[….]+$/, ''));
  if (verb === undefined) return `${where}: no verb ${name}`;
  for (const word of rest) {
    const option = /^--(?:no-)?([a-z][a-z0-9-]*)/.exec(word)?.[1];
    if (option === undefined || option === 'help') continue;
    const isKnown = Object.hasOwn(verb.options, option);
    if (!isKnown) return `${where}: ${name} has no option ${word}`;
  }
  const [action = ''] = rest;
  const isAction = /^[a-z]+$/.test(action) && Object.keys(verb.actions).length > 0;
  if (isAction && !Object.hasOwn(verb.actions, action)) return `${where}: ${name} has no ${action}`;
  return undefined;
}

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8');

  test('shows only calls that the program takes', () => {
    expect(causewayCalls(file, text).map(faultOf).filter(Boolean)).toEqual([]);
  });

  test('shows only npm scripts that there are', () => {
    for (const script of npmScripts(text)) expect(Object.keys(scripts)).toContain(script);
  });

  test('links only to files that there are', () => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      expect(existsSync(join(root, dirname(file), target)), `${file} links to ${target}`).toBe(
        true,
      );
    }
  });
});

/** Of each file the headings as links name them. */
const anchors = new Map(
  files.map((file) => [file, headingsOf(readFileSync(join(root, file), 'utf8'))]),
);

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(files)('the links of %s into documents lead to headings that they have', (file) => {
  const text = readFileSync(join(root, file), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  for (const [, target = '', anchor = ''] of text.matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)) {
    const into = target === '' ? file : join(dirname(file), target);
    expect(anchors.get(into), `${file} links to ${into}#${anchor}`).toContain(anchor);
  }
});

test('every section of a document that code cites is one that the document has', () => {
  const missing: string[] = [];
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, document = '', section = ''] of text.matchAll(
      /(docs\/[A-Z-]+\.md), "([^"]+)"/g,
    )) {
      const headings = readFileSync(join(root, document), 'utf8').split('\n');
      const has = headings.some((line) => line.startsWith('#') && line.endsWith(` ${section}`));
      if (!has) missing.push(`${file}: ${document}, "${section}"`);
    }
  }
  expect(missing).toEqual([]);
});

test.each(files)('the tables of %s have a head, so that they are shown as tables', (file) => {
  const text = readFileSync(join(root, file), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  for (const block of text.split(/\n\s*\n/)) {
    const [head = '', rule = ''] = block.split('\n').filter((line) => line.startsWith('|'));
    if (head !== '') expect(rule, `${file}: ${head.slice(0, 60)}`).toMatch(/^\|[-:| ]+\|$/);
  }
});

test.each([...verbs])(
  'the examples in the help of %s are calls that the program takes',
  (name, verb) => {
    const examples = verb.help(name).split('Examples:\n')[1] ?? '';
    const fenced = `\`\`\`\n${examples}\n\`\`\``;
    const calls = causewayCalls(`${name} --help`, fenced);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.map(faultOf).filter(Boolean)).toEqual([]);
  },
);

test('a call that the program does not take is found', () => {
  const text =
    '    causeway chek --config x\n`causeway check --confg x` and `causeway keys burn x`';
  expect(causewayCalls('x', text).map(faultOf)).toEqual([
    'x:1: no verb chek',
    'x:2: check has no option --confg',
    'x:2: keys has no burn',
  ]);
});

test('the list of questions leads to every document', () => {
  const text = readFileSync(join(root, 'docs/QUESTIONS.md'), 'utf8');
  const missing = globSync('docs/*.md', { cwd: root })
    .map((file) => file.replace('docs/', ''))
    .filter((file) => file !== 'QUESTIONS.md' && !text.includes(`](${file}`));
  expect(missing).toEqual([]);
});
