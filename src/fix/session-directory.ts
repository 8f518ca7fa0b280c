/**
 * All FIX sessions of a process: which one a new connection is for, and what an operator may see and do at run time.
 * Sessions are added and removed while others run.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Transactions } from '../store/transactions.ts';
import type { Link } from '../transport/link.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Admission, Peer, Reception, Session } from '../transport/session.ts';
import { type Hosting, SessionRoster } from '../transport/session-roster.ts';
import { Decoder } from './decoder.ts';
import type { Dictionary } from './dictionary.ts';
import type { Message } from './message.ts';
import { FixSession, type SessionSpec } from './session.ts';
import type { SessionStart } from './session-core.ts';
import { refusalLogout } from './session-logon.ts';
import { type SessionIdentity, sessionName } from './session-settings.ts';

export interface DirectoryOptions extends Omit<Hosting, 'recorder'> {
  readonly dictionary: Dictionary;
  readonly transactions: Transactions;
}

export class SessionDirectory implements Reception {
  readonly #options: DirectoryOptions;
  readonly roster: SessionRoster<FixSession>;
  readonly #byCompIds = new Map<string, FixSession[]>();

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.roster = new SessionRoster<FixSession>(
      { ...options, recorder: options.transactions },
      (session, text, now) => session.logout(text, now),
    );
  }

  /** Resumes the session from its stored state. */
  async add(spec: SessionSpec): Promise<FixSession> {
    return this.resume(spec, await this.load(sessionName(spec.settings.identity)));
  }

  /** The stored state of a session that is not here. */
  load(name: string): Promise<SessionStart> {
    return this.#options.transactions.store.numbers(name);
  }

  /** Resumes the session from what `load` or `remove` returned. */
  resume(spec: SessionSpec, start: SessionStart): FixSession {
    const { dictionary } = this.#options;
    const made = this.roster.add(
      sessionName(spec.settings.identity),
      (effects) => new FixSession({ ...spec, dictionary, effects, start }),
    );
    const key = compIdsKey(made.settings.identity);
    this.#byCompIds.set(key, [...(this.#byCompIds.get(key) ?? []), made]);
    return made;
  }

  /** Removes a session and closes its connection. Returns its state, which remains in the store. */
  remove(name: string): SessionStart {
    const session = this.roster.remove(name);
    const key = compIdsKey(session.settings.identity);
    const others = this.#byCompIds.get(key)?.filter((other) => other !== session) ?? [];
    if (others.length === 0) this.#byCompIds.delete(key);
    else this.#byCompIds.set(key, others);
    return session.state;
  }

  close(): void {
    for (const name of this.roster.names) this.remove(name);
  }

  // Connections.

  attach(session: Session, link: Link, first: Uint8Array): boolean {
    return this.roster.attach(session, link, first);
  }

  nameIn(bytes: Uint8Array): string {
    return clientIn(readLogon(bytes, this.#options.dictionary));
  }

  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission {
    const first = readLogon(bytes, this.#options.dictionary);
    if (first.kind !== 'logon') return first;
    const { logon } = first;
    const session = this.#find(logon);
    if (session === undefined) return refusal('no session has these CompIDs');
    const found = session.examine(logon, peer, now);
    if (found instanceof PendingVerdict) return { kind: 'wait', pendingVerdict: found };
    if (found === undefined) {
      // Only an authenticated peer gets this reason; otherwise strangers would learn which sessions are online.
      if (this.roster.isStopped(session.name)) return refusal(`${session.name} is stopped`);
      if (session.phase !== 'down') return refusal(`${session.name} has a connection`);
      return { kind: 'admit', session };
    }
    const { reason, isOffence, peerText } = found;
    if (peerText === undefined) return { kind: 'refuse', reason, isOffence };
    const answer = refusalLogout(found, logon, session.settings.numberTag, now);
    return { kind: 'refuse', reason, isOffence, answer };
  }

  /** Finds the session of a Logon. Sub-ids must match if the session has any. */
  #find(logon: Message): FixSession | undefined {
    const theirs = logon.text(49) ?? '';
    const ours = logon.text(56) ?? '';
    const key = compIdsKey({ senderCompId: ours, targetCompId: theirs });
    const candidates = this.#byCompIds.get(key)?.filter(({ settings }) => {
      const { senderSubId, targetSubId } = settings.identity;
      const isOurs = senderSubId === undefined || senderSubId === logon.text(57);
      const isTheirs = targetSubId === undefined || targetSubId === logon.text(50);
      return isOurs && isTheirs && settings.role === 'acceptor';
    });
    return candidates?.sort((a, b) => subIds(b) - subIds(a))[0];
  }
}

/** Reads the Logon(A) with which a connection has to start, or determines how to respond otherwise. */
export function readLogon(
  bytes: Uint8Array,
  dictionary: Dictionary,
): { readonly kind: 'logon'; readonly logon: Message } | Admission<never> {
  const decoder = new Decoder(dictionary);
  decoder.push(bytes);
  const step = decoder.next();
  if (step === 'more') return { kind: 'more' };
  if (step !== 'message') return refusal(`garbled: ${decoder.reason}`);
  const logon = decoder.message;
  if (logon.text(8) !== dictionary.beginString) return refusal('BeginString(8) is not FIX.4.4');
  return logon.msgType === 'A'
    ? { kind: 'logon', logon }
    : refusal('the first message is not a Logon(A)');
}

/** SenderCompID(49); empty if the message is not a Logon(A). */
export function clientIn(first: ReturnType<typeof readLogon>): string {
  return first.kind === 'logon' ? (first.logon.text(49) ?? '') : '';
}

/** The number of sub-ids that a session requires. */
function subIds({ settings }: FixSession): number {
  const { senderSubId, targetSubId } = settings.identity;
  return Number(senderSubId !== undefined) + Number(targetSubId !== undefined);
}

function compIdsKey(identity: SessionIdentity): string {
  return `${identity.senderCompId}\x01${identity.targetCompId}`;
}

function refusal(reason: string): Admission<never> {
  return { kind: 'refuse', reason, isOffence: false };
}
