/**
 * Builds FIX messages from the lines of a scenario, with `|` for SOH. The header is filled in, unless a line contains a
 * field of it; `9=…` and `10=…` in a line make an invalid message.
 */
import { utcTimestampText } from '../fix/timestamp.ts';
import { offsetOfNow, parseLine, plain } from './line.ts';
import type { Key } from './received-message.ts';

/** The CompIDs and the sequence number of a message. */
export interface LineHeader {
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly msgSeqNum: number;
  readonly wallMs: number;
}

const soh = '\x01';
/** Fields in header order, after the first three. */
const headerOrder: readonly Key[] = [34, 43, 49, 50, 52, 56, 57, 97, 115, 116, 122, 128, 129, 369];

/** Returns the bytes of a line with its variables filled in. */
export function lineBytes(line: string, header: LineHeader): Buffer {
  const resolve = (_: Key, value: string) => resolveTime(value, header.wallMs);
  const { msgType, fields, absent } = parseLine(line, resolve);
  const filled: [Key, string][] = [
    [34, String(header.msgSeqNum)],
    [49, header.senderCompId],
    [52, utcTimestampText(header.wallMs)],
    [56, header.targetCompId],
  ];
  const own = new Set([...fields.map(([tag]) => tag), ...absent]);
  const all = [...filled.filter(([tag]) => !own.has(tag)), ...fields];
  const inHeader = all
    .filter(([tag]) => headerOrder.includes(tag))
    .sort(([a], [b]) => headerOrder.indexOf(a) - headerOrder.indexOf(b));
  const inBody = all.filter(([tag]) => !([8, 9, 10, ...headerOrder] as Key[]).includes(tag));
  const given = (tag: number) => all.find(([one]) => one === tag)?.[1];
  const body = join([[35, msgType], ...inHeader, ...inBody]);
  return framed(body, given(8) ?? 'FIX.4.4', given(9), given(10));
}

/** Returns the bytes of a line that is sent unchanged, except for `9=?`, `10=?` and times. */
export function rawBytes(line: string, wallMs: number): Buffer {
  const parts = line.split('|').filter((part) => part !== '');
  const resolved = parts.map((part) => plain(withTime(part, wallMs)));
  const lengthAt = resolved.indexOf('9=?');
  const counted = resolved.slice(lengthAt + 1).filter((part) => !part.startsWith('10='));
  const bodyBytes = Buffer.byteLength(counted.map((part) => part + soh).join(''));
  const text = resolved
    .map((part) => (part === '9=?' ? `9=${bodyBytes}` : part) + soh)
    .filter((part) => part !== `10=?${soh}`)
    .join('');
  const bytes = Buffer.from(text);
  return resolved.includes('10=?') ? withCheckSum(bytes) : bytes;
}

/** Puts `body` between BodyLength(9) and CheckSum(10), which may both be deliberately wrong. */
export function framed(
  body: Buffer,
  beginString = 'FIX.4.4',
  length = String(body.length),
  checkSum?: string,
): Buffer {
  const head = Buffer.from(`8=${beginString}${soh}9=${length}${soh}`);
  const whole = Buffer.concat([head, body]);
  if (checkSum === undefined) return withCheckSum(whole);
  return Buffer.concat([whole, Buffer.from(`10=${checkSum}${soh}`)]);
}

function withCheckSum(bytes: Buffer): Buffer {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return Buffer.concat([bytes, Buffer.from(`10=${String(sum % 256).padStart(3, '0')}${soh}`)]);
}

function join(fields: readonly (readonly [Key, string])[]): Buffer {
  return Buffer.from(fields.map(([tag, value]) => `${tag}=${value}${soh}`).join(''));
}

/** Like `resolveTime`, for `TAG=VALUE`. */
export function withTime(part: string, wallMs: number): string {
  const at = part.indexOf('=') + 1;
  return part.slice(0, at) + resolveTime(part.slice(at), wallMs);
}

/** Converts `now`, `now-121s` and `now+1s` to UTCTimestamps; returns other values unchanged. */
export function resolveTime(value: string, wallMs: number): string {
  const offsetMs = offsetOfNow(value);
  return offsetMs === undefined ? value : utcTimestampText(wallMs + offsetMs);
}

/** Formats a message for people, with `|` for SOH. */
export function readable(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').replaceAll(soh, '|');
}
