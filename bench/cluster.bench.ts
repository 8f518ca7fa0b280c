/**
 * Both stores in one run: what a durable commit costs alone and in groups, in a log of segments, in PostgreSQL on the same machine, and
 * there behind a synchronous standby. The commits are those of a turn of a session. Then what a whole order costs a node on each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '../src/store/log/log-store.ts';
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts';
import type { Durability, Store, Write } from '../src/store/store.ts';
import { PostgresServer } from '../test/support/postgres.ts';
import { type CostOptions, costOf } from './cluster/cost.ts';
import type { Row } from './main.ts';

const rounds = 400;
const waiting = [1, 50] as const;
const owner = { node: 'bench', address: '' };

export async function run({ isQuick }: { readonly isQuick: boolean }): Promise<Row[]> {
  return [...(await storeRows()), ...(await costRows(isQuick))];
}

/** What an order costs a node, and whether that grows with shards and sessions. */
async function costRows(isQuick: boolean): Promise<Row[]> {
  const database = join(import.meta.dirname, '../test/long/cluster/postgres-pair.ts');
  const orders = isQuick ? 300 : 2_000;
  const base = { shards: 1, sessions: 10, orders, database };
  const all: readonly (readonly [name: string, options: CostOptions])[] = [
    ['data directory, 1 shard, 10 sessions', { ...base, database: undefined }],
    ['PostgreSQL, 1 shard, 10 sessions', base],
    ['PostgreSQL, 2 shards, 20 sessions', { ...base, shards: 2, sessions: 20 }],
    ['PostgreSQL, 4 shards, 40 sessions', { ...base, shards: 4, sessions: 40 }],
    ['PostgreSQL, 8 shards, 80 sessions', { ...base, shards: 8, sessions: 80 }],
    ['PostgreSQL, 1 shard, 200 sessions', { ...base, sessions: 200 }],
    ['PostgreSQL, 1 shard, 2,000 sessions', { ...base, sessions: 2_000 }],
    ['PostgreSQL, 1 shard, 10 sessions, relayed', { ...base, isRelayed: true }],
  ];
  const rows: Row[] = [];
  for (const [name, options] of all) {
    const cost = await costOf(options);
    const { nodeUs, ordersPerSecond, statements, walBytes, workerUs } = cost;
    const cpu = `worker ${workerUs.toFixed(0)} µs, node ${nodeUs.toFixed(0)} µs`;
    const written =
      options.database === undefined
        ? ''
        : `, ${statements.toFixed(2)} statements, ${walBytes.toFixed(0)} bytes of WAL`;
    const value = `${cpu}${written}; ${ordersPerSecond.toFixed(0)} orders/s`;
    rows.push({ name: `an order: ${name}`, value });
    // The whole takes many minutes.
    process.stderr.write(`  measured: ${name}: ${value}\n`);
  }
  return rows;
}

async function storeRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-cluster-bench-'));
  const primary = await PostgresServer.start();
  const standby = await primary.standby();
  const rows: Row[] = [];
  try {
    const log = await openLogStore({ path: join(folder, 'log.db'), durability: 'power' });
    rows.push(...(await measured('log of segments, power', log)));
    await log.close();
    for (const durability of ['power', 'replicated'] satisfies Durability[]) {
      if (durability === 'replicated') await synchronous(primary);
      const { place } = primary;
      const store = await openPostgresStore({ place, shard: durability, durability, owner });
      rows.push(...(await measured(`PostgreSQL, ${durability}`, store)));
      await store.close();
    }
    rows.push(await growth(primary));
    return rows;
  } finally {
    for (const server of [standby, primary]) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measured(name: string, store: Store): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of waiting) {
    const tookUs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startMs = performance.now();
      const commits = Array.from({ length: count }, (_, i) => {
        return store.commit(turn(`${count}-${i}`, round));
      });
      await Promise.all(commits);
      tookUs.push((performance.now() - startMs) * 1000);
    }
    tookUs.sort((a, b) => a - b);
    const p50 = tookUs[rounds / 2] ?? 0;
    const p99 = tookUs[Math.floor(rounds * 0.99)] ?? 0;
    const perSecond = Math.round((count * 1e6) / p50);
    rows.push({
      name: `${name}: ${count} at once`,
      value: `p50 ${p50.toFixed(0)} µs, p99 ${p99.toFixed(0)} µs, ${perSecond} commits/s`,
    });
  }
  return rows;
}

/** One turn of a session: a record, a message and the numbers. */
function turn(name: string, round: number): Write[] {
  const bytes = Buffer.alloc(300, 120);
  return [
    { kind: 'append', stream: name, expected: round, payload: Buffer.alloc(1_000, 120) },
    { kind: 'messages', session: name, firstSeq: round + 1, bytes, ends: [bytes.length] },
    { kind: 'numbers', session: name, nextIn: round + 1, nextOut: round + 2 },
  ];
}

async function growth(server: PostgresServer): Promise<Row> {
  const admin = await server.admin('causeway');
  const [found] = await admin.query<{ perTurn: number; shards: number }>({
    text: `select (sum(pg_total_relation_size(oid)) / (select count(*) from causeway.records))::int as "perTurn",
                  pg_total_relation_size('causeway.shards')::int / 1024 as shards
             from pg_class where relnamespace = 'causeway'::regnamespace and relkind = 'r'`,
  });
  await admin.close();
  return {
    name: 'PostgreSQL: tables and indexes for one turn of 1,300 bytes',
    value: `${found?.perTurn} bytes; the table of shards has ${found?.shards} KiB`,
  };
}

async function synchronous(server: PostgresServer): Promise<void> {
  const admin = await server.admin();
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  await admin.close();
}
