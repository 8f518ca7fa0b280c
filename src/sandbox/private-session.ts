/**
 * One private WebSocket without its socket (contract G42, R70, R71, R73): frames in, frames out. Events are read from
 * the venue's own log by a cursor, so a slow reader costs nothing and only falls behind.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Faults } from './faults.ts';
import { RateLimiter } from './rate-limit.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
} from './strict-json.ts';
import type { Tokens } from './tokens.ts';

/** The peer's end: what a session can do to its socket. */
export interface FrameSink {
  send(frame: string): void;
  close(code: number, reason: string): void;
  /** False while the socket holds more unsent bytes than the venue wants to keep for it. */
  hasRoom(): boolean;
}

/** The execution log of the venue, read only. */
export interface EventLog {
  lastSeq(account: string): number;
  /** Events in their wire form; undefined when they are not all kept any more. */
  read(account: string, fromSeq: number, limit: number): { events: readonly unknown[] } | undefined;
}

/** Names of the contract's private frames that the profile decides. */
export interface FrameNames {
  readonly authenticated: string;
  readonly subscribed: string;
  readonly event: string;
  readonly pong: string;
  readonly error: string;
}

export interface PrivateSessionParts {
  readonly sink: FrameSink;
  readonly log: EventLog;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly names: FrameNames;
  readonly maxFrameBytes: number;
}

/** Numbers of contract A.18.5 that end the connection. */
const closingNumbers: readonly number[] = [1, 2, 105, 200, 202];
const frameBudget = { perSecond: 50, burst: 100 };
const authDeadlineMs = 10_000;
const maxHeld = 1000;
const eventsAtOnce = 64;

interface Held {
  readonly dueMs: number;
  readonly frame: string;
}

export class PrivateSession {
  readonly sessionId: string;
  readonly connectedAtMs: number;
  readonly #parts: PrivateSessionParts;
  readonly #limiter = new RateLimiter(frameBudget, 1);
  readonly #openedMs: number;
  #account: string | null = null;
  /** The next seq to send; null before the subscription. */
  #cursor: number | null = null;
  #held: Held[] = [];
  #reordered: string | null = null;

  constructor(sessionId: string, parts: PrivateSessionParts, now: Instant) {
    this.sessionId = sessionId;
    this.connectedAtMs = now.wallMs;
    this.#parts = parts;
    this.#openedMs = now.monoMs;
  }

  get account(): string | null {
    return this.#account;
  }

  received(text: string, now: Instant): void {
    if (text.length > this.#parts.maxFrameBytes) {
      this.fail(202, 'the frame is too long');
      return;
    }
    if (!this.#limiter.take('frames', 1, now.monoMs).allowed) {
      this.fail(101, 'too many frames');
      return;
    }
    let frame: Json;
    try {
      frame = parseJson(text);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      this.fail(202, `not a JSON frame: ${error.message}`);
      return;
    }
    if (isJsonObject(frame)) this.#dispatch(frame, now);
    else this.fail(202, 'a frame must be an object');
  }

  /** There may be new events, or room again in the socket. */
  pump(now: Instant): void {
    const { log, sink } = this.#parts;
    const account = this.#account;
    let cursor = this.#cursor;
    if (account === null || cursor === null) return;
    while (cursor <= log.lastSeq(account) && sink.hasRoom()) {
      const page = log.read(account, cursor, eventsAtOnce);
      if (page === undefined) {
        this.#cursor = null;
        this.#error(null, `seq ${cursor} is not kept any more`, 'seq_too_old');
        return;
      }
      cursor += page.events.length;
      this.#cursor = cursor;
      for (const event of page.events) {
        this.#sendEvent(JSON.stringify({ op: this.#parts.names.event, event }), now);
      }
    }
  }

  /** Time has passed: an unauthenticated peer runs out of it, delayed frames fall due. */
  tick(now: Instant): void {
    if (this.#account === null && now.monoMs >= this.#openedMs + authDeadlineMs) {
      this.fail(200, 'no authentication in time');
      return;
    }
    const due = this.#held.filter(({ dueMs }) => dueMs <= now.monoMs);
    if (due.length === 0) return;
    this.#held = this.#held.filter(({ dueMs }) => dueMs > now.monoMs);
    for (const { frame } of due) this.#parts.sink.send(frame);
  }

  /** Says a numeric reason of contract A.18.5, and closes where that number ends the session. */
  fail(number: number, message: string): void {
    this.#error(number, message);
    if (closingNumbers.includes(number)) this.#parts.sink.close(4000 + number, message);
  }

  #dispatch(frame: JsonObject, now: Instant): void {
    const op = frame['op'];
    if (op === 'ping') this.#parts.sink.send(JSON.stringify({ op: this.#parts.names.pong }));
    else if (op === 'auth') this.#authenticate(frame, now);
    else if (this.#account === null) this.fail(200, 'the first frame must be auth');
    else if (op === 'subscribe') this.#subscribe(frame, now);
    else this.#error(null, 'op must be auth, subscribe or ping');
  }

  #authenticate(frame: JsonObject, now: Instant): void {
    const { token, version } = frame;
    if (version !== undefined && version !== 1) {
      this.fail(2, 'version 1 is supported');
      return;
    }
    const account =
      typeof token === 'string' ? this.#parts.tokens.account(token, now.wallMs) : undefined;
    if (account === undefined) {
      this.fail(200, 'the token is unknown or expired');
      return;
    }
    if (this.#account !== null && this.#account !== account) {
      this.fail(202, 'the identity of a session cannot change');
      return;
    }
    this.#account = account;
    this.#parts.sink.send(JSON.stringify({ op: this.#parts.names.authenticated, account }));
  }

  #subscribe(frame: JsonObject, now: Instant): void {
    const { log, names, sink } = this.#parts;
    const account = this.#account ?? '';
    if (frame['channel'] !== 'executions') {
      this.#error(null, 'the channel must be executions');
      return;
    }
    if (frame['account'] !== undefined && frame['account'] !== account) {
      this.fail(202, 'the account is not the one of the token');
      return;
    }
    const lastSeq = log.lastSeq(account);
    const fromSeq = frame['fromSeq'] ?? lastSeq + 1;
    if (typeof fromSeq !== 'number' || fromSeq < 1 || fromSeq > lastSeq + 1) {
      this.#error(null, `fromSeq must be an integer from 1 to ${lastSeq + 1}`);
      return;
    }
    if (log.read(account, fromSeq, 1) === undefined) {
      this.#error(null, `seq ${fromSeq} is not kept any more`, 'seq_too_old');
      return;
    }
    this.#cursor = fromSeq;
    sink.send(
      JSON.stringify({ op: names.subscribed, channel: 'executions', account, fromSeq, lastSeq }),
    );
    this.pump(now);
  }

  #sendEvent(frame: string, now: Instant): void {
    const { faults, sink } = this.#parts;
    const fault = faults.frame(this.#account ?? '');
    if (fault?.kind === 'frame_drop') return;
    if (fault?.kind === 'frame_delay' && this.#held.length < maxHeld) {
      this.#held.push({ dueMs: now.monoMs + fault.delayMs, frame });
      return;
    }
    if (fault?.kind === 'frame_reorder' && this.#reordered === null) {
      this.#reordered = frame;
      return;
    }
    sink.send(frame);
    if (fault?.kind === 'frame_double') sink.send(frame);
    if (this.#reordered !== null) {
      sink.send(this.#reordered);
      this.#reordered = null;
    }
  }

  #error(code: number | null, message: string, cause?: string): void {
    const data = cause === undefined ? { code } : { code, cause };
    this.#parts.sink.send(
      JSON.stringify({ op: this.#parts.names.error, error: { message, data } }),
    );
  }
}
