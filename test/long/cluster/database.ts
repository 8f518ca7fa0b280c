/**
 * The database of a cluster and what can happen to it. Its servers are run by a process of their own, which is asked for everything by
 * messages. A trigger writes down each change of a shard's row, in the order of the commits.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { binaries } from '../../support/postgres.ts';
import type { DatabaseRows, ShardChange, Span } from './history.ts';

export type Loss = 'kill' | 'stop' | 'partition';

/** A set of servers, each at a place of its own that proxies lead to. */
export interface ClusterDatabase {
  /** Ports of loopback, by place. They change when a server is made anew. */
  readonly ports: readonly number[];
  /** The place of the present primary. */
  readonly primary: number;
  /** Partitions a place from the nodes. */
  onCut: (place: number, isCut: boolean) => void;
  onMoved: (place: number, port: number) => void;
  /** Something did not recover by itself, and this is what an operator did about it. */
  onRepaired: (text: string) => void;
  /** The primary is lost; resolves once another one commits and all servers run again. */
  lose(loss: Loss): Promise<void>;
  stop(): Promise<void>;
}

type Asked = { readonly kind: 'lose'; readonly loss: Loss } | { readonly kind: 'stop' };
type Told =
  | { readonly kind: 'ready'; readonly ports: readonly number[]; readonly primary: number }
  | { readonly kind: 'cut'; readonly place: number; readonly isCut: boolean }
  | { readonly kind: 'moved'; readonly place: number; readonly port: number }
  | { readonly kind: 'repaired' | 'failed'; readonly text: string };

/** In the process of the servers: does what it is asked to. */
export async function serveDatabase(database: ClusterDatabase): Promise<void> {
  const tell = (message: Told) => void process.send?.(message);
  const ready = () => tell({ kind: 'ready', ports: database.ports, primary: database.primary });
  database.onCut = (place, isCut) => tell({ kind: 'cut', place, isCut });
  database.onMoved = (place, port) => tell({ kind: 'moved', place, port });
  database.onRepaired = (text) => tell({ kind: 'repaired', text });
  const end = () => void database.stop().then(() => process.exit());
  process.on('message', (asked: Asked) => {
    if (asked.kind === 'stop') end();
    else
      database.lose(asked.loss).then(ready, (error: Error) => {
        tell({ kind: 'failed', text: error.stack ?? error.message });
      });
  });
  process.once('disconnect', end);
  ready();
}

/** The servers as the run has them. */
export class DatabaseServers implements ClusterDatabase {
  readonly #process: ChildProcess;
  #ready: Promise<void>;
  ports: readonly number[] = [];
  primary = 0;
  onCut: (place: number, isCut: boolean) => void = () => {};
  onMoved: (place: number, port: number) => void = () => {};
  readonly repairs: string[] = [];
  onRepaired = (text: string) => void this.repairs.push(text);

  /** `file` is a module that calls `serveDatabase`. */
  static async start(file: string): Promise<DatabaseServers> {
    const servers = new DatabaseServers(fork(file, { stdio: 'inherit' }));
    await servers.#ready;
    return servers;
  }

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ready = this.#isReady();
    process.on('message', (told: Told) => {
      if (told.kind === 'cut') this.onCut(told.place, told.isCut);
      if (told.kind === 'moved') this.onMoved(told.place, told.port);
      if (told.kind === 'repaired') this.onRepaired(told.text);
    });
  }

  async lose(loss: Loss): Promise<void> {
    this.#ready = this.#isReady();
    this.#process.send({ kind: 'lose', loss } satisfies Asked);
    await this.#ready;
  }

  query(text: string): Promise<readonly (readonly string[])[]> {
    return psql(this.ports[this.primary] ?? 0, text);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.connected) this.#process.send({ kind: 'stop' } satisfies Asked);
    await ended;
  }

  #isReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = () => settle(() => reject(new Error('the process of the database has ended')));
      const settle = (how: () => void) => {
        this.#process.off('message', hear).off('exit', ended);
        how();
      };
      const hear = (told: Told) => {
        if (told.kind === 'failed') settle(() => reject(new Error(told.text)));
        if (told.kind !== 'ready') return;
        this.ports = told.ports;
        this.primary = told.primary;
        settle(resolve);
      };
      this.#process.on('message', hear).once('exit', ended);
    });
  }
}

export async function psql(port: number, text: string): Promise<readonly (readonly string[])[]> {
  const where = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'causeway'];
  const options = ['-X', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', text];
  const { stdout } = await promisify(execFile)(`${binaries()}/psql`, [...where, ...options], {
    maxBuffer: 2 ** 28,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

/** Before the first node starts. */
export async function watchShards(database: Pick<DatabaseServers, 'query'>): Promise<void> {
  await database.query(
    `
    create schema watch;
    create table watch.changes (no bigserial primary key, at timestamptz not null default clock_timestamp(),
      shard text not null, epoch bigint not null, position bigint not null, node text not null);
    create function watch.change() returns trigger language plpgsql security definer as $$
    begin
      insert into watch.changes (shard, epoch, position, node)
      values (new.shard, new.epoch, new.position, new.node);
      return null;
    end $$;
    create trigger change after update on causeway.shards
      for each row when (old.epoch <> new.epoch or old.position <> new.position)
      execute function watch.change();`,
  );
}

export async function readRows(port: number): Promise<DatabaseRows> {
  const changes = await psql(
    port,
    `select shard, epoch, position, node, extract(epoch from at) * 1000 from watch.changes order by no`,
  );
  const records = await psql(
    port,
    `select r.shard || '/' || r.stream, coalesce(s.forgotten_to, 0) + 1, max(r.position), count(*)
       from causeway.records r left join causeway.streams s using (shard, stream)
      where r.position > coalesce(s.forgotten_to, 0)
      group by r.shard, r.stream, s.forgotten_to`,
  );
  return {
    changes: changes.map(
      ([shard = '', epoch, position, node = '', atMs]): ShardChange => ({
        ...{ shard, node, epoch: Number(epoch), position: Number(position), atMs: Number(atMs) },
      }),
    ),
    records: records.map(
      ([name = '', first, last, rows]): Span => ({
        ...{ name, first: Number(first), last: Number(last), rows: Number(rows) },
      }),
    ),
  };
}
