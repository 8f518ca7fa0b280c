/**
 * Brings the acts of operators to all shards: directly to the workers of this node, and through the database to those
 * of other nodes (docs/decisions/0289-kill-switch-and-limits-of-a-cluster.md). It reports which shards have confirmed,
 * and never counts a shard that has not.
 */
import { randomUUID } from 'node:crypto';
import type { ActReport, Confirmation } from '../gateway/operator/cluster-link.ts';
import { type Actor, ActRefused } from '../gateway/operator/operator.ts';
import {
  type AskedForAll,
  acceptedShape,
  type DoneAct,
  type NumberedAct,
  type SharedAct,
} from '../gateway/operator/shared-acts.ts';
import { type Clock, every, pause } from '../runtime/clock.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';
import { type ActLog, LocalActLog } from './act-log.ts';

/** A message to a worker: a numbered act, or one that cannot wait for its number. */
export type ForWorker =
  | { readonly kind: 'act'; readonly numbered: NumberedAct; readonly node: string }
  | { readonly kind: 'act_at_once'; readonly asked: AskedForAll }
  /** All acts that were given before the worker had opened its shard have been sent to it. */
  | { readonly kind: 'acts_sent' };

export interface NodeActsOptions {
  readonly node: string;
  readonly clock: Clock;
  readonly log: ActLog;
  /** Those of this node's configuration, and all others that a node owns. */
  readonly shards: () => readonly string[];
  /** Sends to a worker of this node; returns false if no worker has opened the shard here. */
  readonly send: (shard: string, message: ForWorker) => boolean;
  /** The shard's owner, as far as this node knows. */
  readonly ownerOf: (shard: string) => string | undefined;
  readonly alarm: RaiseAlarm;
}

interface Waiting {
  readonly asked: AskedForAll;
  readonly atMs: number;
  numbered: NumberedAct | undefined;
  /** Workers of this node that have the act without a number. */
  atOnce: readonly string[];
}

/** How long an operator waits for confirmations. */
const answerMs = 3_000;
/** If a kill switch has no number after this time, this node throws it without one. */
const atOnceMs = 300;
const roundMs = 250;
const maxShown = 50;

export class NodeActs {
  readonly #options: NodeActsOptions;
  /** In numeric order. */
  #acts: NumberedAct[] = [];
  /** By shard, then by the number of the act. */
  readonly #done = new Map<string, Map<number, Confirmation>>();
  readonly #waiting = new Map<string, Waiting>();
  /** The database may have recorded them, although it has not answered. */
  readonly #givenUp = new Set<string>();
  readonly #callbacks = new Set<() => void>();
  #round: Promise<void> | undefined;
  readonly #cancelRounds: () => void;
  #isClosed = false;
  #problem: string | undefined;

  constructor(options: NodeActsOptions) {
    this.#options = options;
    this.#cancelRounds = every(options.clock, roundMs, () => void this.#look());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRounds();
  }

  /** Resolves when all shards have confirmed, or after some seconds. Refuses what the shards could not store. */
  async carryOut(by: Actor, act: SharedAct): Promise<ActReport> {
    const { clock, node, shards } = this.#options;
    const [issue] = acceptedShape.safeParse({ by, act }).error?.issues ?? [];
    if (issue !== undefined) throw new ActRefused(`${issue.path.join('.')}: ${issue.message}`);
    const { monoMs, wallMs } = clock.now();
    const asked = { uid: randomUUID(), node, by, act };
    const waiting: Waiting = { asked, atMs: wallMs, numbered: undefined, atOnce: [] };
    this.#waiting.set(asked.uid, waiting);
    const cancelAtOnce = clock.at(monoMs + atOnceMs, () => this.#atOnce(waiting, shards()));
    void this.#look();
    const report = await new Promise<ActReport>((resolve) => {
      const finish = () => {
        this.#callbacks.delete(look);
        cancelLate();
        resolve(this.#report(waiting));
      };
      const look = () => {
        const { numbered } = waiting;
        if (numbered !== undefined && this.#missing(numbered.id).length === 0) finish();
      };
      const cancelLate = clock.at(monoMs + answerMs, finish);
      this.#callbacks.add(look);
    });
    cancelAtOnce();
    if (report.isGivenUp === true && this.#waiting.delete(asked.uid)) this.#givenUp.add(asked.uid);
    this.#alarmUnconfirmed(report);
    return report;
  }

  /** The latest acts, newest first. */
  get reports(): readonly ActReport[] {
    const waiting = [...this.#waiting.values()].filter(({ numbered }) => !numbered);
    const latest = this.#acts.slice(-maxShown).reverse();
    const known = latest.map((act) => ({ asked: act, atMs: act.atMs, numbered: act, atOnce: [] }));
    return [...waiting, ...known].map((each) => this.#report(each));
  }

  /**
   * A worker has opened the shard, and does not trade before it has the acts that it is missing. Another node may have
   * given one after the last read, so there is another read, however long the database is away.
   */
  async opened(shard: string, last: number, done: readonly DoneAct[]): Promise<void> {
    const { clock, log, send } = this.#options;
    for (const one of done) {
      this.#take([one.numbered]);
      this.#confirmed(shard, one);
    }
    if (log instanceof LocalActLog) log.heard(shard);
    else {
      await this.#round;
      for (await this.#look(); this.#problem !== undefined; await this.#look()) {
        if (this.#isClosed) return;
        await pause(clock, roundMs);
      }
    }
    this.#deliver(shard, last);
    for (const waiting of this.#waiting.values()) this.#atOnce(waiting, [shard]);
    send(shard, { kind: 'acts_sent' });
  }

  /** A worker of this node has recorded an act. */
  done(shard: string, done: DoneAct): void {
    this.#confirmed(shard, done);
    this.#changed();
  }

  /** Reads the acts and the confirmations of other nodes. */
  #look(): Promise<void> {
    this.#round ??= this.#read().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #read(): Promise<void> {
    const { log } = this.#options;
    try {
      for (const [uid, waiting] of this.#waiting) {
        waiting.numbered ??= await log.add(waiting.asked);
        if (waiting.numbered === undefined) this.#waiting.delete(uid);
        else if (log instanceof LocalActLog) this.#take([waiting.numbered]);
      }
      this.#take(await log.after(this.#acts.at(-1)?.id ?? 0));
      // Acts that have been read from the log are in `acts` now.
      for (const [uid, { numbered }] of this.#waiting) if (numbered) this.#waiting.delete(uid);
      if (this.#acts.slice(-maxShown).some((act) => this.#missing(act.id).length > 0)) {
        for (const { shard, ...done } of await log.done()) this.#confirmed(shard, done);
      }
      this.#problem = undefined;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#problem = log instanceof LocalActLog ? text : `the database does not answer (${text})`;
    }
    this.#changed();
  }

  #take(acts: readonly NumberedAct[]): void {
    const { alarm, log, shards } = this.#options;
    for (const act of acts) {
      if (this.#acts.some(({ id }) => id === act.id)) continue;
      if (this.#givenUp.delete(act.uid)) {
        const what = `the ${act.act.kind} of ${act.by.who} that was given up is recorded after all`;
        alarm(`${what}, so the shards carry it out`, { event: 'act_unconfirmed' });
      }
      if (log instanceof LocalActLog) log.seen(act.id);
      const at = this.#acts.findLastIndex(({ id }) => id < act.id) + 1;
      this.#acts.splice(at, 0, act);
      for (const shard of shards()) this.#deliver(shard, act.id - 1);
    }
  }

  /** May send an act again: a worker ignores acts that it has already carried out. */
  #deliver(shard: string, after: number): void {
    const { node, send } = this.#options;
    for (const numbered of this.#acts) {
      if (numbered.id > after) send(shard, { kind: 'act', numbered, node });
    }
  }

  /** Sends only acts that close something: an act that opens something must keep the order of the numbers. */
  #atOnce(waiting: Waiting, shards: readonly string[]): void {
    const { send } = this.#options;
    if (waiting.numbered !== undefined || waiting.asked.act.kind !== 'kill') return;
    const message = { kind: 'act_at_once', asked: waiting.asked } as const;
    waiting.atOnce = [...waiting.atOnce, ...shards.filter((shard) => send(shard, message))];
  }

  #confirmed(shard: string, { atMs, isHere, node, numbered, text }: DoneAct): void {
    const done = this.#done.get(shard) ?? new Map<number, Confirmation>();
    this.#done.set(shard, done.set(numbered.id, { shard, node, atMs, isHere, text }));
  }

  #changed(): void {
    for (const callback of [...this.#callbacks]) callback();
  }

  #missing(id: number): readonly string[] {
    return this.#options.shards().filter((shard) => this.#done.get(shard)?.has(id) !== true);
  }

  #report({ asked, atMs, atOnce, numbered }: Waiting): ActReport {
    const { act, by, node } = asked;
    const shards = this.#options.shards();
    const id = numbered?.id ?? null;
    const confirmed = shards.flatMap((shard) => this.#done.get(shard)?.get(id ?? 0) ?? []);
    const why = (shard: string) => this.#why(shard, atOnce.includes(shard));
    const unconfirmed = this.#missing(id ?? 0).map((shard) => ({ shard, why: why(shard) }));
    const isRetried = act.kind === 'kill' || this.#options.log instanceof LocalActLog;
    return {
      ...{ id, node, by, act, atMs, confirmed, unconfirmed },
      ...(id === null && !isRetried && { isGivenUp: true }),
    };
  }

  #why(shard: string, isAtOnce: boolean): string {
    const { node, ownerOf } = this.#options;
    const owner = ownerOf(shard);
    const problem = this.#problem;
    if (isAtOnce)
      return `its worker on node ${node} accepts nothing new, but ${problem ?? 'has not recorded it yet'}`;
    if (problem !== undefined) return problem;
    if (owner === undefined) return 'no node serves it; its next owner does this first';
    return `node ${owner} has not answered yet`;
  }

  #alarmUnconfirmed({ act, unconfirmed }: ActReport): void {
    if (unconfirmed.length === 0) return;
    const names = unconfirmed.map(({ shard }) => shard).join(', ');
    const what = act.kind === 'set_limits' ? 'a change of limits' : `the kill switch (${act.kind})`;
    this.#options.alarm(`${what} is NOT confirmed by the shards ${names}`, {
      event: 'act_unconfirmed',
    });
  }
}
