/**
 * All FIX sessions of a process: which one a new connection means, and what an operator may see and do at run time.
 * Sessions are added and taken away while others run.
 */
import type { Clock, Instant } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import { type HostLimits, type HostNotice, SessionHost, type Tap } from '../transport/host.ts';
import type { Link } from '../transport/link.ts';
import type { Admission, Peer, Reception, Session } from '../transport/session.ts';
import type { Application } from './application.ts';
import { Decoder, type DecoderLimits } from './decoder.ts';
import type { Dictionary } from './dictionary.ts';
import type { Authenticator } from './logon-auth.ts';
import type { Message } from './message.ts';
import { FixSession } from './session.ts';
import type { Phase } from './session-core.ts';
import { refusalLogout } from './session-logon.ts';
import { type SessionIdentity, type SessionSettings, sessionName } from './session-settings.ts';

export interface SessionSpec {
  readonly settings: SessionSettings;
  readonly application: Application;
  readonly authenticate?: Authenticator;
}

export interface DirectoryOptions {
  readonly dictionary: Dictionary;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly decoderLimits?: DecoderLimits;
  readonly hostLimits?: HostLimits;
  readonly maxSessions?: number;
  readonly notice?: (notice: HostNotice) => void;
  readonly tap?: Tap;
}

/** A session as the console shows it. */
export interface SessionStatus {
  readonly name: string;
  readonly role: SessionSettings['role'];
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
  /** Inbound bytes that were answered since the start, and how long the answers took together. */
  readonly answered: { readonly count: number; readonly sumUs: number };
}

interface Entry {
  readonly session: FixSession;
  readonly host: SessionHost;
  isStopped: boolean;
}

const defaultMaxSessions = 4096;
/** A peer that leaves so much unread is shown as slow, long before it is cut off. */
const slowBytes = 256 * 1024;

export class SessionDirectory implements Reception {
  readonly #options: DirectoryOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #byCompIds = new Map<string, Entry[]>();

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** Takes the session up where the store says it stood. */
  async add(spec: SessionSpec): Promise<FixSession> {
    const { turns, clock, dictionary, decoderLimits, hostLimits, notice, tap } = this.#options;
    const name = sessionName(spec.settings.identity);
    const limit = this.#options.maxSessions ?? defaultMaxSessions;
    if (this.#entries.has(name)) throw new Error(`session ${name} is there already`);
    if (this.#entries.size >= limit) throw new Error(`there are ${limit} sessions already`);
    const start = await turns.store.numbers(name);
    if (this.#entries.has(name)) throw new Error(`session ${name} is there already`);
    const hostOptions = {
      name,
      recorder: turns,
      clock,
      ...(hostLimits && { limits: hostLimits }),
      ...(notice && { notice }),
      ...(tap && { tap }),
    };
    let made: FixSession | undefined;
    const host = new SessionHost(hostOptions, (effects) => {
      const limits = decoderLimits === undefined ? {} : { limits: decoderLimits };
      made = new FixSession({ ...spec, ...limits, dictionary, effects, start });
      return made;
    });
    if (made === undefined) throw new Error(`session ${name} was not made`);
    this.#enter({ session: made, host, isStopped: false });
    return made;
  }

  /** For good: the connection is closed, and its numbers stay in the store. */
  remove(name: string): void {
    const entry = this.#entry(name);
    entry.host.stop();
    this.#entries.delete(name);
    const key = compIdsKey(entry.session.settings.identity);
    const others = this.#byCompIds.get(key)?.filter((other) => other !== entry) ?? [];
    if (others.length === 0) this.#byCompIds.delete(key);
    else this.#byCompIds.set(key, others);
  }

  close(): void {
    for (const name of [...this.#entries.keys()]) this.remove(name);
  }

  get(name: string): FixSession | undefined {
    return this.#entries.get(name)?.session;
  }

  list(): SessionStatus[] {
    return [...this.#entries.values()].map(({ session, host, isStopped }) => ({
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
      answered: { ...host.answered },
    }));
  }

  /** Runs `call` as a turn of the session: for its application, and for the operator's acts below. */
  act(name: string, call: (session: FixSession, now: Instant) => void): void {
    const { host, session } = this.#entry(name);
    host.act((now) => call(session, now));
  }

  /** Logs the session out and lets nobody log on to it until `start`. */
  stop(name: string, text = 'The session was stopped by the operator'): void {
    this.#entry(name).isStopped = true;
    this.act(name, (session, now) => session.logout(text, now));
  }

  start(name: string): void {
    this.#entry(name).isStopped = false;
  }

  /** Whether a connector should go on trying. */
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

  // Connections.

  attach(session: Session, link: Link, first: Uint8Array): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.session === session) return !entry.isStopped && entry.host.attach(link, first);
    }
    return false;
  }

  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission {
    const { dictionary, decoderLimits } = this.#options;
    const decoder = new Decoder(dictionary, decoderLimits);
    decoder.push(bytes);
    const step = decoder.next();
    if (step === 'more') return { kind: 'more' };
    if (step !== 'message') return refusal(`garbled: ${decoder.reason}`);
    const logon = decoder.message;
    if (logon.text(8) !== dictionary.beginString) return refusal('BeginString(8) is not FIX.4.4');
    if (logon.msgType !== 'A') return refusal('the first message is not a Logon(A)');
    const entry = this.#find(logon);
    if (entry === undefined) return refusal('no session has these CompIDs');
    const { session } = entry;
    if (entry.isStopped) return refusal(`${session.name} is stopped`);
    if (session.phase !== 'down') return refusal(`${session.name} has a connection`);
    const refused = session.examine(logon, peer, now);
    if (refused === undefined) return { kind: 'admit', session };
    const { reason, isOffence, isTold } = refused;
    if (!isTold) return { kind: 'refuse', reason, isOffence };
    const answer = refusalLogout(refused, session.settings, now);
    return { kind: 'refuse', reason, isOffence, answer };
  }

  /** The session of a Logon: sub-ids count where the session has them. */
  #find(logon: Message): Entry | undefined {
    const theirs = logon.text(49) ?? '';
    const ours = logon.text(56) ?? '';
    const key = compIdsKey({ senderCompId: ours, targetCompId: theirs });
    const candidates = this.#byCompIds.get(key)?.filter(({ session: { settings } }) => {
      const { senderSubId, targetSubId } = settings.identity;
      const isOurs = senderSubId === undefined || senderSubId === logon.text(57);
      const isTheirs = targetSubId === undefined || targetSubId === logon.text(50);
      return isOurs && isTheirs && settings.role === 'acceptor';
    });
    return candidates?.sort((a, b) => subIds(b) - subIds(a))[0];
  }

  #enter(entry: Entry): void {
    const { identity } = entry.session.settings;
    this.#entries.set(entry.session.name, entry);
    const key = compIdsKey(identity);
    this.#byCompIds.set(key, [...(this.#byCompIds.get(key) ?? []), entry]);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`there is no session ${name}`);
    return entry;
  }
}

/** How many sub-ids a session insists on. */
function subIds({ session }: Entry): number {
  const { senderSubId, targetSubId } = session.settings.identity;
  return Number(senderSubId !== undefined) + Number(targetSubId !== undefined);
}

function compIdsKey(identity: SessionIdentity): string {
  return `${identity.senderCompId}\x01${identity.targetCompId}`;
}

function refusal(reason: string): Admission {
  return { kind: 'refuse', reason, isOffence: false };
}
