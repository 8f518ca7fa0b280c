/**
 * Header checks for every message after the Logon(A). They work on bytes, because they run for each message received.
 */
import { endOf, startOf } from './field-index.ts';
import type { Message } from './message.ts';
import type { Fault } from './reject.ts';
import { beginString, type SessionSettings } from './session-settings.ts';

export class HeaderCheck {
  readonly #beginString = Buffer.from(beginString);
  /** The peer's CompID, which must be the sender of its messages. */
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

  /** Checks CompIDs and SendingTime(52); undefined if they are correct. The validator reports missing ones. */
  compIdsAndTime(message: Message, wallMs: number): Fault | undefined {
    if (!holds(message, 49, this.#sender)) return { reject: 'compId', tag: 49 };
    if (!holds(message, 56, this.#target)) return { reject: 'compId', tag: 56 };
    const sentMs = message.utcMs(52) ?? Number.NaN;
    if (Math.abs(wallMs - sentMs) <= this.#toleranceMs) return undefined;
    return { reject: 'sendingTime', tag: 52 };
  }

  /** Whether CompIDs and SendingTime(52) have values, correct or not; if not, the validator's fault is reported. */
  isWhole(message: Message): boolean {
    return isFilled(message, 49) && isFilled(message, 56) && message.utcMs(52) !== undefined;
  }

  /** Returns the fault of a PossDupFlag(43)=Y message, regardless of its sequence number. */
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

/** Whether FIX 4.4 has this MsgType(35); there are 93. */
export function isStandardType(msgType: string): boolean {
  return /^(?:[0-9A-HJ-NP-TV-Za-z]|A[A-Z]|B[A-H])$/.test(msgType);
}
