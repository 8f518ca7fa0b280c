import { expect, test } from 'vitest';
import {
  choice,
  flag,
  integer,
  needed,
  optionForm,
  optionHelp,
  parseOptions,
  portRange,
  text,
} from '../../src/cli/options.ts';
import { UsageError } from '../../src/cli/verb.ts';

const table = {
  port: integer('P', 'where', portRange, 9880),
  info: text('FILE', 'what'),
  kind: choice(['long', 'short'], 'which', 'long'),
  makers: flag('no makers', true),
  loud: flag('say more'),
};

test('what is not given has the value of the table', () => {
  const { values, operands } = parseOptions(table, ['one', 'two']);
  expect(values).toEqual({ port: 9880, info: undefined, kind: 'long', makers: true, loud: false });
  expect(operands).toEqual(['one', 'two']);
});

test('what is given is read by its own row', () => {
  const args = ['--port', '0', '--info=a b', '--kind', 'short', '--no-makers', '--loud'];
  const { values } = parseOptions(table, args);
  expect(values).toEqual({ port: 0, info: 'a b', kind: 'short', makers: false, loud: true });
});

test.each([
  [['--port', '65536'], '--port must be an integer from 0 to 65535, not "65536"'],
  [['--port', '-1'], 'port'],
  [['--port', '1e3'], 'not "1e3"'],
  [['--port', ''], 'not ""'],
  [['--port', '9'.repeat(400)], 'not "99999999999999999999"'],
  [['--kind', 'medium'], '--kind is long or short, not "medium"'],
  [['--unknown'], 'unknown'],
  [['--info'], 'info'],
])('%j is refused with the reason', (args, reason) => {
  expect(() => parseOptions(table, args)).toThrow(reason);
});

test('an option that is needed and absent is a fault of usage', () => {
  const config = needed('FILE', 'what to read');
  expect(() => parseOptions({ config }, [])).toThrow(new UsageError('--config FILE is needed'));
  expect(parseOptions({ config }, ['--config', 'x']).values.config).toBe('x');
});

test('help shows the form of an option and its default', () => {
  const rows = Object.entries(table).map(([name, row]) => [optionForm(name, row), optionHelp(row)]);
  expect(rows).toEqual([
    ['--port P', 'where (9880)'],
    ['--info FILE', 'what'],
    ['--kind long|short', 'which (long)'],
    ['--no-makers', 'no makers'],
    ['--loud', 'say more'],
  ]);
});
