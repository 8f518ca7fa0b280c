/**
 * A node: the front doors of one machine, and the workers behind them
 * (docs/decisions/0280-shards-nodes-and-postgresql.md).
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { acceptorOf, certificateRenewal, type PortConfig } from '../gateway/clients/client-port.ts';
import { changedKeys, startOnlyChanges } from '../gateway/config/config.ts';
import { ConfigError } from '../gateway/config/config-file.ts';
import { isLoopback } from '../gateway/config/config-keys.ts';
import {
  databaseOf,
  durabilityOf,
  journalsOf,
  requireDatabase,
} from '../gateway/data/shard-store.ts';
import { PasswordProofs } from '../gateway/passwords/password-proofs.ts';
import type { Clock } from '../runtime/clock.ts';
import { openFilesLimit } from '../runtime/open-files.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import { Primary } from '../store/postgres/primary.ts';
import type { Acceptor } from '../transport/acceptor.ts';
import { DatabaseActLog, LocalActLog } from './act-log.ts';
import { type LoadedCluster, loadCluster } from './cluster-config.ts';
import { type Destination, type Entrance, FrontDoor } from './front-door.ts';
import type { LaneName } from './lanes.ts';
import { Membership } from './membership.ts';
import { NodeActs } from './node-acts.ts';
import { NodeOverview } from './node-overview.ts';
import type { Offence } from './node-questions.ts';
import type { Owners } from './owners.ts';
import { keepPlacement, keepPlacementInDatabase } from './placement.ts';
import { Relays } from './relays.ts';
import { ShardKeeper } from './shard-keeper.ts';
import { Spares } from './spares.ts';
import type { WorkerProgram } from './worker-process.ts';

export interface NodeOptions {
  readonly clusterFile: string;
  readonly name: string;
  /** The version of the program. */
  readonly version: string;
  readonly worker: WorkerProgram['arguments'];
  readonly clock: Clock;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
}

/** Time for a worker to close its files and connections, in addition to the grace period of its configuration. */
const closingMs = 10_000;

/** With data directories, no other node can own a shard of this node. */
const alone: Owners = {
  nodes: [],
  isNode: () => false,
  ownerOf: () => undefined,
  whenChanged: () => () => {},
};

/** File descriptors of the node process itself, and of each worker. */
const own = { node: 64, worker: 8 } as const;

export class ClusterNode {
  readonly #options: NodeOptions;
  readonly #spares: Spares;
  readonly #keepers = new Map<string, ShardKeeper>();
  readonly acts: NodeActs;
  /** Of passwords that were right at any node. */
  readonly #proofs = new PasswordProofs();
  readonly #acceptors = new Map<LaneName, Acceptor<Entrance>>();
  readonly overview: NodeOverview;
  readonly ports = { fix: 0, fixp: 0, relay: 0 };
  /** Undefined for a single node. */
  readonly #relays: Relays | undefined;
  /** By shard: the destination of its clients. */
  readonly #doors = new Map<string, Destination>();
  /** With a database only: this node's part in the cluster. */
  readonly #membership: Membership | undefined;
  readonly #primary: Primary | undefined;
  /** Reads which standbys there are, also while no standby confirms the renewals that `#primary` writes. */
  readonly #replicas: Primary | undefined;
  /** By lane: the shard of each client name. */
  #names: Readonly<Record<LaneName, ReadonlyMap<string, ShardKeeper>>>;
  #cluster: LoadedCluster;
  #isDraining = false;
  #drained: Promise<void> | undefined;
  readonly #drainEnd = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  /** Resolves after `drain`. */
  readonly whenDrained = this.#drainEnd.promise;

  constructor(options: NodeOptions) {
    const { alarm, clock, clusterFile, name, notice, version, worker } = options;
    const cluster = loadCluster(clusterFile, name);
    const { config } = cluster.bridge;
    this.#options = options;
    this.#cluster = cluster;
    this.#spares = new Spares({
      program: { arguments: worker, cache: join(cluster.bridge.path(config.dataDir), 'compiled') },
      prepare: { kind: 'prepare', clusterFile, node: name },
      ahead: (shard) => ({ kind: 'ahead', clusterFile, node: name, shard }),
      ...{ clock, alarm },
    });
    const place = databaseOf(cluster.bridge);
    this.#primary = place && new Primary({ place, durability: durabilityOf(config) });
    this.#replicas = place && new Primary({ place });
    this.#membership = this.#primary && this.#memberWith(this.#primary);
    const primary = this.#primary;
    const shards = cluster.shards.map((shard) => shard.name);
    this.acts = new NodeActs({
      ...{ node: name, clock, alarm },
      log: primary
        ? new DatabaseActLog((call) => primary.ask(call), alarm)
        : new LocalActLog(clock, shards),
      shards: () => {
        const known = this.#membership?.rows?.shards ?? [];
        const owned = known.map(({ shard }) => shard).filter((shard) => this.owners.ownerOf(shard));
        return [...new Set([...shards, ...owned])];
      },
      send: (shard, message) => this.#keepers.get(shard)?.send(message) === true,
      ownerOf: (shard) =>
        this.#keepers.get(shard)?.state === 'serving'
          ? name
          : this.owners.ownerOf(shard)?.node.node,
    });
    for (const shard of cluster.shards) {
      const own = { kind: 'own', clusterFile, node: name, shard: shard.name } as const;
      const keeper = new ShardKeeper({
        ...{ shard, own, clock, alarm, notice, spares: this.#spares },
        stopWithinMs: config.shutdownGraceMs + closingMs,
        offended: (offence) => {
          this.#offended(offence);
          this.#relays?.questions.offended(offence);
        },
        proofs: this.#proofs,
        proved: (proof) => {
          this.#proofs.take([proof]);
          this.#relays?.questions.proved(proof);
        },
        ...(this.#membership && {
          changed: () => this.#membership?.soon(),
          forgotten: () => this.#membership?.forgotten(shard.name),
        }),
        acts: this.acts,
        answer: (asked) =>
          asked.kind === 'view' ? this.overview.view() : this.acts.carryOut(asked.by, asked.act),
      });
      this.#keepers.set(shard.name, keeper);
    }
    this.#names = this.#namesOf(cluster);
    this.#relays = this.#relaysOf(cluster);
    for (const { door, shard } of this.keepers) {
      this.#doors.set(shard.name, this.#relays?.door(shard.name, door) ?? door);
    }
    this.overview = new NodeOverview({
      ...{ node: name, version, clock, acts: this.acts, keepers: this.#keepers },
      ...{ membership: this.#membership, database: this.#replicas },
      isDraining: () => this.#isDraining,
      consoleOf: (shard, node) => this.#consoleOf(shard, node),
    });
  }

  /** Clients may connect from now on; they wait until the worker of their shard is ready. */
  async open(): Promise<void> {
    const left = await this.#keepPlacement(this.#cluster, true);
    this.#spares.refill();
    if (this.#membership === undefined) for (const keeper of this.keepers) keeper.start();
    const { fix, fixp } = this.#cluster.bridge.config;
    this.ports.fix = await this.#listen('fix', fix);
    if (fixp !== undefined) this.ports.fixp = await this.#listen('fixp', fixp);
    this.ports.relay = (await this.#relays?.listen(this.#maxConnections())) ?? 0;
    // The ports that the membership announces are open now.
    await this.#membership?.open();
    void this.#relays?.questions.learn((proofs) => this.#proofs.take(proofs));
    if (left.length === 0) return;
    // It loads all of the bridge, which a node otherwise does without.
    const { reportLeftShards } = await import('../gateway/account/left-shards.ts');
    await reportLeftShards(left, this.#cluster.bridge, this.#options.alarm);
  }

  get keepers(): readonly ShardKeeper[] {
    return [...this.#keepers.values()];
  }

  get owners(): Owners {
    return this.#membership ?? alone;
  }

  /** The reasons why clients cannot trade here; empty if they can. */
  get notReady(): readonly string[] {
    const waiting = this.keepers
      .filter(({ shard, state }) => state !== 'serving' && !this.#isServedElsewhere(shard.name))
      .map(({ shard, state }) => `shard ${shard.name} is ${state}`);
    return this.#isDraining ? ['the node is draining', ...waiting] : waiting;
  }

  /** Applies a changed configuration. Throws a ConfigError, and changes nothing, if that needs a restart. */
  async reload(): Promise<void> {
    const { clusterFile, name } = this.#options;
    const cluster = loadCluster(clusterFile, name);
    const own = ({ holdMs, relay, shards, status }: LoadedCluster) => ({
      ...{ holdMs, relay, status },
      shards: shards.map(({ accounts, name }) => ({ accounts, name })),
    });
    const faults = [
      ...startOnlyChanges(this.#cluster.bridge.config, cluster.bridge.config),
      ...changedKeys(own(this.#cluster), own(cluster)),
    ];
    if (faults.length > 0) throw new ConfigError(`only a restart can change ${faults.join(', ')}`);
    const renewals = [
      certificateRenewal(this.#acceptors, cluster.bridge),
      cluster.relay && this.#relays?.renewal(cluster.relay),
    ];
    await this.#keepPlacement(cluster, false);
    this.#cluster = cluster;
    for (const renew of renewals) renew?.();
    this.#names = this.#namesOf(cluster);
    for (const keeper of this.#keepers.values()) keeper.reload();
  }

  /** An operator has decided that the database is the right one. Returns the shards whose lost commits that accepts. */
  acceptDatabase(): readonly string[] {
    return this.#membership?.acceptDatabase() ?? [];
  }

  /** Stops the shards one after the other. Clients are asked to reconnect, here or at another node. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.#drained ??= (async () => {
      if (this.#membership !== undefined) await this.#membership.drain();
      else for (const keeper of this.#keepers.values()) await keeper.stop();
      this.#drainEnd.resolve();
    })();
    return this.#drained;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the node was stopped while it waited for its database'));
    this.#isDraining = true;
    void this.#membership?.leave();
    this.acts.close();
    const closed = [...this.#acceptors.values()].map((acceptor) => acceptor.close());
    closed.push(this.#relays?.close() ?? Promise.resolve());
    await Promise.all(this.keepers.map((keeper) => keeper.stop()));
    for (const { door } of this.keepers) door.letGo();
    await Promise.all([...closed, this.#spares.close(), this.#membership?.close()]);
    await Promise.all([this.#primary?.close(), this.#replicas?.close()]);
  }

  #memberWith(primary: Primary): Membership {
    const { alarm, clock, name: node, notice, version } = this.#options;
    const about = { node, instance: randomUUID(), version };
    const { config, path } = this.#cluster.bridge;
    const parts = { keepers: this.#keepers, spares: this.#spares };
    return new Membership({
      ...{ about, primary, clock, ...parts, alarm, notice },
      lostFile: join(path(config.dataDir), `${node}.commits-lost`),
      addresses: () => this.#cluster.announced(this.ports),
      readElsewhere: async (shard, at) =>
        this.#relays === undefined
          ? 'this node has no relay port'
          : this.#relays.questions.readAhead(at, shard),
      overtaken: async (shards) => (await this.#relays?.questions.overtaken(shards)) ?? [],
    });
  }

  /** Throws if the data of an account or session is in another shard; returns shards that are not configured. */
  async #keepPlacement({ bridge, shards }: LoadedCluster, mayWait: boolean) {
    const { config, path } = bridge;
    const place = databaseOf(bridge);
    const directory = path(config.dataDir);
    if (this.#primary === undefined || place === undefined) {
      return keepPlacement(directory, shards);
    }
    const { alarm, notice } = this.#options;
    const { signal } = this.#closing;
    const primary = this.#primary;
    let left: readonly string[] = [];
    await requireDatabase(bridge, place, { alarm, notice, mayWait, signal }, async () => {
      const data = { primary, place, directory };
      left = await keepPlacementInDatabase(data, shards, journalsOf(config));
    });
    return left;
  }

  /** A console is reachable from elsewhere only on its own port, on an address of this machine. */
  #consoleOf(shard: string, nodeName: string): string | null {
    const { bridge, consolePort } = this.#cluster;
    const { console } = bridge.config;
    const { relay = '' } = this.owners.nodes.find(({ node }) => node === nodeName) ?? {};
    const port = consolePort(shard);
    const host = relay.slice(0, Math.max(0, relay.lastIndexOf(':')));
    if (console === undefined || port === 0 || host === '') return null;
    if (isLoopback(console.listen.host)) return null;
    return `${console.tls === undefined ? 'http' : 'https'}://${host}:${port}`;
  }

  #isServedElsewhere(shard: string): boolean {
    return this.owners.ownerOf(shard)?.node.serving.includes(shard) === true;
  }

  #listen(lane: LaneName, port: PortConfig): Promise<number> {
    const { clock, notice } = this.#options;
    const door = new FrontDoor({
      ...{ lane, clock, holdMs: this.#cluster.holdMs },
      find: (of, name) => this.#doors.get(this.#names[of].get(name)?.shard.name ?? ''),
      all: () => [...this.#doors.values()],
      isDraining: () => this.#isDraining,
    });
    const maxConnections = Math.min(port.maxConnections, this.#maxConnections());
    const limited = { ...port, maxConnections };
    const acceptor = acceptorOf(limited, this.#cluster.bridge, door, { clock, notice });
    this.#acceptors.set(lane, acceptor);
    return acceptor.listen();
  }

  /** The descriptors for connections: a relayed one needs two, and every other port has the same limit. */
  #maxConnections(): number {
    const room = openFilesLimit() - own.node - own.worker * this.#keepers.size;
    const most = Math.floor(room / (this.#relays === undefined ? 4 : 6));
    if (most >= 1) return most;
    throw new ConfigError(`ulimit -n leaves no room for clients: raise it to ${own.node * 8}`);
  }

  #relaysOf(cluster: LoadedCluster): Relays | undefined {
    const { clock, name: node, notice } = this.#options;
    const { relay } = cluster;
    if (relay === undefined) return undefined;
    return new Relays({
      ...{ cluster, relay, node, clock, notice, owners: this.owners },
      local: {
        find: (of, name) => this.#names[of].get(name)?.door,
        all: () => this.keepers.map((keeper) => keeper.door),
      },
      proofs: this.#proofs,
      offended: (offence) => this.#offended(offence),
      readAhead: (shard) => this.#spares.readAhead(shard),
    });
  }

  #offended({ address, lane, name }: Offence): void {
    this.#acceptors.get(lane)?.offence(address, name);
  }

  #namesOf({ bridge: { config }, shards }: LoadedCluster) {
    const names = { fix: new Map<string, ShardKeeper>(), fixp: new Map<string, ShardKeeper>() };
    for (const { protocol, senderCompId, users } of config.sessions) {
      const home = shards.find((shard) => shard.sessions.includes(senderCompId));
      const keeper = this.#keepers.get(home?.name ?? '');
      if (keeper === undefined) continue;
      const own = protocol === 'fix' ? [senderCompId] : users;
      for (const name of own) names[protocol].set(name, keeper);
    }
    return names;
  }
}
