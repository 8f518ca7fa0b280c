/**
 * One drop-copy reader: it follows the journal of each of its accounts at its own position and at its own speed
 * (docs/DROPCOPY.md, "Delivery"). A batch and the reader's new position are one commit, so a restart neither loses nor
 * duplicates a copy. If the session's numbers restart, copies after the last acknowledged one are sent again with
 * PossResend(97)=Y.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Transactions } from '../store/transactions.ts';
import type { Copy, ReportCopy } from './copy.ts';
import { type CopyFilter, passes } from './copy-filter.ts';
import type { CopyJournal } from './copy-journal.ts';
import { type CopyMessage, type CopyOutput, NotWritable } from './copy-output.ts';
import { counted, noTotals, type Totals } from './copy-totals.ts';
import {
  decodeState,
  encodeState,
  type Mark,
  noState,
  type ReaderState,
  shownAt,
  type Track,
  type TradeSubscription,
  trackFrom,
} from './reader-state.ts';
import { isTradeOf } from './trade-criteria.ts';
import { Unconfirmed } from './unconfirmed.ts';

export interface ReaderRules {
  /** Whether the reader gets every ExecutionReport, or only the trades that it subscribes to. */
  readonly reports: boolean;
  /** What determines the acknowledged position: the session, or only the reader's CopyAcknowledge. */
  readonly acknowledge: 'session' | 'reader';
  /** Whether it gets the open orders at its first logon. */
  readonly openOrders: boolean;
}

export interface ReaderParts {
  /** The name of the session. */
  readonly name: string;
  readonly transactions: Transactions;
  /** By the account's alias. */
  readonly journals: ReadonlyMap<string, CopyJournal>;
  /** The text of a copy that the chained hash covers. */
  readonly facts: (copy: Copy<ReportCopy>) => Uint8Array;
  /** Called if there may be more to send. */
  readonly wake: () => void;
  readonly alarm: (text: string) => void;
}

/** A response to a request in pieces, produced as fast as the reader reads. */
export type Job = AsyncIterator<readonly CopyMessage[]>;

/** The number of copies that one transaction sends. */
const batch = 64;
const readAtOnce = 256;
const maxJobs = 4;
/** How many previous filters are kept, because copies from before a change must pass them as well. */
const maxEarlier = 16;

/** A filter that applied up to these positions of the accounts. */
interface Earlier {
  readonly filter: CopyFilter;
  readonly ends: Readonly<Record<string, number>>;
}

/** An account's journal and the reader's position in it. */
type Follow = readonly [journal: CopyJournal, track: Track];

export class Reader {
  readonly name: string;
  readonly #parts: ReaderParts;
  #filter: CopyFilter;
  #earlier: readonly Earlier[] = [];
  #rules: ReaderRules;
  #output: CopyOutput | undefined;
  #state: ReaderState;
  #recorded: ReaderState | undefined;
  readonly #unconfirmed = new Unconfirmed();
  #jobs: Job[] = [];
  /** The open orders, which the reader gets once. */
  #introduction: Job | undefined;
  /** `over`: a copy cannot be written, so this process sends the reader nothing more. */
  #reading: 'no' | 'under way' | 'failed' | 'over' = 'no';
  /** It was reported that the copies cannot be read, and none were read since. */
  #isUnreadable = false;
  /** Responses to requests get a turn after each batch, however busy the accounts are. */
  #isJobNext = false;

  static async open(parts: ReaderParts, filter: CopyFilter, rules: ReaderRules): Promise<Reader> {
    const kept = await parts.transactions.store.snapshot(streamOf(parts.name));
    const state = kept && decodeState(kept.payload, parts.name);
    return new Reader(parts, filter, rules, state);
  }

  private constructor(
    parts: ReaderParts,
    filter: CopyFilter,
    rules: ReaderRules,
    state: ReaderState | undefined,
  ) {
    this.name = parts.name;
    this.#parts = parts;
    this.#filter = filter;
    this.#rules = rules;
    this.#state = state ?? noState;
    this.refilter(filter);
  }

  get filter(): CopyFilter {
    return this.#filter;
  }

  get rules(): ReaderRules {
    return this.#rules;
  }

  get subscription(): TradeSubscription | null {
    return this.#state.subscription;
  }

  get isHere(): boolean {
    return this.#output?.isHere === true;
  }

  /** The number of requests that have not been answered completely. */
  get asked(): number {
    return this.#jobs.length;
  }

  /** Whether it is logged on and has copies to get, but no room for them. */
  get isHeldUp(): boolean {
    const output = this.#output;
    return output?.isHere === true && !output.hasRoom && (this.behind > 0 || this.#jobs.length > 0);
  }

  /** The number of copies of its accounts that were neither sent nor filtered out yet. */
  get behind(): number {
    return this.#follows().reduce((sum, follow) => sum + backlog(follow), 0);
  }

  /** The number of positions that were sent but not acknowledged. */
  get unacknowledged(): number {
    return this.#follows().reduce(
      (sum, [, { acked, sent }]) => sum + sent.position - acked.position,
      0,
    );
  }

  sees(account: string): boolean {
    return this.#filter.accounts.includes(account);
  }

  totals(account: string): Totals {
    return this.#state.tracks[account]?.sent.totals ?? noTotals;
  }

  /** Whether copies that the reader has counted are still to be sent again, so that the totals do not have them. */
  isRepeating(account: string): boolean {
    return (this.#state.tracks[account]?.sent.position ?? 0) < this.furthest(account);
  }

  acknowledged(account: string): number {
    return this.#state.tracks[account]?.acked.position ?? 0;
  }

  /** Copies up to this position may have been sent. */
  furthest(account: string): number {
    return this.#state.tracks[account]?.furthest ?? 0;
  }

  bind(output: CopyOutput): void {
    this.#output = output;
    this.#unconfirmed.begin(output.nextSeq - 1, this.#marks(), this.#state.isRejected);
  }

  /**
   * Called within a transaction at each logon: sends these messages, again if an earlier connection closed before the
   * last of them was sent.
   */
  introduce(job: () => Job): void {
    if (this.#state.isJoined) return;
    this.#introduction = job();
    this.ask(this.#introduction);
  }

  /** Called within a transaction: nothing more has to be sent because of the first logon. */
  introduced(): void {
    if (this.#state.isJoined) return;
    this.#record({ isJoined: true });
  }

  /**
   * Called within a transaction, from time to time: records how far the reader is, so that the next start does not pass
   * over the same copies again, and requests a confirmation if sent copies are not acknowledged yet.
   */
  askConfirmation(): void {
    if (this.#state !== this.#recorded) this.#record();
    if (this.#output?.hasRoom !== true || this.#rules.acknowledge !== 'session') return;
    if (this.unacknowledged > 0) this.#output.askConfirmation();
  }

  /**
   * Applies a filter from the next copy on; waiting copies must pass the previous filter as well. A new account is
   * followed from its newest copy; the day's totals of a removed one are kept, in case it is added again.
   */
  refilter(filter: CopyFilter, rules = this.#rules): void {
    if (!isDeepStrictEqual(filter, this.#filter)) this.#keepFilter();
    this.#filter = filter;
    this.#rules = rules;
    const tracks: Record<string, Track> = {};
    const left = { ...this.#state.left };
    for (const account of filter.accounts) {
      const journal = this.#parts.journals.get(account);
      if (journal === undefined) continue;
      const { position = 0, ...totals } = { ...noTotals, ...left[account] };
      const since = journal.dayEnd > position ? noTotals : totals;
      tracks[account] = this.#state.tracks[account] ?? trackFrom(journal.end, since);
      delete left[account];
    }
    for (const [account, { sent }] of Object.entries(this.#state.tracks)) {
      if (tracks[account] === undefined)
        left[account] = { ...sent.totals, position: sent.position };
    }
    this.#parts.transactions.run(() => this.#record({ tracks, left }));
    this.#parts.wake();
  }

  subscribe(subscription: TradeSubscription | null): void {
    this.#record({ subscription });
  }

  /** Returns false if too many requests are waiting. */
  ask(job: Job): boolean {
    if (this.#jobs.length >= maxJobs) return false;
    this.#jobs.push(job);
    this.#parts.wake();
    return true;
  }

  /** The connection has closed: its requests are dropped. */
  left(): void {
    this.#jobs = [];
  }

  /**
   * Called within a transaction: every message up to this number was received. That does not acknowledge rejected
   * copies.
   */
  confirmed(seq: number): void {
    if (this.#rules.acknowledge !== 'session') return;
    const marks = this.#unconfirmed.takeTo(seq);
    if (marks !== undefined) this.#acknowledge(marks);
  }

  /**
   * Called within a transaction: the peer rejected this message. If it was a copy, it stays unacknowledged with all
   * later copies until the reader acknowledges it or the numbers restart.
   */
  rejected(seq: number): void {
    if (this.#unconfirmed.reject(seq)) this.#record({ isRejected: true });
  }

  /**
   * Called within a transaction: the reader itself acknowledges everything of an account up to this position. Only
   * complete batches count, because their totals are known; a replay may therefore start a few copies early.
   */
  acknowledge(account: string, position: number): void {
    const mark = this.#unconfirmed.markTo(account, position);
    if (mark === undefined) return;
    this.#acknowledge({ [account]: mark });
    this.#unconfirmed.forget((name) => this.acknowledged(name));
    const { isRejected } = this.#unconfirmed;
    if (isRejected !== this.#state.isRejected) this.#record({ isRejected });
  }

  /** Called within a transaction: the old numbers can no longer be resent, so unacknowledged copies are sent again. */
  begunAnew(): void {
    this.#unconfirmed.clear();
    this.#state = { ...this.#state, isRejected: false };
    this.#change((track) => ({ ...track, sent: track.acked }));
    this.#parts.wake();
  }

  /**
   * Called within a transaction: sends the next copies, or starts to read them; returns false if there is nothing to
   * do.
   */
  feed(): boolean {
    const output = this.#output;
    if (output?.hasRoom !== true || this.#reading !== 'no') return false;
    const [job] = this.#jobs;
    if ((job === undefined || !this.#isJobNext) && this.#sendNext(output)) {
      this.#isJobNext = true;
      return true;
    }
    this.#isJobNext = false;
    if (job !== undefined) this.#work(job);
    return job !== undefined;
  }

  /** Called from time to time: repeats a read that failed. */
  readAgain(): void {
    if (this.#reading !== 'failed') return;
    this.#reading = 'no';
    this.#parts.wake();
  }

  /** Sends copies of the account that is furthest behind, so that a busy one delays no other. False if all are sent. */
  #sendNext(output: CopyOutput): boolean {
    const [next] = this.#follows().toSorted((a, b) => backlog(b) - backlog(a));
    if (next === undefined || backlog(next) === 0) return false;
    const [journal, track] = next;
    const { position } = track.sent;
    const after = Math.max(position, journal.first - 1);
    const copies = journal.recent(after, batch);
    if (copies === undefined) this.#read(journal, after, position);
    else this.#send(output, { journal, track, copies });
    return true;
  }

  #read(journal: CopyJournal, after: number, position: number): void {
    this.#awaitRead(journal.read(after, readAtOnce), (output, copies) => {
      const track = this.#state.tracks[journal.account];
      // By now the numbers may have been reset, the account removed, or a new connection may not have room yet.
      if (output.hasRoom && track?.sent.position === position)
        this.#send(output, { journal, track, copies });
    });
  }

  /**
   * Sends the copies that were read, in a transaction, if the reader is connected. If they are unreadable, the reader
   * waits for `readAgain`.
   */
  #awaitRead<T>(reading: Promise<T>, send: (output: CopyOutput, read: T) => void): void {
    this.#reading = 'under way';
    reading.then(
      (read) => {
        this.#reading = 'no';
        this.#isUnreadable = false;
        const output = this.#output;
        // The response to a request is sent even without room, because it is read only once.
        if (output?.isHere === true) this.#parts.transactions.run(() => send(output, read));
        this.#parts.wake();
      },
      (error: unknown) => {
        this.#reading = 'failed';
        if (!this.#isUnreadable) this.#unreadable(error);
        this.#isUnreadable = true;
      },
    );
  }

  #unreadable(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#parts.alarm(`${this.name}: copies cannot be read: ${why}`);
  }

  /** Trading and other readers go on; an error of another kind may have left the session half changed. */
  #reportUnwritten(error: unknown, what: string): void {
    if (!(error instanceof NotWritable)) throw error;
    this.#parts.alarm(`${this.name}: ${what} cannot be written: ${error.message}`);
  }

  #send(
    output: CopyOutput,
    { journal, track, copies }: { journal: CopyJournal; track: Track; copies: readonly Copy[] },
  ): void {
    const { account } = journal;
    const { nextSeq } = output;
    let { acked, sent } = track;
    const [first] = copies;
    if (first !== undefined && first.position > sent.position + 1) {
      const to = first.position - 1;
      output.send({ kind: 'lost', account, from: sent.position + 1, to });
      const lost = sent.totals.lost + to - sent.position;
      sent = { position: to, totals: { ...sent.totals, lost } };
    }
    for (const copy of copies) {
      const possResend = copy.position <= track.furthest;
      const { nextSeq: before } = output;
      try {
        const totals = this.#sendCopy(output, account, copy, possResend, sent);
        const isShown = output.nextSeq > before;
        sent = {
          position: copy.position,
          totals,
          shown: isShown ? copy.position : shownAt(sent),
        };
        // Nothing that was sent waits to be acknowledged, and this was not.
        if (!isShown && shownAt(acked) === sent.shown) acked = sent;
      } catch (error) {
        this.#reading = 'over';
        this.#reportUnwritten(error, `copy ${copy.position} of account ${account}`);
        break;
      }
    }
    if (sent === track.sent) return;
    const furthest = Math.max(track.furthest, sent.position);
    this.#state = {
      ...this.#state,
      tracks: { ...this.#state.tracks, [account]: { acked, sent, furthest } },
    };
    this.#unconfirmed.add(nextSeq, output.nextSeq - 1, this.#marks());
    if (output.nextSeq > nextSeq) this.#record();
  }

  /** Returns the totals after this copy. */
  #sendCopy(
    output: CopyOutput,
    account: string,
    copy: Copy,
    possResend: boolean,
    { totals }: Mark,
  ): Totals {
    if (copy.kind === 'day') {
      const { day } = copy;
      if (this.#rules.reports)
        output.send({ kind: 'totals', account, totals, day, possResend, reqId: null });
      return noTotals;
    }
    if (copy.kind === 'gap') {
      output.send({ kind: 'gap', copy, account, possResend });
      return totals;
    }
    if (!this.#mayReceive(account, copy)) return totals;
    if (copy.kind === 'request') {
      output.send({ kind: 'request', copy, account, possResend, reqId: null });
      return totals;
    }
    const { subscription } = this.#state;
    if (subscription !== null && isTradeOf(subscription.criteria, copy.report)) {
      const { tradeRequestId } = subscription;
      output.send({ kind: 'trade', copy, possResend, tradeRequestId, isLast: null });
    }
    if (!this.#rules.reports) return totals;
    output.send({ kind: 'report', copy, possResend, reqId: null });
    return counted(totals, copy.report, this.#parts.facts(copy));
  }

  #keepFilter(): void {
    const ends = Object.fromEntries(this.#follows().map(([{ account, end }]) => [account, end]));
    this.#earlier = [...this.#earlier, { filter: this.#filter, ends }].slice(-maxEarlier);
  }

  #mayReceive(account: string, copy: Copy): boolean {
    const allowedThen = this.#earlier.every(
      ({ ends, filter }) => copy.position > (ends[account] ?? 0) || passes(filter, copy),
    );
    return allowedThen && passes(this.#filter, copy);
  }

  /** A response that fails ends, and the copies continue. */
  #work(job: Job): void {
    const next = job.next().catch((error: unknown) => {
      this.#unreadable(error);
      return { done: true, value: [] } as const;
    });
    this.#awaitRead(next, (output, { value, done }) => {
      // Requests of an earlier connection are dropped.
      if (!this.#jobs.includes(job)) return;
      if (done !== true) {
        try {
          for (const message of value) output.send(message);
          return;
        } catch (error) {
          this.#reportUnwritten(error, 'the answer to a request');
        }
      }
      this.#jobs = this.#jobs.filter((other) => other !== job);
      if (done === true && job === this.#introduction) this.introduced();
    });
  }

  #follows(): readonly Follow[] {
    return Object.entries(this.#state.tracks).flatMap(([account, track]) => {
      const journal = this.#parts.journals.get(account);
      return journal === undefined ? [] : [[journal, track] as const];
    });
  }

  #marks(): Readonly<Record<string, Mark>> {
    return Object.fromEntries(
      Object.entries(this.#state.tracks).map(([account, { sent }]) => [account, sent]),
    );
  }

  #acknowledge(marks: Readonly<Record<string, Mark>>): void {
    this.#change((track, account) => {
      const mark = marks[account];
      return mark !== undefined && mark.position > track.acked.position
        ? { ...track, acked: mark }
        : track;
    });
  }

  #change(next: (track: Track, account: string) => Track): void {
    const tracks = Object.fromEntries(
      Object.entries(this.#state.tracks).map(([account, track]) => [account, next(track, account)]),
    );
    this.#record({ tracks });
  }

  #record(changes: Partial<ReaderState> = {}): void {
    this.#state = { ...this.#state, ...changes };
    this.#recorded = this.#state;
    const payload = encodeState(this.#state);
    this.#parts.transactions.write({
      kind: 'snapshot',
      stream: streamOf(this.name),
      position: 1,
      payload,
    });
  }
}

function streamOf(name: string): string {
  return `copy-reader/${name}`;
}

function backlog([journal, { sent }]: Follow): number {
  return journal.end - sent.position;
}
