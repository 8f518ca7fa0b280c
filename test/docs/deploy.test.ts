/** Files for operators: they name only what exists, and the tools that read them take them, where the machine has those. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../packaging/image.ts';
import { exitCodes } from '../../src/cli/verb.ts';
import { allVerbs } from '../../src/cli/verbs.ts';
import { clusterSchema } from '../../src/cluster/cluster-config.ts';
import { nodeMetrics } from '../../src/cluster/node-metrics.ts';
import { portConflicts } from '../../src/cluster/port-conflicts.ts';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';
import { idleSignerMetrics } from '../support/idle-signer.ts';

const emptyCluster = { node: 'n1', nodes: [], shards: [], database: null, acts: [] };
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
    const overview = { now: emptyCluster, refresh: () => Promise.resolve() };
    const node = await nodeMetrics({ keepers: [], overview }).text();
    const signer = await idleSignerMetrics().text();
    exported = new Set();
    for (const [, name = '', type] of `${text}\n${node}\n${signer}`.matchAll(
      /^# TYPE (\S+) (\S+)$/gm,
    )) {
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

test('bridge and signer are different users, and the bridge opens the socket by its group only', () => {
  const user = (name: string) => /^User=(.*)$/m.exec(read(`deploy/${name}.service`))?.[1];
  expect([user('causeway'), user('causeway-signer')]).toEqual(['causeway', 'causeway-signer']);
  expect(read('deploy/causeway.service')).toMatch(/^SupplementaryGroups=causeway-signer$/m);
  expect(read('deploy/causeway-signer.service')).toMatch(/^RuntimeDirectoryMode=0750$/m);
  expect(read('deploy/causeway-signer.service')).toMatch(/^StateDirectoryMode=0700$/m);
});

describe.each(['causeway.service', 'causeway-node.service', 'causeway-signer.service'])(
  '%s',
  (name) => {
    const unit = read(`deploy/${name}`);
    const values = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

    test('calls the program with verbs and options that it has', async () => {
      const verbs = new Map(await allVerbs());
      const calls = values('ExecStart');
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        const [, verb = '', rest = ''] = /\/usr\/bin\/causeway (\S+) ([^']*)/.exec(call) ?? [];
        expect([...verbs.keys()], call).toContain(verb);
        const options = verbs.get(verb)?.options ?? {};
        for (const [, option = ''] of rest.matchAll(/--([a-z-]+)/g)) {
          expect(Object.keys(options), call).toContain(option);
        }
      }
    });

    test('is not restarted where a restart cannot help, and dumps no core', () => {
      // systemd does not apply RestartPreventExitStatus to it (test/interop/systemd.test.ts).
      expect(values('ExecStartPre')).toEqual([]);
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
  },
);

describe('a cluster', () => {
  test.runIf(has('patroni'))('Patroni takes its file, but for what only the machines have', () => {
    const file = join(root, 'deploy/patroni.yaml');
    const { stderr } = spawnSync('patroni', ['--validate-config', file], { encoding: 'utf8' });
    const faults = stderr.split('\n').filter((line) => line !== '');
    // Hosts and folders of the example are not here.
    const elsewhere =
      /not reachable|does not exist|doesn't exist|is not a directory|already in use/;
    expect(faults.filter((line) => !elsewhere.test(line))).toEqual([]);
    const { bootstrap, postgresql } = parse(read('deploy/patroni.yaml'));
    expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    const settings = { fsync: 'on', synchronous_commit: 'on' };
    expect(bootstrap.dcs.postgresql.parameters).toMatchObject(settings);
    // Nothing comes over a network without TLS.
    expect(postgresql.pg_hba.length).toBeGreaterThan(3);
    expect(postgresql.pg_hba.filter((rule: string) => !/^(hostssl|local) /.test(rule))).toEqual([]);
  });

  const hasProxy = spawnSync('haproxy', ['-v']).status === 0;
  test.runIf(hasProxy)('HAProxy takes its file', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', 'haproxy.cfg'], {
      cwd: join(root, 'deploy'),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('its containers call verbs and options that the program has, and each has its own data', async () => {
    const verbs = new Map(await allVerbs());
    const { services, volumes } = parse(read('deploy/cluster-compose.yaml'), { merge: true });
    const used = Object.values<{ volumes?: string[] }>(services).flatMap(
      (one) => one.volumes ?? [],
    );
    const named = used.map((one) => one.split(':')[0] ?? '').filter((one) => !one.startsWith('.'));
    expect(named.toSorted()).toEqual(Object.keys(volumes).toSorted());
    for (const name of ['signer', 'n1', 'n2', 'n3']) {
      const { cap_drop, command, read_only } = services[name];
      const [verb, ...words] = command;
      for (const word of words.filter((one: string) => one.startsWith('--'))) {
        expect(Object.keys(verbs.get(verb)?.options ?? {})).toContain(word.slice(2));
      }
      expect([cap_drop, read_only]).toEqual([['ALL'], true]);
    }
  });

  test('the cluster.yaml of the guide fits its schema, and names no port twice', () => {
    const [, block = ''] = /```yaml\n( *bridge: [\s\S]*?)```/.exec(read('docs/DEPLOY.md')) ?? [];
    const cluster = clusterSchema.parse(parse(block));
    expect(cluster.nodes.map(({ name }) => name)).toEqual(['n1', 'n2', 'n3']);
    const bridge = { fix: { listen: { host: '0.0.0.0', port: 9880 } } };
    expect(portConflicts(cluster, bridge)).toEqual([]);
  });
});

describe('the container', () => {
  const lines = read('deploy/Dockerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const valuesOf = (instruction: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : [],
    );

  test('is built by Docker with the settings that npm run package gives it', () => {
    expect(valuesOf('USER')).toEqual([settings.User]);
    expect(valuesOf('ENV')).toEqual([settings.Env.join(' ')]);
    expect(valuesOf('WORKDIR')).toEqual([settings.WorkingDir]);
    expect(valuesOf('VOLUME')).toEqual(Object.keys(settings.Volumes));
    expect(
      valuesOf('EXPOSE')
        .join()
        .split(' ')
        .map((port) => `${port}/tcp`),
    ).toEqual(Object.keys(settings.ExposedPorts));
    expect(valuesOf('STOPSIGNAL')).toEqual([settings.StopSignal]);
    expect(valuesOf('ENTRYPOINT').map((text) => JSON.parse(text))).toEqual([settings.Entrypoint]);
    expect(valuesOf('CMD').map((text) => JSON.parse(text))).toEqual([settings.Cmd]);
    const { Interval, Timeout, StartPeriod, Retries, Test } = settings.Healthcheck;
    const seconds = (nanoseconds: number) => `${nanoseconds / 1e9}s`;
    expect(valuesOf('HEALTHCHECK')).toEqual([
      `--interval=${seconds(Interval)} --timeout=${seconds(Timeout)} --start-period=${seconds(StartPeriod)} ` +
        `--retries=${Retries} CMD ${JSON.stringify(Test.slice(1)).replaceAll(',', ', ')}`,
    ]);
    expect(lines).toHaveLength(11);
  });

  test('contains nothing from a registry, and every Debian package with its hash', () => {
    expect(valuesOf('FROM')).toEqual(['scratch']);
    for (const { name, version, sha256 } of JSON.parse(read('packaging/base.json')).packages) {
      expect([name, version, sha256]).toEqual([
        expect.stringMatching(/^[a-z0-9+.-]+$/),
        expect.stringMatching(/^\d\S+$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
    }
  });

  test('calls verbs and options that the program has', async () => {
    const verbs = new Map(await allVerbs());
    const compose = parse(read('deploy/compose.yaml'));
    const calls = [
      settings.Cmd,
      settings.Healthcheck.Test.slice(2),
      compose.services.bridge.command,
      compose.services.signer.command,
    ];
    for (const [verb = '', ...words] of calls as string[][]) {
      const options = Object.keys(verbs.get(verb)?.options ?? {});
      for (const word of words.filter((one) => one.startsWith('--'))) {
        expect(options).toContain(word.slice(2));
      }
    }
  });

  test('has limits in Compose that an image cannot have: files, cores, and no network for the signer', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true });
    for (const { ulimits, read_only, cap_drop, security_opt } of Object.values<
      Record<string, object>
    >(services)) {
      expect(ulimits).toEqual({ nofile: { soft: 65_536, hard: 65_536 }, core: 0 });
      expect([read_only, cap_drop, security_opt]).toEqual([
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ]);
    }
    expect(services.signer.network_mode).toBe('none');
    expect(services.signer.ports).toBeUndefined();
  });
});
