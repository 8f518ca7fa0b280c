/**
 * The Debian package under a running systemd: its units, users and hardening, as an operator uses them. The machine is a copy
 * of this one (test/support/booted-machine.ts); venue, signer, bridge and clients run inside it.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { type BootedMachine, bootMachine } from '../support/booted-machine.ts';
import { buildPackages, root } from '../support/built-packages.ts';
import { configure, demoSeed } from '../support/package-trade.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isRoot = process.getuid?.() === 0;
const has = (program: string, flag = '--version') => spawnSync(program, [flag]).status === 0;
const canBoot = isRoot && has('systemd-nspawn');
const hasQuickfix = existsSync('/usr/include/quickfix/Application.h');
/** Building takes less than a minute on a quiet machine. */
const buildWithinMs = 600_000;
const name = 'the Debian package under systemd';
const unmet = canBoot ? '' : ' (needs root and systemd-nspawn)';

describe.runIf(canBoot)(`${name}${unmet}`, () => {
  const etc = '/etc/causeway';
  const socket = '/run/causeway-signer/signer.sock';
  const gatewayFile = `${etc}/gateway.yaml`;
  let directory: string;
  let machine: BootedMachine;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'systemd-'));
    const built = await buildPackages(join(directory, 'source'), '--without-image');
    const file = join(built, `causeway-gateway_${version}_amd64.deb`);
    machine = await bootMachine(join(directory, 'machine'), file);
  }, buildWithinMs);

  afterAll(async () => {
    await machine?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const isReady = () =>
    machine.tried(['causeway', 'health', '--config', gatewayFile, '--ready']).code === 0;
  const ready = () => expect.poll(isReady, { timeout: 60_000, interval: 200 }).toBe(true);
  const pid = (unit = 'causeway') => machine.unit(unit, 'MainPID');
  const change = (to: (config: Record<string, unknown>) => object) => {
    const file = machine.at(gatewayFile);
    writeFileSync(file, stringify(to(parse(readFileSync(file, 'utf8')))));
  };
  /** The words of a client of the package, as this session of the configuration. */
  const clientOf = (session: string, ...more: string[]) => {
    const place = ['--host', '127.0.0.1', '--port', String(fixPort()), '--target', 'CAUSEWAY'];
    const who = ['--sender', session, '--user', session.toLowerCase()];
    const password = ['--password-file', `/opt/package/${session}`];
    return ['causeway', 'client', ...place, ...who, ...password, '--json', ...more];
  };
  const fixPort = () => parse(readFileSync(machine.at(gatewayFile), 'utf8')).fix.listen.port;
  /** Values of one tag in what the client received. */
  const values = (text: string, of: number) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .flatMap(({ fields }) => (Array.isArray(fields) ? fields : []))
      .filter(({ tag }) => tag === of)
      .map(({ value }) => value);

  test('is installed without starting or enabling a unit', () => {
    machine.run('dpkg', '--install', `/opt/package/causeway-gateway_${version}_amd64.deb`);
    for (const unit of ['causeway', 'causeway-signer', 'causeway-node']) {
      expect([unit, machine.unit(unit, 'ActiveState')]).toEqual([unit, 'inactive']);
      expect([unit, machine.unit(unit, 'UnitFileState')]).toEqual([unit, 'disabled']);
    }
  });

  test('starts, with the passphrase from the credential store, and is ready', async () => {
    machine.run('mkdir', '--mode=0777', '/srv/venue');
    machine.run(
      ...['systemd-run', '--unit=venue', '--uid=nobody', '--quiet'],
      ...['causeway', 'sandbox', '--info', '/srv/venue/info.json'],
    );
    const info = machine.at('/srv/venue/info.json');
    await expect.poll(() => existsSync(info), { timeout: 60_000 }).toBe(true);
    mkdirSync(machine.at(`${etc}/shared`));
    for (const { senderCompId, password } of demoSessions(demoSeed)) {
      writeFileSync(machine.at(`/opt/package/${senderCompId}`), `${password}\n`);
    }
    await configure(machine.at(etc), etc, JSON.parse(readFileSync(info, 'utf8')));
    change((config) => ({
      ...config,
      dataDir: '/var/lib/causeway',
      signer: { mode: 'process', socket },
    }));
    const signer = machine.at(`${etc}/signer.yaml`);
    const { keys, ...more } = parse(readFileSync(signer, 'utf8'));
    delete keys[0].passphraseFile;
    const dataDir = '/var/lib/causeway-signer';
    writeFileSync(signer, stringify({ ...more, keys, socket, dataDir }));
    writeFileSync(machine.at(`${etc}/signer.env`), 'SIGNER_OPTIONS=--new-ledger\n');
    machine.run(
      ...['sh', '-ec'],
      `cd ${etc}
      rmdir run gateway signer
      chown root:causeway gateway.yaml secrets secrets/*
      chown root:causeway-signer signer.yaml keys keys/*
      chmod 0640 gateway.yaml signer.yaml secrets/* keys/*
      chmod 0750 secrets keys
      install --directory --mode=0700 /etc/credstore.encrypted
      systemd-creds encrypt --name=causeway-signer keys/desk-a.key-passphrase /etc/credstore.encrypted/causeway-signer
      rm keys/desk-a.key-passphrase`,
    );
    machine.run('systemctl', 'start', 'causeway-signer', 'causeway');
    writeFileSync(machine.at(`${etc}/signer.env`), '');
    await ready();
  });

  test.runIf(hasQuickfix)('fills an order of a QuickFIX client', () => {
    const source = join(root, 'docs/tutorial/first-order.cpp');
    const out = machine.at('/opt/package/first-order');
    const libraries = ['-lquickfix', '-lpthread'];
    execFileSync('g++', ['-std=c++14', '-w', source, '-o', out, ...libraries]);
    const place = ['--config', gatewayFile, '--session', 'ALPHA', '--out', '/opt/package/alpha'];
    machine.run('causeway', 'roe', ...place);
    const order =
      'cd /opt/package/alpha && ../first-order quickfix-cpp.cfg alpha "$(cat ../ALPHA)"';
    expect(machine.run('sh', '-c', order)).toMatch(/OrdStatus\(39\)=2 CumQty\(14\)=0\.001/);
  });

  test('runs bridge and signer as different users, with the hardening of their units', () => {
    const of = (unit: string) => {
      const status = readFileSync(machine.at(`/proc/${pid(unit)}/status`), 'utf8');
      const field = (key: string) => new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(status)?.[1];
      return {
        user: machine.run('ps', '-o', 'user:32=', '-p', pid(unit)).trim(),
        limits: ['NoNewPrivs', 'Seccomp', 'CapEff', 'CapBnd'].map(field),
        // Whether the unit of that process may write to the configuration, as root in its mount namespace.
        writes: machine.tried(['nsenter', '--target', pid(unit), '--mount', 'touch', `${etc}/new`])
          .text,
        network:
          machine.run('readlink', `/proc/${pid(unit)}/ns/net`) ===
          machine.run('readlink', '/proc/1/ns/net'),
      };
    };
    const limits = ['1', '2', '0000000000000000', '0000000000000000'];
    const writes = expect.stringContaining('Read-only file system');
    expect(of('causeway')).toEqual({ user: 'causeway', limits, writes, network: true });
    expect(of('causeway-signer')).toEqual({
      user: 'causeway-signer',
      limits,
      writes,
      network: false,
    });
    machine.run('systemd-analyze', 'security', '--threshold=20', 'causeway', 'causeway-signer');
  });

  test('opens the socket of the signer to the bridge and to no other user', () => {
    const open = (...words: string[]) => {
      const program = 'use IO::Socket::UNIX; IO::Socket::UNIX->new(Peer => shift) or die "$!\n"';
      return machine.tried(['setpriv', ...words, '--', 'perl', '-e', program, socket]);
    };
    const bridge = ['--reuid=causeway', '--regid=causeway', '--init-groups'];
    expect(open(...bridge)).toEqual({ code: 0, text: '' });
    const stranger = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];
    expect(open(...stranger).text).toBe('Permission denied\n');
  });

  test('is restarted after a kill -9 and still has the open order', async () => {
    const charlie = clientOf('CHARLIE', '--data', '/opt/package/charlie');
    const placed = machine.tried(charlie, 'buy BTC-USDC 0.001 30000\n');
    expect(values(placed.text, 39)).toContain('0');
    const [id] = values(placed.text, 11);
    const before = pid();
    machine.run('systemctl', 'kill', '--signal=KILL', '--kill-who=main', 'causeway');
    await expect.poll(() => machine.unit('causeway', 'NRestarts')).toBe('1');
    await ready();
    expect(pid()).not.toBe(before);
    const cancel = `raw F 41=${id} 11=cancel 55=BTC-USDC 54=1 60=now`;
    const after = machine.tried(charlie, `orders\n${cancel}\n`);
    expect(values(after.text, 39)).toEqual(expect.arrayContaining(['0', '4']));
  });

  test('applies a changed configuration on reload, in the same process', async () => {
    const before = pid();
    change((config) => ({ ...config, limits: { maxOrderQty: '0.0001' } }));
    machine.run('systemctl', 'reload', 'causeway');
    await expect.poll(() => journal().map(({ event }) => event)).toContain('config_read');
    expect(pid()).toBe(before);
    const { text } = machine.tried(clientOf('ALPHA'), 'buy BTC-USDC 0.001 30000\n');
    expect(values(text, 39)).toEqual(['8']);
    change(({ limits: _, ...config }) => config);
  });

  /** What the running process has logged. */
  function journal(): readonly Record<string, unknown>[] {
    const words = ['--output=cat', `_PID=${pid()}`, '--no-pager'];
    const lines = machine
      .run('journalctl', ...words)
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  test('logs one JSON line per event to the journal', () => {
    const events = journal();
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['started_listening', 'stream_live', 'logged_on', 'disconnected']),
    );
    for (const line of events) {
      expect(line).toMatchObject({ event: expect.any(String), level: expect.anything() });
    }
  });

  test('stops in time, and logs its clients out', async () => {
    const [file = '', ...args] = [...machine.enter, ...clientOf('ALPHA')];
    const peer = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    peer.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text).toContain('logged_on');
    machine.run('systemctl', 'stop', 'causeway');
    await expect.poll(() => text).toMatch(/"kind":"disconnected","reason":"[^"]*"/);
    peer.kill('SIGKILL');
    expect(machine.unit('causeway', 'Result')).toBe('success');
    expect(machine.unit('causeway', 'ExecMainStatus')).toBe('0');
  });

  test('fails with exit code 3 on a wrong configuration, and is not restarted in a loop', async () => {
    change((config) => ({ ...config, durabilty: 'power' }));
    machine.run('systemctl', 'start', 'causeway');
    await expect.poll(() => machine.unit('causeway', 'ExecMainStatus')).toBe('3');
    // A unit that systemd will restart is never `failed`.
    await expect.poll(() => machine.unit('causeway', 'ActiveState')).toBe('failed');
    expect(machine.unit('causeway', 'NRestarts')).toBe('0');
    expect(machine.run('journalctl', '--unit=causeway', '--output=cat', '--lines=20')).toContain(
      'durability',
    );
    change(({ durabilty: _, ...config }) => config);
  });

  test('is stopped by its removal, which keeps the configuration', async () => {
    machine.run('systemctl', 'enable', '--now', 'causeway-signer', 'causeway');
    await ready();
    machine.run('dpkg', '--remove', 'causeway-gateway');
    for (const unit of ['causeway', 'causeway-signer']) {
      expect(machine.tried(['systemctl', 'is-active', unit]).text.trim()).toBe('inactive');
    }
    expect(machine.tried(['pgrep', '-u', 'causeway,causeway-signer']).text).toBe('');
    expect(existsSync(machine.at(gatewayFile))).toBe(true);
  });
});
