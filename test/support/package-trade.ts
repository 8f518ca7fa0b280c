/** Trades with an installed form of the program, and with nothing else: venue, signer, bridge and client all come from it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { demoSessions, writeDemoFiles } from '../../src/cli/demo-files.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { copyShipped } from '../../src/runtime/shipped.ts';
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import { sandboxProfile } from '../../src/venue/profile.ts';

const host = '127.0.0.1';
export const demoSeed = 1;
/** Without the settings of this machine, such as certificates that a container does not have. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
const startWithinMs = 60_000;

type Role = 'bridge' | 'signer' | 'stranger';

export interface Form {
  /** The command that runs the program as this role's user; its arguments follow. */
  command(role: Role): readonly [string, ...string[]];
  /** A folder, and the path under which the program sees it. */
  readonly outside: string;
  readonly inside: string;
  /** Gives the files to their users. */
  own?(): void;
  /** What asks whether the bridge is alive, if it is not `causeway health`. */
  readonly healthCheck?: readonly string[];
}

export interface Traded {
  /** Values of OrdStatus(39) that the client received. */
  readonly statuses: readonly string[];
  /** Exit codes after SIGTERM: bridge, signer, venue. */
  readonly codes: readonly (number | null)[];
  readonly health: { readonly live: number | null; readonly ready: number | null };
}

export async function trade(form: Form): Promise<Traded> {
  const { inside, outside } = form;
  const running: ChildProcess[] = [];
  const start = (role: Role, ...words: string[]) => {
    const child = begin([...form.command(role), ...words]);
    running.push(child);
    return child;
  };
  try {
    const info = 'shared/sandbox.json';
    mkdirSync(join(outside, 'shared'), { recursive: true });
    chmodSync(join(outside, 'shared'), 0o777);
    const venue = start('stranger', 'sandbox', '--info', join(inside, info));
    await until(venue, () => existsSync(join(outside, info)));
    const ports = await configure(
      outside,
      inside,
      JSON.parse(readFileSync(join(outside, info), 'utf8')),
    );
    form.own?.();
    const signer = start(
      'signer',
      'signer',
      '--config',
      join(inside, 'signer.yaml'),
      '--new-ledger',
    );
    await until(signer, () => existsSync(join(outside, 'run/signer.sock')));
    const config = ['--config', join(inside, 'gateway.yaml')];
    const bridge = start('bridge', 'run', ...config);
    const ask = (...words: string[]) => {
      const [file, ...args] = [...form.command('bridge'), 'health', ...config, ...words];
      return spawnSync(file, args, { env }).status;
    };
    await until(bridge, () => ask('--ready') === 0);
    const [checker, ...checked] = form.healthCheck ?? [];
    const live = checker === undefined ? ask() : spawnSync(checker, checked, { env }).status;
    const health = { live, ready: ask('--ready') };
    const statuses = order(form, ports.fix);
    const codes: (number | null)[] = [];
    for (const child of [bridge, signer, venue]) codes.push(await end(child));
    return { statuses, codes, health };
  } finally {
    for (const child of running) child.kill('SIGKILL');
  }
}

/** As an operator would, with the signer as a process of its own. */
export async function configure(
  outside: string,
  inside: string,
  venue: { readonly baseUrl: string; readonly accounts: readonly DevelopmentAccount[] },
): Promise<{ readonly fix: number; readonly console: number }> {
  const ports = {
    fix: await freePort({ host, port: 0 }),
    console: await freePort({ host, port: 0 }),
  };
  copyShipped(sandboxProfile, outside);
  await writeDemoFiles({
    directory: outside,
    seed: demoSeed,
    fixHost: host,
    fixPort: ports.fix,
    consolePort: ports.console,
    venueUrl: venue.baseUrl,
    profileFile: 'venue.sandbox.yaml',
    accounts: venue.accounts,
    cancelOnDisconnect: false,
  });
  const change = (file: string, changes: object) => {
    const path = join(outside, file);
    writeFileSync(path, stringify({ ...parse(readFileSync(path, 'utf8')), ...changes }));
  };
  const socket = join(inside, 'run/signer.sock');
  // What only the signer reads is in a folder of its own.
  mkdirSync(join(outside, 'keys'), { mode: 0o700, recursive: true });
  for (const name of readdirSync(join(outside, 'secrets'))) {
    if (!/\.(?:keystore\.json|key-passphrase)$/.test(name)) continue;
    renameSync(join(outside, 'secrets', name), join(outside, 'keys', name));
  }
  const signer = readFileSync(join(outside, 'signer.yaml'), 'utf8');
  writeFileSync(join(outside, 'signer.yaml'), signer.replaceAll('secrets/', 'keys/'));
  change('signer.yaml', { socket });
  change('gateway.yaml', { signer: { mode: 'process', socket } });
  for (const [name, mode] of [
    ['run', 0o750],
    ['gateway', 0o700],
    ['signer', 0o700],
  ] as const) {
    mkdirSync(join(outside, name));
    chmodSync(join(outside, name), mode);
  }
  const { password = '' } =
    demoSessions(demoSeed).find(({ senderCompId }) => senderCompId === 'ALPHA') ?? {};
  writeFileSync(join(outside, 'shared/password'), `${password}\n`);
  chmodSync(join(outside, 'shared/password'), 0o644);
  return ports;
}

function order(form: Form, port: number): readonly string[] {
  const password = join(form.inside, 'shared/password');
  const who = [
    '--sender',
    'ALPHA',
    '--target',
    'CAUSEWAY',
    '--user',
    'alpha',
    '--password-file',
    password,
  ];
  const [file, ...args] = [
    ...form.command('bridge'),
    'client',
    ...['--host', host, '--port', String(port)],
    ...who,
    '--json',
  ] as const;
  const input = 'buy BTC-USDC 0.001\n';
  const { stdout, stderr } = spawnSync(file, args, { input, encoding: 'utf8', env });
  if (stderr !== '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msgType }) => msgType === '8')
    .map(({ fields }) => fields.find(({ tag }: { tag: number }) => tag === 39).value);
}

const said = new WeakMap<ChildProcess, string>();

function begin([file = '', ...args]: readonly string[]): ChildProcess {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      said.set(child, ((said.get(child) ?? '') + text).slice(-4_000));
    });
  }
  return child;
}

async function until(child: ChildProcess, isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + startWithinMs;
  while (!isSo()) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > endMs) throw new Error(`it did not start: ${said.get(child)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) throw new Error(`it ended before SIGTERM: ${said.get(child)}`);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}
