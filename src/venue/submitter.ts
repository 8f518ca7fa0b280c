/**
 * Sends signed actions and drives each to its outcome: bounded queues an account, cancels before placements, paced by
 * the venue's word, one action a request or a JSON batch of what queued while a request was in flight (contract G25,
 * R52, R137). Signing anew and reconciling belong to the gateway and are asked for through `SubmitPorts`.
 */
import { blake3 } from '@noble/hashes/blake3.js';
import { type Act, type Refusal, refusalNamed } from '../domain/refusal.ts';
import type { Clock } from '../runtime/clock.ts';
import { Deadlines } from '../runtime/deadlines.ts';
import { hexOf } from '../runtime/hex.ts';
import { PassingMap } from '../runtime/passing-map.ts';
import { batchJson, isCancel, madeAtMs, type SignedSend, signedActionJson } from './action-json.ts';
import type { Random } from './backoff.ts';
import type { HttpRequest } from './http-client.ts';
import type { Pacer, Priority } from './pacer.ts';
import type { Profile } from './profile.ts';
import type { LimitsRecord } from './records.ts';
import {
  type Found,
  type Outcome,
  type Step,
  Submission,
  type SubmissionInput,
  type SubmissionRules,
} from './submission.ts';
import {
  type Exchange,
  isRouteClosed,
  nothingOfNonces,
  type Refusing,
  type Verdict,
  verdictOf,
  verdictsOf,
} from './verdict.ts';

/** What one submission is about; `send` is replaced when it is signed anew. */
export interface Order {
  readonly send: SignedSend;
  readonly priority: Priority;
  /** Recorded by a process before this one, which may have sent it. */
  readonly isResumed?: boolean;
  /** No signature of it can be had any more, so it is only looked for. */
  readonly isUnsigned?: boolean;
  /** The venue's answer to these bytes was lost; the client's order is open until the outcome comes. */
  readonly onUnknown?: (send: SignedSend) => void;
  /** Each time that it is handed to HTTP. */
  readonly onSend?: () => void;
}

export interface SubmitPorts {
  /** Reserves a fresh nonce, signs and records; throws `ResignRefused` where that cannot be. */
  resign(send: SignedSend, after: Refusing): Promise<SignedSend>;
  /** Looks for the action in the stream and the receipts. */
  reconcile(send: SignedSend): Promise<Found>;
  /** Tries to have a harmless action take the nonce (decision 0196); `nothing` where that is not known to be done. */
  fence(send: SignedSend): Promise<Found>;
  /** Carries out what is not the submission's own: gate, credential, alarm, markets, pace. */
  act(act: Act, refusal: Refusal, text: string, send: SignedSend): void;
}

export class ResignRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, text: string) {
    super(text);
    this.refusal = refusal;
  }
}

export interface Settled {
  readonly outcome: Outcome;
  /** The bytes that the outcome is about. */
  readonly send: SignedSend;
}

/** The part of the limits record that decides here; null leaves the profile's value (R52, R83). */
export type SendLimits = Pick<LimitsRecord, 'jsonEnabled' | 'maxActions' | 'maxInFlight'>;

export interface SubmitterParts {
  readonly profile: Profile;
  readonly http: {
    exchange(request: HttpRequest): Promise<Exchange>;
    prepare?(request: HttpRequest): void;
  };
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly random: Random;
  readonly ports: SubmitPorts;
  readonly rules: SubmissionRules;
  /** Placements that may wait for a request, over all accounts; as many cancels may wait besides. */
  readonly maxQueued: number;
}

interface Job {
  send: SignedSend;
  isQueued: boolean;
  /** Of its time in the queue; 0 for none. */
  deadline: number;
  /** Handed to HTTP, and what came of it is not judged yet. */
  isOnWire: boolean;
  /** Why it is not wanted any more. */
  withdrawn: { readonly refusal: Refusal; readonly text: string } | null;
  /** Where the stream showed it meanwhile. */
  seenSeq: number | null;
  readonly order: Order;
  readonly submission: Submission;
  readonly settle: (settled: Settled) => void;
  cancelTimer: (() => void) | null;
}

interface Lane {
  readonly account: string;
  readonly cancel: Job[];
  readonly place: Job[];
  inFlight: number;
}

const priorities = ['cancel', 'place'] as const;

export class Submitter {
  readonly #parts: SubmitterParts;
  readonly #headers: readonly string[];
  readonly #lanes = new Map<string, Lane>();
  readonly #byHash = new PassingMap<string, Job>();
  readonly #queueTimes: Deadlines;
  /** Those whose nonce lies beyond the venue's window. */
  readonly #holding = new Set<Job>();
  #limits: Profile['limits']['batch'];
  #queued = 0;
  #inFlight = 0;
  #isBatchOff = false;
  #isStopped = false;
  #cancelWake: (() => void) | null = null;

  constructor(parts: SubmitterParts) {
    const { headers, resultMode, limits } = parts.profile;
    this.#parts = parts;
    this.#queueTimes = new Deadlines(parts.clock);
    this.#headers = [
      headers.resultMode,
      resultMode.mode,
      headers.responseMode,
      resultMode.response,
    ];
    this.#limits = limits.batch;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get queued(): number {
    return this.#queued;
  }

  get limits(): Profile['limits']['batch'] {
    return this.#limits;
  }

  /** The venue's live limits outrank the profile. */
  limit({ jsonEnabled, maxActions, maxInFlight }: SendLimits): void {
    const { batch } = this.#parts.profile.limits;
    this.#limits = {
      ...batch,
      jsonEnabled: jsonEnabled ?? batch.jsonEnabled,
      actions: maxActions ?? batch.actions,
      inFlight: maxInFlight ?? batch.inFlight,
    };
    this.#isBatchOff = false;
    this.#pump();
  }

  /** Before an action may leave: with its request, where it will be alone in it (decision 0213). */
  prepared(send: SignedSend): SignedSend {
    if (this.#isBatching) return send;
    const request = this.#request([send]);
    this.#parts.http.prepare?.(request);
    return { ...send, request };
  }

  submit(order: Order): Promise<Settled> {
    const { clock, rules, random, maxQueued } = this.#parts;
    const { isResumed = false, isUnsigned = false, send } = order;
    const mostQueued = order.priority === 'cancel' ? maxQueued * 2 : maxQueued;
    if (this.#queued >= mostQueued && !isResumed) {
      return Promise.resolve({ outcome: noRoom(this.#queued), send });
    }
    return new Promise((settle) => {
      const { canonical } = send;
      const resumedAgeMs = isResumed ? Math.max(0, clock.now().wallMs - madeAtMs(canonical)) : null;
      const submission = new Submission(rules, random, {
        isCancel: isCancel(canonical),
        resumedAgeMs,
        isUnsigned,
      });
      const job: Job = {
        send,
        isQueued: false,
        deadline: 0,
        isOnWire: false,
        withdrawn: null,
        seenSeq: null,
        order,
        submission,
        settle,
        cancelTimer: null,
      };
      this.#byHash.set(send.hash, job);
      this.#feed(job, { kind: 'start' });
    });
  }

  /** Nothing is sent or looked for any more; what is not settled stays open, and the journal takes it up again. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelWake?.();
    this.#queueTimes.close();
    for (const job of this.#byHash.values()) job.cancelTimer?.();
    this.#byHash.clear();
  }

  /**
   * The execution stream shows an action, named by its hash in hex; its outcome is the stream's to tell. An answer that is
   * due still has its word: it names the order ids to compare and the nonce facts.
   */
  observed(actionHash: string, seq: number): void {
    const job = this.#byHash.get(actionHash);
    if (job?.isOnWire) job.seenSeq = seq;
    else if (job !== undefined) this.#feed(job, { kind: 'observed', seq });
  }

  /**
   * An action that is not wanted any more ends as this refusal as soon as it is known not to be at the venue: at once where
   * nothing of it has left, after a refusal in the place of being sent again. What was lost or accepted goes its way.
   */
  withdraw(actionHash: string, refusal: Refusal, text: string): void {
    const job = this.#byHash.get(actionHash);
    if (job === undefined) return;
    job.withdrawn ??= { refusal, text };
    if (!mayEnd(job)) return;
    this.#leaveQueue(job);
    this.#feed(job, { kind: 'withdrawn', ...job.withdrawn });
  }

  floorMoved(account: string): void {
    for (const job of [...this.#holding]) {
      if (job.send.account === account) this.#feed(job, { kind: 'floor_moved' });
    }
  }

  #feed(job: Job, input: SubmissionInput): void {
    if (this.#isStopped) return;
    const now = this.#parts.clock.now().monoMs;
    let steps = job.submission.next(input, now);
    if (job.withdrawn !== null && mayEnd(job)) {
      const acts = steps.filter(({ kind }) => kind === 'act');
      steps = [...acts, ...job.submission.next({ kind: 'withdrawn', ...job.withdrawn }, now)];
    }
    for (const step of steps) this.#take(job, step);
    if (job.submission.isHolding) this.#holding.add(job);
    else if (this.#holding.size > 0) this.#holding.delete(job);
  }

  #take(job: Job, step: Step): void {
    const { clock, ports } = this.#parts;
    switch (step.kind) {
      case 'send':
        this.#enqueue(job);
        break;
      case 'wait':
        job.cancelTimer?.();
        job.cancelTimer = clock.at(step.untilMs, () => this.#feed(job, { kind: 'time' }));
        break;
      case 'reconcile':
      case 'fence':
        void this.#find(job, ports[step.kind](job.send));
        break;
      case 'resign':
        void this.#resign(job, step.after);
        break;
      case 'act':
        ports.act(step.act, step.refusal, step.text, job.send);
        break;
      case 'unknown':
        job.order.onUnknown?.(job.send);
        break;
      case 'end':
        job.cancelTimer?.();
        this.#byHash.delete(job.send.hash);
        job.settle({ outcome: step.outcome, send: job.send });
    }
  }

  async #find(job: Job, finding: Promise<Found>): Promise<void> {
    const found = await finding.catch(
      (error: Error): Found => ({ kind: 'unreadable', problem: error.message }),
    );
    this.#feed(job, { kind: 'found', found });
  }

  async #resign(job: Job, after: Refusing): Promise<void> {
    const { hash } = job.send;
    try {
      job.send = await this.#parts.ports.resign(job.send, after);
    } catch (error) {
      const refusal =
        error instanceof ResignRefused ? error.refusal : refusalNamed('bridge.nonce_window');
      this.#feed(job, { kind: 'resign_failed', refusal, text: (error as Error).message });
      return;
    }
    this.#byHash.delete(hash);
    this.#byHash.set(job.send.hash, job);
    this.#feed(job, { kind: 'resigned' });
  }

  #enqueue(job: Job): void {
    const { account } = job.send;
    let lane = this.#lanes.get(account);
    if (lane === undefined) {
      lane = { account, cancel: [], place: [], inFlight: 0 };
      this.#lanes.set(account, lane);
    }
    lane[job.order.priority].push(job);
    this.#queued += 1;
    job.isQueued = true;
    this.#pump();
    if (!job.isQueued) return;
    const { clock, rules } = this.#parts;
    const dueMs = clock.now().monoMs + rules.maxAgeMs;
    job.deadline = this.#queueTimes.add({ dueMs, giveUp: () => this.#waitedTooLong(job) });
  }

  /** Only what was never handed to HTTP may expire here. */
  #waitedTooLong(job: Job): void {
    if (!job.isQueued) return;
    this.#leaveQueue(job);
    const refusal = refusalNamed('bridge.throttled');
    const text = 'no room at the venue within its time';
    this.#feed(job, { kind: 'verdict', verdict: { kind: 'unsent', refusal, text } });
  }

  #leaveQueue(job: Job): void {
    if (!job.isQueued) return;
    const queue = this.#lanes.get(job.send.account)?.[job.order.priority] ?? [];
    queue.splice(queue.indexOf(job), 1);
    this.#noLongerQueued(job);
  }

  #noLongerQueued(job: Job): void {
    job.isQueued = false;
    this.#queued -= 1;
    if (job.deadline !== 0) this.#queueTimes.delete(job.deadline);
    job.deadline = 0;
  }

  /** Sends while there is room; accounts take turns, and within one cancels come first. */
  #pump(): void {
    if (this.#isStopped) return;
    const now = this.#parts.clock.now().monoMs;
    let wakeMs = Number.POSITIVE_INFINITY;
    for (let isAny = true; isAny && this.#queued > 0; ) {
      isAny = false;
      for (const lane of this.#lanes.values()) {
        if (this.#inFlight >= this.#limits.inFlight) return;
        if (this.#isBatching && lane.inFlight > 0) continue;
        const readyAtMs = this.#readyAt(lane, now);
        if (readyAtMs > now) {
          wakeMs = Math.min(wakeMs, readyAtMs);
          continue;
        }
        const before = this.#queued;
        const jobs = this.#pick(lane, now);
        isAny ||= this.#queued < before;
        if (jobs.length > 0) void this.#post(lane, jobs);
      }
    }
    this.#cancelWake?.();
    this.#cancelWake =
      wakeMs === Number.POSITIVE_INFINITY ? null : this.#parts.clock.at(wakeMs, () => this.#pump());
  }

  get #isBatching(): boolean {
    const { lanes } = this.#parts.profile;
    const isWanted = lanes.order[0] === 'jsonBatch' && lanes.jsonBatch === 'by_limits';
    return isWanted && this.#limits.jsonEnabled && !this.#isBatchOff;
  }

  #readyAt(lane: Lane, now: number): number {
    const { pacer } = this.#parts;
    if (lane.cancel.length > 0) return pacer.readyAtMs(lane.account, 'cancel', now);
    if (lane.place.length > 0) return pacer.readyAtMs(lane.account, 'place', now);
    return now;
  }

  #pick(lane: Lane, now: number): Job[] {
    const { pacer } = this.#parts;
    const most = this.#isBatching ? this.#limits.actions : 1;
    const picked: Job[] = [];
    for (const priority of priorities) {
      while (picked.length < most && lane[priority].length > 0) {
        if (pacer.readyAtMs(lane.account, priority, now) > now) break;
        const job = lane[priority].shift();
        if (job === undefined) break;
        this.#noLongerQueued(job);
        if (job.submission.isEnded) continue;
        pacer.sent(lane.account);
        picked.push(job);
      }
    }
    return picked;
  }

  async #post(lane: Lane, jobs: readonly Job[]): Promise<void> {
    const { clock, http, pacer, profile } = this.#parts;
    this.#inFlight += 1;
    lane.inFlight += 1;
    const [first] = jobs;
    const ready = jobs.length === 1 ? first?.send.request : undefined;
    const request = ready ?? this.#request(jobs.map(({ send }) => send));
    for (const job of jobs) {
      job.isOnWire = true;
      job.order.onSend?.();
    }
    const exchange = await http.exchange(request);
    this.#inFlight -= 1;
    lane.inFlight -= 1;
    const now = clock.now().monoMs;
    const headers = exchange.kind === 'response' ? exchange.headers : {};
    for (let count = 0; count < jobs.length; count += 1) {
      pacer.answered(lane.account, headers, now);
    }
    const verdicts =
      jobs.length === 1
        ? [verdictOf(exchange, profile)]
        : verdictsOf(exchange, profile, jobs.length);
    const isBatchRefused = jobs.length > 1 && isRouteClosed(verdicts[0]);
    if (isBatchRefused) this.#isBatchOff = true;
    for (const [index, job] of jobs.entries()) {
      job.isOnWire = false;
      const isUnwanted = job.withdrawn !== null || job.seenSeq !== null;
      if (isBatchRefused && !isUnwanted) this.#enqueue(job);
      else this.#judged(job, verdicts[index], now);
    }
    this.#pump();
  }

  #judged(job: Job, verdict: Verdict | undefined, now: number): void {
    if (verdict === undefined) throw new Error('fewer verdicts than actions');
    const { pacer } = this.#parts;
    const isNo = verdict.kind === 'refused' || verdict.kind === 'unknown';
    if (isNo && verdict.retryAfterMs !== null) {
      const untilMs = now + verdict.retryAfterMs;
      if (verdict.refusal.name === 'edge_limit') pacer.blockAll(untilMs);
      else pacer.block(job.send.account, untilMs);
    }
    const { seenSeq } = job;
    if (seenSeq === null || verdict.kind === 'accepted') {
      this.#feed(job, { kind: 'verdict', verdict });
    } else this.#feed(job, { kind: 'observed', seq: seenSeq });
  }

  #request(sends: readonly SignedSend[]): HttpRequest {
    const { idempotency, input, routes } = this.#parts.profile;
    const bodies = sends.map((send) => signedActionJson(send, input.names));
    const [first] = sends;
    const isBatch = sends.length > 1;
    const whole = isBatch || first === undefined ? batchHash(sends) : first.hash;
    const key = whole.slice(0, idempotency.keyHexChars);
    return {
      method: 'POST',
      target: isBatch ? routes.orders : routes.actions,
      body: isBatch ? batchJson(bodies, key) : (bodies[0] ?? ''),
      headers: [idempotency.header, key, ...this.#headers],
    };
  }
}

/** Of what is withdrawn. */
function mayEnd({ isOnWire, submission }: Job): boolean {
  return !isOnWire && submission.isOurs;
}

function noRoom(queued: number): Outcome {
  return {
    kind: 'refused',
    refusal: refusalNamed('bridge.backpressure'),
    text: `${queued} actions wait already`,
    nonce: nothingOfNonces,
    neverSent: true,
  };
}

/** The key of a batch is a hash over its actions' hashes (G29). */
function batchHash(sends: readonly SignedSend[]): string {
  return hexOf(blake3(Buffer.from(sends.map(({ hash }) => hash).join(''), 'hex')));
}
