/** The scripts are run by the shells themselves, where the machine has them; bash it has always. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bashScript, fishScript, zshScript } from '../../src/cli/completion-scripts.ts';
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
  expect(bash('causeway', 'demo', '--no')).toEqual(['--no-makers']);
  expect(bash('causeway', 'keys', 'new', 'f', '--environment', '')).toEqual(['local', 'mainnet']);
});

test('bash leaves the value of a FILE to its own completion of files', () => {
  expect(bash('causeway', 'check', '--config', '')).toEqual([]);
  expect(bashScript(named)).toContain('complete -o default -F _causeway causeway');
});

test.runIf(has('zsh'))('zsh takes its script', () => {
  const checked = spawnSync('zsh', ['-n'], { input: zshScript(named), encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
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

test('every verb, option and action stands in every script', () => {
  for (const script of [bashScript(named), zshScript(named), fishScript(named)]) {
    for (const [name, { options, actions }] of named) {
      expect(script).toContain(name);
      for (const word of [...Object.keys(options), ...Object.keys(actions)]) {
        expect(script).toContain(word);
      }
    }
  }
});
