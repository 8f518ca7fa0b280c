/**
 * The relay of drop copies: the journals of the accounts and the readers that follow them. Readers are served in short
 * slices after order entry, so that none of them delays an order or another reader (docs/DROPCOPY.md, "Delivery").
 */
import { type Clock, every } from '../runtime/clock.ts';
import type { Transactions } from '../store/transactions.ts';
import { Acknowledgements } from './acknowledgements.ts';
import type { Copy, CopyFacts, ReportCopy } from './copy.ts';
import type { CopyFilter } from './copy-filter.ts';
import { CopyJournal, type Retention } from './copy-journal.ts';
import type { CopyMessage, CopyOutput } from './copy-output.ts';
import {
  answerRequest,
  type CopyRequest,
  openOrdersUnasked,
  type RequestParts,
  refused,
} from './copy-request.ts';
import type { CopyText } from './copy-text.ts';
import { Reader, type ReaderRules } from './reader.ts';
import {
  answerTrades,
  type TradeRefusal,
  type TradeRequest,
  tradeAnswer,
  tradeResults,
} from './trade-request.ts';

export interface RelayParts {
  readonly transactions: Transactions;
  readonly text: CopyText;
  readonly clock: Clock;
  /** Alarms with the same `about` are combined in the list of an operator. */
  readonly alarm: (text: string, about?: string) => void;
  /** The current state of every open order of an account. */
  readonly openOrders: (account: string) => Iterable<ReportCopy>;
  readonly retention: Retention;
  /** The maximum number of positions that one request may cover. */
  readonly maxCopies: number;
}

/** The reader's side of a drop-copy session, in either protocol. */
export interface ServedReader {
  readonly relay: Relay;
  readonly reader: Reader;
  readonly clock: Clock;
  /** The number of bytes that the peer has not read yet. */
  readonly unreadBytes: () => number;
}

/** A reader with this many unread bytes gets nothing more until it has read; its copies stay in the journal. */
export const maxUnreadBytes = 256 * 1024;
/** How long copies are collected before readers are served. */
const gatherMs = 2;
/** After this time a reader without room is checked again. */
const roomMs = 25;
/** How many readers one slice serves; a slice is one transaction. */
const slice = 4;
/**
 * The cost of serving a reader hardly depends on the number of copies: it is the message store, the position and the
 * socket. So there is a pause after each reader that was served, and many readers get larger slices instead of more
 * frequent ones.
 */
const restMs = 1;
/** How often confirmations are requested and failed reads are repeated. */
const confirmMs = 5_000;
const retainMs = 60_000;
const busyText = 'too many earlier requests wait for their answers';

export class Relay {
  readonly #parts: RelayParts;
  readonly #journals = new Map<string, CopyJournal>();
  readonly #readers = new Map<string, Reader>();
  readonly acknowledgements: Acknowledgements;
  /** The wall clock minus the monotonic clock at the start. */
  readonly #offsetMs: number;
  /** Readers that may have copies to get, in order. */
  #waiting: Reader[] = [];
  /** Whether this round has served a reader. */
  #isRoundBusy = false;
  /** The pause for order entry after the last slice. */
  #pauseMs = gatherMs;
  /** The delay with which the next slice was scheduled. */
  #armedMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  #isNoted = false;
  #cancels = { pump: () => {}, confirm: () => {}, retain: () => {} };

  constructor(parts: RelayParts) {
    this.#parts = parts;
    const { alarm, clock, transactions } = parts;
    const journals = this.#journals;
    this.acknowledgements = new Acknowledgements({ transactions, journals, alarm });
    const { monoMs, wallMs } = clock.now();
    this.#offsetMs = wallMs - monoMs;
    this.#cancels.confirm = every(clock, confirmMs, () => this.#confirm());
    this.#retainLater();
  }

  /**
   * `key` identifies the account in the store. Its reports are copied from now on if it is read, or was before, because
   * a reader that is configured again must not miss copies without a notice.
   */
  async follow(account: string, key: string, isRead = true): Promise<void> {
    if (this.#journals.has(account)) return;
    const journal = await CopyJournal.open(this.#parts.transactions, account, key);
    if (isRead || journal.end > 0) this.#journals.set(account, journal);
  }

  follows(account: string): boolean {
    return this.#journals.has(account);
  }

  get readers(): readonly Reader[] {
    return [...this.#readers.values()];
  }

  reader(name: string): Reader | undefined {
    return this.#readers.get(name);
  }

  async open(name: string, filter: CopyFilter, rules: ReaderRules): Promise<Reader> {
    const { alarm, text, transactions } = this.#parts;
    const facts = (copy: Copy<ReportCopy>) => text.facts(copy);
    const wake = () => this.wake();
    const parts = { name, transactions, journals: this.#journals, facts, wake, alarm };
    const reader = await Reader.open(parts, filter, rules);
    this.#readers.set(name, reader);
    return reader;
  }

  close(name: string): void {
    this.#readers.delete(name);
    this.#waiting = this.#waiting.filter((reader) => reader.name !== name);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of Object.values(this.#cancels)) cancel();
  }

  /** Whether any reader wants clients' requests. */
  get isWatched(): boolean {
    for (const { filter } of this.#readers.values()) if (filter.requests) return true;
    return false;
  }

  /** Called within a transaction: each reader of the account gets this at this position. */
  copy(account: string, facts: CopyFacts, seq: number): void {
    const journal = this.#journals.get(account);
    if (journal === undefined) return;
    journal.append(facts, seq, this.#parts.clock.now().wallMs);
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#parts.transactions.after(() => {
      this.#isNoted = false;
      this.wake();
    });
  }

  /** The day has ended: every reader gets its totals after all copies of that day. */
  endDay(day: string): void {
    this.#parts.transactions.run(() => {
      for (const account of this.#journals.keys()) this.copy(account, { kind: 'day', day }, 0);
    });
  }

  /** Called within a transaction when a reader has logged on. */
  arrived(reader: Reader): void {
    if (reader.rules.openOrders)
      reader.introduce(() => openOrdersUnasked(this.#requestParts(reader)));
    else reader.introduced();
    this.wake();
  }

  /** Called within a transaction. */
  ask(reader: Reader, output: CopyOutput, request: CopyRequest): void {
    if (reader.ask(answerRequest(request, this.#requestParts(reader)))) return;
    output.send(refused(request, { reason: 'busy', text: busyText }));
  }

  /** Called within a transaction. */
  askTrades(reader: Reader, output: CopyOutput, request: TradeRequest): void {
    const send = (message: CopyMessage) => output.send(message);
    const { criteria, requestType, subscription, tradeRequestId } = request;
    if (requestType !== 0 && requestType !== 1) {
      const text = `TradeRequestType(569)=${requestType} is not offered`;
      send(tradeAnswer(request, 'rejected', { result: tradeResults.typeNotSupported, text }));
      return;
    }
    if (subscription === 'unsubscribe') {
      reader.subscribe(null);
      send(tradeAnswer(request, 'completed', { total: 0 }));
      return;
    }
    const job = answerTrades(request, reader, this.#journals);
    if (!reader.ask(job)) {
      send(tradeAnswer(request, 'rejected', { result: tradeResults.other, text: busyText }));
    } else if (subscription === 'subscribe') reader.subscribe({ tradeRequestId, criteria });
  }

  /** The reader's response does not change the trade. A reader that refuses every trade must not fill a list alone. */
  tradeRefused(reader: Reader, { reason, text, tradeReportId }: TradeRefusal): void {
    const why = `TradeReportRejectReason(751)=${reason ?? 'none'}, ${text ?? 'none'}`;
    const about = `${reader.name} refuses trades`;
    this.#parts.alarm(`${reader.name} refuses trade ${tradeReportId}: ${why}`, about);
  }

  /** Called if there may be something to send. */
  wake(): void {
    this.#arm(this.#pauseMs);
  }

  /** Removes copies beyond retention. A wall clock that is ahead for a moment must not make copies old. */
  async retain(): Promise<void> {
    const { alarm, clock, retention } = this.#parts;
    const { monoMs, wallMs } = clock.now();
    const nowMs = Math.min(wallMs, monoMs + this.#offsetMs);
    for (const journal of this.#journals.values()) {
      try {
        while (!this.#isStopped && (await journal.retain(retention, nowMs))) {}
      } catch (error) {
        const why = error instanceof Error ? error.message : error;
        alarm(`${journal.account}: copies beyond retention cannot be removed: ${why}`);
      }
    }
  }

  #requestParts(reader: Reader): RequestParts {
    const { maxCopies, openOrders } = this.#parts;
    return { reader, openOrders, maxCopies, journals: this.#journals };
  }

  #arm(delayMs: number): void {
    if (this.#isStopped || delayMs >= this.#armedMs) return;
    this.#cancels.pump();
    this.#armedMs = delayMs;
    const { clock } = this.#parts;
    this.#cancels.pump = clock.at(clock.now().monoMs + delayMs, () => {
      this.#armedMs = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }

  /** Serves one slice. Readers take turns; a reader with more copies waits for the next round. */
  #pump(): void {
    if (this.#waiting.length === 0) {
      this.#waiting = [...this.readers];
      this.#isRoundBusy = false;
    }
    const served = this.#parts.transactions.run(() => this.#serve());
    this.#isRoundBusy ||= served > 0;
    this.#pauseMs = Math.max(gatherMs, served * restMs);
    if (this.#waiting.length > 0 || this.#isRoundBusy) this.#arm(this.#pauseMs);
    else if (this.readers.some(({ isHeldUp }) => isHeldUp)) this.#arm(roomMs);
  }

  /** Returns how many of the readers in this slice were served. */
  #serve(): number {
    let served = 0;
    while (served < slice) {
      const reader = this.#waiting.shift();
      if (reader === undefined) break;
      if (reader.feed()) served += 1;
    }
    return served;
  }

  #confirm(): void {
    for (const reader of this.readers) {
      this.#parts.transactions.run(() => reader.askConfirmation());
      reader.readAgain();
    }
  }

  /** Not while the copies of the time before are still being removed. */
  #retainLater(): void {
    const { clock } = this.#parts;
    this.#cancels.retain = clock.at(clock.now().monoMs + retainMs, () => {
      void this.retain().finally(() => {
        if (!this.#isStopped) this.#retainLater();
      });
    });
  }
}
