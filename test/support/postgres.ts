/**
 * PostgreSQL servers of Debian's package for tests: a primary, standbys of it, and what can happen to them. Each has its own
 * directory and a port of loopback; a process of root hands them to the user `postgres`, because the server refuses root.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from '../../src/runtime/free-port.ts';
import { ledgerTables } from '../../src/signer/ledger-tables.ts';
import {
  type Connection,
  connectToPrimary,
  type DatabasePlace,
} from '../../src/store/postgres/connection.ts';
import { migrateTables } from '../../src/store/postgres/migrations.ts';

const versions = '/usr/lib/postgresql';
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const host = '127.0.0.1';
const superuser = 'postgres';
/** The bridge's role: it may log in and use what the migrations let it use. */
export const bridgeRole = 'bridge';
/** The role of signers, in the same way. */
export const signerRole = 'signer';

export function binaries(): string {
  const found = existsSync(versions) ? readdirSync(versions).sort() : [];
  const newest = found.filter((name) => existsSync(join(versions, name, 'bin/postgres'))).at(-1);
  if (newest === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql (Debian)');
  return join(versions, newest, 'bin');
}

/** As whom the server runs. */
export function identity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] =
    /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0]?.split(':') ?? [];
  if (uid === undefined) throw new Error('there is no user postgres for a server of root');
  return { uid: Number(uid), gid: Number(gid) };
}

export interface ServerSettings {
  readonly [name: string]: string;
}

export class PostgresServer {
  readonly port: number;
  readonly #directory: string;
  readonly #settings: ServerSettings;
  #process: ChildProcess | undefined;

  private constructor(directory: string, port: number, settings: ServerSettings) {
    this.#directory = directory;
    this.port = port;
    this.#settings = settings;
  }

  /** A new server with the tables. */
  static async start(settings: ServerSettings = {}): Promise<PostgresServer> {
    const server = new PostgresServer(newDirectory(), await freePort({ host, port: 0 }), settings);
    execFileSync('cp', ['-a', emptyData(), server.#data]);
    await server.run();
    const admin = await server.admin();
    await admin.run(`create role ${bridgeRole} login`);
    await admin.run(`create database causeway`);
    await admin.close();
    const owner = await server.admin('causeway');
    await migrateTables(owner, bridgeRole);
    await owner.close();
    return server;
  }

  /** A database of its own for the ledger of signers, with its role. */
  async ledger(name = 'causeway_signer'): Promise<DatabasePlace> {
    const admin = await this.admin();
    await admin.run(`
      do $$ begin create role ${signerRole} login; exception when duplicate_object then null; end $$`);
    await admin.run(`drop database if exists ${name} with (force)`);
    await admin.run(`create database ${name}`);
    await admin.close();
    const owner = await this.admin(name);
    await migrateTables(owner, signerRole, ledgerTables);
    await owner.close();
    return { ...this.place, database: name, user: signerRole };
  }

  /** A standby of this server, which gets its commits from now on. */
  async standby(settings: ServerSettings = {}): Promise<PostgresServer> {
    const server = new PostgresServer(newDirectory(), await freePort({ host, port: 0 }), settings);
    const from = ['-h', host, '-p', String(this.port), '-U', superuser];
    run('pg_basebackup', [...from, '-D', server.#data, '-R', '-c', 'fast', '--no-sync']);
    await server.run();
    return server;
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  get place(): DatabasePlace {
    return { hosts: [{ host, port: this.port }], database: 'causeway', user: bridgeRole };
  }

  admin(database = superuser): Promise<Connection> {
    return connectToPrimary({ ...this.place, database, user: superuser }, 'power');
  }

  /** Starts the process, again after a kill. */
  async run(): Promise<void> {
    const own = { port: String(this.port), listen_addresses: host, unix_socket_directories: '' };
    const settings = Object.entries({ ...own, shared_buffers: '32MB', ...this.#settings });
    const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = join(this.#directory, 'log');
    this.#process = spawn(
      '/bin/sh',
      [
        '-c',
        'exec "$0" "$@" >>"$LOG" 2>&1',
        join(binaries(), 'postgres'),
        '-D',
        this.#data,
        ...options,
      ],
      {
        ...identity(),
        env: { LOG: log },
        stdio: 'ignore',
        cwd: this.#directory,
      },
    );
    const deadline = Date.now() + 30_000;
    while (!this.#accepts()) {
      if (this.#process.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL does not start: ${readFileSync(log, 'utf8').slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #accepts(): boolean {
    const ready = ['-q', '-h', host, '-p', String(this.port), '-t', '1'];
    return spawnSync(join(binaries(), 'pg_isready'), ready).status === 0;
  }

  promote(): void {
    run('pg_ctl', ['promote', '-w', '-D', this.#data]);
  }

  /** All its processes at once, as if the machine had failed. */
  async kill(): Promise<void> {
    if (this.#process === undefined) return;
    const ended = once(this.#process, 'exit');
    this.#signal('SIGKILL');
    this.#process = undefined;
    await ended;
    rmSync(join(this.#data, 'postmaster.pid'), { force: true });
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Keeps the data as they are now; the server must not run. */
  backUp(): void {
    execFileSync('cp', ['-a', this.#data, `${this.#data}-backup`]);
  }

  restore(): void {
    rmSync(this.#data, { recursive: true });
    execFileSync('cp', ['-a', `${this.#data}-backup`, this.#data]);
  }

  #signal(name: NodeJS.Signals): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    for (const each of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(each, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** What initdb makes, kept like what is compiled: it takes longer than most tests of a file. */
function emptyData(): string {
  const version = basename(dirname(binaries()));
  const kept = join(cache, `postgres-${version}-${process.getuid?.()}`);
  if (existsSync(kept)) return kept;
  const directory = newDirectory();
  const options = ['-U', superuser, '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  run('initdb', ['-D', join(directory, 'data'), ...options]);
  mkdirSync(cache, { recursive: true });
  const copy = `${kept}-${process.pid}-${Date.now()}`;
  execFileSync('cp', ['-a', join(directory, 'data'), copy]);
  rmSync(directory, { recursive: true });
  try {
    renameSync(copy, kept);
  } catch {
    // Another process was first.
    rmSync(copy, { recursive: true });
  }
  return kept;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-postgres-'));
  const { uid, gid } = identity();
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
  return directory;
}

function run(program: string, parts: readonly string[]): void {
  execFileSync(join(binaries(), program), parts, {
    ...identity(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
  });
}

export function childrenOf(pid: number): readonly number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1],
      );
      if (parent === pid) found.push(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}
