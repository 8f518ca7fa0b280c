/**
 * The commits of one owner, in order, on one connection at a time. Several statements are in flight. Each succeeds only
 * after the previous one, because it expects that one's position. If a reply is lost, it is unknown whether the commit
 * happened until the primary's reply to another write reveals it, and until then nothing resolves
 * (docs/decisions/0280-shards-nodes-and-postgresql.md).
 */
import { createHash } from 'node:crypto';
import { backoffMs } from '../../runtime/backoff.ts';
import { CommitsForgotten, type Durability, PositionConflict, StoreFailed } from '../store.ts';
import {
  type Connection,
  ConnectionLost,
  connectToPrimary,
  type DatabasePlace,
  type Host,
  nameOf,
  sqlStateOf,
  within,
} from './connection.ts';
import {
  type Claim,
  markOwner,
  type Renewed,
  releaseShard,
  renewShard,
  type Taken,
  takeShard,
} from './lease.ts';
import type { Group } from './rows.ts';

export interface LineOptions {
  readonly place: DatabasePlace;
  readonly durability: Durability;
  readonly shard: string;
  /**
   * A statement without an answer for this long counts as lost. It is less than a lease, so that an owner that was
   * suspended finds out whether it was replaced before anything resolves.
   */
  readonly replyMs: number;
  /** The database does not commit, or (undefined) commits again. */
  readonly onAway: (problem: string | undefined) => void;
  /** Commits now wait for a standby, or no longer do. */
  readonly onReplicated: (isReplicated: boolean) => void;
  /** No commit will succeed any more. */
  readonly onFailed: (error: Error) => void;
}

interface Pending {
  readonly group: Group;
  /** The digest of all commits up to this one. */
  readonly digest: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  sentMs: number;
}

/** An owner that has not committed for this long renews its lease. */
const renewAfterMs = 500;
const retry = { firstMs: 20, maxMs: 500 };
/** If an unexpected commit is at the position this often without progress, that is a bug. */
const maxConflicts = 5;

const fenced = 'CW001';
const diskFull = '53100';
/** The server or connection failed: connection, read-only or timed out, rollback, resources, operator, system error. */
const passing = /^(08|25|40|53|55|57|58)/;

export class CommitLine {
  readonly epoch: number;
  readonly #options: LineOptions;
  #connection: Connection | undefined;
  #timeline: number;
  /** The position of the last commit that is known to have happened. */
  #position: number;
  #digest: Buffer;
  #pending: Pending[] = [];
  #isReplicated: boolean | undefined;
  #isFull = false;
  /** When the idle renewal in flight was sent. */
  #renewingMs: number | undefined;
  /** When the last confirmed write was sent. This process owned the shard then, so its lease started no earlier. */
  #ownedMs = Number.NEGATIVE_INFINITY;
  /** Callers that wait for confirmation that this process is still the owner. */
  #confirming: PromiseWithResolvers<void> | undefined;
  /** Losses in a row without a commit in between. */
  #losses = 0;
  #awaySinceMs: number | undefined;
  #failure: Error | undefined;
  readonly #timer: NodeJS.Timeout;

  static async open(
    options: LineOptions,
    { connections, isOver, onTaken, owner, seenEpoch }: Claim,
  ): Promise<CommitLine> {
    const { place, durability, shard, replyMs } = options;
    const connection = connections?.commits ?? (await connectToPrimary(place, durability));
    // A start may take longer: another commit of the shard may still be waiting for its standby.
    const answer = <T>(asked: Promise<T>) => within(connection, 5 * replyMs, asked);
    try {
      const epoch = seenEpoch ?? (await answer(epochOf(connection, shard)));
      const isForced = seenEpoch === undefined || isOver;
      const taken = await answer(takeShard(connection, shard, epoch, owner, isForced));
      if (taken === undefined) throw conflictOf(shard, epoch);
      onTaken?.(taken.epoch);
      const renewed = await answer(renewedAsOwner(connection, shard, taken.epoch));
      if (renewed === undefined) throw conflictOf(shard, taken.epoch);
      const line = new CommitLine(options, connection, taken);
      line.#noteReplication(renewed.isReplicated);
      return line;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  private constructor(options: LineOptions, connection: Connection, taken: Taken) {
    this.#options = options;
    this.epoch = taken.epoch;
    this.#position = taken.position;
    this.#digest = taken.digest;
    this.#timeline = connection.timeline;
    this.#use(connection);
    this.#timer = setInterval(() => this.#look(), options.replyMs / 10);
  }

  /** The number of commits that are known to have happened. */
  get position(): number {
    return this.#position;
  }

  /** Whether the disk of the database is full. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How long no commit could be settled; 0 while the database responds. */
  get awayMs(): number {
    return this.#awaySinceMs === undefined ? 0 : performance.now() - this.#awaySinceMs;
  }

  get isReplicated(): boolean {
    return this.#isReplicated === true;
  }

  /** See `Store`. An owner that was suspended finds out here whether it was replaced. */
  confirmed(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // A node takes an owner without a connection for dead before its lease is over.
    const isFresh = performance.now() - this.#ownedMs < this.#options.replyMs;
    if (isFresh && this.#connection !== undefined) return undefined;
    this.#confirming ??= Promise.withResolvers();
    return this.#confirming.promise;
  }

  /** Resolves when the group is committed, after earlier groups. */
  append(group: Group): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const before = this.#pending.at(-1)?.digest ?? this.#digest;
      const digest = createHash('sha256').update(before).update(group.rows).update(group.contents);
      const pending = { group, digest: digest.digest(), resolve, reject, sentMs: 0 };
      this.#pending.push(pending);
      if (this.#connection !== undefined) this.#send(this.#connection, this.#pending.length - 1);
    });
  }

  /** The current connection, for a start that reads the owner's data. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    this.#end(new StoreFailed('the store is closed'));
    if (connection === undefined) return;
    const { replyMs, shard } = this.#options;
    await within(connection, replyMs, releaseShard(connection, shard, this.epoch)).catch(() => {});
    await connection.close();
  }

  #send(connection: Connection, index: number): void {
    const pending = this.#pending[index];
    if (pending === undefined) return;
    pending.sentMs = performance.now();
    const { group, digest } = pending;
    const position = this.#position + index;
    const values = [this.#options.shard, this.epoch, position, digest, group.rows, group.contents];
    const text = 'select causeway.commit($1, $2, $3, $4, $5, $6) as "isReplicated"';
    connection.query<{ isReplicated: boolean }>({ name: 'commit', text, values }).then(
      ([row]) => this.#committed(connection, pending, row?.isReplicated === true),
      (error) => this.#lost(connection, error),
    );
  }

  #committed(connection: Connection, pending: Pending, isReplicated: boolean): void {
    if (connection !== this.#connection) return;
    const nowMs = performance.now();
    if (nowMs - pending.sentMs > this.#options.replyMs) {
      this.#lost(connection, new ConnectionLost('the reply was too late'));
      return;
    }
    this.#owned(pending.sentMs);
    this.#isFull = false;
    this.#losses = 0;
    this.#back();
    this.#noteReplication(isReplicated);
    this.#advance();
  }

  #back(): void {
    if (this.#awaySinceMs === undefined) return;
    this.#awaySinceMs = undefined;
    this.#options.onAway(undefined);
  }

  /** The oldest group in flight has been committed. */
  #advance(): void {
    const pending = this.#pending.shift();
    if (pending === undefined) return;
    this.#position += 1;
    this.#digest = pending.digest;
    pending.resolve();
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    this.#renewingMs = undefined;
    connection.whenLost((error) => this.#lost(connection, error));
  }

  /** Called periodically: detects missing replies, and renews the lease of an idle owner. */
  #look(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    const nowMs = performance.now();
    const sentMs = Math.min(this.#pending[0]?.sentMs ?? nowMs, this.#renewingMs ?? nowMs);
    const { replyMs, shard } = this.#options;
    if (nowMs - sentMs > replyMs) {
      connection.destroy(new ConnectionLost(`no answer within ${replyMs} ms`));
      return;
    }
    const isIdle = this.#pending.length === 0 && this.#renewingMs === undefined;
    if (!isIdle || nowMs - this.#ownedMs < renewAfterMs) return;
    this.#renewingMs = nowMs;
    renewShard(connection, shard, this.epoch).then(
      (renewed) => {
        if (connection !== this.#connection) return;
        this.#renewingMs = undefined;
        if (renewed === undefined) {
          this.#end(conflictOf(shard, this.epoch));
          return;
        }
        this.#owned(nowMs);
        this.#losses = 0;
        this.#noteReplication(renewed.isReplicated);
      },
      (error) => this.#lost(connection, error),
    );
  }

  #owned(sentMs: number): void {
    this.#ownedMs = Math.max(this.#ownedMs, sentMs);
    if (performance.now() - sentMs >= this.#options.replyMs) return;
    this.#confirming?.resolve();
    this.#confirming = undefined;
  }

  #noteReplication(isReplicated: boolean): void {
    if (this.#isReplicated === isReplicated) return;
    this.#isReplicated = isReplicated;
    this.#options.onReplicated(isReplicated);
  }

  #lost(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    connection.destroy();
    const state = sqlStateOf(error);
    this.#isFull = state === diskFull;
    this.#losses += 1;
    const isPassing = state === undefined || passing.test(state);
    if (!(isPassing || (state === fenced && this.#losses < maxConflicts)))
      this.#end(
        new StoreFailed(`the database refuses a commit: ${reasonOf(error)}`, { cause: error }),
      );
    else void this.#settle(reasonOf(error), isPassing ? connection.at : undefined);
  }

  /** Determines by a write which commits in flight happened, until a primary replies; then resends the others. */
  async #settle(reason: string, from: Host | undefined): Promise<void> {
    const { place, durability, onAway, replyMs, shard } = this.#options;
    this.#awaySinceMs ??= performance.now();
    let avoid = from;
    let problem = reason;
    for (let attempt = this.#losses; this.#failure === undefined; attempt += 1) {
      if (attempt > 1) {
        onAway(problem);
        await new Promise((resolve) => setTimeout(resolve, backoffMs(retry, attempt - 1)));
      }
      let connection: Connection | undefined;
      try {
        const wanted = { timeline: this.#timeline, avoid };
        connection = await connectToPrimary(place, durability, wanted);
        if (this.#failure !== undefined) break;
        const askedMs = performance.now();
        const asked = renewedAsOwner(connection, shard, this.epoch);
        const renewed = await within(connection, replyMs, asked);
        if (this.#failure !== undefined) break;
        if (renewed === undefined) return this.#end(conflictOf(shard, this.epoch));
        if (!this.#agrees(renewed, nameOf(connection.at))) return;
        this.#owned(askedMs);
        return this.#goOn(connection, renewed.isReplicated);
      } catch (error) {
        problem = reasonOf(error);
        avoid = connection?.at;
      } finally {
        if (connection !== this.#connection) connection?.destroy();
      }
    }
  }

  #goOn(connection: Connection, isReplicated: boolean): void {
    this.#timeline = connection.timeline;
    // A database whose disk is full renews the lease, but refuses the commits.
    if (this.#pending.length === 0) this.#back();
    this.#noteReplication(isReplicated);
    this.#use(connection);
    for (let index = 0; index < this.#pending.length; index += 1) this.#send(connection, index);
  }

  /** Resolves the commits that happened. An earlier position than confirmed, or another digest, is another history. */
  #agrees({ position, digest }: Renewed, server: string): boolean {
    const happened = position - this.#position;
    const expected = happened === 0 ? this.#digest : this.#pending[happened - 1]?.digest;
    if (expected?.equals(digest) !== true) {
      const text =
        `${server} has commit ${position} of shard ${this.#options.shard} as its last one, and this owner knows ` +
        `${this.#position} to be committed: an older backup was restored, or a standby without it was promoted`;
      this.#end(new CommitsForgotten(text));
      return false;
    }
    for (let i = 0; i < happened; i += 1) this.#advance();
    return true;
  }

  #end(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    clearInterval(this.#timer);
    this.#connection?.destroy();
    this.#connection = undefined;
    const pending = this.#pending;
    this.#pending = [];
    this.#options.onFailed(error);
    for (const { reject } of pending) reject(error);
    this.#confirming?.reject(error);
    this.#confirming = undefined;
  }
}

/** Renews the lease on a new connection. It is marked as the owner's first, because the renewal may have to wait. */
async function renewedAsOwner(
  connection: Connection,
  shard: string,
  epoch: number,
): Promise<Renewed | undefined> {
  const marked = markOwner(connection, shard, epoch);
  const [renewed] = await Promise.all([renewShard(connection, shard, epoch), marked]);
  return renewed;
}

async function epochOf(connection: Connection, shard: string): Promise<number> {
  const text = 'select epoch from causeway.shards where shard = $1';
  const [row] = await connection.query<{ epoch: number }>({ text, values: [shard] });
  return row?.epoch ?? 0;
}

function conflictOf(shard: string, epoch: number): PositionConflict {
  return new PositionConflict(`openings of shard ${shard}`, epoch, epoch + 1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
