/**
 * The commits of one owner, in order, on one connection at a time. Several statements are under way; each succeeds only behind the
 * one before it, because it expects its position. Where a reply is lost, nobody knows whether the commit happened until the primary
 * says so in answer to a write, and until then nothing resolves (docs/decisions/0280-shards-nodes-and-postgresql.md).
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
   * A statement without an answer for so long counts as lost. It is less than a lease, so that an owner that slept finds out
   * whether it was replaced before anything resolves.
   */
  readonly replyMs: number;
  /** The database cannot be reached, or can be again (undefined). */
  readonly onAway: (problem: string | undefined) => void;
  /** Commits wait for a standby from now on, or no longer do. */
  readonly onReplicated: (isReplicated: boolean) => void;
  /** No commit will succeed any more. */
  readonly onFailed: (error: Error) => void;
}

/** Somebody waits to know whether this process is still the owner. */
interface Confirming {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Pending {
  readonly group: Group;
  /** Of all commits up to this one. */
  readonly digest: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  sentMs: number;
}

/** An owner that has not committed for so long renews. */
const renewAfterMs = 500;
const retry = { firstMs: 20, maxMs: 500 };
/** Another commit than the expected one at the position, so often without progress, is a fault of ours. */
const mostConflicts = 5;

const fenced = 'CW001';
const diskFull = '53100';
/** The server or the connection ended it: connection exceptions, rollbacks, resources, operator intervention, system errors; a standby. */
const passing = /^(08|40|53|55|57|58|25006)/;

export class CommitLine {
  readonly epoch: number;
  readonly #options: LineOptions;
  #connection: Connection | undefined;
  #timeline: number;
  /** The end of the commits that happened for certain. */
  #position: number;
  #digest: Buffer;
  #pending: Pending[] = [];
  #isReplicated: boolean | undefined;
  #isFull = false;
  /** When the idle renewal under way was sent. */
  #renewingMs: number | undefined;
  /** When the last confirmed write was sent. This process owned the shard then, so its lease began no earlier. */
  #ownedMs = Number.NEGATIVE_INFINITY;
  #confirming: Confirming | undefined;
  /** Losses in a row without a commit between them. */
  #losses = 0;
  #awaySinceMs: number | undefined;
  #failure: Error | undefined;
  readonly #timer: NodeJS.Timeout;

  /** Makes this process the owner. */
  static async open(
    options: LineOptions,
    { isOver, onTaken, owner, seenEpoch }: Claim,
  ): Promise<CommitLine> {
    const { place, durability, shard, replyMs } = options;
    const connection = await connectToPrimary(place, durability);
    // Nothing is lost where a start takes longer: another commit of the shard may still wait for its standby.
    const answer = <T>(asked: Promise<T>) => within(connection, 5 * replyMs, asked);
    try {
      const epoch = seenEpoch ?? (await answer(epochOf(connection, shard)));
      const isForced = seenEpoch === undefined || isOver;
      const taken = await answer(takeShard(connection, shard, epoch, owner, isForced));
      if (taken === undefined)
        throw new PositionConflict(`openings of shard ${shard}`, epoch, epoch + 1);
      onTaken?.(taken.epoch);
      const renewed = await answer(renewShard(connection, shard, taken.epoch));
      if (renewed === undefined) throw conflictOf(shard, taken.epoch);
      const line = new CommitLine(options, connection, taken);
      line.#heardOf(renewed.isReplicated);
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

  /** Commits that happened for certain. */
  get position(): number {
    return this.#position;
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** The disk of the database is full. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** For how long no commit could be settled; 0 where the database answers. */
  get awayMs(): number {
    return this.#awaySinceMs === undefined ? 0 : performance.now() - this.#awaySinceMs;
  }

  get isReplicated(): boolean {
    return this.#isReplicated === true;
  }

  /** See `Store`. An owner that slept finds out here whether it was replaced. */
  confirmed(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (performance.now() - this.#ownedMs < this.#options.replyMs) return undefined;
    this.#confirming ??= newConfirming();
    return this.#confirming.promise;
  }

  /** Resolves when the group is committed, after those before it. */
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

  /** The current connection, for a start that reads what the owner has. */
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
      this.#lost(connection, new ConnectionLost('the answer came too late'));
      return;
    }
    this.#owned(pending.sentMs);
    this.#isFull = false;
    this.#losses = 0;
    this.#heardOf(isReplicated);
    this.#advance();
  }

  /** The first group under way has happened. */
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

  /** Called again and again: finds answers that do not come, and renews the lease of an owner that commits nothing. */
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
        this.#heardOf(renewed.isReplicated);
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

  #heardOf(isReplicated: boolean): void {
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
    if (!(isPassing || (state === fenced && this.#losses < mostConflicts)))
      this.#end(
        new StoreFailed(`the database refuses a commit: ${reasonOf(error)}`, { cause: error }),
      );
    else void this.#settle(reasonOf(error), isPassing ? connection.at : undefined);
  }

  /** Asks by a write what happened to the commits under way, until a primary answers; then sends the others again. */
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
        const askedMs = performance.now();
        const renewed = await within(
          connection,
          replyMs,
          renewShard(connection, shard, this.epoch),
        );
        if (this.#failure !== undefined) break;
        if (renewed === undefined) return this.#end(conflictOf(shard, this.epoch));
        if (!this.#agrees(renewed, nameOf(connection.at))) return;
        this.#owned(askedMs);
        this.#goOn(connection, renewed.isReplicated);
        return;
      } catch (error) {
        problem = reasonOf(error);
        avoid = connection?.at;
        connection?.destroy();
      }
    }
  }

  #goOn(connection: Connection, isReplicated: boolean): void {
    this.#timeline = connection.timeline;
    this.#awaySinceMs = undefined;
    this.#options.onAway(undefined);
    this.#heardOf(isReplicated);
    this.#use(connection);
    for (let index = 0; index < this.#pending.length; index += 1) this.#send(connection, index);
  }

  /** Resolves what has happened. A position before what was confirmed, or another sum at it, is another history. */
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

function newConfirming(): Confirming {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

async function epochOf(connection: Connection, shard: string): Promise<number> {
  const text = 'select epoch from causeway.shards where shard = $1';
  const [row] = await connection.query<{ epoch: string }>({ text, values: [shard] });
  return Number(row?.epoch ?? 0);
}

/** What an owner is told that was replaced. */
function conflictOf(shard: string, epoch: number): PositionConflict {
  return new PositionConflict(`openings of shard ${shard}`, epoch, epoch + 1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
