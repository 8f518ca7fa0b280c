/** What one FIXP session is told by its operator. Every limit is finite; the defaults are those of the manual. */
import type { RateLimit } from '../runtime/token-bucket.ts';
import type { Credentials } from '../transport/authentication.ts';
import type { ByteOrder } from './framing.ts';

/** The name of a session in the store, in logs and on the console. */
export function fixpSessionName(principal: string): string {
  return `FIXP:${principal}`;
}

/** What a client asks for in its Establish; null: as the server is configured. */
export interface CancelOnDisconnect {
  /** 0 never, 1 on disconnect, 2 on Terminate, 3 on either. */
  readonly type: number | null;
  readonly windowMs: number | null;
}

export const codAsConfigured: CancelOnDisconnect = { type: null, windowMs: null };

export interface FixpSettings {
  readonly role: 'acceptor' | 'initiator';
  /** Whose session it is, whatever session ids it negotiates in the course of time. */
  readonly principal: string;
  /** The usernames that may negotiate as this principal. */
  readonly users: readonly string[];
  readonly byteOrder: ByteOrder;
  /** Schema ids of application messages; any other ends the session. */
  readonly applicationSchemas: ReadonlySet<number>;
  /** We are never silent for longer. */
  readonly keepaliveMs: number;
  /** What the client may choose for itself. */
  readonly minKeepaliveMs: number;
  readonly maxKeepaliveMs: number;
  /** Timestamps of Negotiate and Establish may be so far off. */
  readonly timestampToleranceMs: number;
  readonly maxMessageBytes: number;
  /** From the connection to the last Establish. */
  readonly establishWaitMs: number;
  /** How long a Terminate of ours waits for its answer. */
  readonly terminateWaitMs: number;
  /** An answer to a RetransmitRequest holds so many messages and about so many bytes; the requester asks on. */
  readonly maxRetransmitCount: number;
  readonly maxRetransmitBytes: number;
  /** More than this cannot be asked for at once. */
  readonly maxRequestCount: number;
  /** So many requests out of range, or for the same messages, one after the other, end the session. */
  readonly maxFutileRequests: number;
  /** Messages that wait for the client to come back. */
  readonly maxHeldMessages: number;
  /** So many gaps in one client flow; each is remembered. */
  readonly maxGaps: number;
  /** Beyond it no number goes. */
  readonly maxSeqNo: number;
  readonly rate?: RateLimit;
  readonly cancelRate?: RateLimit;
  /** Templates that draw on the cancel rate. */
  readonly cancelTemplates: ReadonlySet<number>;
  readonly maxRateRefusals: number;
  /** SHA-256 fingerprints, one of which the client's certificate must have. */
  readonly certificates?: ReadonlySet<string>;
  /** Of an initiator: messages beyond a gap that wait for it to be filled. */
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
  /** Of an initiator: a gap that is not filled for so long ends the session. */
  readonly gapPatienceMs: number;
  /** Of an initiator: what its orders shall do when it is gone. */
  readonly cancelOnDisconnect: CancelOnDisconnect;
  /** Of an initiator: what proves who we are. */
  readonly credentials?: () => Credentials;
}

const defaults = {
  byteOrder: 'big',
  applicationSchemas: new Set<number>(),
  keepaliveMs: 10_000,
  minKeepaliveMs: 100,
  maxKeepaliveMs: 60_000,
  timestampToleranceMs: 30_000,
  maxMessageBytes: 16 * 1024,
  establishWaitMs: 10_000,
  terminateWaitMs: 2_000,
  maxRetransmitCount: 1_000,
  maxRetransmitBytes: 1024 * 1024,
  maxRequestCount: 65_536,
  maxFutileRequests: 5,
  maxHeldMessages: 1_000_000,
  maxGaps: 100,
  maxSeqNo: 1_000_000_000_000,
  cancelTemplates: new Set<number>(),
  maxRateRefusals: 100,
  maxQueuedMessages: 10_000,
  maxQueuedBytes: 8 * 1024 * 1024,
  gapPatienceMs: 60_000,
  cancelOnDisconnect: codAsConfigured,
} as const;

type Defaulted = keyof typeof defaults | 'users';

/** A principal whose users are not named is the one user. */
export function fixpSettings(
  given: Omit<FixpSettings, Defaulted> & Partial<Pick<FixpSettings, Defaulted>>,
): FixpSettings {
  return { ...defaults, users: [given.principal], ...given };
}
