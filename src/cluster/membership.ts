/**
 * A node among others (docs/decisions/0287-nodes-own-shards-by-leases.md). Again and again it says in the database that it is alive and
 * which shards it serves, reads what the others say, and starts and ends its own workers accordingly. While the database does not
 * answer, nothing is started or ended.
 */
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import { ConnectionLost } from '../store/postgres/connection.ts';
import { leaseMs, type ShardRow } from '../store/postgres/lease.ts';
import {
  type Announcement,
  announce,
  type ClusterRows,
  leaveCluster,
  NameTaken,
} from '../store/postgres/nodes.ts';
import type { Primary } from '../store/postgres/primary.ts';
import { Liveness } from './liveness.ts';
import type { NodeView, Owners, Ownership } from './owners.ts';
import { decide, type OwnWorker, type ShardSeen } from './ownership.ts';
import { Progress } from './progress.ts';
import type { ShardKeeper } from './shard-keeper.ts';
import type { Spares } from './spares.ts';

/** The worker of a shard here, as far as a node among others decides about it. */
export type KeptShard = Pick<
  ShardKeeper,
  'kill' | 'leave' | 'ownWorker' | 'start' | 'state' | 'stop' | 'tellAlive'
>;

export interface MembershipOptions {
  readonly primary: Primary;
  readonly clock: Clock;
  /** What does not change of what this node says about itself. */
  readonly about: Pick<Announcement, 'node' | 'instance' | 'version'>;
  readonly addresses: () => Pick<Announcement, 'relay' | 'fix' | 'fixp'>;
  /** Of these shards with the epochs of the workers here, those of which another node knows a higher epoch. */
  readonly overtaken: (shards: ReadonlyMap<string, number>) => Promise<readonly string[]>;
  readonly keepers: ReadonlyMap<string, KeptShard>;
  readonly spares: Pick<Spares, 'wanted' | 'refill'>;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
}

/** From one reading to the next. */
const roundMs = 250;
/** While a node drains: its shards become free one after the other, and their clients wait. */
const hastyRoundMs = 50;
/** Past the moment at which a lease is over: for the way of the question. */
const afterDueMs = 10;
/** A node that was silent for longer takes no shards. Its shards are its own until their leases are over. */
const silentNodeMs = 3 * roundMs;
/** A shard whose lease is over must also have been quiet for so long while this node was reading. */
const quietShardMs = 1_000;

export class Membership implements Owners {
  readonly #options: MembershipOptions;
  readonly #nodeLife = new Liveness(silentNodeMs, silentNodeMs);
  readonly #shardLife = new Liveness(leaseMs, quietShardMs);
  readonly #progress = new Progress();
  /** Shards of which the database has forgotten something. */
  readonly #behind = new Set<string>();
  readonly #callbacks = new Set<() => void>();
  /** By shard: since when it has been free. */
  #freeSinceMs = new Map<string, number>();
  #members: readonly NodeView[] = [];
  #owners = new Map<string, Ownership>();
  /** All of that as text, to find out whether it has changed. */
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
  }

  /** Waits for a database that does not answer. Throws if another process runs with the name of this node. */
  async open(): Promise<void> {
    const { clock } = this.#options;
    const deadlineMs = clock.now().monoMs + 2 * leaseMs;
    for (;;) {
      try {
        this.#apply(await this.#announced());
        break;
      } catch (error) {
        // A process that was killed has left its name for as long as a lease, and a primary may be promoted just now.
        const isTaken = error instanceof NameTaken && clock.now().monoMs < deadlineMs;
        if (this.#isClosed || !(isTaken || error instanceof ConnectionLost)) throw error;
        await new Promise<void>((resolve) => {
          clock.at(clock.now().monoMs + roundMs, resolve);
        });
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

  /** All nodes that are alive, in the order of their names. */
  get nodes(): readonly NodeView[] {
    return this.#members;
  }

  isNode(name: string): boolean {
    return this.#rows?.nodes.some(({ node }) => node === name) === true;
  }

  /** As they were read last. */
  get rows(): ClusterRows | undefined {
    return this.#rows;
  }

  /** When that was, by the clock of this process. */
  get readMs(): number | undefined {
    return this.#readMs;
  }

  /** The database does not answer. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** The owner of the shard here has found out what this node has not read. */
  forgotten(shard: string): void {
    this.#progress.forgotten(shard);
  }

  /** An operator says that the database is the right one, although it has forgotten something. */
  acceptDatabase(): void {
    this.#progress.forget();
    this.#behind.clear();
    this.soon();
  }

  /** Something has changed here: what follows from it is not left to the next round. */
  soon(): void {
    if (!this.#isClosed) void this.#look();
  }

  /** Ends the workers one at a time, each once the shard before it is served elsewhere, if there is another node. */
  async drain(): Promise<void> {
    const { clock, keepers } = this.#options;
    this.#isDraining = true;
    await this.#look();
    // By then the others have read it, and do not leave a shard to this node.
    await new Promise<void>((resolve) => {
      clock.at(clock.now().monoMs + roundMs, resolve);
    });
    for (const [shard, keeper] of keepers) {
      if (keeper.ownWorker === undefined) continue;
      await keeper.stop();
      await this.#servedElsewhere(shard);
    }
  }

  /** The workers have ended. */
  async close(): Promise<void> {
    const { primary } = this.#options;
    this.#isClosed = true;
    this.#cancelTick();
    await this.#next;
    await this.#round;
    const own = this.#announcement();
    await primary.ask((connection) => leaveCluster(connection, own)).catch(() => {});
    await primary.close();
  }

  #tick(): void {
    const { clock, keepers } = this.#options;
    const isUrgent = this.#members.some(({ isDraining }) => isDraining);
    const { monoMs } = clock.now();
    // A lease is noticed as soon as it is over.
    const dueMs = Math.max(monoMs + hastyRoundMs, this.#shardLife.dueMs + afterDueMs);
    const nextMs = Math.min(monoMs + (isUrgent ? hastyRoundMs : roundMs), dueMs);
    this.#cancelTick = clock.at(nextMs, () => this.#tick());
    for (const keeper of keepers.values()) keeper.tellAlive();
    void this.#look();
  }

  /** A reading that is under way does not know what has just changed, so another one follows it. */
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
      this.#tellAway(undefined);
      if (!this.#isClosed) this.#apply(rows);
    } catch (error) {
      this.#nodeLife.reset();
      this.#shardLife.reset();
      this.#tellAway(error instanceof Error ? error.message : String(error));
      await this.#killOvertaken();
    }
  }

  /** If only this node cannot reach the database, others may have taken its shards, and know it. */
  async #killOvertaken(): Promise<void> {
    const { keepers, overtaken } = this.#options;
    const epochs = new Map<string, number>();
    for (const [shard, { ownWorker }] of keepers)
      if (ownWorker?.state === 'owner') epochs.set(shard, ownWorker.epoch);
    if (epochs.size === 0) return;
    for (const shard of await overtaken(epochs)) {
      const keeper = keepers.get(shard);
      // It may be another worker by now.
      if (keeper?.ownWorker?.epoch === epochs.get(shard)) keeper?.kill();
    }
  }

  #announced(): Promise<ClusterRows> {
    return this.#options.primary.ask((connection) => announce(connection, this.#announcement()));
  }

  #announcement(): Announcement {
    const serving = [...this.#options.keepers]
      .filter(([, { state }]) => state === 'serving')
      .map(([shard]) => shard);
    const { about, addresses } = this.#options;
    return { ...about, ...addresses(), isDraining: this.#isDraining, serving };
  }

  #tellAway(problem: string | undefined): void {
    const { alarm, notice } = this.#options;
    if ((problem !== undefined) === this.#isAway) return;
    this.#isAway = problem !== undefined;
    if (problem === undefined)
      notice('the database answers this node again', { event: 'database_back' });
    else alarm(`this node cannot read who owns its shards: ${problem}`, { event: 'database_away' });
  }

  #apply(rows: ClusterRows): void {
    const { about, keepers, spares } = this.#options;
    const nowMs = this.#options.clock.now().monoMs;
    this.#rows = rows;
    this.#readMs = nowMs;
    const silent = this.#nodeLife.over(new Map(rows.nodes.map((row) => [row.node, row])), nowMs);
    this.#members = rows.nodes.filter(({ node }) => node === about.node || !silent.has(node));
    const seen = this.#seen(rows.shards, nowMs);
    this.#publish(seen);
    const workers = new Map<string, OwnWorker>();
    for (const [shard, { ownWorker }] of keepers)
      if (ownWorker !== undefined) workers.set(shard, ownWorker);
    const { giveUp, kill, take } = decide({
      self: about.node,
      nodes: this.#members.filter(({ isDraining }) => !isDraining).map(({ node }) => node),
      shards: seen,
      workers,
    });
    for (const shard of kill) keepers.get(shard)?.kill();
    const owner = { node: about.node, address: this.#options.addresses().relay };
    for (const { epoch, isOver, shard } of take)
      keepers.get(shard)?.start({ owner, seenEpoch: epoch, isOver });
    for (const { freeForMs, node, shard } of seen)
      if (freeForMs === undefined && node !== about.node) keepers.get(shard)?.leave();
    spares.wanted = this.#spareWorkers();
    spares.refill();
    if (giveUp === undefined) return;
    const text = `shard ${giveUp} is given up, because another node has fewer`;
    this.#options.notice(text, { event: 'shard_given_up' });
    void keepers.get(giveUp)?.stop();
  }

  /** As many as shards come here at once if another node dies; and one, for a worker of this node that dies. */
  #spareWorkers(): number {
    const counts = new Map<string, number>();
    for (const { node } of this.#owners.values())
      counts.set(node.node, (counts.get(node.node) ?? 0) + 1);
    counts.delete(this.#options.about.node);
    const others = Math.max(1, this.#members.length - 1);
    return Math.max(1, Math.ceil(Math.max(0, ...counts.values()) / others));
  }

  /** The shards of the configuration, whether anybody has owned them or not. */
  #seen(rows: readonly ShardRow[], nowMs: number): readonly ShardSeen[] {
    const over = this.#shardLife.over(new Map(rows.map((row) => [row.shard, row])), nowMs);
    const before = this.#freeSinceMs;
    this.#freeSinceMs = new Map();
    return [...this.#options.keepers.keys()].flatMap((shard) => {
      const row = rows.find((one) => one.shard === shard);
      const { epoch = 0, isReleased = true, node = '', position = 0, takenMs = 0 } = row ?? {};
      if (!this.#progress.holds(shard, { epoch, position })) {
        this.#tellBehind(shard);
        return [];
      }
      const isFree = isReleased || over.has(shard);
      const sinceMs = before.get(shard) ?? nowMs;
      if (isFree) this.#freeSinceMs.set(shard, sinceMs);
      const freeForMs = isFree ? nowMs - sinceMs : undefined;
      return [{ shard, epoch, node, freeForMs, ownedForMs: takenMs }];
    });
  }

  #tellBehind(shard: string): void {
    if (this.#behind.has(shard)) return;
    this.#behind.add(shard);
    const text = `the database has forgotten commits of shard ${shard}, so this node does not start it: use the newest database, or send SIGHUP to accept this one`;
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
      const others = this.#members.filter(({ isDraining, node }) => node !== self && !isDraining);
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
