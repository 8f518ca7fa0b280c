import { expect, test } from 'vitest';
import { command } from '../../src/cli/command.ts';
import { choice, text } from '../../src/cli/options.ts';

function sample() {
  const calls: unknown[] = [];
  const verb = command({
    summary: 'shows the form',
    forms: ['look FILE [options]', 'list'],
    about: 'Before the options.',
    actions: { look: 'at one', list: 'all' },
    maxOperands: 2,
    options: {
      depth: text('N', 'how deep', '3'),
      'quite-a-long-option-name': choice(['a', 'b'], 'one of two'),
    },
    notes: 'Behind the options.',
    examples: ['causeway sample list'],
    async run(values, operands) {
      calls.push([values, operands]);
      return 0;
    },
  });
  return { verb, calls };
}

test('help is made of the table, and every verb answers as JSON', () => {
  expect(sample().verb.help('sample')).toBe(`causeway sample look FILE [options]
causeway sample list

Before the options.

  look  at one
  list  all

  --depth N  how deep (3)
  --quite-a-long-option-name a|b
             one of two
  --json     answer as JSON, errors too

Behind the options.

Examples:
  causeway sample list`);
});

test('a verb is run with its values and operands', async () => {
  const { verb, calls } = sample();
  await verb.run(['look', 'x', '--depth', '4', '--json']);
  expect(calls).toEqual([
    [{ depth: '4', 'quite-a-long-option-name': undefined, json: true }, ['look', 'x']],
  ]);
});

test.each([
  [[], 'name an action: look, list'],
  [['lok'], 'no action lok: look, list'],
  [['look', 'x', 'y'], '"y" is too much'],
  [['toString'], 'no action toString'],
])('%j is refused before anything is run', async (args, reason) => {
  const { verb, calls } = sample();
  await expect(verb.run(args)).rejects.toThrow(reason);
  expect(calls).toEqual([]);
});
