/**
 * Sends the signed actions of one account and returns the result of each exchange. The queue is bounded, cancels go
 * before placements, and the venue's headers set the pace. A request carries one action, or a JSON batch of the actions
 * that queued up during the previous request (contract G25, R52, R137). This class knows neither orders nor nonces, and
 * does not judge outcomes.
 */
import type { Denial } from '../domain/denial.ts';
import type { Clock } from '../runtime/clock.ts';
import { Deadlines } from '../runtime/deadlines.ts';
import type { SignedSend } from './action-json.ts';
import { mostResults } from './answer.ts';
import type { HttpRequest } from './http-client.ts';
import type { Pacer, Priority } from './pacer.ts';
import type { Profile } from './profile.ts';
import type { LimitsRecord } from './records.ts';
import { venueRefusal } from './refusals.ts';
import { SubmitRequests } from './submit-requests.ts';
import { type Exchange, isRouteClosed, type Verdict, verdictOf, verdictsOf } from './verdict.ts';

export interface Dispatch {
  /** The submission. Its action can be withdrawn by this id, whatever became of the submission meanwhile. */
  readonly id: number;
  readonly send: SignedSend;
  readonly priority: Priority;
  /** Asks the gate when the action leaves the queue (R77). If the gate denies it, that is its answer. */
  readonly denial?: () => Denial | null;
  /** Called each time the action is handed over to HTTP. */
  readonly sent: () => void;
  /** Called once, with the venue's answer or the fact that no byte was sent. */
  readonly answered: (verdict: Verdict) => void;
}

/** The limits that matter here; null keeps the profile's value (R52, R83). */
export type SendLimits = Pick<LimitsRecord, 'jsonEnabled' | 'maxActions' | 'maxInFlight'>;

export interface DispatcherParts {
  readonly profile: Profile;
  readonly http: {
    exchange(request: HttpRequest): Promise<Exchange>;
    prepare?(request: HttpRequest): void;
  };
  readonly clock: Clock;
  readonly pacer: Pacer;
  /** The maximum number of actions that may wait if another placement is to; cancels may double it. */
  readonly maxQueued: number;
  /** The maximum time that an action waits. */
  readonly patienceMs: number;
  /**
   * Undefined if this process was recently confirmed as the account's owner; otherwise resolves once that is confirmed.
   * Without this option the process counts as the owner.
   */
  readonly confirmed?: () => Promise<void> | undefined;
}

interface Job extends Dispatch {
  /** When its time in the queue ends; 0 for no limit. */
  deadline: number;
  isQueued: boolean;
  /** It was withdrawn while it was in flight in a batch. */
  isWithdrawn: boolean;
}

const priorities = ['cancel', 'place'] as const;

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #requests: SubmitRequests;
  readonly #queues: Record<Priority, Job[]> = { cancel: [], place: [] };
  readonly #queueTimes: Deadlines;
  #limits: Profile['limits']['batch'];
  #inFlight = 0;
  /** The actions of the batch in flight. */
  #batch: readonly Job[] = [];
  #isBatchOff = false;
  #isStopped = false;
  #isConfirming = false;
  #cancelWake: (() => void) | null = null;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#queueTimes = new Deadlines(parts.clock);
    this.#requests = new SubmitRequests(parts.profile);
    this.#limits = parts.profile.limits.batch;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get queued(): number {
    return this.#queues.cancel.length + this.#queues.place.length;
  }

  get limits(): Profile['limits']['batch'] {
    return this.#limits;
  }

  /** Live limits of the venue override the profile. */
  limit({ jsonEnabled, maxActions, maxInFlight }: SendLimits): void {
    const { batch } = this.#parts.profile.limits;
    this.#limits = {
      ...batch,
      jsonEnabled: jsonEnabled ?? batch.jsonEnabled,
      actions: Math.min(maxActions ?? batch.actions, mostResults),
      inFlight: maxInFlight ?? batch.inFlight,
    };
    this.#isBatchOff = false;
    this.#pump();
  }

  /** Prepares an action before it may leave, including its request in case it is sent alone (decision 0032). */
  prepared(send: SignedSend): SignedSend {
    if (this.#isBatching) return send;
    const request = this.#requests.of([send]);
    this.#parts.http.prepare?.(request);
    return { ...send, request };
  }

  submit(dispatch: Dispatch): void {
    if (this.#isStopped) return;
    const { maxQueued } = this.#parts;
    const most = dispatch.priority === 'cancel' ? 2 * maxQueued : maxQueued;
    if (this.queued >= most) {
      dispatch.answered(unsent('bridge.backpressure', `${this.queued} actions wait already`));
    } else this.#enqueue({ ...dispatch, deadline: 0, isQueued: true, isWithdrawn: false });
  }

  /** An action that is at HTTP will have its answer; it is not sent again on its own. */
  withdraw(id: number): void {
    for (const job of this.#batch) job.isWithdrawn ||= job.id === id;
    const { cancel, place } = this.#queues;
    const isIt = (queued: Job) => queued.id === id;
    const job = cancel.find(isIt) ?? place.find(isIt);
    if (job === undefined) return;
    this.#leaveQueue(job);
    job.answered(unsent('bridge.canceled_unsent', 'taken back before it was sent'));
  }

  /** Stops sending, and reports no more answers. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelWake?.();
    this.#queueTimes.close();
    for (const priority of priorities) this.#queues[priority] = [];
  }

  #enqueue(job: Job): void {
    const { clock, patienceMs } = this.#parts;
    job.isQueued = true;
    this.#queues[job.priority].push(job);
    this.#pump();
    if (!job.isQueued) return;
    const dueMs = clock.now().monoMs + patienceMs;
    job.deadline = this.#queueTimes.add({ dueMs, giveUp: () => this.#waitedTooLong(job) });
  }

  #waitedTooLong(job: Job): void {
    if (!this.#leaveQueue(job)) return;
    job.answered(unsent('bridge.throttled', 'no room at the venue within its time'));
  }

  #leaveQueue(job: Job): boolean {
    if (!job.isQueued) return false;
    const queue = this.#queues[job.priority];
    queue.splice(queue.indexOf(job), 1);
    job.isQueued = false;
    this.#queueTimes.delete(job.deadline);
    return true;
  }

  /** Sends while requests are allowed, cancels first. */
  #pump(): void {
    this.#cancelWake?.();
    this.#cancelWake = null;
    while (!this.#isStopped && this.queued > 0 && this.#inFlight < this.#maxInFlight) {
      const { clock, pacer } = this.#parts;
      const now = clock.now().monoMs;
      const [first] = this.#queues.cancel.length > 0 ? this.#queues.cancel : this.#queues.place;
      if (first === undefined) return;
      if (this.#isUnconfirmed()) return;
      const readyAtMs = pacer.readyAtMs(first.send.account, first.priority, now);
      if (readyAtMs > now) {
        this.#cancelWake = clock.at(readyAtMs, () => this.#pump());
        return;
      }
      const { denied, picked } = this.#pick(now);
      if (picked.length > 0) void this.#post(picked);
      for (const { denial, job } of denied) {
        job.answered({ kind: 'unsent', refusal: denial.refusal, text: denial.text ?? '' });
      }
    }
  }

  /** An owner that was suspended may have been replaced. Unless confirmed, it sends nothing, and the process exits. */
  #isUnconfirmed(): boolean {
    const confirming = this.#isConfirming ? undefined : this.#parts.confirmed?.();
    if (confirming === undefined) return this.#isConfirming;
    this.#isConfirming = true;
    confirming.then(
      () => {
        this.#isConfirming = false;
        this.#pump();
      },
      () => {},
    );
    return true;
  }

  get #isBatching(): boolean {
    const { lanes } = this.#parts.profile;
    const isWanted = lanes.order[0] === 'jsonBatch' && lanes.jsonBatch === 'by_limits';
    return isWanted && this.#limits.jsonEnabled && !this.#isBatchOff;
  }

  /** Actions that arrive while a batch is in flight form the next batch. */
  get #maxInFlight(): number {
    return this.#isBatching ? 1 : this.#limits.inFlight;
  }

  #pick(now: number) {
    const { pacer } = this.#parts;
    const most = this.#isBatching ? this.#limits.actions : 1;
    const picked: Job[] = [];
    const denied: { readonly job: Job; readonly denial: Denial }[] = [];
    for (const priority of priorities) {
      const queue = this.#queues[priority];
      for (let job = queue[0]; job !== undefined && picked.length < most; job = queue[0]) {
        const { account, otherKey } = job.send;
        if (pacer.readyAtMs(account, priority, now) > now) break;
        // An answer that refuses the key of a whole batch must not count against another key.
        if (picked.some(({ send }) => send.otherKey !== otherKey)) break;
        this.#leaveQueue(job);
        const denial = job.denial?.() ?? null;
        if (denial === null) {
          pacer.sent(account);
          picked.push(job);
        } else denied.push({ job, denial });
      }
    }
    return { picked, denied };
  }

  async #post(jobs: readonly Job[]): Promise<void> {
    const { clock, http, pacer, profile } = this.#parts;
    const [first] = jobs;
    if (first === undefined) return;
    this.#inFlight += 1;
    if (jobs.length > 1) this.#batch = jobs;
    const ready = jobs.length === 1 ? first.send.request : undefined;
    const request = ready ?? this.#requests.of(jobs.map(({ send }) => send));
    for (const { sent } of jobs) sent();
    const exchange = await http.exchange(request);
    if (this.#isStopped) return;
    this.#inFlight -= 1;
    if (this.#batch === jobs) this.#batch = [];
    const now = clock.now().monoMs;
    const headers = exchange.kind === 'response' ? exchange.headers : {};
    for (const { send } of jobs) pacer.answered(send.account, headers, now);
    const verdicts =
      jobs.length === 1
        ? [verdictOf(exchange, profile)]
        : verdictsOf(exchange, profile, jobs.length);
    const isBatchRefused = jobs.length > 1 && isRouteClosed(verdicts[0]);
    if (isBatchRefused) this.#isBatchOff = true;
    for (const [index, job] of jobs.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) throw new Error('fewer verdicts than actions');
      if (isBatchRefused && !job.isWithdrawn) this.#enqueue(job);
      else {
        this.#slowDown(job, verdict, now);
        job.answered(verdict);
      }
    }
    this.#pump();
  }

  #slowDown({ send }: Job, verdict: Verdict, now: number): void {
    if (!('retryAfterMs' in verdict) || verdict.retryAfterMs === null) return;
    const { pacer } = this.#parts;
    const untilMs = now + verdict.retryAfterMs;
    if (verdict.refusal.name === 'edge_limit') pacer.blockAll(untilMs);
    else pacer.block(send.account, untilMs);
  }
}

function unsent(name: string, text: string): Verdict {
  return { kind: 'unsent', refusal: venueRefusal(name), text };
}
