/**
 * PostgreSQL servers of Debian's package for tests: a primary, standbys of it, and what can happen to them. Each has its own
 * directory and a port of loopback; a process of root hands them to the user `postgres`, because the server refuses root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { migrateTables, type Tables } from '../../src/store/postgres/migrations.ts';

const versions = '/usr/lib/postgresql';
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const tablesFolder = join(import.meta.dirname, '../../database');
const host = '127.0.0.1';
const superuser = 'postgres';
/** The bridge's role: it may log in and use what the migrations let it use. */
export const bridgeRole = 'bridge';
/** The role of signers, in the same way. */
export const signerRole = 'signer';
const ledgerDatabase = 'causeway_signer';

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
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;

  private constructor(
    directory: string,
    port: number,
    settings: ServerSettings,
    env: NodeJS.ProcessEnv = {},
  ) {
    this.#directory = directory;
    this.port = port;
    this.#settings = settings;
    this.#env = env;
  }

  /** A new server with the tables. */
  static async start(
    settings: ServerSettings = {},
    env: NodeJS.ProcessEnv = {},
  ): Promise<PostgresServer> {
    const port = await freePort({ host, port: 0 });
    const server = new PostgresServer(newDirectory(), port, settings, env);
    execFileSync('cp', ['-a', await PostgresServer.#migratedData(), server.#data]);
    await server.run();
    return server;
  }

  /** The data of a server with the roles and tables, kept like what is compiled: they take longer than most tests. */
  static async #migratedData(): Promise<string> {
    const version = basename(dirname(binaries()));
    const kept = join(cache, `postgres-${version}-${process.getuid?.()}-${hashOfTables()}`);
    if (existsSync(kept)) return kept;
    const port = await freePort({ host, port: 0 });
    const made = new PostgresServer(newDirectory(), port, { fsync: 'off' });
    const options = ['-U', superuser, '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    run('initdb', ['-D', made.#data, '--wal-segsize=1', ...options]);
    await made.run();
    await made.#createTables('causeway', bridgeRole);
    await made.#createTables(ledgerDatabase, signerRole, ledgerTables);
    const ended = once(made.#process as ChildProcess, 'exit');
    made.#process?.kill('SIGINT');
    await ended;
    mkdirSync(cache, { recursive: true });
    const copy = `${kept}-${process.pid}-${Date.now()}`;
    execFileSync('cp', ['-a', made.#data, copy]);
    rmSync(made.#directory, { recursive: true });
    try {
      renameSync(copy, kept);
    } catch {
      // Another process was first.
      rmSync(copy, { recursive: true });
    }
    return kept;
  }

  async #createTables(database: string, role: string, tables?: Tables): Promise<void> {
    const admin = await this.admin();
    await admin.run(`create role ${role} login`);
    await admin.run(`create database ${database}`);
    await admin.close();
    const owner = await this.admin(database);
    await migrateTables(owner, role, tables);
    await owner.close();
  }

  /** The database of the ledger of signers, with its tables as they are at first. */
  async ledger(name = ledgerDatabase): Promise<DatabasePlace> {
    const admin = await this.admin();
    if (name !== ledgerDatabase) await admin.run(`create database ${name}`);
    await admin.run(`alter database ${name} reset all`);
    await admin.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await admin.close();
    const owner = await this.admin(name);
    // A new database would cost a second of both cores.
    await owner.run(`drop schema if exists ${ledgerTables.schema} cascade`);
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
    const own = {
      ...{ port: String(this.port), listen_addresses: host, unix_socket_directories: '' },
      // A server that is killed leaves its other kinds of shared memory behind.
      dynamic_shared_memory_type: 'mmap',
    };
    const settings = Object.entries({ ...own, shared_buffers: '32MB', ...this.#settings });
    const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = join(this.#directory, 'log');
    const logged = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    const before = logged().length;
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
        env: { ...this.#env, LOG: log },
        stdio: 'ignore',
        cwd: this.#directory,
      },
    );
    const deadline = Date.now() + 30_000;
    while (!/ready to accept (read-only )?connections/.test(logged().slice(before))) {
      if (this.#process.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL does not start: ${logged().slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
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
    rmSync(`${this.#data}-backup`, { recursive: true, force: true });
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

function hashOfTables(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(tablesFolder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(tablesFolder, name)));
  }
  return hash.digest('hex').slice(0, 16);
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
