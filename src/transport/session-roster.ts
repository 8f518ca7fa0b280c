/**
 * The sessions of one protocol in a process, each with its host: what an operator may see and do at run time, the same
 * for every protocol. Which session a connection means is the protocol's own affair.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Latency } from '../runtime/latency.ts';
import { type HostOptions, SessionHost } from './host.ts';
import type { Link } from './link.ts';
import type { Effects, Session } from './session.ts';

/** Since the start: gaps that we found in what the peer sent, its requests to send again, its rejects of our messages. */
export interface SessionCounts {
  readonly gaps: number;
  readonly resends: number;
  readonly rejects: number;
}

/** What a roster needs of a session, whatever it speaks. */
export interface RosterSession<Phase extends string = string> extends Session {
  readonly name: string;
  readonly settings: { readonly role: 'acceptor' | 'initiator' };
  readonly phase: Phase;
  readonly nextIn: number;
  readonly nextOut: number;
  readonly queued: number;
  readonly held: number;
  readonly lastHeardWallMs: number;
  readonly counts?: SessionCounts;
  setNumbers(nextIn: number, nextOut: number): boolean;
  /** Asks the peer for a sign of life, where the protocol has such a question. */
  testRequest?(now: Instant): void;
  /** After a step of the wall clock, where hours and resets hang on it. */
  trustClock?(): void;
}

/** A session as the console shows it. */
export interface SessionStatus<Phase extends string = string> {
  readonly name: string;
  readonly role: 'acceptor' | 'initiator';
  readonly phase: Phase;
  readonly isStopped: boolean;
  readonly nextIn: number;
  readonly nextOut: number;
  /** Messages beyond a gap, and messages that wait for a logon. */
  readonly queued: number;
  readonly held: number;
  /** Unix time of the peer's last message, 0 before the first. */
  readonly lastHeardMs: number;
  readonly address: string | undefined;
  /** Bytes that the peer has not taken yet. */
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
/** A peer that leaves so much unread is shown as slow, long before it is cut off. */
const slowBytes = 256 * 1024;

export class SessionRoster<S extends RosterSession> {
  readonly #hosting: Hosting;
  readonly #leave: (session: S, text: string, now: Instant) => void;
  readonly #entries = new Map<string, Entry<S>>();

  /** `leave` ends a session's connection in good order. */
  constructor(hosting: Hosting, leave: (session: S, text: string, now: Instant) => void) {
    this.#hosting = hosting;
    this.#leave = leave;
  }

  /** Throws when one more of this name has no place. */
  checkPlace(name: string): void {
    const limit = this.#hosting.maxSessions ?? defaultMaxSessions;
    if (this.#entries.has(name)) throw new Error(`session ${name} is there already`);
    if (this.#entries.size >= limit) throw new Error(`there are ${limit} sessions already`);
  }

  /** Makes a session, under its name in the store. */
  add<Made extends S>(name: string, create: (effects: Effects) => Made): Made {
    this.checkPlace(name);
    const host = new SessionHost({ ...this.#hosting, name }, create);
    this.#entries.set(name, { host, isStopped: false });
    return host.session;
  }

  /** For good: the connection is closed. Answers the session that was there. */
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
      lastHeardMs: session.lastHeardWallMs,
      address: host.peer?.address,
      unreadBytes: host.unreadBytes,
      isSlow: host.unreadBytes > slowBytes,
      counts: { gaps: 0, resends: 0, rejects: 0, ...session.counts },
    }));
  }

  /** How long each reply to the session took since the start. */
  replies(name: string): Latency | undefined {
    return this.#entries.get(name)?.host.replies;
  }

  /** Bytes that the peer of a session has not taken yet. */
  unreadBytes(name: string): number {
    return this.#entry(name).host.unreadBytes;
  }

  /** Runs `call` as a turn of the session. */
  act(name: string, call: (session: S, now: Instant) => void): void {
    const { host } = this.#entry(name);
    host.act((now) => call(host.session, now));
  }

  /** Ends the session's connection and lets nobody have it until `start`. */
  stop(name: string, text = 'The session was stopped by the operator'): void {
    this.#entry(name).isStopped = true;
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Ends the session's connection; the peer may come back at once. */
  logout(name: string, text: string): void {
    this.act(name, (session, now) => this.#leave(session, text, now));
  }

  /** Nothing happens where the protocol has no such question. */
  testRequest(name: string): void {
    this.act(name, (session, now) => session.testRequest?.(now));
  }

  /** Lets the peer in again. Whoever does so has looked: the clock is taken for right. */
  start(name: string): void {
    this.#entry(name).isStopped = false;
    this.act(name, (session) => session.trustClock?.());
  }

  isStopped(name: string): boolean {
    return this.#entries.get(name)?.isStopped ?? true;
  }

  /** Sets both numbers of a session without a connection; false when it has one. */
  setNumbers(name: string, nextIn: number, nextOut: number): boolean {
    for (const number of [nextIn, nextOut]) {
      if (Number.isSafeInteger(number) && number > 0) continue;
      throw new RangeError(`${number} is no sequence number`);
    }
    let isDone = false;
    this.act(name, (session) => {
      isDone = session.setNumbers(nextIn, nextOut);
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
