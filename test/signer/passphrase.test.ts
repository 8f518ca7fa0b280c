import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPassphrase } from '../../src/signer/passphrase.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'passphrase-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function written(text: string): string {
  const file = join(directory, 'passphrase');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

test('a descriptor and a file give their first line', async () => {
  const file = written('first line\nsecond\n');
  expect(await readPassphrase({ fd: null, file }, '')).toBe('first line');
  expect(await readPassphrase({ fd: openSync(file, 'r'), file: null }, '')).toBe('first line');
});

test('a descriptor that is not open is named', async () => {
  await expect(readPassphrase({ fd: 9999, file: null }, '')).rejects.toThrow('descriptor 9999');
});

test('an empty passphrase is refused', async () => {
  const fd = openSync(written('\n'), 'r');
  await expect(readPassphrase({ fd, file: null }, '')).rejects.toThrow('no passphrase');
});

test('a prompt takes what is typed, minds erasing, and echoes nothing', async () => {
  const module = join(import.meta.dirname, '../../src/signer/passphrase.ts');
  const code = `import { readPassphrase } from '${module}';
    const typed = await readPassphrase({ fd: null, file: null }, 'Passphrase', true);
    process.stderr.write('typed ' + Buffer.from(typed).toString('hex'));`;
  const child = join(directory, 'ask.mjs');
  writeFileSync(child, code);
  // `script` gives the child a terminal; what it echoed would be in the output.
  const terminal = spawn('script', ['-qec', `${process.execPath} ${child}`, '/dev/null']);
  const answers = new Map([
    ['Passphrase: ', 'wronx\u007fg\r'],
    ['The same again: ', 'wrong\r'],
  ]);
  let shown = '';
  terminal.stdout.on('data', (chunk) => {
    shown += chunk;
    for (const [prompt, answer] of answers) {
      if (!shown.includes(prompt)) continue;
      answers.delete(prompt);
      terminal.stdin.write(answer);
    }
  });
  await new Promise((resolve) => terminal.on('close', resolve));
  expect(answers.size).toBe(0);
  expect(shown).toContain(`typed ${Buffer.from('wrong').toString('hex')}`);
  expect(shown).not.toContain('wron');
});
