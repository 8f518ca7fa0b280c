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
  /** The highest sequence number that can be set; 0 while there are no numbers to set. */
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

const defaultMaxSessions = 4096;
/** A peer with this much unread is displayed as slow, long before it is disconnected. */
const slowBytes = 256 * 1024;

export class SessionRoster<S extends RosterSession> {
  readonly #hosting: Hosting;
  readonly #leave: (session: S, text: string, now: Instant) => void;
  readonly #hosts = new Map<string, SessionHost<S>>();
  /** Names of sessions, which stay stopped when a reload removes them and adds them again. */
  readonly #stopped = new Set<string>();

  /** `leave` ends a session's connection gracefully. */
  constructor(hosting: Hosting, leave: (session: S, text: string, now: Instant) => void) {
    this.#hosting = hosting;
    this.#leave = leave;
  }

  /** Creates a session, under its name in the store. */
  add<Made extends S>(name: string, create: (effects: Effects) => Made): Made {
    const limit = this.#hosting.maxSessions ?? defaultMaxSessions;
    if (this.#hosts.has(name)) throw new Error(`session ${name} is there already`);
    if (this.#hosts.size >= limit) throw new Error(`there are ${limit} sessions already`);
    const host = new SessionHost({ ...this.#hosting, name }, create);
    this.#hosts.set(name, host);
    return host.session;
  }

  /** Permanently removes a session and closes its connection. Returns the session. */
  remove(name: string): S {
    const host = this.#host(name);
    host.stop();
    this.#hosts.delete(name);
    return host.session;
  }

  get names(): string[] {
    return [...this.#hosts.keys()];
  }

  get(name: string): S | undefined {
    return this.#hosts.get(name)?.session;
  }

  list(): SessionStatus<S['phase']>[] {
    return [...this.#hosts.values()].map(({ peer, session, unreadBytes }) => ({
      name: session.name,
      role: session.settings.role,
      phase: session.phase,
      isStopped: this.#stopped.has(session.name),
      nextIn: session.nextIn,
      nextOut: session.nextOut,
      queued: session.queued,
      held: session.held,
      lastReceivedMs: session.lastReceivedWallMs,
      address: peer?.address,
      unreadBytes,
      isSlow: unreadBytes > slowBytes,
      counts: { gaps: 0, resends: 0, rejects: 0, ...session.counts },
    }));
  }

  /** The latencies of replies to the session since the start. */
  replies(name: string): Latency | undefined {
    return this.#hosts.get(name)?.replies;
  }

  /** Bytes that the peer of a session has not read yet. */
  unreadBytes(name: string): number {
    return this.#host(name).unreadBytes;
  }

  /** Runs `call` as a transaction of the session. */
  act(name: string, call: (session: S, now: Instant) => void): void {
    const host = this.#host(name);
    host.act((now) => call(host.session, now));
  }

  /** Ends the session's connection and refuses new ones until `start`. */
  stop(name: string, text = 'The session was stopped by the operator'): void {
    this.#stopped.add(name);
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Ends the session's connection; the peer may reconnect at once. */
  logout(name: string, text: string): void {
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Ends the session's connection and takes no other; resolves when the peer has logged out, or did not in time. */
  retire(name: string, text: string): Promise<void> {
    const retired = this.#host(name).retire();
    this.logout(name, text);
    return retired;
  }

  /** Does nothing if the protocol has no test request. */
  testRequest(name: string): void {
    this.act(name, (session, now) => session.testRequest?.(now));
  }

  /** Accepts connections again. An operator did this, so the clock is considered correct. */
  start(name: string): void {
    this.#stopped.delete(name);
    this.act(name, (session, now) => session.trustClock?.(now));
  }

  isStopped(name: string): boolean {
    return this.#stopped.has(name);
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
    for (const [name, host] of this.#hosts) {
      if (host.session === session) return !this.isStopped(name) && host.attach(link, first);
    }
    return false;
  }

  #host(name: string): SessionHost<S> {
    const host = this.#hosts.get(name);
    if (host === undefined) throw new Error(`there is no session ${name}`);
    return host;
  }
}
