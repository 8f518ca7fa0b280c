/**
 * The execution stream of one account (docs/ARCHITECTURE.md, "Durability"; contract G42, G73; R65-R76): a socket that
 * reconnects with backoff, gap-fill over HTTP, and the ordering of events from both. The consumer receives each event
 * once, in order, and stores its own cursor together with its reports to clients.
 */

import { backoffMs, type Random } from '../runtime/backoff.ts';
import { EventOrder, type EventStep } from './event-order.ts';
import { EventReader } from './event-reader.ts';
import { PrivateSocket, type PrivateSocketParts } from './private-socket.ts';
import { isRefusalNumber, type RefusalNumber } from './refusals.ts';
import type { VenueEvent } from './venue-event.ts';
import { VenueReadError, type VenueReads } from './venue-reads.ts';

/** `live`: every event of the venue was delivered. `latched`: only an operator can resume the stream. */
export type StreamState = 'live' | 'behind' | 'down' | 'latched';

export interface StreamConsumer {
  /** Receives events in order, each once. The next call waits until this one is done. */
  deliver(events: readonly VenueEvent[]): Promise<void>;
  state(state: StreamState, reason: string): void;
  /** Receives a numeric reason of the socket (contract D.5). */
  numbered(number: RefusalNumber, message: string): void;
  /** The venue no longer keeps the gap's events: orders are rebuilt from receipts before later events (R75). */
  rebuild(afterSeq: number, toSeq: number): Promise<void>;
  /** Receives a description of unusable input, which was requested again. */
  problem(text: string): void;
  /** The stream cannot continue until an operator has checked it; called once per new reason. */
  unanswered(text: string): void;
  /** The venue refuses the credential again and again. The stream still tries, but nobody should wait for it. */
  refused?(): void;
}

export interface ExecutionStreamParts extends PrivateSocketParts {
  /** The last seq that the consumer has stored; 0 starts at the beginning. */
  readonly lastSeq: number;
  readonly reads: VenueReads;
  readonly random: Random;
  readonly consumer: StreamConsumer;
}

/** The number of waiting events above which the socket is paused and no further page of the gap-fill is requested. */
const maxWaiting = 256;
/** Events that arrive while the consumer is busy are delivered together, in batches of this size. */
const maxAtOnce = 64;

export class ExecutionStream {
  readonly #parts: ExecutionStreamParts;
  readonly #order: EventOrder;
  readonly #reader: EventReader;
  #socket: PrivateSocket | null = null;
  #state: StreamState | null = null;
  #isStopped = false;
  /** The number of the last query; the answer to an earlier one says nothing about the state at the last. */
  #query = 0;
  #isConnectDue = false;
  #failures = 0;
  #waiting: VenueEvent[] = [];
  #isDelivering = false;
  #delivery: Promise<void> = Promise.resolve();
  #deliveredSeq: number;
  /** The stream is live again once the consumer has all events up to this seq. */
  #liveAtSeq: number | null = null;
  /** The next page of the gap-fill, which is requested once the consumer has most of the previous page. */
  #nextPage: number | null = null;
  #timers = new Map<string, () => void>();
  #unanswered = '';

  constructor(parts: ExecutionStreamParts) {
    this.#parts = parts;
    this.#deliveredSeq = parts.lastSeq;
    this.#order = new EventOrder(parts.profile.stream, parts.lastSeq);
    this.#reader = new EventReader(parts.profile.stream);
  }

  get lastSeq(): number {
    return this.#order.lastSeq;
  }

  /** For the metrics (R76): counts since the start, and the number of known events not delivered yet. */
  get counts(): Readonly<EventOrder['counts']> & { readonly lag: number } {
    return { ...this.#order.counts, lag: this.#order.lag };
  }

  start(): void {
    this.#move('down', 'not connected yet');
    this.#resume();
    this.#periodicFill();
  }

  /** Queries whether there are undelivered events; nothing else detects the loss of the last frame. */
  probe(): void {
    if (!this.#isStopped && this.#state !== 'down') this.#take(this.#order.suspect());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#socket?.close('stopped');
    await this.#delivery;
  }

  /**
   * Reads events that were missed before the subscription: the venue first replays on it the events from `fromSeq` on,
   * and live events follow.
   */
  #resume(): void {
    if (this.#isStopped || this.#order.latch !== null) return;
    this.#isConnectDue = true;
    this.#take(this.#order.connected());
  }

  #connect(): void {
    this.#isConnectDue = false;
    if (this.#isStopped || this.#order.latch !== null) return;
    const { consumer } = this.#parts;
    const socket = new PrivateSocket(this.#parts, this.#order.lastSeq + 1, {
      subscribed: () => {
        this.#unanswered = '';
        this.#move('behind', 'filling what was missed');
        this.#take(this.#order.connected());
      },
      event: (value) => this.#received(value),
      error: (number, message) => {
        if (isRefusalNumber(number)) consumer.numbered(number, message);
        else consumer.problem(`the stream says: ${message}`);
        if (!isRefusalNumber(number)) this.#take(this.#order.suspect());
      },
      strange: (problem) => {
        consumer.problem(problem);
        this.#take(this.#order.suspect());
      },
      unanswered: (problem) => {
        if (problem !== this.#unanswered) consumer.unanswered(problem);
        this.#unanswered = problem;
      },
      closed: (reason) => this.#closed(reason),
    });
    this.#socket = socket;
    void socket.open();
  }

  #closed(reason: string): void {
    this.#socket = null;
    if (this.#isStopped || this.#order.latch !== null) return;
    if (this.#state === 'down') this.#parts.consumer.problem(`still no stream: ${reason}`);
    // After a short outage little was missed, so the first attempt subscribes at once, which shortens the time during
    // which orders are refused.
    const isShort = this.#state === 'live';
    this.#move('down', reason);
    this.#timer('connect', this.#backoff(), () => {
      if (isShort) this.#connect();
      else this.#resume();
    });
  }

  #received(value: unknown): void {
    for (const one of Array.isArray(value) ? value : [value]) {
      let event: VenueEvent;
      try {
        event = this.#reader.read(one);
      } catch (error) {
        this.#parts.consumer.problem((error as Error).message);
        this.#take(this.#order.suspect());
        continue;
      }
      if (event.account !== this.#parts.account) {
        this.#parts.consumer.problem(`event ${event.seq} is of account ${event.account}`);
        continue;
      }
      this.#take(this.#order.live(event, this.#parts.clock.now().monoMs));
    }
  }

  #take(steps: readonly EventStep[]): void {
    for (const step of steps) {
      switch (step.kind) {
        case 'deliver':
          this.#deliver(step.events);
          break;
        case 'fill':
          if (this.#waiting.length >= maxWaiting) this.#nextPage = step.fromSeq;
          else void this.#fill(step.fromSeq);
          break;
        case 'wait':
          this.#timer('hole', step.untilMs - this.#parts.clock.now().monoMs, () =>
            this.#take(this.#order.time(this.#parts.clock.now().monoMs)),
          );
          break;
        case 'latch':
          this.#move('latched', step.reason);
          this.#socket?.close(step.reason);
      }
    }
    this.#follow();
    if (this.#isConnectDue && !this.#order.isCatchingUp) this.#connect();
  }

  /** An order that is sent before the consumer has the missed events would wait for its own behind all of them. */
  #follow(): void {
    const { isBehind, lastSeq } = this.#order;
    if (this.#state === 'live' && isBehind) this.#move('behind', 'a hole in seq');
    if (this.#state !== 'behind' || isBehind) {
      this.#liveAtSeq = null;
      return;
    }
    this.#liveAtSeq ??= lastSeq;
    if (this.#deliveredSeq >= this.#liveAtSeq) this.#move('live', 'caught up');
  }

  #deliver(events: readonly VenueEvent[]): void {
    this.#failures = 0;
    for (const event of events) this.#waiting.push(event);
    if (this.#waiting.length >= maxWaiting) this.#socket?.pause();
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    this.#delivery = this.#deliverWaiting();
  }

  async #deliverWaiting(): Promise<void> {
    // The events of one read of the socket are delivered together.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) {
        const events = this.#waiting.splice(0, maxAtOnce);
        await this.#parts.consumer.deliver(events);
        this.#deliveredSeq = events.at(-1)?.seq ?? this.#deliveredSeq;
        if (this.#waiting.length < maxWaiting / 2) this.#readOn();
        this.#follow();
      }
    } catch (error) {
      this.#waiting = [];
      this.#halt(`the consumer failed: ${(error as Error).message}`);
    }
    this.#isDelivering = false;
  }

  #readOn(): void {
    this.#socket?.resume();
    const fromSeq = this.#nextPage;
    this.#nextPage = null;
    if (fromSeq !== null) void this.#fill(fromSeq);
  }

  async #fill(fromSeq: number): Promise<void> {
    if (this.#isStopped) return;
    this.#query += 1;
    const query = this.#query;
    const { account, consumer, profile, reads } = this.#parts;
    try {
      const page = await reads.gapFill(account, fromSeq);
      if (this.#isStopped || query !== this.#query) return;
      // The answer may belong to another request; nothing of it is used.
      const other = page.events.find((event) => event.account !== account);
      if (other !== undefined) {
        const text = `event ${other.seq} is of account ${other.account}`;
        throw new VenueReadError(`${profile.routes.gapFill}: ${text}`);
      }
      const before = this.#order.lastSeq;
      const steps = this.#order.filled(page.events, page.lastSeq, page.complete);
      const isStuck = this.#order.lastSeq === before && steps.some(({ kind }) => kind === 'fill');
      this.#take(isStuck ? steps.filter(({ kind }) => kind !== 'fill') : steps);
      if (isStuck) this.#fillLater('the gap-fill does not have what is missing');
    } catch (error) {
      if (!(error instanceof VenueReadError)) throw error;
      if (query !== this.#query) return;
      const isTooOld = error.reason === profile.gapFill.tooOldCause;
      if (isTooOld && (await this.#rebuild())) return;
      consumer.problem(error.message);
      // The first refusal may be for a clock that has been corrected since.
      if (error.isOfCredential && this.#failures > 0) consumer.refused?.();
      this.#fillLater(error.message);
    }
  }

  /** Receipts reach back further. Receipts that are read after the count include every event up to it. */
  async #rebuild(): Promise<boolean> {
    const { account, consumer, reads } = this.#parts;
    try {
      const latest = await reads.lastSeq(account);
      if (latest <= this.#order.lastSeq) return false;
      // Without a subscription the stream stays down.
      const reason = 'the gap is older than the venue keeps; rebuilding from receipts';
      if (this.#state !== 'down') this.#move('behind', reason);
      await this.#delivery;
      await consumer.rebuild(this.#order.lastSeq, latest);
      this.#deliveredSeq = Math.max(this.#deliveredSeq, latest);
      this.#take(this.#order.rebuiltTo(latest));
      // The subscription requested events that are no longer kept, so the venue sends nothing on it.
      this.#socket?.close('what was subscribed is not kept; subscribing behind it');
      return true;
    } catch (error) {
      consumer.problem(`cannot rebuild from receipts: ${(error as Error).message}`);
      return false;
    }
  }

  #fillLater(reason: string): void {
    this.#order.fillFailed();
    if (this.#isConnectDue) this.#connect();
    // A new subscription requests the gap again.
    if (this.#isStopped || this.#state === 'latched' || this.#state === 'down') return;
    if (this.#state === 'live') this.#move('behind', reason);
    this.#timer('fill', this.#backoff(), () => this.#take(this.#order.suspect()));
  }

  /** A lost last frame leaves no gap, and a venue-wide seq has gaps anyway, so only a query detects it (G48). */
  #periodicFill(): void {
    this.#timer('periodic', this.#parts.profile.stream.periodicFillMs, () => {
      this.#take(this.#order.suspect());
      this.#periodicFill();
    });
  }

  #halt(reason: string): void {
    this.#isStopped = true;
    this.#move('latched', reason);
    this.#socket?.close(reason);
  }

  #backoff(): number {
    this.#failures += 1;
    return backoffMs(this.#parts.profile.backoff, this.#failures, this.#parts.random);
  }

  #move(state: StreamState, reason: string): void {
    if (this.#state === state) return;
    if (state === 'live') this.#failures = 0;
    this.#state = state;
    this.#parts.consumer.state(state, reason);
  }

  #timer(name: string, afterMs: number, callback: () => void): void {
    this.#timers.get(name)?.();
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    this.#timers.set(name, clock.at(clock.now().monoMs + Math.max(0, afterMs), callback));
  }
}
