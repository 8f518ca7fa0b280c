/**
 * Connects one session, one connection at a time, and the store. What the session records in a transaction is durable
 * before the bytes of that transaction are sent (docs/ARCHITECTURE.md, "Durability"). Replays and held messages are
 * read from the store only as fast as the peer reads. The session is called when its timers are due.
 */
import type { Clock, Instant } from '../runtime/clock.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import { Latency, nowUs } from '../runtime/latency.ts';
import type { Link } from './link.ts';
import type { Recorder } from './recorder.ts';
import type { Effects, Peer, Session, SessionWrite } from './session.ts';

export const defaultHostLimits = {
  /** A peer that leaves more than this unread is disconnected; its messages remain stored. */
  unreadBytes: 8 * 1024 * 1024,
  /** Above this size, nothing more is read from the peer until the responses are recorded. */
  unrecordedBytes: 1024 * 1024,
  /** A replay is read from the store in pieces of about this size; the next one when less than this is unread. */
  replayPieceBytes: 64 * 1024,
};
export type HostLimits = Readonly<typeof defaultHostLimits>;

/** Notices for the operator. */
export type HostNotice =
  | ({ readonly session: string; readonly peer: Peer } & (
      | { readonly kind: 'attached' | 'logged_on' }
      | { readonly kind: 'disconnected'; readonly reason: string }
      | { readonly kind: 'slow_reader'; readonly unreadBytes: number }
    ))
  | {
      readonly session: string;
      readonly kind: 'alarm';
      readonly alarm: string;
      readonly text: string;
    };

/** Observes a session's bytes in both directions. It must not keep the buffers, throw or block. */
export type Tap = (session: string, direction: 'in' | 'out', bytes: Uint8Array) => void;

export interface HostOptions {
  /** The session's name in the store. */
  readonly name: string;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly limits?: HostLimits;
  readonly notice?: (notice: HostNotice) => void;
  readonly tap?: Tap;
}

interface Replay {
  nextSeq: number;
  readonly toSeq: number;
  /** Until the transaction of the request is durable, the store may lack a reset or the last messages. */
  isDurable: boolean;
}

export class SessionHost<S extends Session = Session> implements Effects {
  readonly name: string;
  readonly session: S;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #limits: HostLimits;
  readonly #notice: (notice: HostNotice) => void;
  readonly #tap: Tap | undefined;
  /** The time from the peer's bytes to the first bytes of the response. */
  readonly replies = new Latency();
  readonly #settle = () => this.#endTransaction();

  #link: Link | undefined;
  #retired: PromiseWithResolvers<void> | undefined;
  #isStopped = false;

  // The effects of the current transaction so far.
  #isJoined = false;
  #hasGathered = false;
  #out: Uint8Array[] = [];
  #leaving: string | undefined;
  #receivedUs = 0;

  /** The session is waiting; bytes that arrive in the meantime are buffered. */
  #isWaiting = false;
  #early: Uint8Array[] = [];

  #unrecordedBytes = 0;
  #isPaused = false;
  #replay: Replay | undefined;
  #isReading = false;
  readonly #unreadables = new FoldedAlarm();
  /** Held messages after this position are read next. */
  #heldAfter: number | undefined;
  #alarmMs = Number.POSITIVE_INFINITY;
  #cancelAlarm = () => {};

  constructor(options: HostOptions, create: (effects: Effects) => S) {
    this.name = options.name;
    this.#recorder = options.recorder;
    this.#clock = options.clock;
    this.#limits = options.limits ?? defaultHostLimits;
    this.#notice = options.notice ?? (() => {});
    this.#tap = options.tap;
    this.session = create(this);
    this.act(() => {});
  }

  get peer(): Peer | undefined {
    return this.#link?.peer;
  }

  /** Bytes that wait for the disk or for the peer to read them. */
  get unreadBytes(): number {
    return (this.#link?.bufferedBytes ?? 0) + this.#unrecordedBytes;
  }

  /** Gives the session a connection and the bytes already received on it; returns false if it takes none. */
  attach(link: Link, first: Uint8Array): boolean {
    if (this.#link !== undefined || this.#retired !== undefined || this.#isStopped) return false;
    this.#link = link;
    this.#notice({ kind: 'attached', session: this.name, peer: link.peer });
    this.act((now) => {
      this.session.opened(link.peer, now);
      if (first.length > 0) this.#receive(first, now);
    });
    // A connection that was ended here stays open until its peer closes it; by then the peer may have reconnected.
    const whileCurrent = (call: () => void) => {
      if (link === this.#link) call();
    };
    link.listen({
      data: (bytes) => whileCurrent(() => this.act((now) => this.#receive(bytes, now))),
      drained: () => whileCurrent(() => this.#feedBoth()),
      closed: () => whileCurrent(() => this.#detach()),
    });
    return true;
  }

  /** Runs `call` as a transaction of this session, or within the current transaction. */
  act(call: (now: Instant) => void): void {
    if (this.#isStopped) return;
    this.#recorder.run(() => {
      this.#join();
      call(this.#clock.now());
    });
  }

  /** Takes no other connection; resolves when the present one has ended. */
  retire(): Promise<void> {
    this.#retired ??= Promise.withResolvers();
    if (this.#link === undefined) this.#retired.resolve();
    return this.#retired.promise;
  }

  /** Permanently closes the connection without waiting for the peer, and no longer calls the session. */
  stop(): void {
    const link = this.#link;
    this.#detach('the bridge closed the session');
    link?.destroy();
    this.#cancelAlarm();
    this.#isStopped = true;
  }

  // The session's effects, which are requested within a transaction.

  gathered(): void {
    this.#hasGathered = true;
    this.#join();
  }

  takes(message: Uint8Array, contentOf: (message: Uint8Array) => string): boolean {
    return this.#recorder.takes(this.name, message, contentOf);
  }

  wait(over: Promise<unknown>): void {
    const link = this.#link;
    this.#isWaiting = true;
    link?.pause();
    const proceed = () => {
      if (link !== this.#link || link === undefined) return;
      this.#isWaiting = false;
      this.act((now) => {
        this.session.proceed?.(now);
        while (!this.#isWaiting && this.#early.length > 0) {
          this.session.received(this.#early.shift() ?? new Uint8Array(0), now);
        }
      });
      if (!this.#isWaiting && !this.#isPaused && link === this.#link) link.resume();
    };
    over.then(proceed, proceed);
  }

  record(write: SessionWrite): void {
    this.#join();
    if (write.kind === 'reset') this.#replay = undefined;
    this.#recorder.write({ ...write, session: this.name });
  }

  transmit(bytes: Uint8Array): void {
    this.#join();
    if (this.#link !== undefined) this.#out.push(bytes);
  }

  fetch(fromSeq: number, toSeq: number): void {
    const replay = { nextSeq: fromSeq, toSeq, isDurable: false };
    this.#replay = replay;
    this.#recorder.after(() => {
      replay.isDurable = true;
      this.#feed();
    });
  }

  fetchHeld(afterPosition: number): void {
    const link = this.#link;
    this.#recorder.after(() => {
      if (link !== this.#link) return;
      this.#heldAfter = afterPosition;
      this.#feedHeld();
    });
  }

  loggedOn(): void {
    const peer = this.#link?.peer;
    if (peer !== undefined) this.#notice({ kind: 'logged_on', session: this.name, peer });
  }

  alarm(alarm: string, text: string): void {
    this.#notice({ kind: 'alarm', session: this.name, alarm, text });
  }

  disconnect(reason: string): void {
    this.#join();
    if (this.#link !== undefined) this.#leaving ??= reason;
  }

  #receive(bytes: Uint8Array, now: Instant): void {
    this.#receivedUs = nowUs();
    this.#tap?.(this.name, 'in', bytes);
    if (this.#isWaiting) this.#early.push(Buffer.from(bytes));
    else this.session.received(bytes, now);
  }

  #join(): void {
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#recorder.atEnd(this.#settle);
  }

  #endTransaction(): void {
    this.#arm(this.session.tick(this.#clock.now()));
    if (this.#hasGathered) this.session.flush();
    this.#hasGathered = false;
    this.#isJoined = false;
    const pieces = this.#out;
    const leaving = this.#leaving;
    const receivedUs = this.#receivedUs;
    this.#receivedUs = 0;
    const link = this.#link;
    if (link === undefined || (pieces.length === 0 && leaving === undefined)) return;
    this.#out = [];
    this.#leaving = undefined;
    const bytes = joined(pieces);
    this.#unrecordedBytes += bytes.length;
    this.#recorder.after(() => {
      this.#unrecordedBytes -= bytes.length;
      if (link !== this.#link) return;
      this.#release(link, bytes, leaving);
      if (receivedUs !== 0) this.replies.observe(nowUs() - receivedUs);
    });
    this.#throttle();
  }

  #release(link: Link, bytes: Uint8Array, leaving: string | undefined): void {
    if (bytes.length > 0) {
      link.write(bytes);
      this.#tap?.(this.name, 'out', bytes);
    }
    const about = { session: this.name, peer: link.peer };
    if (leaving !== undefined) {
      this.#detach(leaving);
      link.end();
    } else if (link.bufferedBytes > this.#limits.unreadBytes) {
      this.#notice({ kind: 'slow_reader', ...about, unreadBytes: link.bufferedBytes });
      this.#detach(`it left ${link.bufferedBytes} bytes unread`);
      link.destroy();
    } else {
      this.#throttle();
      this.#feedBoth();
    }
  }

  /** A client may not run ahead of the disk without limit: reading pauses until its responses are recorded. */
  #throttle(): void {
    const { unrecordedBytes } = this.#limits;
    if (!this.#isPaused && this.#unrecordedBytes > unrecordedBytes) {
      this.#isPaused = true;
      this.#link?.pause();
    } else if (this.#isPaused && this.#unrecordedBytes <= unrecordedBytes / 2) {
      this.#isPaused = false;
      if (!this.#isWaiting) this.#link?.resume();
    }
  }

  #detach(reason?: string): void {
    const link = this.#link;
    if (link === undefined) return;
    this.#link = undefined;
    this.#isPaused = false;
    this.#isWaiting = false;
    this.#early = [];
    this.#replay = undefined;
    this.#heldAfter = undefined;
    this.act((now) => this.session.closed(now));
    this.#retired?.resolve();
    const why = reason ?? this.session.endReason;
    this.#notice({ kind: 'disconnected', session: this.name, peer: link.peer, reason: why });
  }

  #feedBoth(): void {
    this.#feed();
    this.#feedHeld();
  }

  /** Reads the next held messages once the peer has read the previous ones, however many there are. */
  #feedHeld(): void {
    const link = this.#link;
    const afterPosition = this.#heldAfter;
    if (afterPosition === undefined || this.unreadBytes > this.#limits.replayPieceBytes) return;
    this.#heldAfter = undefined;
    this.#recorder.held(this.name, afterPosition).then(
      (messages) => {
        if (link === this.#link) this.act((now) => this.session.fetchedHeld?.(messages, now));
      },
      (error: unknown) => this.#unreadable(link, error),
    );
  }

  /** Reads the next piece of a replay once the peer has read the previous one. */
  #feed(): void {
    const link = this.#link;
    const replay = this.#replay;
    const { replayPieceBytes } = this.#limits;
    if (link === undefined || !replay?.isDurable || this.#isReading) return;
    if (this.unreadBytes > replayPieceBytes) return;
    this.#isReading = true;
    this.#recorder.stored(this.name, replay.nextSeq, replay.toSeq, replayPieceBytes).then(
      (stored) => {
        this.#isReading = false;
        if (replay === this.#replay) this.#passOn(replay, stored);
        this.#feed();
      },
      (error: unknown) => {
        this.#isReading = false;
        if (replay === this.#replay) this.#unreadable(link, error);
        else this.#feed();
      },
    );
  }

  #passOn(replay: Replay, stored: Awaited<ReturnType<Recorder['stored']>>): void {
    const fromSeq = replay.nextSeq;
    const toSeq = stored.messages.at(-1)?.seq ?? replay.toSeq;
    const done = toSeq >= replay.toSeq;
    replay.nextSeq = toSeq + 1;
    if (done) this.#replay = undefined;
    this.act((now) => this.session.fetched?.({ ...stored, fromSeq, toSeq, done }, now));
  }

  /** A peer that waits for the messages is disconnected. It will come back and ask again, so an operator must know. */
  #unreadable(link: Link | undefined, error: unknown): void {
    if (link !== this.#link) return;
    const reason = error instanceof Error ? error.message : String(error);
    const text = `stored messages cannot be read: ${reason}`;
    const alarm = this.#unreadables.add(text, this.#clock.now().monoMs);
    if (alarm !== undefined) this.alarm('unreadable', alarm);
    this.act(() => this.disconnect(text));
  }

  #arm(dueMs: number): void {
    if (dueMs >= this.#alarmMs) return;
    this.#cancelAlarm();
    this.#cancelAlarm = () => {};
    this.#alarmMs = dueMs;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    this.#cancelAlarm = this.#clock.at(dueMs, () => {
      this.#alarmMs = Number.POSITIVE_INFINITY;
      this.act(() => {});
    });
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
