/**
 * Joins one session, one connection at a time, and the store. What the session records in a turn is durable before
 * the bytes of that turn go out (docs/ARCHITECTURE.md, "Durability"); replays are read from the store only as fast as
 * the peer reads; the session is called when its time has come.
 */
import type { Clock, Instant } from '../runtime/clock.ts';
import { Latency, nowUs } from '../runtime/latency.ts';
import type { Link } from './link.ts';
import type { Recorder } from './recorder.ts';
import type { Effects, Peer, Session, SessionWrite } from './session.ts';

export interface HostLimits {
  /** A peer that leaves more than this unread is cut off; its messages stay stored. */
  readonly unreadBytes: number;
  /** Beyond this, the peer is not read from until its answers are recorded. */
  readonly unrecordedBytes: number;
  /** A replay is read from the store in pieces of about this size. */
  readonly replayPieceBytes: number;
}

export const defaultHostLimits: HostLimits = {
  unreadBytes: 8 * 1024 * 1024,
  unrecordedBytes: 1024 * 1024,
  replayPieceBytes: 64 * 1024,
};

/** What an operator should hear of. */
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

/** Is shown the bytes of a session as they come and go. They are lent; it never throws and never waits. */
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
}

export class SessionHost<S extends Session = Session> implements Effects {
  readonly name: string;
  readonly session: S;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #limits: HostLimits;
  readonly #notice: (notice: HostNotice) => void;
  readonly #tap: Tap | undefined;
  /** From the peer's bytes to the first bytes that answer them. */
  readonly replies = new Latency();
  readonly #settle = () => this.#endTurn();

  #link: Link | undefined;
  #isStopped = false;

  // What the turn under way has asked for so far.
  #isJoined = false;
  #hasGathered = false;
  #out: Uint8Array[] = [];
  #leaving: string | undefined;
  #heardUs = 0;

  /** The session waits for something, and what came nevertheless waits for the session. */
  #isWaiting = false;
  #early: Uint8Array[] = [];

  #unrecordedBytes = 0;
  #isPaused = false;
  #replays: Replay[] = [];
  #isReading = false;
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

  /** Bytes that wait for the disk or for the peer to read. */
  get unreadBytes(): number {
    return (this.#link?.bufferedBytes ?? 0) + this.#unrecordedBytes;
  }

  /** Gives the session a connection and the bytes that already came on it; false when it has one. */
  attach(link: Link, first: Uint8Array): boolean {
    if (this.#link !== undefined || this.#isStopped) return false;
    this.#link = link;
    this.#notice({ kind: 'attached', session: this.name, peer: link.peer });
    this.act((now) => {
      this.session.opened(link.peer, now);
      if (first.length > 0) this.#receive(first, now);
    });
    // A connection that was ended here stays open until its peer closes it, and the peer may be back on another by then.
    const whileCurrent = (call: () => void) => {
      if (link === this.#link) call();
    };
    link.listen({
      data: (bytes) => whileCurrent(() => this.act((now) => this.#receive(bytes, now))),
      drained: () => whileCurrent(() => this.#feed()),
      closed: () => whileCurrent(() => this.#detach()),
    });
    return true;
  }

  /** Runs `call` as a turn of this session, or within the turn under way. */
  act(call: (now: Instant) => void): void {
    if (this.#isStopped) return;
    this.#recorder.run(() => {
      this.#join();
      call(this.#clock.now());
    });
  }

  /** For good: the connection is closed, the session called no more. */
  stop(): void {
    const link = this.#link;
    this.#detach('the bridge closed the session');
    link?.end();
    this.#cancelAlarm();
    this.#isStopped = true;
  }

  // The session's side: all of this happens inside a turn.

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
    this.#recorder.write({ ...write, session: this.name });
  }

  transmit(bytes: Uint8Array): void {
    this.#join();
    if (this.#link !== undefined) this.#out.push(bytes);
  }

  fetch(fromSeq: number, toSeq: number): void {
    this.#replays.push({ nextSeq: fromSeq, toSeq });
    this.#recorder.after(() => this.#feed());
  }

  fetchHeld(afterPosition: number): void {
    const link = this.#link;
    const read = () => this.#recorder.held(this.name, afterPosition);
    this.#recorder.after(() => {
      read().then(
        (messages) => {
          if (link === this.#link) this.act((now) => this.session.fetchedHeld(messages, now));
        },
        (error: unknown) => this.#unreadable(link, error),
      );
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
    this.#heardUs = nowUs();
    this.#tap?.(this.name, 'in', bytes);
    if (this.#isWaiting) this.#early.push(Buffer.from(bytes));
    else this.session.received(bytes, now);
  }

  #join(): void {
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#recorder.atEnd(this.#settle);
  }

  #endTurn(): void {
    this.#arm(this.session.tick(this.#clock.now()));
    if (this.#hasGathered) this.session.flush();
    this.#hasGathered = false;
    this.#isJoined = false;
    const pieces = this.#out;
    const leaving = this.#leaving;
    const heardUs = this.#heardUs;
    this.#heardUs = 0;
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
      if (heardUs !== 0) this.replies.observe(nowUs() - heardUs);
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
    }
  }

  /** A client may not run ahead of the disk without bound: it is not read from until its answers are recorded. */
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
    this.#replays = [];
    this.act((now) => this.session.closed(now));
    const why = reason ?? this.session.endReason;
    this.#notice({ kind: 'disconnected', session: this.name, peer: link.peer, reason: why });
  }

  /** Reads the next piece of a replay when the peer has taken the piece before it. */
  #feed(): void {
    const link = this.#link;
    const replay = this.#replays[0];
    const { replayPieceBytes } = this.#limits;
    if (link === undefined || replay === undefined || this.#isReading) return;
    if (this.unreadBytes > replayPieceBytes) return;
    this.#isReading = true;
    this.#recorder.stored(this.name, replay.nextSeq, replay.toSeq, replayPieceBytes).then(
      (stored) => {
        this.#isReading = false;
        if (replay === this.#replays[0]) this.#replay(replay, stored);
        this.#feed();
      },
      (error: unknown) => {
        this.#isReading = false;
        this.#unreadable(link, error);
      },
    );
  }

  #replay(replay: Replay, stored: Awaited<ReturnType<Recorder['stored']>>): void {
    const fromSeq = replay.nextSeq;
    const toSeq = stored.messages.at(-1)?.seq ?? replay.toSeq;
    const done = toSeq >= replay.toSeq;
    replay.nextSeq = toSeq + 1;
    if (done) this.#replays.shift();
    this.act((now) => {
      this.session.fetched({ ...stored, fromSeq, toSeq, done }, now);
      this.#recorder.after(() => this.#feed());
    });
  }

  /** The store tells its owner why it cannot be read; the peer that waits for the messages loses its connection. */
  #unreadable(link: Link | undefined, error: unknown): void {
    if (link !== this.#link) {
      this.#feed();
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.act(() => this.disconnect(`stored messages cannot be read: ${reason}`));
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
