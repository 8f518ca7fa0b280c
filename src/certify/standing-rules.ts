/** The rules that every message of a counterparty must follow in any scenario. */
import { utcTimestampMs } from '../fix/timestamp.ts';
import type { Numbers } from './numbers.ts';
import { faultText, fieldOf, isFlagged, type ReceivedMessage } from './received-message.ts';
import type { Verdict } from './record.ts';

export interface Counterparty {
  /** The counterparty's own SenderCompID(49). */
  readonly senderCompId: string;
  readonly targetCompId: string;
}

const toleranceMs = 120_000;

/** Returns only violations. */
export function standingFaults(
  message: ReceivedMessage,
  names: Counterparty,
  numbers: Numbers | undefined,
): readonly Verdict[] {
  const broken: Verdict[] = [];
  const add = (tag: number, name: string, wanted: string, got: string, rule: string, ref: string) =>
    broken.push({ tag, name, wanted, got, isMet: false, rule, ref });
  if (fieldOf(message, 8) !== 'FIX.4.4') {
    const got = fieldOf(message, 8) ?? 'absent';
    add(8, 'BeginString(8)', 'FIX.4.4', got, 'All messages are of FIX 4.4', 'FIX 4.4 vol. 2');
  }
  for (const [tag, name, wanted] of [
    [49, 'SenderCompID(49)', names.senderCompId],
    [56, 'TargetCompID(56)', names.targetCompId],
  ] as const) {
    const got = fieldOf(message, tag) ?? 'absent';
    if (got === wanted) continue;
    add(tag, name, wanted, got, 'The CompIDs are those of the identity lock', 'FIX 4.4 vol. 2');
  }
  const wrong = numbers?.received(message);
  if (wrong !== undefined) {
    const got = fieldOf(message, 34) ?? 'absent';
    const rule = 'MsgSeqNum(34) grows by one with each message';
    add(34, 'MsgSeqNum(34)', wrong, got, rule, 'FIX 4.4 vol. 2, Sequence Numbers');
  }
  const changed = numbers?.resends.received(message);
  if (changed !== undefined) {
    const { got, name, tag, wanted } = changed;
    const rule = 'A message that is resent has the content of the original';
    add(tag, name, wanted, got, rule, 'FIX 4.4 vol. 2, Resend Request(2)');
  }
  const sentMs = timestampMs(fieldOf(message, 52) ?? '');
  if (sentMs === undefined || Math.abs(message.atMs - sentMs) > toleranceMs) {
    const rule = 'SendingTime(52) is the time of sending in UTC, within 120 s';
    const got = fieldOf(message, 52) ?? 'absent';
    add(52, 'SendingTime(52)', 'now', got, rule, 'FIX 4.4 vol. 2, Standard Message Header');
  }
  if (isFlagged(message, 43) && message.msgType !== '4' && fieldOf(message, 122) === undefined) {
    const rule = 'A message with PossDupFlag(43)=Y carries OrigSendingTime(122)';
    add(122, 'OrigSendingTime(122)', 'any value', 'absent', rule, 'FIX 4.4 vol. 2, PossDupFlag');
  }
  if (message.fault !== undefined && message.fault.reject !== 'invalidMsgType') {
    const rule = 'Every message is valid by the dictionary of the rules of engagement';
    const got = faultText(message.fault);
    add(message.fault.tag, 'message', 'valid', got, rule, 'CAUSEWAY44.xml');
  }
  return broken;
}

/** Parses a UTCTimestamp with or without a fraction. */
export function timestampMs(text: string): number | undefined {
  const bytes = Buffer.from(text);
  const ms = utcTimestampMs(bytes, 0, bytes.length);
  return Number.isNaN(ms) ? undefined : ms;
}
