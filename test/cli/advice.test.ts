import { expect, test } from 'vitest';
import { adviceFor, Failure, wordsOf } from '../../src/cli/advice.ts';
import { UsageError } from '../../src/cli/verb.ts';
import { ConfigError } from '../../src/gateway/config/config-file.ts';
import { DataHeld } from '../../src/gateway/data/data-lock.ts';
import { LedgerDamaged } from '../../src/signer/ledger-file.ts';
import { AuditBroken } from '../../src/store/audit-chain.ts';
import {
  CorruptRecord,
  PositionConflict,
  StoreFailed,
  StoreInDoubt,
} from '../../src/store/store.ts';
import { ProfileError } from '../../src/venue/profile.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  ['wrong words', new UsageError('x'), 'usage', 'causeway run --help'],
  ['an unknown option', coded('ERR_PARSE_ARGS_UNKNOWN_OPTION'), 'usage', 'causeway run --help'],
  ['a wrong configuration', new ConfigError('x'), 'config', 'causeway check --config'],
  ['a wrong profile', new ProfileError('x'), 'config', 'venue.template.yaml'],
  [
    'a damaged ledger',
    new LedgerDamaged('l', 'x'),
    'damaged',
    'Restore the directory of the ledger',
  ],
  ['a damaged record', new CorruptRecord('r', 'x'), 'damaged', 'Delete nothing'],
  ['a changed audit record', new AuditBroken('x'), 'damaged', 'compare it with a copy'],
  ['data of another process', new DataHeld('x'), 'failed', '--standby'],
  ['a second owner', new PositionConflict('s', 1, 2), 'failed', 'Another bridge'],
  ['a store that may be the wrong one', new StoreInDoubt('x'), 'failed', 'Nothing was changed'],
  ['a failed disk', new StoreFailed('x'), 'failed', 'disk'],
  ['a file that is not there', coded('ENOENT'), 'failed', 'path'],
  ['a port in use', coded('EADDRINUSE'), 'failed', 'another port'],
  ['a verb that knows better', new Failure('x', 'do this'), 'failed', 'do this'],
])('%s has an exit code and a next step', (_, error, outcome, next) => {
  const advice = adviceFor(error, 'run');
  expect(advice.outcome).toBe(outcome);
  expect(advice.next).toContain(next);
});

test('an error of the system is explained with the name of the file', () => {
  const missing = Object.assign(new Error("ENOENT: no such file or directory, open 'demo.json'"), {
    code: 'ENOENT',
    path: 'demo.json',
  });
  expect(wordsOf(missing)).toBe('demo.json does not exist');
  const circle = Object.assign(coded('ELOOP'), { path: 'demo.json' });
  expect(wordsOf(circle)).toBe('demo.json leads through symbolic links in a circle');
  expect(wordsOf(coded('ENOENT'))).toBe('x');
  expect(wordsOf(new Error('another'))).toBe('another');
});

test('a directory that was named as a file is found among the arguments', () => {
  // The system names no file in the error of a read.
  const read = Object.assign(new Error('EISDIR: illegal operation on a directory, read'), {
    code: 'EISDIR',
  });
  expect(wordsOf(read, ['decode', 'none.log', 'test'])).toBe('test is a directory');
  expect(wordsOf(read, ['decode', 'src', 'test'])).toBe(read.message);
  expect(wordsOf(read, ['run'])).toBe(read.message);
});

test('an error that nobody foresaw has no made-up advice', () => {
  expect(adviceFor(new Error('x'), 'run')).toEqual({ outcome: 'failed', next: '' });
});
