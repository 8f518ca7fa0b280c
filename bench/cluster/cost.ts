/**
 * What an order costs a node: processor time of the worker and of the node's front door, and what it writes to the database. Clients
 * wait for the answer to each order before they send the next one, so the load follows the machine.
 */
import { passwordOf } from '../../test/long/cluster/files.ts';
import type { Machine } from '../../test/long/cluster/machines.ts';
import { ClusterStand, fixSession } from '../../test/long/cluster/stand.ts';
import { fieldOf, PlainFixPeer } from '../../test/long/plain-fix-peer.ts';

export interface CostOptions {
  readonly shards: number;
  /** In all shards together. */
  readonly sessions: number;
  /** Of each shard, after twice as many that are not counted: a worker that has just started is still being compiled. */
  readonly orders: number;
  /** The module that runs the database; without it the shards have data directories. */
  readonly database: string | undefined;
  /** Through the front door of a node that has none of the shards. */
  readonly isRelayed?: boolean;
}

/** For each order. */
export interface Cost {
  readonly workerUs: number;
  readonly nodeUs: number;
  /** Groups of commits, which are statements; 0 without a database. */
  readonly statements: number;
  readonly walBytes: number;
  readonly ordersPerSecond: number;
}

/** Orders in flight at once, of each shard: groups of commits, and with them the cost, depend on it. */
const inFlight = 10;

export async function costOf(options: CostOptions): Promise<Cost> {
  const { database, isRelayed = false, sessions, shards } = options;
  const orders = options.orders * shards;
  const depth = inFlight * shards;
  const stand = await ClusterStand.open({
    ...{ seed: 1, shards, database, ordersPerSecond: 0, random: Math.random },
    nodes: isRelayed ? 2 : 1,
    sessions: Math.ceil(sessions / shards),
  });
  const door = stand.nodes.at(-1)?.fix ?? { host: '', port: 0 };
  const clients = Array.from(
    { length: sessions },
    (_, at) => new Client(fixSession((at % shards) + 1, Math.floor(at / shards)), door, at),
  );
  try {
    // The first node has all shards, and keeps them.
    for (const { machine } of stand.nodes) {
      machine.start();
      await machine.says(/FIX 4\.4 on port/);
      if (machine === stand.nodes[0]?.machine) await served(machine, shards);
    }
    // A few at a time: each logon costs the node a password.
    for (let at = 0; at < clients.length; at += depth) {
      await Promise.all(clients.slice(at, at + depth).map((client) => client.logon()));
    }
    await traded(clients, 2 * orders, depth);
    const before = await spent(stand);
    await traded(clients, orders, depth);
    const after = await spent(stand);
    const each = (of: (at: typeof before) => number) => (of(after) - of(before)) / orders;
    return {
      workerUs: each(({ workerUs }) => workerUs),
      nodeUs: each(({ nodeUs }) => nodeUs),
      statements: each(({ positions }) => positions),
      walBytes: each(({ walBytes }) => walBytes),
      ordersPerSecond: 1_000 / each(({ atMs }) => atMs),
    };
  } finally {
    for (const client of clients) await client.peer.cut();
    await stand.stop(false);
  }
}

async function served(machine: Machine, shards: number): Promise<void> {
  for (let shard = 1; shard <= shards; shard += 1) {
    await machine.says(new RegExp(`shard shard-${shard} is served`));
  }
}

/** So far: processor time, commits of all shards, and bytes of the write-ahead log. */
async function spent(stand: ClusterStand) {
  const rows = await stand.database?.query(
    `select (select coalesce(sum(position), 0) from causeway.shards), pg_current_wal_lsn() - '0/0'`,
  );
  const [positions = 0, walBytes = 0] = rows?.[0]?.map(Number) ?? [];
  const cpu = stand.nodes.map(({ machine }) => machine.cpuUs);
  const sum = (of: 'node' | 'workers') => cpu.reduce((total, each) => total + each[of], 0);
  return {
    ...{ positions, walBytes, nodeUs: sum('node'), workerUs: sum('workers') },
    atMs: performance.now(),
  };
}

/** Each client in turn sends one and waits for its answer. */
async function traded(clients: readonly Client[], orders: number, depth: number): Promise<void> {
  let left = orders;
  const next = [...clients];
  const worker = async () => {
    while (left > 0) {
      const client = next.shift();
      if (client === undefined) return;
      left -= 1;
      await client.order();
      next.push(client);
    }
  };
  await Promise.all(Array.from({ length: Math.min(depth, clients.length) }, worker));
}

class Client {
  readonly peer: PlainFixPeer;
  readonly #port: number;
  #count = 0;
  #answered = '';

  /** Each client has its own address, because a node limits the connections of one. */
  constructor(name: string, door: { readonly host: string; readonly port: number }, at: number) {
    this.#port = door.port;
    this.peer = new PlainFixPeer({
      route: { host: door.host, localAddress: `127.1.${Math.floor(at / 250)}.${(at % 250) + 1}` },
      senderCompId: name,
      targetCompId: 'CAUSEWAY',
      logon: [
        [553, name],
        [554, passwordOf(name)],
      ],
    });
  }

  logon(): Promise<void> {
    return this.peer.logon(this.#port, (message) => {
      if (fieldOf(message, 35) === '8' && fieldOf(message, 150) !== 'A') {
        this.#answered = fieldOf(message, 11) ?? '';
      }
    });
  }

  /** Rests or fills at once, and is never canceled: what counts is the way in and the answer. */
  async order(): Promise<void> {
    this.#count += 1;
    const id = `o${this.#count}`;
    const isBuy = this.#count % 2 === 0;
    this.peer.send('D', [
      [11, id],
      [55, 'BTC-USDC'],
      [54, isBuy ? '1' : '2'],
      [60, new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21)],
      [38, '0.001'],
      [40, '2'],
      [44, isBuy ? '49000' : '51000'],
      // Immediate or cancel, so that no orders pile up.
      [59, '3'],
    ]);
    await this.peer.until(() => this.#answered === id, 60_000);
  }
}
