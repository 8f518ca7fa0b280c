/** Header checks that hold for every message after the Logon(A), on bytes: they run for each message received. */
import { endOf, startOf } from './field-index.ts';
import type { Message } from './message.ts';
import type { Fault } from './reject.ts';
import type { SessionSettings } from './session-settings.ts';

export class HeaderCheck {
  readonly #beginString = Buffer.from('FIX.4.4', 'latin1');
  /** The peer sends with its own CompID as sender. */
  readonly #sender: Uint8Array;
  readonly #target: Uint8Array;
  readonly #toleranceMs: number;

  constructor({ identity, sendingTimeToleranceMs }: SessionSettings) {
    this.#sender = Buffer.from(identity.targetCompId, 'utf8');
    this.#target = Buffer.from(identity.senderCompId, 'utf8');
    this.#toleranceMs = sendingTimeToleranceMs;
  }

  isOurVersion(message: Message): boolean {
    return holds(message, 8, this.#beginString);
  }

  /** CompIDs and SendingTime(52), undefined when they are right; missing ones are the validator's to name. */
  compIdsAndTime(message: Message, wallMs: number): Fault | undefined {
    if (!holds(message, 49, this.#sender)) return { reject: 'compId', tag: 49 };
    if (!holds(message, 56, this.#target)) return { reject: 'compId', tag: 56 };
    const sentMs = message.utcMs(52) ?? Number.NaN;
    if (Math.abs(wallMs - sentMs) <= this.#toleranceMs) return undefined;
    return { reject: 'sendingTime', tag: 52 };
  }

  /** Whether CompIDs and SendingTime(52) say anything, right or wrong; if not, the validator's fault is the one to tell. */
  isWhole(message: Message): boolean {
    return isFilled(message, 49) && isFilled(message, 56) && message.utcMs(52) !== undefined;
  }

  /** What is wrong with a PossDupFlag(43)=Y message, whatever its number. */
  possDup(message: Message): Fault | undefined {
    const origMs = message.utcMs(122);
    if (origMs === undefined) return { reject: 'requiredTagMissing', tag: 122 };
    const sentMs = message.utcMs(52) ?? 0;
    return origMs > sentMs ? { reject: 'sendingTime', tag: 122 } : undefined;
  }
}

function isFilled({ index }: Message, tag: number): boolean {
  const at = index.find(tag);
  return at >= 0 && endOf(index.fields, at) > startOf(index.fields, at);
}

function holds({ index }: Message, tag: number, wanted: Uint8Array): boolean {
  const at = index.find(tag);
  if (at < 0) return false;
  const { bytes, fields } = index;
  const start = startOf(fields, at);
  if (endOf(fields, at) - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

/** Whether FIX 4.4 has this MsgType(35): 93 of them. */
export function isStandardType(msgType: string): boolean {
  return /^(?:[0-9A-HJ-NP-TV-Za-z]|A[A-Z]|B[A-H])$/.test(msgType);
}
