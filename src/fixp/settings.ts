/** The settings of one FIXP session. Every limit is finite; the documentation lists the defaults. */
import type { RateLimit } from '../runtime/token-bucket.ts';
import type { Credentials } from '../transport/authentication.ts';
import type { ByteOrder } from './framing.ts';

/** The name of a session in the store, in logs and on the console. */
export function fixpSessionName(principal: string): string {
  return `FIXP:${principal}`;
}

/** The client's values in Establish; null means the configured value. */
export interface CancelOnDisconnect {
  /** 0 never, 1 on disconnect, 2 on Terminate, 3 on either. */
  readonly type: number | null;
  readonly windowMs: number | null;
}

export const codAsConfigured: CancelOnDisconnect = { type: null, windowMs: null };

/** The longest message that we send. It may repeat one of a peer and add to it, so it may be longer than that. */
export const maxSentBytes = 128 * 1024;

const defaults = {
  byteOrder: 'big' as ByteOrder,
  /** Schema ids of application messages; any other ends the session. */
  applicationSchemas: new Set() as ReadonlySet<number>,
  /** The maximum time between two of our messages. */
  keepaliveMs: 10_000,
  /** The range that the client may choose from. */
  minKeepaliveMs: 100,
  maxKeepaliveMs: 60_000,
  /** The tolerance for timestamps of Negotiate and Establish. */
  timestampToleranceMs: 30_000,
  /** The longest message that the peer may send. */
  maxMessageBytes: 16 * 1024,
  /** The time from the connection to the last Establish. */
  establishWaitMs: 10_000,
  /** The maximum wait for the response to our Terminate. */
  terminateWaitMs: 2_000,
  /** The maximum number of messages in the response to a RetransmitRequest; the requester continues from there. */
  maxRetransmitCount: 1_000,
  maxRetransmitBytes: 1024 * 1024,
  /** The largest Count of a request. */
  maxRequestCount: 65_536,
  /** This many consecutive requests that are out of range, or for the same messages, end the session. */
  maxFutileRequests: 5,
  /** The maximum number of messages stored for a client that is not connected. */
  maxHeldMessages: 1_000_000,
  /** Maximum number of gaps in one client flow; each is recorded. */
  maxGaps: 100,
  /** The maximum sequence number. */
  maxSeqNo: 1_000_000_000_000,
  /** Message templates that count against the cancel rate. */
  cancelTemplates: new Set() as ReadonlySet<number>,
  maxRateRefusals: 100,
  /** For an initiator: the maximum number of messages queued behind a gap. */
  maxQueuedMessages: 10_000,
  maxQueuedBytes: 8 * 1024 * 1024,
  /** For an initiator: a gap that is not filled within this time ends the session. */
  gapPatienceMs: 60_000,
  /** For an initiator: its cancel-on-disconnect settings. */
  cancelOnDisconnect: codAsConfigured,
};
type Defaults = Readonly<typeof defaults>;

export interface FixpSettings extends Defaults {
  readonly role: 'acceptor' | 'initiator';
  /** The owner of the session, regardless of the session ids that it negotiates over time. */
  readonly principal: string;
  /** The usernames that may negotiate as this principal. */
  readonly users: readonly string[];
  readonly rate?: RateLimit;
  readonly cancelRate?: RateLimit;
  /** SHA-256 fingerprints, one of which the client's certificate must have. */
  readonly certificates?: ReadonlySet<string>;
  /** For an initiator: our credentials. */
  readonly credentials?: () => Credentials;
}

/** Without `users`, the principal is the only user. */
export function fixpSettings(
  given: Omit<FixpSettings, keyof Defaults | 'users'> & Partial<FixpSettings>,
): FixpSettings {
  return { ...defaults, users: [given.principal], ...given };
}
