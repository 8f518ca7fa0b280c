/** Files for operators: they name only what exists, and the tools that read them take them, where the machine has those. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../src/cli/verb.ts';
import { allVerbs } from '../../src/cli/verbs.ts';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rules: Rule[] = parse(read('deploy/alerts.yaml')).groups.flatMap(
  ({ rules: own }: { rules: Rule[] }) => own,
);

describe('metrics', () => {
  let desk: ConsoleDesk;
  let exported: Set<string>;

  beforeAll(async () => {
    desk = await startConsoleDesk();
    const { text } = await desk.ask('GET', '/metrics');
    exported = new Set();
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      exported.add(name);
      if (type === 'histogram') {
        for (const part of ['bucket', 'sum', 'count']) exported.add(`${name}_${part}`);
      }
    }
  });
  afterAll(() => desk.stop());

  test.each(['deploy/alerts.yaml', 'deploy/grafana-dashboard.json'])(
    'every metric that %s names is exported',
    (file) => {
      const named = new Set(read(file).match(/\bcauseway_[a-z0-9_]+/g));
      expect(named.size).toBeGreaterThan(8);
      expect([...named].filter((name) => !exported.has(name))).toEqual([]);
    },
  );
});

test('every panel of the dashboard has its place, its question and its own id', () => {
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json'));
  const shown = panels.filter(({ type }: { type: string }) => type !== 'row');
  expect(shown.length).toBeGreaterThan(15);
  for (const { title, targets, gridPos } of shown) {
    expect([title, targets.length > 0, gridPos.x + gridPos.w <= 24]).toEqual([title, true, true]);
  }
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
});

test.each(rules)('$alert leads to its row of the runbook', ({ annotations, labels }) => {
  const headings = [...read('docs/OPERATING.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const [file, anchor] = annotations.runbook.split('#');
  expect(file).toBe('docs/OPERATING.md');
  expect(headings).toContain(anchor);
  expect(['page', 'ticket']).toContain(labels.severity);
});

test.runIf(has('promtool'))('promtool takes the rules, and its tests of them pass', () => {
  for (const words of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout } = spawnSync('promtool', words, {
      cwd: join(root, 'deploy'),
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS')]);
  }
});

describe.each(['causeway.service', 'causeway-signer.service'])('%s', (name) => {
  const unit = read(`deploy/${name}`);
  const values = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

  test('calls the program with verbs and options that it has', async () => {
    const verbs = new Map(await allVerbs());
    const calls = [...values('ExecStart'), ...values('ExecStartPre')];
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      const [, verb = '', rest = ''] = /dist\/main\.js (\S+) (.*)$/.exec(call) ?? [];
      const options = verbs.get(verb)?.options ?? {};
      for (const [, option = ''] of rest.matchAll(/--([a-z-]+)/g)) {
        expect(Object.keys(options), call).toContain(option);
      }
    }
  });

  test('is not restarted where a restart cannot help, and dumps no core', () => {
    const { usage, config, damaged } = exitCodes;
    expect(values('RestartPreventExitStatus')).toEqual([`${usage} ${config} ${damaged}`]);
    expect(values('LimitCORE')).toEqual(['0']);
    // V8 compiles at run time and would not start.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  });

  test.runIf(has('systemd-analyze'))('systemd takes it and finds it hardened', () => {
    const file = join(root, 'deploy', name);
    const told = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(told.stderr).not.toMatch(/Unknown|Failed to parse|Invalid/);
    const judged = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=20', file],
      { encoding: 'utf8' },
    );
    expect(judged.status, judged.stdout.split('\n').at(-2)).toBe(0);
  });
});

test('the Dockerfile copies what is there, runs as nobody special, and starts the program', () => {
  const lines = read('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD) \S/;
  const instructions = lines.filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of instructions) expect(line).toMatch(known);
  for (const line of instructions.filter((one) => /^COPY (?!--from)/.test(one))) {
    for (const source of line.split(/\s+/).slice(1, -1)) {
      expect(existsSync(join(root, source)), source).toBe(true);
    }
  }
  const user = instructions.indexOf('USER node');
  const entry = instructions.findIndex((line) => line.startsWith('ENTRYPOINT'));
  expect(user).toBeGreaterThan(0);
  expect(entry).toBeGreaterThan(user);
  expect(instructions[entry]).toContain(JSON.parse(read('package.json')).bin.causeway);
});
