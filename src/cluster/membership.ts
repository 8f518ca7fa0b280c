/**
 * One node of a cluster (docs/decisions/0287-nodes-own-shards-by-leases.md). The node periodically announces in the
 * database that it is alive and which shards it serves, reads the announcements of the other nodes, and starts and
 * stops its own workers accordingly. While the database does not respond, no worker is started or stopped.
 */
import { ConfigError } from '../gateway/config/config-file.ts';
import { type Clock, pause } from '../runtime/clock.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import { type Connection, ConnectionLost } from '../store/postgres/connection.ts';
import { leaseMs, type ShardRow } from '../store/postgres/lease.ts';
import { Liveness, quietShardMs } from '../store/postgres/liveness.ts';
import {
  type Announcement,
  announce,
  type ClusterRows,
  leaveCluster,
  listNodes,
  NameTaken,
} from '../store/postgres/nodes.ts';
import type { Primary } from '../store/postgres/primary.ts';
import { versionFault } from './adjacent.ts';
import { Handover, type HandoverOptions } from './handover.ts';
import type { NodeView, Owners, Ownership } from './owners.ts';
import { decide, heirsOf, type OwnWorker, type ShardSeen, takenIfFree } from './ownership.ts';
import { lostMark, Progress } from './progress.ts';
import type { ShardKeeper } from './shard-keeper.ts';
import type { Spares } from './spares.ts';

/** The parts of a shard's worker that the membership uses. */
export type KeptShard = Pick<
  ShardKeeper,
  'kill' | 'leave' | 'ownWorker' | 'start' | 'state' | 'stop' | 'sendAlive'
>;

export interface MembershipOptions {
  readonly primary: Primary;
  readonly clock: Clock;
  /** The part of this node's announcement that never changes. */
  readonly about: Pick<Announcement, 'node' | 'instance' | 'version'>;
  readonly addresses: () => Pick<Announcement, 'relay' | 'fix' | 'fixp'>;
  /** Takes the epochs of this node's workers; returns the shards for which another node knows a higher epoch. */
  readonly overtaken: (shards: ReadonlyMap<string, number>) => Promise<readonly string[]>;
  readonly keepers: ReadonlyMap<string, KeptShard>;
  readonly spares: Pick<
    Spares,
    'hasRead' | 'isExpecting' | 'prepared' | 'readAhead' | 'refill' | 'wanted'
  >;
  readonly readElsewhere: HandoverOptions['readElsewhere'];
  /** The file in which this node keeps which shards have lost commits. */
  readonly lostFile: string;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
}

/** The interval between two reads of the database. */
const roundMs = 250;
/** The interval while a node drains: its shards become free one after the other, and their clients wait. */
const hastyRoundMs = 50;
/** A read is this much later than the expiry of a lease, to allow for the time that the query takes. */
const afterDueMs = 10;
/** A node that has been silent for longer takes no shards. It keeps its shards until their leases expire. */
const silentNodeMs = 3 * roundMs;
/** Longer than the interval between renewals: the shard of such an owner is read ahead, in case its lease expires. */
const silentOwnerMs = 700;
/** This node must have observed the silence for this long: after a database outage all owners look silent. */
const silentHereMs = 450;
/** An owner whose connection has been closed for so long has exited. One that is alive connects again much sooner. */
const closedMs = 600;

export class Membership implements Owners {
  readonly #options: MembershipOptions;
  readonly #nodeLife = new Liveness(silentNodeMs, silentNodeMs);
  readonly #shardLife = new Liveness(leaseMs, quietShardMs);
  readonly #silence = new Liveness(silentOwnerMs, silentHereMs);
  readonly #closed = new Liveness(closedMs, closedMs);
  /** By shard: the epoch of the owner whose connection this node has seen open. */
  readonly #connected = new Map<string, number>();
  /** Another connection may lead to another server, which has other connections. */
  #readOn: Connection | undefined;
  readonly #progress: Progress;
  /** Shards of which the database has lost commits. */
  readonly #behind = new Set<string>();
  /** By shard: the epoch of a worker whose lost commits an operator accepted before the worker reported them. */
  readonly #accepted = new Map<string, number>();
  readonly #callbacks = new Set<() => void>();
  /** By shard: the time since which it has been free. */
  #freeSinceMs = new Map<string, number>();
  #members: readonly NodeView[] = [];
  /** The shards as of the last read. */
  #shards: readonly ShardSeen[] = [];
  /** By shard: the last renewal of a silent owner. This node reads that owner's shard ahead. */
  readonly #silent = new Map<string, string>();
  /** By shard: the time since which this node has seen its owner. */
  readonly #ownedSince = new Map<string, { readonly epoch: number; readonly sinceMs: number }>();
  readonly #handover: Handover;
  #owners = new Map<string, Ownership>();
  /** Members and owners as text, to detect changes. */
  #view = '';
  #isDraining = false;
  #isClosed = false;
  #isAway = false;
  #rows: ClusterRows | undefined;
  #readMs: number | undefined;
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #cancelTick = () => {};

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#progress = new Progress(options.lostFile);
    this.#handover = new Handover({ ...options, heirs: (shard) => this.#heirs(shard) });
  }

  /**
   * Waits while the database does not respond. Throws if another process runs with the name of this node, or a node
   * with a version that cannot run beside this one.
   */
  async open(): Promise<void> {
    const { about, clock, primary } = this.#options;
    const deadlineMs = clock.now().monoMs + 2 * leaseMs;
    for (;;) {
      try {
        const fault = versionFault(about, await primary.ask(listNodes));
        if (fault !== undefined) throw new ConfigError(fault);
        this.#apply(await this.#announced());
        break;
      } catch (error) {
        // The name of a killed process stays taken until its lease expires, and a standby may be in the middle of its
        // promotion.
        const isTaken = error instanceof NameTaken && clock.now().monoMs < deadlineMs;
        if (this.#isClosed || !(isTaken || error instanceof ConnectionLost)) throw error;
        await pause(clock, roundMs);
      }
    }
    this.#tick();
  }

  ownerOf(shard: string): Ownership | undefined {
    return this.#owners.get(shard);
  }

  whenChanged(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** All nodes that are alive, by name. */
  get nodes(): readonly NodeView[] {
    return this.#members;
  }

  isNode(name: string): boolean {
    return this.#rows?.nodes.some(({ node }) => node === name) === true;
  }

  /** The result of the last read. */
  get rows(): ClusterRows | undefined {
    return this.#rows;
  }

  /** The time of the last read, by the clock of this process. */
  get readMs(): number | undefined {
    return this.#readMs;
  }

  /** Whether the database does not respond. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** A local worker has found that the database lost commits which this node has not read. */
  forgotten(shard: string): void {
    if (this.#accepted.get(shard) !== this.#epochHere(shard)) this.#progress.forgotten(shard);
  }

  /** An operator has decided that this is the right database. Returns the shards whose lost commits that accepts. */
  acceptDatabase(): readonly string[] {
    const shards = [...this.#behind];
    for (const shard of shards) {
      this.#accepted.set(shard, this.#epochHere(shard));
      this.#progress.forget(shard);
    }
    this.#behind.clear();
    this.soon();
    return shards;
  }

  #epochHere(shard: string): number {
    return this.#options.keepers.get(shard)?.ownWorker?.epoch ?? 0;
  }

  /** Reads and decides at once after a local change, instead of in the next round. */
  soon(): void {
    if (!this.#isClosed) void this.#look();
  }

  /** From now on this node takes no shard, and announces that. */
  async leave(): Promise<void> {
    this.#isDraining = true;
    if (this.#rows !== undefined) await this.#look();
  }

  /** Stops one worker at a time. If there is another node, waits until it serves the previous shard. */
  async drain(): Promise<void> {
    const { clock, keepers } = this.#options;
    await this.leave();
    // After one round the other nodes know that this node is draining, and no longer leave a shard to it.
    await pause(clock, roundMs);
    for (const [shard, keeper] of keepers) {
      if (keeper.ownWorker === undefined) continue;
      await this.#handover.prepare(shard);
      await keeper.stop();
      await this.#servedElsewhere(shard);
    }
  }

  /** Called when the workers have exited. */
  async close(): Promise<void> {
    const { about, primary } = this.#options;
    this.#isClosed = true;
    this.#cancelTick();
    await this.#next;
    await this.#round;
    await primary.ask((connection) => leaveCluster(connection, about)).catch(() => {});
    await primary.close();
  }

  #tick(): void {
    const { clock, keepers, spares } = this.#options;
    const isUrgent = spares.isExpecting || this.#members.some(({ isDraining }) => isDraining);
    const { monoMs } = clock.now();
    // An expired lease is noticed at once.
    const firstMs =
      Math.min(this.#shardLife.dueMs, this.#silence.dueMs, this.#closed.dueMs) + afterDueMs;
    const dueMs = Math.max(monoMs + hastyRoundMs, firstMs);
    const nextMs = Math.min(monoMs + (isUrgent ? hastyRoundMs : roundMs), dueMs);
    this.#cancelTick = clock.at(nextMs, () => this.#tick());
    for (const keeper of keepers.values()) keeper.sendAlive();
    void this.#look();
  }

  /** A read in progress does not include the latest change, so another read follows it. */
  #look(): Promise<void> {
    if (this.#round === undefined) {
      this.#round = this.#read().finally(() => {
        this.#round = undefined;
      });
      return this.#round;
    }
    this.#next ??= this.#round.then(() => {
      this.#next = undefined;
      return this.#look();
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    try {
      const rows = await this.#announced();
      this.#reportDatabase(undefined);
      if (!this.#isClosed) this.#apply(rows);
    } catch (error) {
      for (const life of [this.#nodeLife, this.#shardLife, this.#silence]) life.reset();
      this.#forgetConnections();
      this.#reportDatabase(error instanceof Error ? error.message : String(error));
      await this.#killOvertaken();
    }
  }

  /** If only this node cannot reach the database, other nodes may have taken its shards, and can report it. */
  async #killOvertaken(): Promise<void> {
    const { keepers, overtaken } = this.#options;
    const epochs = new Map<string, number>();
    for (const [shard, { ownWorker }] of keepers)
      if (ownWorker?.state === 'owner') epochs.set(shard, ownWorker.epoch);
    if (epochs.size === 0) return;
    for (const shard of await overtaken(epochs)) {
      const keeper = keepers.get(shard);
      // By now the shard may have another worker.
      if (keeper?.ownWorker?.epoch === epochs.get(shard)) keeper?.kill();
    }
  }

  #announced(): Promise<ClusterRows> {
    return this.#options.primary.ask((connection) => {
      if (connection !== this.#readOn) this.#forgetConnections();
      this.#readOn = connection;
      return announce(connection, this.#announcement());
    });
  }

  #forgetConnections(): void {
    this.#closed.reset();
    this.#connected.clear();
  }

  #announcement(): Announcement {
    const serving = [...this.#options.keepers]
      .filter(([, { state }]) => state === 'serving')
      .map(([shard]) => shard)
      .concat([...this.#behind].map(lostMark));
    const { about, addresses } = this.#options;
    return { ...about, ...addresses(), isDraining: this.#isDraining, serving };
  }

  #reportDatabase(problem: string | undefined): void {
    const { alarm, notice } = this.#options;
    if ((problem !== undefined) === this.#isAway) return;
    this.#isAway = problem !== undefined;
    if (problem === undefined)
      notice('this node can reach the database again', { event: 'database_back' });
    else alarm(`this node cannot read who owns its shards: ${problem}`, { event: 'database_away' });
  }

  #apply(rows: ClusterRows): void {
    const { about, keepers, spares } = this.#options;
    const nowMs = this.#options.clock.now().monoMs;
    this.#rows = rows;
    this.#readMs = nowMs;
    const silent = this.#nodeLife.over(new Map(rows.nodes.map((row) => [row.node, row])), nowMs);
    this.#members = rows.nodes.filter(({ node }) => node === about.node || !silent.has(node));
    const closed = rows.shards.filter((row) => this.#hasClosed(row));
    const exited = this.#closed.over(new Map(closed.map((row) => [row.shard, row])), nowMs);
    const seen = this.#seen(rows.shards, exited, nowMs);
    this.#shards = seen;
    this.#publish(seen);
    const workers = new Map<string, OwnWorker>();
    for (const [shard, { ownWorker }] of keepers)
      if (ownWorker !== undefined) workers.set(shard, ownWorker);
    const { giveUp, kill, take } = decide({
      self: about.node,
      nodes: this.#takersWithout(rows.shards.filter(({ shard }) => exited.has(shard))),
      shards: seen,
      spares: spares.prepared,
      hasRead: (shard) => spares.hasRead(shard),
      workers,
    });
    for (const shard of kill) keepers.get(shard)?.kill();
    const owner = { node: about.node, address: this.#options.addresses().relay };
    // Otherwise a shard that was not read ahead might get the process that has read another shard.
    const isUnread = ({ shard }: { readonly shard: string }) => Number(!spares.hasRead(shard));
    for (const { epoch, isOver, shard } of take.toSorted((a, b) => isUnread(a) - isUnread(b))) {
      this.#accepted.delete(shard);
      keepers.get(shard)?.start({ owner, seenEpoch: epoch, isOver });
    }
    for (const { freeForMs, node, shard } of seen)
      if (freeForMs === undefined && node !== about.node) keepers.get(shard)?.leave();
    spares.wanted = this.#spareWorkers();
    spares.refill();
    this.#readAhead(rows.shards, closed, nowMs);
    if (giveUp !== undefined) void this.#handover.offer(giveUp);
  }

  #heirs(shard: string): readonly NodeView[] {
    const others = this.#takers.filter(({ node }) => node !== this.#options.about.node);
    const names = others.map(({ node }) => node);
    return heirsOf(shard, this.#shards, names).flatMap(
      (name) => others.find(({ node }) => node === name) ?? [],
    );
  }

  /** Reads ahead the shards of other nodes whose owners have not renewed for a while or closed their connections. */
  #readAhead(rows: readonly ShardRow[], closed: readonly ShardRow[], nowMs: number): void {
    const { about, keepers, spares } = this.#options;
    const elsewhere = rows.filter(({ isReleased, node }) => !isReleased && node !== about.node);
    const over = this.#silence.over(new Map(elsewhere.map((row) => [row.shard, row])), nowMs);
    const silent = elsewhere.filter((row) => over.has(row.shard) || closed.includes(row));
    const isNew = ({ renewedAt, shard }: ShardRow) => this.#silent.get(shard) !== renewedAt;
    if (!silent.some(isNew)) return;
    const shards = silent.map(({ shard }) => shard);
    const ours = takenIfFree(shards, this.#shards, about.node, this.#takersWithout(silent));
    for (const row of silent) {
      const { renewedAt, shard } = row;
      if (!isNew(row) || !ours.includes(shard)) continue;
      this.#silent.set(shard, renewedAt);
      if (keepers.get(shard)?.ownWorker === undefined) void spares.readAhead(shard);
    }
  }

  get #takers(): readonly NodeView[] {
    return this.#members.filter(({ isDraining }) => !isDraining);
  }

  /** The names of the nodes that can take shards, without the other nodes that have these: they are probably dead. */
  #takersWithout(shards: readonly ShardRow[]): readonly string[] {
    const { node: self } = this.#options.about;
    return this.#takers
      .map(({ node }) => node)
      .filter((name) => (name === self ? !this.#isDraining : shards.every((s) => s.node !== name)));
  }

  /** Whether the owner has closed the connection that this node has seen open. */
  #hasClosed({ epoch, isConnected, isReleased, shard }: ShardRow): boolean {
    if (isConnected) this.#connected.set(shard, epoch);
    return !isConnected && !isReleased && this.#connected.get(shard) === epoch;
  }

  /** Enough spares for the shards that move here if another node dies, and at least one if a local worker dies. */
  #spareWorkers(): number {
    const counts = new Map<string, number>();
    for (const { node } of this.#owners.values())
      counts.set(node.node, (counts.get(node.node) ?? 0) + 1);
    counts.delete(this.#options.about.node);
    const others = Math.max(1, this.#members.length - 1);
    return Math.max(1, Math.ceil(Math.max(0, ...counts.values()) / others));
  }

  /** The configured shards, including those that no node has ever owned. */
  #seen(
    rows: readonly ShardRow[],
    exited: ReadonlySet<string>,
    nowMs: number,
  ): readonly ShardSeen[] {
    const { node: self } = this.#options.about;
    const over = this.#shardLife.over(new Map(rows.map((row) => [row.shard, row])), nowMs);
    const before = this.#freeSinceMs;
    this.#freeSinceMs = new Map();
    return [...this.#options.keepers.keys()].flatMap((shard) => {
      const row = rows.find((one) => one.shard === shard);
      const { epoch = 0, isReleased = true, node = '', position = 0 } = row ?? {};
      const owner = this.#members.find((one) => one.node === node && node !== self);
      const isLost = owner?.serving.includes(lostMark(shard)) === true;
      if (isLost || !this.#progress.holds(shard, { epoch, position })) {
        this.#alarmBehind(shard);
        return [];
      }
      this.#behind.delete(shard);
      const isOver = exited.has(shard);
      const isFree = isReleased || isOver || over.has(shard);
      const sinceMs = before.get(shard) ?? nowMs;
      if (isFree) this.#freeSinceMs.set(shard, sinceMs);
      const freeForMs = isFree ? nowMs - sinceMs : undefined;
      const ownedForMs = this.#ownedFor(shard, epoch, nowMs);
      return [{ shard, epoch, node, freeForMs, isOver, ownedForMs }];
    });
  }

  /** By the clock of this process: a step of the database's clock must not move a shard. */
  #ownedFor(shard: string, epoch: number, nowMs: number): number {
    const known = this.#ownedSince.get(shard);
    if (known?.epoch === epoch) return nowMs - known.sinceMs;
    this.#ownedSince.set(shard, { epoch, sinceMs: nowMs });
    return 0;
  }

  #alarmBehind(shard: string): void {
    if (this.#behind.has(shard)) return;
    this.#behind.add(shard);
    const text = `the database has lost commits of shard ${shard}, so this node does not start it: use the newest database, or accept this one with "causeway node accept"`;
    this.#options.alarm(text, { event: 'database_behind' });
  }

  #publish(seen: readonly ShardSeen[]): void {
    this.#owners = new Map();
    for (const { epoch, freeForMs, node: name, shard } of seen) {
      const node = this.#members.find((member) => member.node === name);
      if (freeForMs === undefined && node !== undefined) this.#owners.set(shard, { node, epoch });
    }
    const stable = this.#members.map(({ node, relay, fix, fixp, isDraining, serving }) => [
      ...[node, relay, fix, fixp, isDraining, ...serving],
    ]);
    const owned = [...this.#owners].map(([shard, { epoch, node }]) => [shard, epoch, node.node]);
    const view = JSON.stringify([stable, owned, this.#rows?.nodes.map(({ node }) => node)]);
    if (view === this.#view) return;
    this.#view = view;
    for (const callback of [...this.#callbacks]) callback();
  }

  #servedElsewhere(shard: string): Promise<void> {
    const { node: self } = this.#options.about;
    const isOver = () => {
      const others = this.#takers.filter(({ node }) => node !== self);
      const owner = this.ownerOf(shard)?.node;
      const isServed = owner?.node !== self && owner?.serving.includes(shard) === true;
      return others.length === 0 || isServed || this.#isClosed;
    };
    return new Promise((resolve) => {
      const look = () => {
        if (!isOver()) return;
        cancel();
        resolve();
      };
      const cancel = this.whenChanged(look);
      look();
    });
  }
}
