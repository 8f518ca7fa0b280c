/**
 * kill -9 of the primary under load, again and again: each time the synchronous standby is promoted and a new standby made of it. Every
 * commit that was acknowledged is there afterwards, once and in its order; the rows are read with SQL alone.
 */
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { binaries, PostgresServer } from '../support/postgres.ts';
import type { LongRun } from './main.ts';

const shard = 'kill';
const stream = 'a';
const writers = 4;

export async function run({ short }: LongRun): Promise<string> {
  try {
    binaries();
  } catch (error) {
    return `SKIPPED postgres: ${(error as Error).message}`;
  }
  const rounds = short ? 2 : 20;
  let primary = await PostgresServer.start();
  let standby = await primary.standby();
  const servers = [primary, standby];
  let store: Store | undefined;
  try {
    await synchronous(primary);
    // The ports change with each standby, so each round has an owner of its own, which takes over from the one before.
    let acknowledged = 0;
    const pausesMs: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const hosts = [...primary.place.hosts, ...standby.place.hosts];
      const place = { ...primary.place, hosts };
      store = await openPostgresStore({
        place,
        shard,
        durability: 'replicated',
        owner: { node: `round ${round}`, address: '' },
        replyMs: 500,
      });
      const load = new Load(store, acknowledged);
      await load.reaches(acknowledged + 200);
      const killedMs = performance.now();
      const before = load.acknowledged;
      if (round % 2 === 0) primary.pause();
      else await primary.kill();
      standby.promote();
      await alone(standby);
      await load.reaches(before + writers + 1);
      pausesMs.push(performance.now() - killedMs);
      await load.stop();
      acknowledged = load.acknowledged;
      await compare(standby, acknowledged);
      await store.close();
      await primary.stop();
      primary = standby;
      standby = await primary.standby();
      servers.push(standby);
      await synchronous(primary);
    }
    pausesMs.sort((a, b) => a - b);
    const longest = Math.round(pausesMs.at(-1) ?? 0);
    return `${rounds} lost primaries: ${acknowledged} commits acknowledged, 0 lost, 0 doubled; commits again after at most ${longest} ms`;
  } finally {
    await store?.close();
    for (const server of servers) await server.stop();
  }
}

/** Several commits are always under way. */
class Load {
  readonly #store: Store;
  readonly #done: Promise<unknown>;
  #next: number;
  #isOver = false;
  acknowledged: number;
  #failure: unknown;

  constructor(store: Store, end: number) {
    this.#store = store;
    this.#next = end;
    this.acknowledged = end;
    this.#done = Promise.all(Array.from({ length: writers }, () => this.#write()));
    this.#done.catch((error) => {
      this.#failure = error;
    });
  }

  async reaches(count: number): Promise<void> {
    while (this.acknowledged < count) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const expected = this.#next;
      this.#next += 1;
      const payload = Buffer.from(`record ${expected + 1}`);
      await this.#store.commit([{ kind: 'append', stream, expected, payload }]);
      this.acknowledged += 1;
    }
  }
}

async function synchronous(server: PostgresServer): Promise<void> {
  const admin = await server.admin();
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  await admin.close();
}

async function alone(server: PostgresServer): Promise<void> {
  const admin = await server.admin();
  await admin.run('alter system reset synchronous_standby_names');
  await admin.run('select pg_reload_conf()');
  await admin.close();
}

/** Positions without a hole from 1 to the last acknowledged one, each with its own content. */
async function compare(server: PostgresServer, acknowledged: number): Promise<void> {
  const admin = await server.admin('causeway');
  try {
    const [found] = await admin.query<{ rows: number; last: number; wrong: number }>({
      text: `select count(*)::int as rows, max(position)::int as last,
                    count(*) filter (where payload <> convert_to('record ' || position, 'UTF8'))::int as wrong
               from causeway.records where shard = $1 and stream = $2`,
      values: [shard, stream],
    });
    if (found?.rows !== acknowledged || found.last !== acknowledged || found.wrong !== 0)
      throw new Error(`acknowledged ${acknowledged}, found ${JSON.stringify(found)}`);
  } finally {
    await admin.close();
  }
}
