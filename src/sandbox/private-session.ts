/**
 * One private WebSocket session without its socket (contract G42, R70, R71, R73): frames in, frames out. Events are
 * read from the venue's own log with a cursor, so a slow reader costs nothing and only falls behind.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Profile } from '../venue/profile.ts';
import type { EventFeed } from './event-feed.ts';
import type { FaultRule, Faults } from './faults.ts';
import { Held } from './held.ts';
import { placed } from './placed.ts';
import { RateLimiter } from './rate-limit.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
} from './strict-json.ts';
import type { Tokens } from './tokens.ts';

/** What a session can do to its socket. */
export interface FrameSink {
  send(frame: string): void;
  close(code: number, reason: string): void;
  /** False while the socket has more unsent bytes than the venue wants to keep for it. */
  hasRoom(): boolean;
}

/** The frames of the private socket in the profile: templates of the client's, names of the venue's. */
type PrivateFrames = Profile['ws']['private'];
export interface PrivateSessionParts {
  readonly sink: FrameSink;
  readonly log: Pick<EventFeed, 'lastSeq' | 'read'>;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly frames: PrivateFrames;
}

/** Numbers of contract A.18.5 that close the connection. */
const closingNumbers: readonly number[] = [1, 2, 105, 200, 202];
const frameBudget = { perSecond: 50, burst: 100 };
export const authDeadlineMs = 10_000;
const maxHeld = 1000;

export class PrivateSession {
  readonly sessionId: string;
  readonly connectedAtMs: number;
  readonly #parts: PrivateSessionParts;
  readonly #limiter = new RateLimiter(frameBudget, 1);
  readonly #openedMs: number;
  #account: string | null = null;
  /** The next seq to send; null before the subscription. */
  #cursor: number | null = null;
  readonly #held = new Held(maxHeld);
  #reordered: string | null = null;
  /** Until then no event is sent; all accumulated events follow in order. */
  #stalledUntilMs = 0;

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
    if (text.length > this.#parts.frames.maxFrameBytes) {
      this.fail(202, 'the frame is too long');
      return;
    }
    if (!this.#limiter.take('frames', 1, now.monoMs).allowed) {
      // A peer that sends without reading must not fill the memory with answers.
      if (this.#parts.sink.hasRoom()) this.fail(101, 'too many frames');
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

  /** Called if there may be new events, or room again in the socket. */
  pump(now: Instant): void {
    const { log, sink } = this.#parts;
    const account = this.#account;
    let cursor = this.#cursor;
    if (account === null || cursor === null || now.monoMs < this.#stalledUntilMs) return;
    // The numbers have restarted, as after a venue that lost its state.
    if (cursor > log.lastSeq(account) + 1) cursor = 1;
    this.#cursor = cursor;
    while (cursor <= log.lastSeq(account) && sink.hasRoom()) {
      const page = log.read(account, cursor, 1);
      if (page === undefined) {
        this.#cursor = null;
        this.#error(null, `seq ${cursor} is not kept any more`, 'seq_too_old');
        return;
      }
      const fault = this.#parts.faults.frame(account);
      if (fault?.kind === 'frame_stall') {
        this.#stalledUntilMs = now.monoMs + (fault.delayMs ?? Number.POSITIVE_INFINITY);
        return;
      }
      cursor = page.nextSeq;
      this.#cursor = cursor;
      for (const event of page.events) this.#sendEvent(this.#eventFrame(event), fault, now);
    }
  }

  /** Sends all waiting frames now. */
  release(now: Instant): void {
    this.#held.applyAll();
    this.#sendReordered();
    this.#stalledUntilMs = 0;
    this.pump(now);
  }

  /** Called as time passes: an unauthenticated peer times out, and delayed frames become due. */
  tick(now: Instant): void {
    if (this.#account === null && now.monoMs >= this.#openedMs + authDeadlineMs) {
      this.fail(200, 'no authentication in time');
      return;
    }
    this.#held.applyDue(now.monoMs);
  }

  /** Sends a numeric reason of contract A.18.5, and closes if that number ends the session. */
  fail(number: number, message: string): void {
    this.#error(number, message);
    if (closingNumbers.includes(number)) this.#parts.sink.close(4000 + number, message);
  }

  #dispatch(frame: JsonObject, now: Instant): void {
    const { frames } = this.#parts;
    const auth = captured(frames.auth, frame);
    const subscribe = captured(frames.subscribe, frame);
    if (captured(frames.ping, frame) !== undefined) this.#send(frames.incoming.pong);
    else if (auth !== undefined) this.#authenticate(auth, frame, now);
    else if (this.#account === null) this.fail(200, 'the first frame must be auth');
    else if (subscribe !== undefined) this.#subscribe(subscribe, this.#account, now);
    else this.#error(null, 'a frame must be auth, subscribe to executions, or ping');
  }

  #authenticate({ token }: Captured, { version = 1 }: JsonObject, now: Instant): void {
    const account =
      typeof token === 'string' ? this.#parts.tokens.account(token, now.wallMs) : undefined;
    if (version !== 1) this.fail(2, 'version 1 is supported');
    else if (account === undefined) this.fail(200, 'the token is unknown or expired');
    else if (this.#account !== null && this.#account !== account) {
      this.fail(202, 'the identity of a session cannot change');
    } else {
      this.#account = account;
      this.#send(this.#parts.frames.incoming.authenticated, { account });
    }
  }

  #subscribe({ account: named, fromSeq: given }: Captured, account: string, now: Instant): void {
    const { frames, log } = this.#parts;
    const lastSeq = log.lastSeq(account);
    const fromSeq = given ?? lastSeq + 1;
    if (named !== undefined && named !== account) {
      this.fail(202, 'the account is not the one of the token');
    } else if (typeof fromSeq !== 'number' || fromSeq < 1 || fromSeq > lastSeq + 1) {
      this.#error(null, `fromSeq must be an integer from 1 to ${lastSeq + 1}`);
    } else if (log.read(account, fromSeq, 1) === undefined) {
      this.#error(null, `seq ${fromSeq} is not kept any more`, 'seq_too_old');
    } else {
      this.#cursor = fromSeq;
      this.#send(frames.incoming.subscribed, { channel: 'executions', account, fromSeq, lastSeq });
      this.pump(now);
    }
  }

  #eventFrame(event: unknown): string {
    const { incoming } = this.#parts.frames;
    const pointers = { kind: incoming.kind, event: incoming.eventPointer };
    return JSON.stringify(placed(pointers, { kind: incoming.event, event }));
  }

  #sendEvent(frame: string, fault: FaultRule | undefined, now: Instant): void {
    const { sink } = this.#parts;
    if (fault?.kind === 'frame_drop') return;
    if (fault?.kind === 'frame_delay') {
      const dueMs = fault.delayMs === null ? null : now.monoMs + fault.delayMs;
      if (this.#held.hold(() => sink.send(frame), dueMs)) return;
    }
    if (fault?.kind === 'frame_reorder' && this.#reordered === null) {
      this.#reordered = frame;
      return;
    }
    sink.send(frame);
    if (fault?.kind === 'frame_double') sink.send(frame);
    this.#sendReordered();
  }

  #sendReordered(): void {
    const frame = this.#reordered;
    this.#reordered = null;
    if (frame !== null) this.#parts.sink.send(frame);
  }

  #error(code: number | null, message: string, cause?: string): void {
    const { incoming } = this.#parts.frames;
    const beside = incoming.errorCode.replace(/[^/]*$/, 'cause');
    const frame = placed(
      {
        kind: incoming.kind,
        message: incoming.errorMessage,
        code: incoming.errorCode,
        cause: beside,
      },
      { kind: incoming.error, message, code, cause },
    );
    this.#parts.sink.send(JSON.stringify(frame));
  }

  #send(kind: string, more: Record<string, unknown> = {}): void {
    const frame = { ...placed({ kind: this.#parts.frames.incoming.kind }, { kind }), ...more };
    this.#parts.sink.send(JSON.stringify(frame));
  }
}

/** The values that a client sent for `{token}`, `{account}` and `{fromSeq}` of the template. */
interface Captured {
  readonly token?: Json;
  readonly account?: Json;
  readonly fromSeq?: Json;
}

/** Undefined unless the frame has every literal of the template. */
function captured(template: PrivateFrames['auth'], frame: JsonObject): Captured | undefined {
  const values: Record<string, Json> = {};
  for (const [name, expected] of Object.entries(template)) {
    const given = frame[name];
    const placeholder = /^\{(\w+)\}$/.exec(String(expected))?.[1];
    if (placeholder === undefined && given !== expected) return undefined;
    if (placeholder !== undefined && given !== undefined) values[placeholder] = given;
  }
  return values;
}
