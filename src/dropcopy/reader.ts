/**
 * One reader of drop copies: it follows the journals of its accounts, each at its own position, as fast as it reads and
 * no faster (docs/DROPCOPY.md, "Delivery"). A batch and the reader's new position are one commit, so a restart neither
 * loses nor doubles a copy. When the session's numbers start anew, the copies behind the last acknowledged one go out
 * again with PossResend(97)=Y.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Turns } from '../store/turns.ts';
import type { Copy, ReportCopy } from './copy.ts';
import { type CopyFilter, passes } from './copy-filter.ts';
import type { CopyJournal } from './copy-journal.ts';
import { counted, noTotals, type Totals } from './copy-totals.ts';
import {
  decodeState,
  encodeState,
  type Mark,
  noState,
  type ReaderState,
  type Track,
  type TradeSubscription,
  trackFrom,
} from './reader-state.ts';
import type { CopyOutput, Said } from './said.ts';
import { isTradeOf } from './trade-criteria.ts';

export interface ReaderRules {
  /** Whether the reader gets ExecutionReports unasked, or only the trades that it subscribes to. */
  readonly reports: boolean;
  /** What moves the acknowledged position: the peer's FIX engine, or the reader's own word. */
  readonly acknowledge: 'session' | 'reader';
}

export interface ReaderParts {
  /** The name of the session. */
  readonly name: string;
  readonly turns: Turns;
  readonly journal: (account: string) => CopyJournal | undefined;
  /** What the running hash covers of a copy. */
  readonly facts: (copy: Copy<ReportCopy>) => Uint8Array;
  /** There may be more to send. */
  readonly wake: () => void;
  readonly alarm: (text: string) => void;
}

/** What a reader asked for, in pieces, made as fast as it reads. */
export type Job = AsyncIterator<readonly Said[]>;

/** Copies in one turn. */
const batch = 64;
const readAtOnce = 256;
const mostJobs = 4;
/** Copies that a reader may not see, before its position is recorded nevertheless. */
const mostPassed = 1024;
/** Batches whose receipt is not confirmed yet; beyond this, two are taken for one. */
const mostUnconfirmed = 1024;
/** Filters that changed, which copies from before the change must pass too. */
const mostEarlier = 16;

interface Sent {
  /** The numbers of the messages of a batch. */
  readonly fromSeq: number;
  readonly seq: number;
  readonly marks: Readonly<Record<string, Mark>>;
  /** The peer rejected one of them: its engine has received it, and its reader has nothing of it. */
  readonly isRejected: boolean;
}

/** A filter that held up to these positions of the accounts. */
interface Earlier {
  readonly filter: CopyFilter;
  readonly ends: Readonly<Record<string, number>>;
}

/** An account's journal, and where the reader stands in it. */
type Follow = readonly [journal: CopyJournal, track: Track];

export class Reader {
  readonly name: string;
  readonly #parts: ReaderParts;
  #filter: CopyFilter;
  #earlier: readonly Earlier[] = [];
  #rules: ReaderRules;
  #voice: CopyOutput | undefined;
  #state: ReaderState;
  #unconfirmed: Sent[] = [];
  #jobs: Job[] = [];
  #isReading = false;
  /** What was asked for has its turn behind each batch, however busy the accounts are. */
  #isJobNext = false;

  static async open(parts: ReaderParts, filter: CopyFilter, rules: ReaderRules): Promise<Reader> {
    const kept = await parts.turns.store.snapshot(streamOf(parts.name));
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
    return this.#voice?.isHere === true;
  }

  /** Replays and lists that it asked for and has not been told in full. */
  get asked(): number {
    return this.#jobs.length;
  }

  /** It is there and has something to be told, and no room for it. */
  get isHeldUp(): boolean {
    const voice = this.#voice;
    return voice?.isHere === true && !voice.hasRoom && (this.behind > 0 || this.#jobs.length > 0);
  }

  /** How many copies of its accounts it has not been sent yet, or looked at. */
  get behind(): number {
    return this.#follows().reduce((sum, follow) => sum + backlog(follow), 0);
  }

  /** How many positions were sent and are not acknowledged. */
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

  acknowledged(account: string): number {
    return this.#state.tracks[account]?.acked.position ?? 0;
  }

  /** Up to here copies may have been sent. */
  furthest(account: string): number {
    return this.#state.tracks[account]?.furthest ?? 0;
  }

  bind(voice: CopyOutput): void {
    this.#voice = voice;
    const isRejected = this.#state.isRejected;
    this.#unconfirmed = [{ fromSeq: 0, seq: voice.nextSeq - 1, marks: this.#marks(), isRejected }];
  }

  /** Inside a turn: true once, for a reader that has never been here. */
  join(): boolean {
    if (this.#state.isJoined) return false;
    this.#state = { ...this.#state, isJoined: true };
    this.#record();
    return true;
  }

  /** Inside a turn: asks what has arrived, if anything sent is not acknowledged. */
  askConfirmation(): void {
    if (this.#voice?.hasRoom !== true || this.#rules.acknowledge !== 'session') return;
    if (this.unacknowledged > 0) this.#voice.askConfirmation();
  }

  /**
   * From the next copy on: what waits to be told must pass the filter of its time as well. An account that is new here
   * is followed from its newest copy; of one that is gone the day's totals are kept, in case it comes back.
   */
  refilter(filter: CopyFilter, rules = this.#rules): void {
    if (!isDeepStrictEqual(filter, this.#filter)) this.#keepFilter();
    this.#filter = filter;
    this.#rules = rules;
    const tracks: Record<string, Track> = {};
    const left = { ...this.#state.left };
    for (const account of filter.accounts) {
      const journal = this.#parts.journal(account);
      if (journal === undefined) continue;
      tracks[account] =
        this.#state.tracks[account] ?? trackFrom(journal.end, left[account] ?? noTotals);
      delete left[account];
    }
    for (const [account, { sent }] of Object.entries(this.#state.tracks)) {
      if (tracks[account] === undefined) left[account] = sent.totals;
    }
    this.#state = { ...this.#state, tracks, left };
    this.#parts.turns.run(() => this.#record());
    this.#parts.wake();
  }

  subscribe(subscription: TradeSubscription | null): void {
    this.#state = { ...this.#state, subscription };
    this.#record();
  }

  /** False when it has asked for too much already. */
  ask(job: Job): boolean {
    if (this.#jobs.length >= mostJobs) return false;
    this.#jobs.push(job);
    this.#parts.wake();
    return true;
  }

  /** The connection is gone: what was asked for on it is dropped. */
  left(): void {
    this.#jobs = [];
  }

  /** Inside a turn: every message up to this number has been received. What was rejected is not acknowledged by that. */
  confirmed(seq: number): void {
    if (this.#rules.acknowledge !== 'session') return;
    const open = this.#unconfirmed.findIndex((sent) => sent.seq > seq || sent.isRejected);
    const count = open === -1 ? this.#unconfirmed.length : open;
    const last = this.#unconfirmed[count - 1];
    if (last === undefined) return;
    this.#unconfirmed.splice(0, count);
    this.#acknowledge(last.marks);
  }

  /**
   * Inside a turn: the peer rejected this message. A copy among those sent stays unacknowledged, with all behind it, until
   * the reader says that it has it or the numbers start anew.
   */
  rejected(seq: number): void {
    const at = this.#unconfirmed.findIndex((sent) => sent.fromSeq <= seq && seq <= sent.seq);
    const sent = this.#unconfirmed[at];
    if (sent === undefined) return;
    this.#unconfirmed[at] = { ...sent, isRejected: true };
    this.#state = { ...this.#state, isRejected: true };
    this.#record();
  }

  /**
   * Inside a turn: the reader itself says that it has all of an account up to this position. What counts are whole
   * batches, whose totals are known; a replay may begin a few copies early.
   */
  acknowledge(account: string, position: number): void {
    const last = this.#unconfirmed.findLast(({ marks }) => {
      const mark = marks[account];
      return mark !== undefined && mark.position <= position;
    });
    const mark = last?.marks[account];
    if (mark === undefined) return;
    this.#acknowledge({ [account]: mark });
    this.#unconfirmed = this.#unconfirmed.filter(({ marks }) =>
      Object.entries(marks).some(([name, { position: at }]) => at > this.acknowledged(name)),
    );
    const isRejected = this.#unconfirmed.some((sent) => sent.isRejected);
    if (isRejected === this.#state.isRejected) return;
    this.#state = { ...this.#state, isRejected };
    this.#record();
  }

  /** Inside a turn: nothing under the old numbers can be resent, so what is not acknowledged goes out again. */
  begunAnew(): void {
    this.#unconfirmed = [];
    this.#state = { ...this.#state, isRejected: false };
    this.#change((track) => ({ ...track, sent: track.acked }));
    this.#parts.wake();
  }

  /** Inside a turn: says what is next, a bounded number of copies, or sees to it; false when there is nothing to do. */
  feed(): boolean {
    const voice = this.#voice;
    if (voice?.hasRoom !== true || this.#isReading) return false;
    const [job] = this.#jobs;
    const isJobsTurn = job !== undefined && this.#isJobNext;
    if (!isJobsTurn && this.#tell(voice)) {
      this.#isJobNext = true;
      return true;
    }
    this.#isJobNext = false;
    if (job !== undefined) this.#work(job);
    return job !== undefined;
  }

  /**
   * The next copies of the account that is furthest behind, so that a busy one keeps no other waiting. False when all are
   * told.
   */
  #tell(voice: CopyOutput): boolean {
    const [next] = this.#follows().toSorted((a, b) => backlog(b) - backlog(a));
    if (next === undefined || backlog(next) === 0) return false;
    const [journal, track] = next;
    const { position } = track.sent;
    const after = Math.max(position, journal.first - 1);
    const copies = journal.recent(after, batch);
    if (copies === undefined) this.#read(journal, after, position);
    else this.#send(voice, { journal, track, copies });
    return true;
  }

  #read(journal: CopyJournal, after: number, position: number): void {
    this.#awaitRead(journal.read(after, readAtOnce), (voice, copies) => {
      const track = this.#state.tracks[journal.account];
      // Meanwhile the numbers may have started anew, or the account been taken away.
      if (track?.sent.position === position) this.#send(voice, { journal, track, copies });
    });
  }

  /** What was read is said in a turn, unless the reader is gone. A reader whose copies cannot be read stands still. */
  #awaitRead<T>(reading: Promise<T>, say: (voice: CopyOutput, read: T) => void): void {
    this.#isReading = true;
    reading.then(
      (read) => {
        this.#isReading = false;
        const voice = this.#voice;
        // Even where the room is gone meanwhile: what was read of a request is read once.
        if (voice?.isHere === true) this.#parts.turns.run(() => say(voice, read));
        this.#parts.wake();
      },
      (error: unknown) => this.#unreadable(error),
    );
  }

  #unreadable(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#parts.alarm(`${this.name}: copies cannot be read: ${why}`);
  }

  #send(
    voice: CopyOutput,
    { journal, track, copies }: { journal: CopyJournal; track: Track; copies: readonly Copy[] },
  ): void {
    const { account } = journal;
    const { nextSeq } = voice;
    let { sent } = track;
    const { position } = sent;
    const [first] = copies;
    if (first !== undefined && first.position > sent.position + 1) {
      const to = first.position - 1;
      voice.say({ kind: 'lost', account, from: sent.position + 1, to });
      const lost = sent.totals.lost + to - sent.position;
      sent = { position: to, totals: { ...sent.totals, lost } };
    }
    for (const copy of copies) {
      const possResend = copy.position <= track.furthest;
      sent = { position: copy.position, totals: this.#say(voice, account, copy, possResend, sent) };
    }
    const furthest = Math.max(track.furthest, sent.position);
    this.#state = {
      ...this.#state,
      tracks: { ...this.#state.tracks, [account]: { ...track, sent, furthest } },
    };
    let batchSent: Sent = {
      fromSeq: nextSeq,
      seq: voice.nextSeq - 1,
      marks: { ...this.#marks(), [account]: sent },
      isRejected: false,
    };
    if (this.#unconfirmed.length >= mostUnconfirmed) {
      const { fromSeq = nextSeq, isRejected = false } = this.#unconfirmed.pop() ?? {};
      batchSent = { ...batchSent, fromSeq, isRejected };
    }
    this.#unconfirmed.push(batchSent);
    // Copies that it may not see are passed over again by the next start, but not too many.
    const isFar = Math.floor(sent.position / mostPassed) > Math.floor(position / mostPassed);
    if (voice.nextSeq > nextSeq || isFar) this.#record();
  }

  /** Answers the totals behind this copy. */
  #say(
    voice: CopyOutput,
    account: string,
    copy: Copy,
    possResend: boolean,
    { totals }: Mark,
  ): Totals {
    if (copy.kind === 'day') {
      const { day } = copy;
      if (this.#rules.reports)
        voice.say({ kind: 'totals', account, totals, day, possResend, reqId: null });
      return noTotals;
    }
    if (copy.kind === 'gap') {
      voice.say({ kind: 'gap', copy, account, possResend });
      return totals;
    }
    if (!this.#mayHear(account, copy)) return totals;
    if (copy.kind === 'request') {
      voice.say({ kind: 'request', copy, account, possResend, reqId: null });
      return totals;
    }
    const { subscription } = this.#state;
    if (subscription !== null && isTradeOf(subscription.criteria, copy.report)) {
      const { tradeRequestId } = subscription;
      voice.say({ kind: 'trade', copy, possResend, tradeRequestId, isLast: null });
    }
    if (!this.#rules.reports) return totals;
    voice.say({ kind: 'report', copy, possResend, reqId: null });
    return counted(totals, copy.report, this.#parts.facts(copy));
  }

  #keepFilter(): void {
    const ends = Object.fromEntries(this.#follows().map(([{ account, end }]) => [account, end]));
    this.#earlier = [...this.#earlier, { filter: this.#filter, ends }].slice(-mostEarlier);
  }

  #mayHear(account: string, copy: Copy): boolean {
    const allowedThen = this.#earlier.every(
      ({ ends, filter }) => copy.position > (ends[account] ?? 0) || passes(filter, copy),
    );
    return allowedThen && passes(this.#filter, copy);
  }

  /** An answer that cannot be made ends, and the copies go on. */
  #work(job: Job): void {
    const next = job.next().catch((error: unknown) => {
      this.#unreadable(error);
      return { done: true, value: [] } as const;
    });
    this.#awaitRead(next, (voice, { value, done }) => {
      if (done === true) this.#jobs = this.#jobs.filter((other) => other !== job);
      else if (this.#jobs.includes(job)) for (const said of value) voice.say(said);
    });
  }

  #follows(): readonly Follow[] {
    return Object.entries(this.#state.tracks).flatMap(([account, track]) => {
      const journal = this.#parts.journal(account);
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
    this.#state = { ...this.#state, tracks };
    this.#record();
  }

  #record(): void {
    const payload = encodeState(this.#state);
    this.#parts.turns.write({
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
