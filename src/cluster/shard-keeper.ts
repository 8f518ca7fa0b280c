/**
 * Keeps one shard served on this node: starts its worker, restarts it when it dies, and stops it. With a database the
 * shard may belong to another node, so `membership.ts` decides whether a worker starts.
 */
import { ActRefused } from '../gateway/operator/operator.ts';
import type { PasswordProof, PasswordProofs } from '../gateway/passwords/password-proofs.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import type { NodeActs } from './node-acts.ts';
import type { Answer, Asked } from './node-link.ts';
import type { Offence } from './node-questions.ts';
import type { OwnWorker } from './ownership.ts';
import type { Shard } from './shards.ts';
import type { Spares } from './spares.ts';
import { WorkerDoor } from './worker-door.ts';
import {
  type FromWorker,
  fencedExitCode,
  forgottenExitCode,
  type ToWorker,
} from './worker-messages.ts';
import type { WorkerProcess } from './worker-process.ts';

/** `lost`: another process has the data; `damaged`: a restart cannot help. Both wait for an operator. */
export type ShardState = 'starting' | 'serving' | 'stopping' | 'stopped' | 'lost' | 'damaged';

export type ShardClaim = NonNullable<Extract<ToWorker, { kind: 'own' }>['claim']>;

export interface KeeperOptions {
  readonly shard: Shard;
  readonly spares: Pick<Spares, 'ended' | 'serving' | 'take'>;
  readonly clock: Clock;
  readonly own: Omit<Extract<ToWorker, { kind: 'own' }>, 'claim' | 'proofs'>;
  /** How long a worker may take to stop before it is killed. */
  readonly stopWithinMs: number;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
  readonly offended: (offence: Offence) => void;
  readonly proofs: Pick<PasswordProofs, 'all'>;
  /** The worker has found a password to be right. */
  readonly proved: (proof: PasswordProof) => void;
  /** With a database: called on changes such as the exit of a worker, which then is not restarted automatically. */
  readonly changed?: () => void;
  /** The worker has found that the database has forgotten commits of the shard. */
  readonly forgotten?: () => void;
  readonly acts: Pick<NodeActs, 'done' | 'opened'>;
  /** Handles requests of the worker's console. */
  readonly answer: (asked: Asked) => Promise<Answer>;
}

const restartRules = { firstMs: 100, maxMs: 10_000 };
/**
 * A worker that has not taken its shard of the database after this time counts as hung. The time doubles after each
 * failure, because another start adds to the load of a machine that is overloaded already.
 */
const takeWithinMs = { first: 30_000, most: 240_000 };
/** A worker that has served for this long counts as successfully started. */
const settledMs = 30_000;
/** The program's exit code for a damaged record. */
const damagedExitCode = 4;

export class ShardKeeper {
  readonly door: WorkerDoor;
  readonly shard: Shard;
  readonly #options: KeeperOptions;
  #worker: WorkerProcess | undefined;
  #state: ShardState = 'stopped';
  #consoleUrl: string | undefined;
  #failures = 0;
  /** A worker that died is not restarted before this time. */
  #restartMs = 0;
  /** Undefined if the last worker has not served. */
  #servingSinceMs: number | undefined;
  #epoch: number | undefined;
  /** The worker has its shard's journal open, so it can carry out acts. */
  #hasOpened = false;
  #seenEpoch = 0;
  /** Undefined while the worker's signer answers. */
  #signerAwaySinceMs: number | undefined;
  #cancelRestart = () => {};
  #cancelStart = () => {};
  restarts = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.shard = options.shard;
    this.door = new WorkerDoor(options.clock);
  }

  get state(): ShardState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#worker?.pid;
  }

  get consoleUrl(): string | undefined {
    return this.#consoleUrl;
  }

  /** The worker's state for the decision about its shard; undefined if there is no worker and one may be started. */
  get ownWorker(): OwnWorker | undefined {
    const epoch = this.#epoch ?? this.#seenEpoch;
    const isRunning = this.#worker !== undefined;
    if (isRunning && this.#state === 'stopping') return { state: 'stopping', epoch };
    if (isRunning && this.#epoch === undefined) return { state: 'starting', epoch };
    if (isRunning) return { state: 'owner', epoch, signerAwayMs: this.#signerAwayMs };
    if (this.#state === 'stopped') return undefined;
    if (this.#state !== 'starting' || this.#isTooEarly) return { state: 'barred', epoch };
    return { state: this.#servingSinceMs === undefined ? 'failed' : 'over', epoch };
  }

  get #signerAwayMs(): number {
    const { monoMs } = this.#options.clock.now();
    return monoMs - (this.#signerAwaySinceMs ?? monoMs);
  }

  get #isTooEarly(): boolean {
    return this.#options.clock.now().monoMs < this.#restartMs;
  }

  /** With a database, the claim names the owner to replace. */
  start(claim?: ShardClaim): void {
    const { own, proofs, spares } = this.#options;
    const worker = spares.take(this.shard.name);
    this.#worker = worker;
    this.#state = 'starting';
    this.#epoch = undefined;
    this.#hasOpened = false;
    this.#signerAwaySinceMs = undefined;
    this.#servingSinceMs = undefined;
    this.#seenEpoch = claim?.seenEpoch ?? 0;
    worker.onMessage((message) => this.#handle(worker, message));
    worker.send({ ...own, ...(claim && { claim }), proofs: proofs.all });
    if (claim !== undefined) {
      const { clock } = this.#options;
      const withinMs = Math.min(takeWithinMs.first * 2 ** this.#failures, takeWithinMs.most);
      this.#cancelStart = clock.at(clock.now().monoMs + withinMs, () => worker.kill());
    }
    void worker.ended.then((code) => {
      spares.ended(worker);
      this.#ended(code);
    });
  }

  /** Returns false if no worker has opened the shard, or it is being stopped. */
  send(message: ToWorker): boolean {
    if (this.#worker === undefined || !this.#hasOpened || this.#state === 'stopping') return false;
    this.#worker.send(message);
    return true;
  }

  /** Without messages for too long, the worker exits by itself. */
  sendAlive(): void {
    this.#worker?.send({ kind: 'alive' });
  }

  /** Another node has the shard: a worker that died here is not restarted. */
  leave(): void {
    if (this.#worker !== undefined || this.#state !== 'starting') return;
    this.#cancelRestart();
    this.#state = 'stopped';
  }

  /** Kills a worker that hangs, or whose shard another node has. */
  kill(): void {
    this.door.close();
    this.#worker?.kill();
  }

  /** Applies a changed configuration; a shard that waited for an operator starts again. */
  reload(): void {
    if (this.#worker !== undefined) this.#worker.send({ kind: 'reload' });
    else if (this.#options.changed !== undefined) this.#state = 'stopped';
    else if (this.#state === 'lost' || this.#state === 'damaged') this.start();
  }

  /** Logs clients out, and resolves once the process has ended. */
  async stop(): Promise<void> {
    this.#cancelRestart();
    this.door.close();
    const worker = this.#worker;
    if (worker === undefined) {
      this.#state = 'stopped';
      return;
    }
    const { clock, notice, shard, stopWithinMs } = this.#options;
    const cancelKill = clock.at(clock.now().monoMs + stopWithinMs, () => worker.kill());
    // A node that drains and is stopped meanwhile asks a second time.
    if (this.#state !== 'stopping') {
      this.#state = 'stopping';
      notice(`shard ${shard.name} accepts no more orders here`, { event: 'shard_stopping' });
      worker.send({ kind: 'stop' });
    }
    await worker.ended;
    cancelKill();
  }

  #handle(worker: WorkerProcess, message: FromWorker): void {
    const { acts, clock, notice, offended, shard, spares } = this.#options;
    switch (message.kind) {
      case 'prepared':
      case 'ahead':
        // The worker was given the shard while it was still loading or reading.
        return;
      case 'took':
        this.#cancelStart();
        this.#epoch = message.epoch;
        return;
      case 'opened':
        this.#hasOpened = true;
        void acts.opened(shard.name, message.last, message.done);
        return;
      case 'serving':
        if (this.#state !== 'starting') return;
        this.#state = 'serving';
        this.#consoleUrl = message.consoleUrl;
        this.#servingSinceMs = clock.now().monoMs;
        this.door.open({ doors: message.doors, send: (...sent) => worker.send(...sent) });
        notice(`shard ${shard.name} is served by process ${worker.pid}`, {
          event: 'shard_serving',
        });
        spares.serving(worker);
        this.#options.changed?.();
        return;
      case 'signer':
        this.#signerAwaySinceMs = message.isAway ? clock.now().monoMs : undefined;
        return;
      case 'taken':
        this.door.taken();
        return;
      case 'offence':
        offended(message.offence);
        return;
      case 'proof':
        this.#options.proved(message.proof);
        return;
      case 'act_done':
        acts.done(shard.name, message.done);
        return;
      case 'ask':
        void this.#options
          .answer(message.asked)
          .catch((error: unknown) => {
            if (error instanceof ActRefused) return { refused: error.message };
            throw error;
          })
          .then((answer) => worker.send({ kind: 'answer', number: message.number, answer }));
    }
  }

  #ended(code: number | undefined): void {
    const { changed, clock } = this.#options;
    const { monoMs } = clock.now();
    const before = this.#state;
    this.#cancelStart();
    this.#worker = undefined;
    this.#consoleUrl = undefined;
    this.door.gone();
    if (before === 'stopping') {
      this.#state = 'stopped';
      changed?.();
      return;
    }
    const hadSettled = monoMs - (this.#servingSinceMs ?? monoMs) >= settledMs;
    this.#failures = hadSettled ? 1 : this.#failures + 1;
    const isDamaged = code === damagedExitCode;
    if (isDamaged || (code === fencedExitCode && changed === undefined)) {
      this.#state = isDamaged ? 'damaged' : 'lost';
      this.#report(
        isDamaged
          ? 'a stored record is damaged, so it is not restarted; the log line before this one names the record'
          : 'another process has taken over its data; stop that process, then send SIGHUP to this node',
      );
      return;
    }
    this.#state = 'starting';
    // A worker that had served is replaced at once.
    const waitMs = this.#failures === 1 ? 0 : backoffMs(restartRules, this.#failures - 1);
    this.#restartMs = monoMs + waitMs;
    if (code === fencedExitCode) {
      this.#state = 'stopped';
      changed?.();
      return;
    }
    this.restarts += 1;
    if (code === forgottenExitCode) this.#options.forgotten?.();
    const next = changed === undefined ? 'is started again in' : 'may be started again in';
    this.#report(`it ${next} ${waitMs} ms`, code);
    this.#cancelRestart = clock.at(this.#restartMs, changed ?? (() => this.start()));
  }

  #report(text: string, code?: number): void {
    const { alarm, shard } = this.#options;
    const how = code === undefined ? '' : ` with exit code ${code}`;
    alarm(`the worker of shard ${shard.name} has ended${how}: ${text}`, { event: 'worker_ended' });
  }
}
