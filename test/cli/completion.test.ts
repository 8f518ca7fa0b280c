/** The scripts are run by the shells themselves, where the machine has them; bash it has always. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bashScript, fishScript, zshScript } from '../../src/cli/completion.ts';
import { allVerbs } from '../../src/cli/verbs.ts';

const named = await allVerbs();

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

/** What bash offers for the last word of a line. */
function bash(...line: string[]): string[] {
  const words = line.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _causeway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${bashScript(named)}\n${ask}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes verbs, actions, options and the words of a value', () => {
  expect(bash('causeway', 'ch')).toEqual(['check']);
  expect(bash('causeway', 'keys', 'ch')).toEqual(['check']);
  expect(bash('causeway', 'node', 're')).toEqual(['resume', 'remove']);
  expect(bash('causeway', 'demo', '--no')).toEqual(['--no-makers']);
  expect(bash('causeway', 'keys', 'new', 'f', '--environment', '')).toEqual(['local', 'mainnet']);
  expect(bash('causeway', 'decode', '--ta')).toEqual(['--tall']);
  expect(bash('causeway', 'check', '')).toContain('--config');
  expect(bash('causeway', 'help', 'sand')).toEqual(['sandbox']);
});

test('bash leaves the value of a FILE to its own completion of files', () => {
  expect(bash('causeway', 'check', '--config', '')).toEqual([]);
  expect(bash('causeway', 'decode', '')).toEqual([]);
  expect(bash('causeway', 'journal', 'verify', '')).toEqual([]);
  expect(bashScript(named)).toContain('complete -o default -F _causeway causeway');
});

/**
 * A zsh with a terminal of its own, into which lines and tabs are typed; each answer is waited for, so one that does
 * not come is found by the time that the whole may take.
 */
function zsh(typed: readonly (readonly [line: string, answer: string])[]) {
  const directory = mkdtempSync(join(tmpdir(), 'zsh-'));
  writeFileSync(join(directory, '_causeway'), zshScript(named));
  writeFileSync(join(directory, 'a-log-file.txt'), '');
  const begin = `PS1='%# '; fpath=(${directory} $fpath); autoload -Uz compinit; compinit -u -D; cd ${directory}; print be''gun`;
  const script = [
    'zmodload zsh/zpty',
    'zpty shell zsh -f -i',
    `zpty -w shell ${JSON.stringify(begin).replace(/\$/g, '\\$')}`,
    "zpty -r shell out '*begun*' || exit 1",
    ...typed.flatMap(([line, answer]) => [
      `zpty -w -n shell $'${line}\\t'`,
      `zpty -r shell out '*${answer}*' || exit 1`,
      `print -r -- "$out"`,
      `zpty -w -n shell $'\\x15'`,
    ]),
    'zpty -d shell',
  ].join('\n');
  const { status, signal, stdout } = spawnSync('zsh', ['-f', '-c', script], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  rmSync(directory, { recursive: true });
  return { status, signal, stdout };
}

test.runIf(has('zsh'))('zsh completes verbs, actions, options, values and files', () => {
  const told = zsh([
    ['causeway sand', 'sandbox'],
    ['causeway keys imp', 'import'],
    ['causeway decode --ta', '--tall'],
    ['causeway check --con', '--config'],
    ['causeway keys new f --environment lo', 'local'],
    ['causeway decode a-l', 'a-log-file.txt'],
    ['causeway journal verify a-l', 'a-log-file.txt'],
    ['causeway check --config a-l', 'a-log-file.txt'],
    ['causeway help sand', 'sandbox'],
  ]);
  expect(told).toMatchObject({ status: 0, signal: null });
  expect(told.stdout).not.toContain('_arguments:');
});

test.runIf(has('fish'))('fish takes its script and completes by it', () => {
  const ask = "complete -C 'causeway keys --env'; complete -C 'causeway sand'";
  const { status, stdout, stderr } = spawnSync('fish', ['-c', `${fishScript(named)}\n${ask}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^--environment\t/m);
  expect(stdout).toMatch(/^sandbox\t/m);
});

test('every verb, option and action is in every script', () => {
  for (const script of [bashScript(named), zshScript(named), fishScript(named)]) {
    for (const [name, { options, actions }] of named) {
      expect(script).toContain(name);
      for (const word of [...Object.keys(options), ...Object.keys(actions)]) {
        expect(script).toContain(word);
      }
    }
  }
});
