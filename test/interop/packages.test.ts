/**
 * Every form that `npm run package` builds, used as its user would, from an empty folder: installed, traded with, stopped,
 * removed. And built a second time elsewhere, with the same bytes (docs/decisions/0293-packages.md).
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageUser, settings } from '../../packaging/image.ts';
import { buildPackages, overlayOf, root } from '../support/built-packages.ts';
import { type Form, trade } from '../support/package-trade.ts';

const { name: packageName, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isRoot = process.getuid?.() === 0;
const good = { codes: [0, 0, 0], health: { live: 0, ready: 0 } };
let directory: string;
let built: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'packages-'));
  chmodSync(directory, 0o755);
  built = await buildPackages(join(directory, 'one'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const sizeOf = (file: string) => statSync(join(built, file)).size / 1e6;

test('every file that was built is in SHA256SUMS, and sha256sum confirms it', () => {
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: built, stdio: 'pipe' });
  const listed = readFileSync(join(built, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const names = listed.map((line) => line.slice(66));
  expect([...names, 'SHA256SUMS'].sort()).toEqual(readdirSync(built).sort());
});

test('another build, in another folder, has the same bytes', async () => {
  const other = await buildPackages(join(directory, 'some/other/folder'));
  const sums = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  expect(sums(other)).toBe(sums(built));
  rmSync(join(directory, 'some'), { recursive: true });
});

describe('the single executable', () => {
  const program = () => join(built, `causeway-${version}-linux-x64`);

  test('is smaller than 130 MB', () => {
    expect(sizeOf(`causeway-${version}-linux-x64`)).toBeLessThan(130);
  });

  test('trades, from a folder with nothing else in it', async () => {
    const outside = mkdtempSync(join(directory, 'executable-'));
    const form: Form = { command: () => [program()], outside, inside: outside };
    expect(await trade(form)).toEqual({ ...good, statuses: expect.arrayContaining(['2']) });
  });

  test('finds all that it reads inside itself', () => {
    const told = (...words: string[]) =>
      execFileSync(program(), words, { cwd: directory, encoding: 'utf8', env: {} });
    expect(told('--version').trim()).toBe(version);
    expect(told('certify', 'list').trim().split('\n').at(-1)).toMatch(/^\d{3} scenarios$/);
    expect(told('sbe', 'check')).toMatch(/^fixp\.xml is valid.*\norders\.xml is valid/);
    for (const file of told('files').trim().split('\n')) {
      expect(told('files', file)).toBe(readFileSync(join(root, file), 'utf8'));
    }
    told(
      'sbe',
      'generate',
      '--schema',
      join(root, 'dictionaries/fixp.xml'),
      '--out',
      join(directory, 'sbe'),
    );
    expect(readdirSync(join(directory, 'sbe'))).toEqual(
      expect.arrayContaining(['block.ts', 'flyweight.ts']),
    );
  });

  test('certifies its own bridge, which it runs as a process of its own', () => {
    const out = join(directory, 'certification');
    // Exit code 1: a single scenario is not all that is required.
    const { stdout } = spawnSync(
      program(),
      ['certify', 'self', '--only', 'O-01', '--out', out, '--json'],
      {
        cwd: directory,
        encoding: 'utf8',
      },
    );
    const subjects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const total = (count: 'passed' | 'failed') =>
      subjects.reduce((sum, one) => sum + one[count], 0);
    expect([subjects.length, total('passed'), total('failed')]).toEqual([8, 2, 0]);
  });

  test('serves every module of the console', async () => {
    const info = join(directory, 'demo.json');
    const demo = spawn(program(), ['demo', '--port', '0', '--info', info], { stdio: 'ignore' });
    await expect.poll(() => existsSync(info), { timeout: 60_000 }).toBe(true);
    const { url } = JSON.parse(readFileSync(info, 'utf8')).console;
    const names = readdirSync(join(root, 'src/console/app')).filter((name) =>
      /^[a-z-]+\.ts$/.test(name),
    );
    const paths = names.map((name) => `/app/${name.replace(/ts$/, 'js')}`);
    for (const path of ['/', '/style.css', '/vendor/preact.js', ...paths]) {
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200]);
    }
    const exited = once(demo, 'exit');
    demo.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

describe.runIf(isRoot)('the container image', () => {
  let rootfs: string;
  let config: typeof settings;

  /** As a container engine does: the layers of the manifest, one over the other, and what its configuration says. */
  beforeAll(() => {
    const layout = join(directory, 'layout');
    rootfs = join(directory, 'rootfs');
    for (const folder of [layout, rootfs]) mkdirSync(folder);
    const unpack = (file: string, into: string) => execFileSync('tar', ['-xpf', file, '-C', into]);
    unpack(join(built, `causeway-${version}-image.tar`), layout);
    const blob = (digest: string) => join(layout, 'blobs/sha256', digest.replace('sha256:', ''));
    const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const [{ digest }] = json(join(layout, 'index.json')).manifests;
    expect(readFileSync(join(built, `causeway-${version}-image.digest`), 'utf8').trim()).toBe(
      digest,
    );
    const manifest = json(blob(digest));
    config = json(blob(manifest.config.digest)).config;
    for (const layer of manifest.layers) unpack(blob(layer.digest), rootfs);
  });

  test('has no shell, no package manager and no program but ours', () => {
    for (const file of ['bin/sh', 'usr/bin/sh', 'usr/bin/dpkg', 'usr/bin/apt', 'usr/bin/node']) {
      expect(existsSync(join(rootfs, file)), file).toBe(false);
    }
    expect(readFileSync(join(rootfs, 'etc/os-release'), 'utf8')).toContain('bookworm');
  });

  test('trades as its own user, with its own entry point and health check', async () => {
    expect(config).toMatchObject(JSON.parse(JSON.stringify(settings)));
    const outside = join(rootfs, 'etc/causeway');
    const chroot = ['chroot', `--userspec=${config.User}`, rootfs] as const;
    const form: Form = {
      command: () => [...chroot, ...config.Entrypoint],
      outside,
      inside: '/etc/causeway',
      own: () => ownAll(outside),
      healthCheck: [...chroot, ...config.Healthcheck.Test.slice(1)],
    };
    expect(await trade(form)).toEqual({ ...good, statuses: expect.arrayContaining(['2']) });
  });

  function ownAll(folder: string): void {
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(folder, name), imageUser.uid, imageUser.gid);
    }
  }
});

/** On a copy of this machine's root file system that only these processes see, so nothing here is installed. */
describe.runIf(isRoot)('the Debian package', () => {
  const file = `causeway-gateway_${version}_amd64.deb`;
  let holder: ReturnType<typeof spawn>;
  let there: string;
  const enter = () =>
    ['nsenter', '--target', String(holder.pid), '--mount', 'chroot', there] as const;
  const inside = (...words: string[]) => {
    const [program, ...args] = [...enter(), ...words];
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  };
  const at = (path: string) => join(`/proc/${holder.pid}/root`, there, path);
  const modeOf = (path: string) => inside('stat', '-c', '%U:%G %a', path).trim();

  beforeAll(async () => {
    const place = join(directory, 'overlay');
    there = join(place, 'root');
    const script = `${overlayOf(place, join(built, file))}
      mount -t proc proc ${there}/proc
      mount --rbind /dev ${there}/dev
      rm -rf ${there}/run/systemd
      echo ready
      exec sleep infinity`;
    holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout ?? holder, 'data');
  });

  afterAll(() => holder.kill('SIGKILL'));

  test('makes two users and their directories, and neither can read what is the other’s', () => {
    inside('dpkg', '--install', `/opt/package/${file}`);
    expect(inside('id', '-nG', 'causeway').trim()).toBe('causeway causeway-signer');
    expect(inside('id', '-nG', 'causeway-signer').trim()).toBe('causeway-signer');
    expect(
      Object.fromEntries(
        [
          '/etc/causeway/gateway.yaml',
          '/etc/causeway/signer.yaml',
          '/etc/causeway/secrets',
          '/etc/causeway/keys',
          '/var/lib/causeway',
          '/var/lib/causeway-signer',
        ].map((path) => [path, modeOf(path)]),
      ),
    ).toEqual({
      '/etc/causeway/gateway.yaml': 'root:causeway 640',
      '/etc/causeway/signer.yaml': 'root:causeway-signer 640',
      '/etc/causeway/secrets': 'root:causeway 750',
      '/etc/causeway/keys': 'root:causeway-signer 750',
      '/var/lib/causeway': 'causeway:causeway 700',
      '/var/lib/causeway-signer': 'causeway-signer:causeway-signer 700',
    });
    expect(inside('dpkg', '--verify', 'causeway-gateway')).toBe('');
  });

  test('lets no process of its users read the memory of another one', () => {
    expect(modeOf('/usr/bin/causeway')).toBe('root:root 711');
    const script = `causeway sandbox --port 0 > /dev/null & running=$!
      until [ "$(stat -c %U /proc/$running/mem)" = root ]; do kill -0 $running; done
      cat /proc/$running/maps 2>&1 || kill $running`;
    const user = ['--reuid', 'causeway-signer', '--regid', 'causeway-signer', '--init-groups'];
    const read = inside('timeout', '60', 'setpriv', ...user, '--', 'sh', '-ec', script);
    expect(read).toMatch(/Permission denied/);
  });

  test('has every document that its units name, and the files that DEPLOY has an operator take', () => {
    const units = inside('sh', '-c', 'cat /usr/lib/systemd/system/causeway*.service');
    const named = [...units.matchAll(/^Documentation=file:(.*)$/gm)].map(([, path = '']) => path);
    const examples = inside('ls', '/usr/share/doc/causeway-gateway/examples').trim().split('\n');
    expect(named.filter((path) => !existsSync(at(path)))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(examples).toEqual(expect.arrayContaining(['alerts.yaml', 'grafana-dashboard.json']));
    expect(existsSync(at('/usr/share/doc/causeway-gateway/DEPLOY.md'))).toBe(true);
  });

  test('trades, with bridge and signer as different users', async () => {
    inside('mkdir', '--mode=0755', '/srv/causeway');
    const users = {
      bridge: ['causeway', 'causeway'],
      signer: ['causeway-signer', 'causeway-signer'],
      stranger: ['nobody', 'nogroup'],
    } as const;
    const form: Form = {
      command(role) {
        const [user, group] = users[role];
        // Unlike runuser, it becomes the program, so signals and exit codes are the program's own.
        const words = ['--reuid', user, '--regid', group, '--init-groups', '--'];
        return [...enter(), 'setpriv', ...words, '/usr/bin/causeway'];
      },
      outside: at('/srv/causeway'),
      inside: '/srv/causeway',
      own() {
        const sh = (script: string) => inside('sh', '-ec', `cd /srv/causeway; ${script}`);
        sh('chown -R causeway:causeway gateway gateway.yaml secrets certification');
        sh('chown -R causeway-signer:causeway-signer run signer keys signer.yaml');
        sh('chmod 0700 secrets keys');
      },
    };
    expect(await trade(form)).toEqual({ ...good, statuses: expect.arrayContaining(['2']) });
  });

  test('an upgrade keeps the configuration of the operator and restarts nothing', () => {
    writeFileSync(at('/etc/causeway/gateway.yaml'), '# of the operator\n');
    inside('dpkg', '--force-confold', '--install', `/opt/package/${file}`);
    expect(inside('cat', '/etc/causeway/gateway.yaml')).toBe('# of the operator\n');
    expect(modeOf('/etc/causeway/gateway.yaml')).toBe('root:causeway 640');
    for (const script of ['postinst', 'prerm', 'postrm']) {
      expect(readFileSync(join(root, 'packaging/debian', script), 'utf8')).not.toMatch(
        /systemctl .*(?:start|enable)/,
      );
    }
  });

  test('a removal keeps configuration, data and users', () => {
    writeFileSync(at('/var/lib/causeway/journal'), 'orders');
    inside('dpkg', '--remove', 'causeway-gateway');
    expect(existsSync(at('/usr/bin/causeway'))).toBe(false);
    expect(inside('cat', '/etc/causeway/gateway.yaml', '/var/lib/causeway/journal')).toBe(
      '# of the operator\norders',
    );
    expect(inside('id', '-u', 'causeway').trim()).toMatch(/^\d+$/);
  });

  test('a purge removes what the package brought, and keeps a journal with its user', () => {
    inside('dpkg', '--install', `/opt/package/${file}`);
    const kept = inside('dpkg', '--purge', 'causeway-gateway');
    expect(kept).toContain('kept the user causeway');
    expect(existsSync(at('/etc/causeway'))).toBe(false);
    expect(inside('cat', '/var/lib/causeway/journal')).toBe('orders');
    expect(() => inside('id', 'causeway-signer')).toThrow(/no such user/);

    rmSync(at('/var/lib/causeway/journal'));
    inside('dpkg', '--install', `/opt/package/${file}`);
    inside('dpkg', '--purge', 'causeway-gateway');
    expect(existsSync(at('/var/lib/causeway'))).toBe(false);
    expect(() => inside('id', 'causeway')).toThrow(/no such user/);
  });
});

describe('the npm package', () => {
  let app: string;

  beforeAll(() => {
    app = join(directory, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"name":"app","version":"1.0.0"}');
    const file = join(built, `${packageName.slice(1).replace('/', '-')}-${version}.tgz`);
    execFileSync('npm', ['install', '--ignore-scripts', file], { cwd: app, stdio: 'pipe' });
  });

  test('is installed with all its dependencies in less than 45 MB', () => {
    expect(installedMb(join(app, 'node_modules'))).toBeLessThan(45);
  });

  test('holds what runs and what is read, and nothing that is worked with', () => {
    const names = readdirSync(join(app, 'node_modules', packageName));
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
    for (const name of ['test', 'bench', 'packaging', '.ci', 'node_modules', 'build']) {
      expect(names).not.toContain(name);
    }
    const sources = readdirSync(join(app, 'node_modules', packageName, 'src'), { recursive: true });
    expect(sources.sort()).toEqual(['sbe', 'sbe/block.ts', 'sbe/flyweight.ts']);
  });

  test('reads every file beside its code, and shows help', () => {
    for (const words of [
      [],
      ['check', '--schema'],
      ['sbe', 'check'],
      ['certify', 'list'],
      ['--version'],
      ['files'],
    ]) {
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(app, 'node_modules/.bin/causeway'), ...words],
        {
          cwd: app,
          encoding: 'utf8',
        },
      );
      expect([words, status, stderr]).toEqual([words, 0, '']);
    }
  });

  /** Debian's own Node, where it is an older one. */
  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
    const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return status === 0 && Number.parseInt(stdout.slice(1), 10) < 24;
  });

  test.runIf(oldNode)('names the Node that it needs when it is run by an older one', () => {
    const words = [join(app, 'node_modules/.bin/causeway'), 'demo'];
    const { status, stderr } = spawnSync(oldNode ?? '', words, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^causeway needs Node 24 or later, and this is Node \d+\./);
  });

  test('trades', async () => {
    const outside = mkdtempSync(join(directory, 'npm-'));
    const program = join(app, 'node_modules/.bin/causeway');
    const form: Form = { command: () => [process.execPath, program], outside, inside: outside };
    expect(await trade(form)).toEqual({ ...good, statuses: expect.arrayContaining(['2']) });
  });
});

test('a development install takes less than 400 MB', () => {
  expect(installedMb(join(root, 'node_modules'))).toBeLessThan(400);
});

/** On the disk, a file with several names once; without caches, which tests write. */
function installedMb(folder: string): number {
  const told = execFileSync(
    'du',
    ['-s', '--block-size=1000', '--exclude=.cache', '--exclude=.vite*', folder],
    {
      encoding: 'utf8',
    },
  );
  return Number.parseInt(told, 10) / 1000;
}
