/**
 * Three machines with etcd, Patroni and PostgreSQL each, configured by the files that operators get (deploy/), at addresses of loopback.
 * Nobody here promotes anything: a lost primary is noticed and replaced by Patroni.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from '../../../src/runtime/free-port.ts';
import { connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { migrateTables } from '../../../src/store/postgres/migrations.ts';
import { binaries, bridgeRole, childrenOf, identity } from '../../support/postgres.ts';
import { type ClusterDatabase, type Loss, serveDatabase } from './database.ts';

const host = '127.0.0.1';
const deploy = join(import.meta.dirname, '../../../deploy');
/** A busy machine takes its time. */
const readyMs = 300_000;
/** So long Patroni is left to itself before an operator steps in, and again before the next attempt. */
const operatorMs = 60_000;
const pollMs = 100;

interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly rest: number;
  readonly postgres: number;
}

/** What an operator does if something does not recover by itself. */
interface Repair {
  readonly what: string;
  readonly run: () => Promise<void>;
  /** There is nothing more to wait for. */
  readonly isEnough?: boolean;
}

/** What Patroni says of a server; undefined while it does not answer. */
type Role = 'master' | 'replica';

class DatabaseMachine {
  readonly ports: Ports;
  readonly #directory: string;
  readonly #name: string;
  readonly #ensemble: string;
  #etcd: ChildProcess | undefined;
  #patroni: ChildProcess | undefined;

  constructor(directory: string, name: string, ports: Ports, ensemble: string, etcds: string) {
    this.ports = ports;
    this.#directory = directory;
    this.#name = name;
    this.#ensemble = ensemble;
    this.#writeConfiguration(etcds);
  }

  start(): void {
    const { client, peer } = this.ports;
    this.#etcd ??= this.#spawn('/usr/bin/etcd', [], {
      ...operatorsEtcd(),
      ETCD_NAME: this.#name,
      ETCD_DATA_DIR: join(this.#directory, 'etcd'),
      ETCD_LISTEN_PEER_URLS: `http://${host}:${peer}`,
      ETCD_LISTEN_CLIENT_URLS: `http://${host}:${client}`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${host}:${peer}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${host}:${client}`,
      ETCD_INITIAL_CLUSTER: this.#ensemble,
      ETCD_UNSUPPORTED_ARCH: process.arch === 'arm64' ? 'arm64' : '',
      ETCD_ENABLE_V2: 'true',
    });
    this.#patroni ??= this.#spawn('/usr/bin/patroni', [this.#configuration], {});
  }

  /** PostgreSQL and Patroni at once, as if their machine had failed. */
  async kill(): Promise<void> {
    const patroni = this.#patroni;
    const ended = patroni && once(patroni, 'exit');
    for (const pid of this.#database) signal(pid, 'SIGKILL');
    this.#patroni = undefined;
    await ended;
  }

  /** Patroni stops its server before it ends, as on `systemctl restart patroni`. */
  async restart(): Promise<void> {
    const patroni = this.#patroni;
    const ended = patroni && once(patroni, 'exit');
    patroni?.kill('SIGTERM');
    const outcome = await Promise.race([ended, sleep(operatorMs / 2).then(() => 'hangs')]);
    if (outcome === 'hangs') await this.kill();
    this.#patroni = undefined;
    this.start();
  }

  async stop(): Promise<void> {
    await this.kill();
    const etcd = this.#etcd;
    if (etcd === undefined) return;
    const ended = once(etcd, 'exit');
    etcd.kill('SIGKILL');
    await ended;
  }

  /** The database server hangs, and Patroni with it. */
  pause(): void {
    for (const pid of this.#database) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#database) signal(pid, 'SIGCONT');
  }

  /** What an operator does whose primary cannot be reached by those who need it. */
  async switchOver(): Promise<void> {
    await fetch(`http://${host}:${this.ports.rest}/switchover`, {
      ...{ method: 'POST', body: JSON.stringify({ leader: this.#name }) },
      signal: AbortSignal.timeout(readyMs),
    });
  }

  async role(): Promise<Role | undefined> {
    try {
      const url = `http://${host}:${this.ports.rest}/patroni`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      const { role, state } = (await answer.json()) as { role?: Role; state?: string };
      return state === 'running' ? role : undefined;
    } catch {
      return undefined;
    }
  }

  /** True if the server is a primary that has a synchronous standby. */
  async isReplicated(): Promise<boolean> {
    try {
      const url = `http://${host}:${this.ports.rest}/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      const { members } = (await answer.json()) as {
        members: readonly { name: string; role: string; state: string }[];
      };
      const isLeader = members.some(({ name, role }) => name === this.#name && role === 'leader');
      const standbys = members.filter(({ role }) => role !== 'leader');
      const hasSynchronous = standbys.some(({ role }) => role === 'sync_standby');
      return isLeader && hasSynchronous && standbys.length === 2;
    } catch {
      return false;
    }
  }

  /** The end of what its programs have said, for a run that fails. */
  get log(): string {
    return readFileSync(this.#logFile, 'utf8').slice(-3_000);
  }

  get #configuration(): string {
    return join(this.#directory, 'patroni.yaml');
  }

  get #logFile(): string {
    return join(this.#directory, 'log');
  }

  /** The file for operators, with the addresses of this machine and without TLS and passwords. */
  #writeConfiguration(etcds: string): void {
    const { postgres, rest: port } = this.ports;
    const file = parse(readFileSync(join(deploy, 'patroni.yaml'), 'utf8'));
    const trusted = [`host all all ${host}/32 trust`, `host replication all ${host}/32 trust`];
    const { bootstrap, etcd3: _etcd3, postgresql, ...rest } = file;
    const {
      ssl: _,
      ssl_cert_file: _cert,
      ssl_key_file: _key,
      ...parameters
    } = postgresql.parameters;
    const superuser = { ...postgresql.authentication.superuser, password: 'unused' };
    const text = stringify({
      ...rest,
      name: this.#name,
      restapi: { listen: `${host}:${port}`, connect_address: `${host}:${port}` },
      [protocol()]: { hosts: etcds },
      bootstrap: { ...bootstrap, pg_hba: trusted },
      postgresql: {
        ...postgresql,
        listen: `${host}:${postgres}`,
        connect_address: `${host}:${postgres}`,
        data_dir: join(this.#directory, 'data'),
        bin_dir: binaries(),
        pgpass: join(this.#directory, 'pgpass'),
        authentication: {
          superuser,
          replication: { ...postgresql.authentication.replication, password: 'unused' },
          rewind: { ...postgresql.authentication.rewind, password: 'unused' },
        },
        pg_hba: trusted,
        parameters: { ...parameters, unix_socket_directories: '', shared_buffers: '32MB' },
      },
    });
    writeFileSync(this.#configuration, text);
  }

  #spawn(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const shell = ['-c', 'exec "$0" "$@" >>"$LOG" 2>&1', program, ...args];
    return spawn('/bin/sh', shell, {
      ...identity(),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', LOG: this.#logFile, ...env },
      stdio: 'ignore',
      cwd: this.#directory,
    });
  }

  /** PostgreSQL leaves the process group of Patroni, but not its data directory. */
  get #database(): readonly number[] {
    const pids = [this.#patroni?.pid, this.#postmaster()].filter((pid) => pid !== undefined);
    return pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
  }

  #postmaster(): number | undefined {
    try {
      const text = readFileSync(join(this.#directory, 'data/postmaster.pid'), 'utf8');
      const pid = Number(text.split('\n')[0]);
      const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#directory);
      return isOurs ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

class PatroniThree implements ClusterDatabase {
  readonly #machines: readonly DatabaseMachine[];
  readonly #directory: string;
  primary = 0;
  onCut: (place: number, isCut: boolean) => void = () => {};
  onMoved: (place: number, port: number) => void = () => {};
  onRepaired: (text: string) => void = () => {};

  static async start(): Promise<PatroniThree> {
    const directory = mkdtempSync(join(tmpdir(), 'causeway-patroni-'));
    own(directory);
    const port = () => freePort({ host, port: 0 });
    const places: { name: string; ports: Ports }[] = [];
    for (const name of ['db1', 'db2', 'db3']) {
      const ports = {
        ...{ client: await port(), peer: await port() },
        ...{ rest: await port(), postgres: await port() },
      };
      places.push({ name, ports });
    }
    const ensemble = places.map(({ name, ports }) => `${name}=http://${host}:${ports.peer}`).join();
    const etcds = places.map(({ ports }) => `${host}:${ports.client}`).join();
    const machines = places.map(({ name, ports }) => {
      const its = join(directory, name);
      mkdirSync(its);
      own(its);
      return new DatabaseMachine(its, name, ports, ensemble, etcds);
    });
    const three = new PatroniThree(directory, machines);
    try {
      for (const machine of machines) machine.start();
      await three.#settled();
      await three.#makeTables();
    } catch (error) {
      await three.stop();
      throw error;
    }
    return three;
  }

  private constructor(directory: string, machines: readonly DatabaseMachine[]) {
    this.#directory = directory;
    this.#machines = machines;
  }

  get ports(): readonly number[] {
    return this.#machines.map(({ ports }) => ports.postgres);
  }

  /**
   * `kill`: the machine ends. `stop`: it hangs, and continues once another one is promoted. `partition`: the nodes cannot reach it, which
   * Patroni does not notice, so the operator switches over.
   */
  async lose(loss: Loss): Promise<void> {
    const lost = this.primary;
    const machine = this.#machine(lost);
    if (loss === 'kill') {
      await machine.kill();
    } else if (loss === 'stop') {
      machine.pause();
    } else {
      this.onCut(lost, true);
      await machine.switchOver();
    }
    const heal = () => {
      if (loss === 'kill') machine.start();
      else if (loss === 'stop') machine.resume();
      else this.onCut(lost, false);
    };
    await this.#becomes('a primary beside the lost one', () => this.#hasPrimaryBeside(lost), {
      what: 'nothing was promoted, so the lost primary was started again',
      // Patroni promotes nothing that was not a synchronous standby when the primary was lost.
      run: async () => heal(),
      isEnough: true,
    });
    heal();
    await this.#settled();
  }

  async stop(): Promise<void> {
    for (const machine of this.#machines) {
      machine.resume();
      await machine.stop();
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #machine(place: number): DatabaseMachine {
    const machine = this.#machines[place];
    if (machine === undefined) throw new Error(`no machine ${place}`);
    return machine;
  }

  async #hasPrimaryBeside(lost: number): Promise<boolean> {
    const roles = await Promise.all(this.#machines.map((machine) => machine.role()));
    return roles.some((role, place) => role === 'master' && place !== lost);
  }

  /** One primary, one synchronous standby, and one more. */
  async #settled(): Promise<void> {
    const isSo = async () => {
      const replicated = await Promise.all(this.#machines.map((one) => one.isReplicated()));
      const roles = await Promise.all(this.#machines.map((one) => one.role()));
      const primary = replicated.indexOf(true);
      const isOnly = roles.filter((role) => role === 'master').length === 1;
      const isWhole = roles.every((role) => role !== undefined);
      if (primary < 0 || !isOnly || !isWhole || roles[primary] !== 'master') return false;
      this.primary = primary;
      return true;
    };
    await this.#becomes('a primary with two standbys', isSo, {
      what: 'Patroni named no synchronous standby, so it was restarted on the leader (docs/DEPLOY.md, "What to expect")',
      run: () => this.#restartLeader(),
    });
  }

  /** `systemctl restart patroni` on the leader, or on a machine whose server is not there. */
  async #restartLeader(): Promise<void> {
    const roles = await Promise.all(this.#machines.map((one) => one.role()));
    const missing = roles.indexOf(undefined);
    const machine = this.#machine(missing < 0 ? Math.max(0, roles.indexOf('master')) : missing);
    await machine.restart();
  }

  async #becomes(what: string, isSo: () => Promise<boolean>, repair: Repair): Promise<void> {
    const endMs = Date.now() + readyMs;
    let repairMs = Date.now() + operatorMs;
    while (!(await isSo())) {
      if (Date.now() > endMs) {
        const logs = this.#machines.map(({ log }) => log).join('\n---\n');
        throw new Error(`no ${what} in ${readyMs} ms:\n${logs}`);
      }
      if (Date.now() > repairMs) {
        this.onRepaired(repair.what);
        await repair.run();
        if (repair.isEnough === true) return;
        repairMs = Date.now() + operatorMs;
      }
      await sleep(pollMs);
    }
  }

  async #makeTables(): Promise<void> {
    const hosts = [{ host, port: this.#machine(this.primary).ports.postgres }];
    const place = { hosts, database: 'postgres', user: 'postgres' };
    const admin = await connectToPrimary(place, 'power');
    await admin.run(`create role ${bridgeRole} login`);
    await admin.run('create database causeway');
    await admin.close();
    const owner = await connectToPrimary({ ...place, database: 'causeway' }, 'power');
    await migrateTables(owner, bridgeRole);
    await owner.close();
  }
}

/** Patroni 3.0 reads etcd 3 through a copy of its own, which may stay old for good after a failover (docs/DEPLOY.md, "What to expect"). */
function protocol(): 'etcd' | 'etcd3' {
  const text = execFileSync('/usr/bin/patroni', ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0, patch = 0] = (/[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number);
  return major * 10_000 + minor * 100 + patch < 30_100 ? 'etcd' : 'etcd3';
}

/** The settings of the file for operators; the addresses are replaced. */
function operatorsEtcd(): NodeJS.ProcessEnv {
  const lines = readFileSync(join(deploy, 'etcd.env'), 'utf8').split('\n');
  const pairs = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

function own(directory: string): void {
  const { gid, uid } = identity();
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

await serveDatabase(await PatroniThree.start());
