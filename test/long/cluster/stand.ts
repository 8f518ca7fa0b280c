/**
 * A whole cluster on one machine: nodes at addresses of their own, a database, one signer, one venue, clients. Everything that two of
 * them say to each other goes through a proxy of the run, so that any line can be held, cut or made to lose bytes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/runtime/free-port.ts';
import type { SandboxInfo } from '../../../src/sandbox/server.ts';
import { bridgeRole } from '../../support/postgres.ts';
import { quickProfile } from '../../support/quick-files.ts';
import { type Manner, TcpProxy } from '../../support/tcp-proxy.ts';
import { Authority } from '../../transport/authority.ts';
import { DatabaseServers, readRows, watchShards } from './database.ts';
import { ClusterFiles, passwordOf, type ShardPlan } from './files.ts';
import { FixLane } from './fix-lane.ts';
import { FixpLane } from './fixp-lane.ts';
import type { Ledger, RunHistory, VenueOrder } from './history.ts';
import { compileProgram, Machine } from './machines.ts';
import { Trader } from './trader.ts';
import { VenueTap } from './venue-tap.ts';

export interface StandOptions {
  readonly seed: number;
  readonly shards: number;
  readonly nodes: number;
  /** The module that runs the database; without it the shards have data directories, and there is one node. */
  readonly database: string | undefined;
  /** Of each client; with 0 there are no clients. */
  readonly ordersPerSecond: number;
  readonly random: () => number;
  /** Of FIX, in each shard. */
  readonly sessions?: number;
}

/** The lines of one node to everybody else. */
export interface Lines {
  readonly venue: TcpProxy;
  readonly database: readonly TcpProxy[];
  readonly fix: TcpProxy;
  readonly fixp: TcpProxy;
  /** From other nodes to this one. */
  readonly relay: TcpProxy;
}

export interface ClusterNode {
  readonly machine: Machine;
  readonly lines: Lines;
  /** Where it listens for FIX itself, behind its line. */
  readonly fix: { readonly host: string; readonly port: number };
}

const loopback = '127.0.0.1';
const lanes = ['fix', 'fixp'] as const;

export class ClusterStand {
  readonly nodes: readonly ClusterNode[];
  readonly traders: readonly Trader[];
  readonly database: DatabaseServers | undefined;
  readonly #adminUrl: string;
  readonly #directory: string;
  readonly #others: readonly Machine[];
  readonly #shards: readonly ShardPlan[];
  readonly #tap: VenueTap;

  static async open(options: StandOptions): Promise<ClusterStand> {
    compileProgram();
    const directory = mkdtempSync(join(tmpdir(), 'causeway-chaos-'));
    const infoFile = join(directory, 'sandbox.json');
    const sandbox = new Machine('sandbox', directory, [
      ...['sandbox', '--no-makers', '--no-limits', '--info', infoFile],
      ...['--seed', String(options.seed), '--accounts', String(Math.max(4, options.shards))],
    ]);
    sandbox.start();
    await sandbox.says(/sandbox ready/);
    const info = JSON.parse(readFileSync(infoFile, 'utf8')) as SandboxInfo;
    const shards = info.accounts.slice(0, options.shards).map(({ account }, index) => ({
      name: `shard-${index + 1}`,
      account,
      fix: Array.from({ length: options.sessions ?? 1 }, (_, at) => fixSession(index + 1, at)),
      fixp: [`FIXP${index + 1}`],
    }));
    const profile = quickProfile(directory);
    const files = await ClusterFiles.write(directory, info, profile, shards);
    const signer = new Machine('signer', directory, [
      ...['signer', '--config', files.signerFile, '--new-ledger'],
    ]);
    signer.start();
    await signer.says(/signing with/);
    const { database: module } = options;
    const database = module === undefined ? undefined : await DatabaseServers.start(module);
    const tap = new VenueTap();
    const authority = new Authority();
    const plans: NodePlan[] = [];
    try {
      for (let number = 1; number <= options.nodes; number += 1) {
        plans.push(await planNode({ authority, database, files, info, number }));
      }
    } finally {
      authority.remove();
    }
    const nodes = plans.map(({ bridge, fix, lines, name }) => {
      lines.venue.onRequests = tap.of(name);
      const entries = plans.map(({ entry }) => entry);
      const file = files.writeNode(name, bridge, { nodes: entries });
      const args = ['node', '--config', file, '--name', name];
      return { fix, lines, machine: new Machine(name, directory, args) };
    });
    if (database !== undefined) {
      database.onMoved = (place, port) => {
        for (const { lines } of nodes) lines.database[place]?.aim(port);
      };
      database.onCut = (place, isCut) => {
        for (const { lines } of nodes) set(lines.database[place], isCut ? 'hold' : 'pass');
      };
    }
    const others = [sandbox, signer];
    return new ClusterStand(options, {
      ...{ directory, nodes, others, shards, tap, database },
      adminUrl: info.adminUrl,
    });
  }

  private constructor(
    options: StandOptions,
    parts: {
      readonly directory: string;
      readonly adminUrl: string;
      readonly nodes: readonly ClusterNode[];
      readonly others: readonly Machine[];
      readonly shards: readonly ShardPlan[];
      readonly tap: VenueTap;
      readonly database: DatabaseServers | undefined;
    },
  ) {
    this.nodes = parts.nodes;
    this.database = parts.database;
    this.#adminUrl = parts.adminUrl;
    this.#directory = parts.directory;
    this.#others = parts.others;
    this.#shards = parts.shards;
    this.#tap = parts.tap;
    const traded = options.ordersPerSecond > 0 ? parts.shards : [];
    this.traders = traded.flatMap((shard, index) =>
      lanes.map((lane, place) => this.#trader(options, shard, lane, index + place, place)),
    );
  }

  start(): void {
    for (const { machine } of this.nodes) machine.start();
  }

  /** From now on the database writes down who owns which shard. */
  async watch(): Promise<void> {
    if (this.database !== undefined) await watchShards(this.database);
  }

  /** What a shard's owner is called, as the database has it. */
  async ownerOf(shard: string): Promise<ClusterNode | undefined> {
    if (this.database === undefined) return this.nodes[0];
    const rows = await this.database.query(
      `select node from causeway.shards where shard = '${shard}'`,
    );
    const name = rows[0]?.[0];
    return this.nodes.find(({ machine }) => machine.name === name);
  }

  async history(): Promise<RunHistory> {
    const answer = await fetch(`${this.#adminUrl}/ledger`);
    const { forgotten, orders, trades } = (await answer.json()) as Ledger;
    const { database } = this;
    return {
      accounts: this.#shards.map(({ account, name }) => ({ account, shard: name })),
      clients: this.traders.map((trader) => trader.history()),
      ledger: { forgotten, trades, orders: orders.map(inOurWords) },
      requests: this.#tap.requests,
      rows: database && (await readRows(database.ports[database.primary] ?? 0)),
    };
  }

  /** For whoever looks for the cause of a finding. */
  keep(history: RunHistory): void {
    writeFileSync(join(this.#directory, 'history.json'), JSON.stringify(history));
  }

  /** The files of a run that found something are kept. */
  async stop(keep: boolean): Promise<string> {
    for (const trader of this.traders) await trader.stop();
    for (const { machine } of this.nodes) await machine.kill();
    for (const machine of this.#others) await machine.kill();
    for (const { lines } of this.nodes) {
      for (const line of allLines(lines)) await line.close();
    }
    await this.database?.stop();
    if (!keep) rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20 });
    return this.#directory;
  }

  #trader(
    { ordersPerSecond, random }: StandOptions,
    { account, fix, fixp, name: shard }: ShardPlan,
    lane: 'fix' | 'fixp',
    first: number,
    place: number,
  ): Trader {
    const [session = ''] = lane === 'fix' ? fix : fixp;
    const ports = this.nodes.map(({ lines }) => lines[lane].port);
    const login = { username: session, password: passwordOf(session) };
    return new Trader({
      ...{ session, account, shard, ordersPerSecond, random },
      // Clients start at different nodes, and half of them at one that has not their shard.
      ports: ports.map((_, index) => ports[(index + first) % ports.length] ?? 0),
      firstQty: 100_000 + place * 1_000,
      qtyStep: 2_000,
      lane: (events, isDone) =>
        lane === 'fix'
          ? new FixLane({ senderCompId: session, ...login }, events)
          : new FixpLane(login, events, isDone),
    });
  }
}

/** The first session of a shard has the shard's number alone. */
export function fixSession(shard: number, at: number): string {
  return `FIX${shard}${at === 0 ? '' : `-${at}`}`;
}

/** Of the venue, whose sides are Bid and Ask. */
function inOurWords(order: VenueOrder): VenueOrder {
  return { ...order, side: order.side === 'Bid' ? 'buy' : 'sell' };
}

export function allLines({ database, fix, fixp, relay, venue }: Lines): readonly TcpProxy[] {
  return [venue, fix, fixp, relay, ...database];
}

export function set(line: TcpProxy | undefined, manner: Manner): void {
  line?.set('requests', manner);
  line?.set('replies', manner);
}

interface NodePlan {
  readonly name: string;
  readonly lines: Lines;
  readonly fix: ClusterNode['fix'];
  /** Of its own gateway.yaml. */
  readonly bridge: object;
  /** Of everybody's cluster.yaml. */
  readonly entry: object;
}

async function planNode(parts: {
  readonly authority: Authority;
  readonly database: DatabaseServers | undefined;
  readonly files: ClusterFiles;
  readonly info: SandboxInfo;
  readonly number: number;
}): Promise<NodePlan> {
  const { authority, database, files, info, number } = parts;
  const name = `n${number}`;
  // Each machine has an address of its own on the loopback.
  const host = `127.0.0.${10 + number}`;
  const listening = async () => ({ host, port: await freePort({ host, port: 0 }) });
  const listen = { fix: await listening(), fixp: await listening(), relay: await listening() };
  const to = ({ port }: { readonly port: number }) => TcpProxy.to(port, host);
  const lines: Lines = {
    venue: await TcpProxy.to(Number(new URL(info.baseUrl).port)),
    database: await Promise.all((database?.ports ?? []).map((port) => TcpProxy.to(port))),
    fix: await to(listen.fix),
    fixp: await to(listen.fixp),
    relay: await to(listen.relay),
  };
  const hosts = lines.database.map(({ port }) => `${loopback}:${port}`);
  const bridge = {
    venue: {
      profile: join(files.directory, 'venue.yaml'),
      baseUrl: `http://${loopback}:${lines.venue.port}`,
    },
    fix: { listen: listen.fix, maxConnections: 4_000 },
    fixp: { listen: listen.fixp },
    ...(database && { store: { postgres: { hosts, user: bridgeRole } } }),
  };
  const relay = {
    listen: listen.relay,
    address: `${loopback}:${lines.relay.port}`,
    tls: writeTls(join(files.directory, 'tls'), name, authority),
  };
  return { name, lines, bridge, fix: listen.fix, entry: { name, ...(database && { relay }) } };
}

function writeTls(folder: string, name: string, authority: Authority): object {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { cert, key } = authority.issue(name);
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text, { mode: 0o600 });
    return join(folder, file);
  };
  return {
    certFile: write(`${name}.crt`, cert),
    keyFile: write(`${name}.key`, key),
    caFile: write('ca.crt', authority.cert),
  };
}
