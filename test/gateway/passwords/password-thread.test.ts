/** Passwords are checked on threads that give way to the one that trades. */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PasswordThread } from '../../../src/gateway/passwords/password-thread.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../../src/gateway/passwords/secret-hash.ts';

const hash = parseSecretHash(hashSecret('right', lightCost)) as SecretHash;

/** How far each thread of this process is below the usual priority; proc(5), the 19th field. */
function nicenesses(): number[] {
  const tasks = '/proc/self/task';
  return readdirSync(tasks).map((id) => {
    const [, rest = ''] = readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ');
    return Number(rest.split(' ')[16]);
  });
}

test('each is answered in the order of asking', async () => {
  const thread = new PasswordThread();
  const asked = ['right', 'wrong', 'right'].map((password) => thread.check(password, hash));
  expect(await Promise.all(asked)).toEqual(['right', 'wrong', 'right']);
});

test.runIf(process.platform === 'linux')(
  'the thread that checks has a low priority, and it alone',
  async () => {
    const before = nicenesses().filter((niceness) => niceness > 0).length;
    const thread = new PasswordThread();
    await thread.check('right', hash);
    expect(nicenesses().filter((niceness) => niceness > 0)).toHaveLength(before + 1);
  },
);

test('a thread that was loaded beforehand is the one that checks', async () => {
  const thread = new PasswordThread();
  const threads = () => readdirSync('/proc/self/task').length;
  thread.load();
  expect(await thread.check('right', hash)).toBe('right');
  const loaded = threads();
  thread.load();
  expect(await thread.check('wrong', hash)).toBe('wrong');
  expect(threads()).toBe(loaded);
});

test('a thread that fails says nothing of the password, and the next check has another one', async () => {
  const thread = new PasswordThread();
  expect(await thread.check('right', undefined as unknown as SecretHash)).toBe('dropped');
  expect(await thread.check('right', hash)).toBe('right');
});

test('a process that has checked a password ends when nothing else is left to do', async () => {
  const program = join(import.meta.dirname, '../../support/check-password.ts');
  // Ended by force where it does not end by itself.
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
  expect(stdout).toBe('right\n');
});
