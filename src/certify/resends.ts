/** Compares what the counterparty resends with what it sent first: a resend may not tell another story. */
import { causeway44 } from '../fix/dictionaries.ts';
import { sectionOf, sections } from '../fix/dictionary.ts';
import { keepLatest } from '../runtime/keep-latest.ts';
import { secretFixTags } from '../runtime/redact.ts';
import {
  isFlagged,
  type Key,
  keyName,
  numberOf,
  type ReceivedMessage,
} from './received-message.ts';

/** Older messages are not compared. */
const maxKept = 5_000;

export type Field = readonly [key: Key, value: string];

export interface Difference {
  readonly tag: number;
  readonly name: string;
  readonly wanted: string;
  readonly got: string;
}

export class Resends {
  /** What was sent under each number, without header and trailer. */
  readonly #bodies = new Map<number, readonly Field[]>();

  /** The numbers begin again. */
  forget(): void {
    this.#bodies.clear();
  }

  /** Returns the first difference between a resend and its original. */
  received(message: ReceivedMessage): Difference | undefined {
    const seq = numberOf(message, 34);
    // A SequenceReset(4) stands for other messages.
    if (seq === undefined || message.msgType === '4') return undefined;
    return this.take(seq, bodyOf(message), isFlagged(message, 43));
  }

  /** The same for a message without a number of its own; `isResend` says whether it was announced as a repetition. */
  take(seq: number, body: readonly Field[], isResend: boolean): Difference | undefined {
    const original = this.#bodies.get(seq);
    if (isResend && original !== undefined) return differenceOf(original, body);
    keepLatest(this.#bodies, seq, body, maxKept);
    return undefined;
  }
}

function bodyOf({ fields, msgType }: ReceivedMessage): readonly Field[] {
  const { fieldOf, messages } = causeway44();
  // Every message has the same header and trailer.
  const rules = messages.get('0')?.rules;
  const isOfBody = ([key]: Field) => {
    const section = sectionOf(rules?.[fieldOf[Number(key)] ?? 0] ?? 0);
    return section !== sections.header && section !== sections.trailer;
  };
  return [[35, msgType], ...fields.filter(isOfBody)];
}

function differenceOf(original: readonly Field[], body: readonly Field[]): Difference | undefined {
  const at = Array.from({ length: Math.max(original.length, body.length) }).findIndex(
    (_, index) => String(original[index]) !== String(body[index]),
  );
  if (at < 0) return undefined;
  const [before, now] = [original[at], body[at]];
  const key = (before ?? now)?.[0] ?? 0;
  const tag = typeof key === 'number' ? key : 0;
  const shown = (field: Field | undefined) => {
    if (field === undefined) return 'nothing';
    return secretFixTags.some((secret) => secret === field[0])
      ? `${field[0]}=***`
      : field.join('=');
  };
  return { tag, name: `resent ${keyName(key)}`, wanted: shown(before), got: shown(now) };
}
