/** Builds FIXP messages from the lines of a scenario: missing fields are filled in from the session. */
import { writeCredentials } from '../fixp/credentials.ts';
import { type ByteOrder, framingHeaderSize } from '../fixp/framing.ts';
import { encodeFrame, namesOf } from './fixp-message.ts';
import { offsetOfNow, parseLine } from './line.ts';
import type { Key } from './received-message.ts';

export interface Known {
  readonly sessionId: string;
  readonly newSessionId: () => string;
  /** The Timestamp of a request of ours. */
  readonly timestampNs: bigint;
  /** The Timestamp of the counterparty's last request. */
  readonly requestNs: bigint;
  readonly nextSeqNo: number;
  readonly lastIncomingSeqNo: number;
  readonly keepaliveMs: number;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
}

const nsPerSecond = 1_000_000_000n;
const nsPerMs = 1_000_000n;
const nullSessionId = '00'.repeat(16);

/** Returns the frame of a line with its variables filled in. */
export function fillMessage(line: string, known: Known, framing?: ByteOrder): Buffer {
  const resolve = (key: Key, value: string) => resolved(String(key), value, known);
  const { msgType, fields, absent } = parseLine(line, resolve);
  const values = new Map<Key, string>();
  for (const [name, value] of defaults(msgType, known)) {
    if (!absent.includes(name) && namesOf(msgType).includes(name)) values.set(name, value);
  }
  for (const [name, value] of fields) values.set(name, value);
  return encodeFrame(msgType, values, framing);
}

/** Returns an application message, for which the session is not needed. */
export function applicationMessage(line: string, nowMs: number): Uint8Array {
  const nothing = { sessionId: '', requestNs: 0n, nextSeqNo: 0, lastIncomingSeqNo: 0 };
  const frame = fillMessage(line, {
    ...nothing,
    newSessionId: () => '',
    timestampNs: BigInt(nowMs) * nsPerMs,
    keepaliveMs: 0,
    credentials: undefined,
  });
  return frame.subarray(framingHeaderSize);
}

function defaults(msgType: string, known: Known): readonly (readonly [string, string])[] {
  const { credentials } = known;
  const proves = msgType === 'Negotiate' || msgType === 'Establish';
  const proof = credentials === undefined ? '' : Buffer.from(writeCredentials(credentials));
  return [
    ['SessionId', known.sessionId || nullSessionId],
    ['Timestamp', String(known.timestampNs)],
    ['RequestTimestamp', String(known.requestNs)],
    ['NextSeqNo', String(known.nextSeqNo)],
    ['KeepaliveInterval', String(known.keepaliveMs)],
    ['ClientFlow', 'Idempotent'],
    ['ServerFlow', 'Recoverable'],
    ['TransactTime', String(known.timestampNs / nsPerMs)],
    ['LastIncomingSeqNo', String(known.lastIncomingSeqNo)],
    ...(proves ? ([['Credentials', proof.toString()]] as const) : []),
  ];
}

/** Resolves `new` and `null` session ids; `now`, `now-31s` and `seconds` as times; `^A` in Credentials. */
function resolved(name: string, value: string, known: Known): string {
  if (name === 'SessionId' && value === 'new') return known.newSessionId();
  if (name === 'SessionId' && value === 'null') return nullSessionId;
  if (name === 'Credentials') return value.replaceAll('^A', '\x01');
  if (name === 'Timestamp' && value === 'seconds') return String(known.timestampNs / nsPerSecond);
  const offsetMs = offsetOfNow(value);
  if (offsetMs === undefined) return value;
  const ns = known.timestampNs + BigInt(offsetMs) * nsPerMs;
  return String(name === 'Timestamp' ? ns : ns / nsPerMs);
}
