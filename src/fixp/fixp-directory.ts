/**
 * All FIXP sessions of a process: which one a new connection is for, and what an operator may see and do at run time.
 * Sessions are added and removed while others run.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Transactions } from '../store/transactions.ts';
import type { Authenticator } from '../transport/authentication.ts';
import type { Link } from '../transport/link.ts';
import { defaultLockoutLimits, type LockoutLimits } from '../transport/lockout.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Admission, Peer, Reception, Session } from '../transport/session.ts';
import { type Hosting, SessionRoster } from '../transport/session-roster.ts';
import {
  type Establish,
  judgeStranger,
  type Negotiate,
  type Refusal,
  rejectOf,
  strangerReject,
} from './admission.ts';
import type { FixpApplication } from './application.ts';
import { FixpClientSession } from './client-session.ts';
import { readCredentials } from './credentials.ts';
import { type ByteOrder, Deframer, framed, orderOf } from './framing.ts';
import { TerminationCode } from './generated/codes.ts';
import { FixpServerSession } from './server-session.ts';
import { type CoreParts, type FixpState, nullSessionId, numbered } from './session-core.ts';
import { SessionIds } from './session-ids.ts';
import {
  fixpSchema,
  readSessionMessage,
  schemaIdOf,
  versionOf,
  writeSessionMessage,
} from './session-messages.ts';
import { type FixpSettings, fixpSessionName } from './settings.ts';

export interface FixpSpec {
  readonly settings: FixpSettings;
  readonly application: FixpApplication;
  /** Used for a server only. */
  readonly authenticate?: Authenticator;
}

export interface FixpDirectoryOptions extends Omit<Hosting, 'recorder'> {
  readonly transactions: Transactions;
  /** If present, an unknown user is treated like one with a wrong password. */
  readonly strangers?: Authenticator;
}

type FixpSession = FixpServerSession | FixpClientSession;

/** A user who fails five times within a minute is locked out from that address for the next minute (P-20). */
export const fixpLockout: LockoutLimits = { ...defaultLockoutLimits, offences: 5 };

/** Negotiate and Establish are short. */
export const maxFirstMessageBytes = 2_048;

export class FixpDirectory implements Reception {
  readonly #options: FixpDirectoryOptions;
  readonly roster: SessionRoster<FixpSession>;
  readonly #byUser = new Map<string, FixpServerSession>();

  constructor(options: FixpDirectoryOptions) {
    this.#options = options;
    this.roster = new SessionRoster<FixpSession>(
      { ...options, recorder: options.transactions },
      (session, text, now) => session.terminate(text, now),
    );
  }

  /** Adds a session that clients negotiate; it resumes from its stored state. */
  async add(spec: FixpSpec): Promise<FixpServerSession> {
    return this.resume(spec, await this.load(nameOf(spec)));
  }

  /** Adds a session in which this process is the client; it sends first on a connection that is attached to it. */
  async addClient(spec: FixpSpec): Promise<FixpClientSession> {
    return this.resumeClient(spec, await this.load(nameOf(spec)));
  }

  /** The stored state of a session that is not here. */
  async load(name: string): Promise<FixpState> {
    const { store } = this.#options.transactions;
    const start = await store.numbers(name);
    const ids = new SessionIds((await store.snapshot(name))?.payload);
    return { start, ids };
  }

  /** Like `add`, from what `load` or `remove` returned. */
  resume(spec: FixpSpec, state: FixpState): FixpServerSession {
    const { authenticate, settings } = spec;
    return this.#host(spec, state, (parts) => {
      for (const user of settings.users) this.#checkUser(user);
      const session = new FixpServerSession({ ...parts, ...(authenticate && { authenticate }) });
      for (const user of settings.users) this.#byUser.set(user, session);
      return session;
    });
  }

  /** Like `addClient`, from what `load` or `remove` returned. */
  resumeClient(spec: FixpSpec, state: FixpState): FixpClientSession {
    return this.#host(spec, state, (parts) => new FixpClientSession(parts));
  }

  /** Removes a session and closes its connection. Returns its state, which remains in the store. */
  remove(name: string): FixpState {
    const session = this.roster.remove(name);
    for (const user of session.settings.users) {
      if (this.#byUser.get(user) === session) this.#byUser.delete(user);
    }
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
    return userIn(readRequest(bytes, () => false));
  }

  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission {
    const isSpoken = (schemaId: number) =>
      [...this.#byUser.values()].some(({ settings }) => settings.applicationSchemas.has(schemaId));
    const first = readRequest(bytes, isSpoken);
    return first.kind === 'request' ? this.#admitRequest(first, peer, now) : first;
  }

  #admitRequest({ order, request }: FirstRequest, peer: Peer, now: Instant): Admission {
    const credentials = readCredentials(request.credentials);
    const session = this.#byUser.get(credentials?.username ?? '');
    if (session === undefined) {
      const { strangers } = this.#options;
      const objection =
        credentials && strangers && judgeStranger(request, credentials, strangers, peer, now);
      if (objection instanceof PendingVerdict) return { kind: 'wait', pendingVerdict: objection };
      return refusal(objection ?? strangerReject(request), order);
    }
    const isStopped = this.roster.isStopped(session.name);
    const refused = session.examine(request, peer, now, isStopped);
    if (refused instanceof PendingVerdict) return { kind: 'wait', pendingVerdict: refused };
    if (refused !== undefined) return refusal(refused, order);
    const { byteOrder } = session.settings;
    if (byteOrder === order) return { kind: 'admit', session };
    const reason = numbered('framing', `the framing header of this session is ${byteOrder}-endian`);
    return refusal(rejectOf(request, 'Unspecified', reason, false), order);
  }

  #host<S extends FixpSession>(
    spec: FixpSpec,
    state: FixpState,
    create: (parts: CoreParts) => S,
  ): S {
    const { transactions } = this.#options;
    const { settings, application } = spec;
    const name = nameOf(spec);
    // Only the last record is used, so any position is fine.
    const saveIds = (payload: Uint8Array) =>
      transactions.write({ kind: 'snapshot', stream: name, position: 0, payload });
    return this.roster.add(name, (effects) =>
      create({ settings, application, effects, saveIds, ...state }),
    );
  }

  #checkUser(user: string): void {
    const other = this.#byUser.get(user);
    if (other !== undefined)
      throw new Error(`user ${user} is one of session ${other.name} already`);
  }
}

function nameOf({ settings }: FixpSpec): string {
  return fixpSessionName(settings.principal);
}

/** The required first message of a connection. */
export interface FirstRequest {
  readonly kind: 'request';
  readonly request: Negotiate | Establish;
  readonly order: ByteOrder;
}

/** Decodes it, or determines how to respond to a connection that starts with something else. */
export function readRequest(
  bytes: Uint8Array,
  isSpoken: (schemaId: number) => boolean,
): FirstRequest | Admission<never> {
  const order = orderOf(bytes);
  if (order === undefined) return { kind: 'more' };
  const deframer = new Deframer(order, maxFirstMessageBytes);
  deframer.push(bytes);
  const step = deframer.next();
  if (step === 'more') return { kind: 'more' };
  if (step === 'bad') return notFixp(numbered('framing', deframer.reason), order);
  const { message } = deframer;
  const schemaId = schemaIdOf(message);
  if (schemaId !== fixpSchema.id) {
    const reason = isSpoken(schemaId)
      ? numbered('misuse', 'an application message before Establish')
      : numbered('schema', `schema ${schemaId} is not spoken here`);
    return notFixp(reason, order);
  }
  const request = readSessionMessage(message);
  if (request.name === 'fault') return notFixp(numbered('framing', request.reason), order);
  if (request.name !== 'Negotiate' && request.name !== 'Establish')
    return notFixp(numbered('misuse', `${request.name} before Negotiate and Establish`), order);
  return versionOf(message) > fixpSchema.version
    ? refusal(wrongVersion(request, versionOf(message)), order)
    : { kind: 'request', request, order };
}

/** The user in a request; empty if there is none. */
export function userIn(first: FirstRequest | Admission<never>): string {
  return first.kind === 'request'
    ? (readCredentials(first.request.credentials)?.username ?? '')
    : '';
}

/** Rejects a request for a reason that is not the client's fault. */
export function turnedAway({ order, request }: FirstRequest, reason: string): Admission<never> {
  return refusal(rejectOf(request, 'Unspecified', reason, false), order);
}

function wrongVersion(request: Negotiate | Establish, version: number): Refusal {
  const text = `version ${version} of schema ${fixpSchema.id}; 0 to ${fixpSchema.version} are spoken`;
  return rejectOf(request, 'Unspecified', numbered('schema', text), false);
}

function refusal({ answer, isOffence, reason }: Refusal, order: ByteOrder): Admission<never> {
  const bytes = framed(writeSessionMessage(answer), order);
  const text = `${answer.name}: ${reason ?? answer.reason}`;
  return { kind: 'refuse', reason: text, isOffence, answer: bytes };
}

/** A first message other than Negotiate or Establish. */
function notFixp(reason: string, order: ByteOrder): Admission<never> {
  const code = TerminationCode.UnspecifiedError;
  const terminate = { name: 'Terminate', sessionId: nullSessionId, code, reason } as const;
  const answer = framed(writeSessionMessage(terminate), order);
  return { kind: 'refuse', reason, isOffence: false, answer };
}
