/**
 * Decides whether a Negotiate or an Establish is accepted (FIXP 1.1, "Session negotiation", "Session establishment").
 * The order of the checks is the specification: first the identity, then the request. It changes only the connection's
 * state.
 */
import type { Instant } from '../runtime/clock.ts';
import {
  type Attempt,
  type Authenticator,
  type Credentials,
  objectionToClient,
  wrongCredentials,
} from '../transport/authentication.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Peer } from '../transport/session.ts';
import { readCredentials } from './credentials.ts';
import { EstablishmentRejectCode, FlowType, NegotiationRejectCode } from './generated/codes.ts';
import { objectionToTime } from './request.ts';
import { type FixpPhase, nullSessionId, numbered } from './session-core.ts';
import type { SessionIds } from './session-ids.ts';
import type { SessionMessageOf } from './session-messages.ts';
import type { FixpSettings } from './settings.ts';

export type Negotiate = SessionMessageOf<'Negotiate'>;
export type Establish = SessionMessageOf<'Establish'>;

/** The response, and whether it counts against the source. */
export interface Refusal {
  /** The reason for the operator, if it differs from the reason for the peer. */
  readonly reason?: string;
  readonly answer: SessionMessageOf<'NegotiationReject'> | SessionMessageOf<'EstablishmentReject'>;
  readonly isOffence: boolean;
}

/** The facts about the requested session. */
export interface Doorkeeper {
  readonly settings: FixpSettings;
  readonly authenticate: Authenticator;
  readonly ids: SessionIds;
  readonly phase: FixpPhase;
  readonly isStopped: boolean;
}

/** A connection that has negotiated. */
export interface Bound {
  /** The credentials with which it was authenticated. */
  readonly shown: Credentials | undefined;
}

const wrong = numbered('credentials', wrongCredentials);

export function objectionToNegotiate(
  request: Negotiate,
  door: Doorkeeper,
  peer: Peer,
  now: Instant,
): Refusal | PendingVerdict | undefined {
  const { settings, ids } = door;
  const { sessionId, timestamp, clientFlow } = request;
  // A client that fails these checks is authenticated, so it is not guessing.
  const no = (code: keyof typeof NegotiationRejectCode, reason: string) =>
    rejectOf(request, code, reason, false);
  const stranger = objectionToPeer(request, readCredentials(request.credentials), door, peer, now);
  if (stranger !== undefined) return stranger;
  if (sessionId === nullSessionId) return no('Unspecified', misuse('SessionId is null'));
  const { timestampToleranceMs } = settings;
  const late = objectionToTime(timestamp, now.wallMs, timestampToleranceMs, ids.lastRequestNs);
  if (late !== undefined) return no('Unspecified', misuse(late));
  if (ids.find(sessionId) !== undefined) return no('DuplicateId', 'SessionId was used before');
  if (clientFlow !== FlowType.Idempotent && clientFlow !== FlowType.None)
    return no('FlowTypeNotSupported', 'ClientFlow is Idempotent or None');
  if (door.isStopped) return no('Unspecified', 'the session is stopped');
  if (door.phase !== 'down') return no('Unspecified', 'the session has a connection');
  return undefined;
}

/** `bound`: the same connection has just negotiated, so it is authenticated. */
export function objectionToEstablish(
  request: Establish,
  door: Doorkeeper,
  peer: Peer,
  now: Instant,
  bound?: Bound,
): Refusal | PendingVerdict | undefined {
  const { settings, ids } = door;
  const no = (code: keyof typeof EstablishmentRejectCode, reason: string) =>
    rejectOf(request, code, reason, false);
  const credentials = readCredentials(request.credentials);
  const isProven =
    bound !== undefined && (request.credentials.length === 0 || isSame(bound, credentials));
  const stranger = isProven ? undefined : objectionToPeer(request, credentials, door, peer, now);
  if (stranger !== undefined) return stranger;
  if (ids.current?.sessionId !== request.sessionId)
    return no('Unnegotiated', 'SessionId is not negotiated, or its session has ended');
  const afterNs = bound !== undefined ? -1n : ids.lastRequestNs;
  const { timestampToleranceMs, minKeepaliveMs, maxKeepaliveMs, maxSeqNo } = settings;
  const late = objectionToTime(request.timestamp, now.wallMs, timestampToleranceMs, afterNs);
  if (late !== undefined) return no('Unspecified', misuse(late));
  if (door.isStopped) return no('SessionBlocked', 'the session is stopped');
  if (bound === undefined && door.phase !== 'down')
    return no('AlreadyEstablished', 'the session has a connection');
  const { keepaliveInterval, nextSeqNo } = request;
  if (keepaliveInterval < minKeepaliveMs || keepaliveInterval > maxKeepaliveMs)
    return no('KeepaliveInterval', `from ${minKeepaliveMs} to ${maxKeepaliveMs} ms`);
  if (nextSeqNo !== undefined && (nextSeqNo < 1 || nextSeqNo > maxSeqNo))
    return no('Unspecified', misuse(`NextSeqNo is from 1 to ${maxSeqNo}`));
  return undefined;
}

/** The reject message of each request, and that message's codes. */
const rejects = {
  Negotiate: { name: 'NegotiationReject', codes: NegotiationRejectCode },
  Establish: { name: 'EstablishmentReject', codes: EstablishmentRejectCode },
} as const;

export function rejectOf<Request extends Negotiate | Establish>(
  request: Request,
  code: keyof (typeof rejects)[Request['name']]['codes'] & string,
  reason: string,
  isOffence = true,
): Refusal {
  const { sessionId, timestamp: requestTimestamp } = request;
  const { name, codes } = rejects[request.name];
  const number = (codes as Readonly<Record<string, number>>)[code] as never;
  return { answer: { name, sessionId, requestTimestamp, reason, code: number }, isOffence };
}

/** Refuses with the request's own code for wrong credentials. */
export function strangerReject(request: Negotiate | Establish): Refusal {
  return rejectOf(request, 'Credentials', wrong);
}

/** A client that repeats the same password is already authenticated. */
function isSame({ shown }: Bound, again: Credentials | undefined): boolean {
  const { password, username } = again ?? {};
  return password !== undefined && password === shown?.password && username === shown.username;
}

function objectionToPeer(
  request: Negotiate | Establish,
  credentials: Credentials | undefined,
  { settings, authenticate }: Doorkeeper,
  peer: Peer,
  now: Instant,
): Refusal | PendingVerdict | undefined {
  if (credentials === undefined || !settings.users.includes(credentials.username)) {
    return { ...strangerReject(request), reason: wrong };
  }
  const attempt = attemptOf(request, credentials, peer, now);
  const why = objectionToClient(attempt, settings.certificates, authenticate);
  if (why === undefined || why instanceof PendingVerdict) return why;
  const { peerText, reason } = why;
  return { ...rejectOf(request, 'Credentials', numbered('credentials', peerText)), reason };
}

/** An unknown user is treated like one with a wrong password. */
export function judgeStranger(
  request: Negotiate | Establish,
  credentials: Credentials,
  authenticate: Authenticator,
  peer: Peer,
  now: Instant,
): Refusal | PendingVerdict {
  const attempt = attemptOf(request, credentials, peer, now);
  const verdict = authenticate({ ...attempt, standing: 'stranger' });
  return verdict instanceof PendingVerdict ? verdict : strangerReject(request);
}

function attemptOf(
  { name, sessionId, timestamp }: Negotiate | Establish,
  credentials: Credentials,
  peer: Peer,
  now: Instant,
): Attempt {
  return { credentials, signed: [name, sessionId, String(timestamp)], peer, now };
}

function misuse(text: string): string {
  return numbered('misuse', text);
}
