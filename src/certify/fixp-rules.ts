/** The rules that every FIXP message of a counterparty must follow in any scenario. */
import { readCredentials } from '../fixp/credentials.ts';
import { fieldOf, type ReceivedMessage } from './received-message.ts';
import type { Verdict } from './record.ts';
import type { Difference } from './resends.ts';

/** The state of the session when a message arrives. */
export interface Known {
  readonly sessionId: string;
  /** The Timestamps of our requests on this connection, in nanoseconds; several may be in flight. */
  readonly requestsNs: ReadonlySet<bigint>;
  /** The Timestamp of the counterparty's last request. */
  readonly theirRequestNs: bigint;
  readonly hasTerminated: boolean;
  /** The required username of a client, for identity checks. */
  readonly username: string | undefined;
  /** The numbering fault of the message, if any. */
  readonly wrongNumber: string | undefined;
  /** How a retransmitted message differs from its original, if it does. */
  readonly changed: Difference | undefined;
}

const nsPerMs = 1_000_000n;
const toleranceMs = 30_000n;

/** Messages that start a session, and responses about messages of an earlier one. */
const ofAnySession = new Set(['Negotiate', 'Establish', 'Retransmission', 'RetransmitReject']);

function isOfAnother(message: ReceivedMessage, sessionId: string): boolean {
  if (sessionId === '' || ofAnySession.has(message.msgType)) return false;
  return (fieldOf(message, 'SessionId') ?? sessionId) !== sessionId;
}

/** Returns only violations. */
export function fixpFaults(message: ReceivedMessage, known: Known): readonly Verdict[] {
  const broken: Verdict[] = [];
  const add = (name: string, wanted: string, rule: string, section: string, shown?: string) => {
    const got = shown ?? fieldOf(message, name) ?? message.msgType;
    broken.push({ tag: 0, name, wanted, got, isMet: false, rule, ref: `FIXP 1.1, ${section}` });
  };
  const { msgType } = message;
  const sessionId = fieldOf(message, 'SessionId');
  const isBeginning = msgType === 'Negotiate' || msgType === 'Establish';
  if (isBeginning && sessionId === undefined) {
    add('SessionId', 'not null', 'A session id is a UUID of the client', 'Negotiate');
  } else if (isOfAnother(message, known.sessionId)) {
    add('SessionId', known.sessionId, 'Messages name the session that was negotiated', 'Negotiate');
  }
  if (known.wrongNumber !== undefined) {
    const rule = 'NextSeqNo is one above the number of the last message';
    add('NextSeqNo', known.wrongNumber, rule, 'Sequence');
  }
  if (known.changed !== undefined) {
    const rule = 'A message that is retransmitted has the content of the original';
    broken.push({ ...known.changed, isMet: false, rule, ref: 'FIXP 1.1, Retransmission' });
  }
  const timestamp = fieldOf(message, 'Timestamp');
  if (timestamp !== undefined) {
    const offMs = BigInt(timestamp) / nsPerMs - BigInt(message.atMs);
    const rule = 'Timestamp is the time in nanoseconds, after that of the request before';
    const isNow = offMs < toleranceMs && offMs > -toleranceMs;
    if (!isNow || BigInt(timestamp) <= known.theirRequestNs) {
      add('Timestamp', `now, after ${known.theirRequestNs}`, rule, 'Negotiate');
    }
  }
  const requested = fieldOf(message, 'RequestTimestamp');
  if (requested !== undefined && !known.requestsNs.has(BigInt(requested))) {
    const rule = 'An answer repeats the Timestamp of its request';
    add('RequestTimestamp', [...known.requestsNs].join(' or ') || 'no answer', rule, 'Negotiate');
  }
  if (known.hasTerminated) {
    add('message', 'nothing', 'Nothing follows a Terminate but its answer', 'Terminate');
  }
  const proof = Buffer.from(fieldOf(message, 'Credentials') ?? '');
  const name = readCredentials(proof)?.username;
  if (isBeginning && known.username !== undefined && name !== known.username) {
    const rule = 'Credentials name the user of the identity lock';
    add('Credentials', known.username, rule, 'Negotiate', name ?? 'absent');
  }
  return broken;
}
