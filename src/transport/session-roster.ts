/**
 * The sessions of one protocol in a process, each with its host, and everything that an operator can see and do at run
 * time. Each protocol has its own way to find a connection's session.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Latency } from '../runtime/latency.ts';
import { type HostOptions, SessionHost } from './host.ts';
import type { Link } from './link.ts';
import type { Effects, Session } from './session.ts';

/** Totals since the start: gaps in the peer's messages, its resend requests, its rejects of our messages. */
export interface SessionCounts {
  readonly gaps: number;
  readonly resends: number;
  readonly rejects: number;
}

/** The part of a session that a roster needs, for any protocol. */
export interface RosterSession<Phase extends string = string> extends Session {
  readonly name: string;
  readonly settings: { readonly role: 'acceptor' | 'initiator' };
  readonly phase: Phase;
  readonly nextIn: number;
  readonly nextOut: number;
  /** Messages behind a gap, and messages that wait for a logon. */
  readonly queued: number;
  readonly held: number;
  readonly lastReceivedWallMs: number;
  readonly counts?: SessionCounts;
  /** The highest sequence number of a message. */
  readonly maxNumber: number;
  setNumbers(nextIn: number, nextOut: number, now: Instant): boolean;
  /** Sends the peer a test request, if the protocol has one. */
  testRequest?(now: Instant): void;
  /** Called after a step of the wall clock, if hours and resets depend on it. */
  trustClock?(now: Instant): void;
}

/** A session as displayed by the console. */
export interface SessionStatus<Phase extends string = string>
  extends Pick<RosterSession<Phase>, 'name' | 'phase' | 'nextIn' | 'nextOut' | 'queued' | 'held'> {
  readonly role: 'acceptor' | 'initiator';
  readonly isStopped: boolean;
  /** Unix time of the peer's last message; 0 before the first. */
  readonly lastReceivedMs: number;
  readonly address: string | undefined;
  /** Bytes that the peer has not read yet. */
  readonly unreadBytes: number;
  readonly isSlow: boolean;
  readonly counts: SessionCounts;
}

/** How the sessions of a roster are hosted. */
export interface Hosting extends Omit<HostOptions, 'name'> {
  readonly maxSessions?: number;
}

interface Entry<S extends Session> {
  readonly host: SessionHost<S>;
  isStopped: boolean;
}

const defaultMaxSessions = 4096;
/** A peer with this much unread is displayed as slow, long before it is disconnected. */
const slowBytes = 256 * 1024;

export class SessionRoster<S extends RosterSession> {
  readonly #hosting: Hosting;
  readonly #leave: (session: S, text: string, now: Instant) => void;
  readonly #entries = new Map<string, Entry<S>>();

  /** `leave` ends a session's connection gracefully. */
  constructor(hosting: Hosting, leave: (session: S, text: string, now: Instant) => void) {
    this.#hosting = hosting;
    this.#leave = leave;
  }

  /** Creates a session, under its name in the store. */
  add<Made extends S>(name: string, create: (effects: Effects) => Made): Made {
    const limit = this.#hosting.maxSessions ?? defaultMaxSessions;
    if (this.#entries.has(name)) throw new Error(`session ${name} is there already`);
    if (this.#entries.size >= limit) throw new Error(`there are ${limit} sessions already`);
    const host = new SessionHost({ ...this.#hosting, name }, create);
    this.#entries.set(name, { host, isStopped: false });
    return host.session;
  }

  /** Permanently removes a session and closes its connection. Returns the session. */
  remove(name: string): S {
    const { host } = this.#entry(name);
    host.stop();
    this.#entries.delete(name);
    return host.session;
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  get(name: string): S | undefined {
    return this.#entries.get(name)?.host.session;
  }

  list(): SessionStatus<S['phase']>[] {
    return [...this.#entries.values()].map(({ host, host: { session }, isStopped }) => ({
      name: session.name,
      role: session.settings.role,
      phase: session.phase,
      isStopped,
      nextIn: session.nextIn,
      nextOut: session.nextOut,
      queued: session.queued,
      held: session.held,
      lastReceivedMs: session.lastReceivedWallMs,
      address: host.peer?.address,
      unreadBytes: host.unreadBytes,
      isSlow: host.unreadBytes > slowBytes,
      counts: { gaps: 0, resends: 0, rejects: 0, ...session.counts },
    }));
  }

  /** The latencies of replies to the session since the start. */
  replies(name: string): Latency | undefined {
    return this.#entries.get(name)?.host.replies;
  }

  /** Bytes that the peer of a session has not read yet. */
  unreadBytes(name: string): number {
    return this.#entry(name).host.unreadBytes;
  }

  /** Runs `call` as a transaction of the session. */
  act(name: string, call: (session: S, now: Instant) => void): void {
    const { host } = this.#entry(name);
    host.act((now) => call(host.session, now));
  }

  /** Ends the session's connection and refuses new ones until `start`. */
  stop(name: string, text = 'The session was stopped by the operator'): void {
    this.#entry(name).isStopped = true;
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Ends the session's connection; the peer may reconnect at once. */
  logout(name: string, text: string): void {
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Does nothing if the protocol has no test request. */
  testRequest(name: string): void {
    this.act(name, (session, now) => session.testRequest?.(now));
  }

  /** Accepts connections again. An operator did this, so the clock is considered correct. */
  start(name: string): void {
    this.#entry(name).isStopped = false;
    this.act(name, (session, now) => session.trustClock?.(now));
  }

  isStopped(name: string): boolean {
    return this.#entries.get(name)?.isStopped ?? true;
  }

  /** Sets both numbers of a session without a connection; returns false if it has one. */
  setNumbers(name: string, nextIn: number, nextOut: number): boolean {
    for (const number of [nextIn, nextOut]) {
      if (Number.isSafeInteger(number) && number > 0) continue;
      throw new RangeError(`${number} is not a sequence number`);
    }
    let isDone = false;
    this.act(name, (session, now) => {
      isDone = session.setNumbers(nextIn, nextOut, now);
    });
    return isDone;
  }

  attach(session: Session, link: Link, first: Uint8Array): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.host.session === session) return !entry.isStopped && entry.host.attach(link, first);
    }
    return false;
  }

  #entry(name: string): Entry<S> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`there is no session ${name}`);
    return entry;
  }
}
