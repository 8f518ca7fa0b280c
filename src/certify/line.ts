/**
 * A message in the form of a scenario: `D|11=$order|55=BTC-USDC|60=now` for FIX, `Establish|NextSeqNo=$next` for FIXP.
 * The MsgType(35) or name is followed by fields; fields with `-` must be absent.
 */
import type { Key } from './received-message.ts';

export interface ParsedLine {
  readonly msgType: string;
  readonly fields: readonly (readonly [key: Key, value: string])[];
  /** The fields that must be absent: `-58`. */
  readonly absent: readonly Key[];
}

export class LineError extends Error {}

/** Characters of a value that is not ours have no meaning in a line while their codes are higher by this. */
const shift = 0xe000;

/** A value of somebody else as a line can contain it: a ClOrdID(11) may be `a|b` or `now`. */
export function asValue(value: string): string {
  return value.replace(/\||\+(?= )|^n(?=ow)/g, (one) =>
    String.fromCharCode(one.charCodeAt(0) + shift),
  );
}

/** Returns a text of a line with the values of others as they were. */
export function plain(text: string): string {
  return text.replace(/[\uE000-\uE07F]/g, (one) => String.fromCharCode(one.charCodeAt(0) - shift));
}

const typeForm = /^(?:[A-Za-z0-9]{1,2}|[A-Z][A-Za-z]{2,40})$/;
const partForm = /^(?:-(\d{1,5}|[A-Z][\w.]*)|(\d{1,5}|@?[A-Za-z][\w.]*)=(.*))$/s;

/** `resolve` is given each value in which a word such as `now` has its meaning. */
export function parseLine(line: string, resolve = (_: Key, value: string) => value): ParsedLine {
  const [msgType = '', ...rest] = line.split('|').filter((part) => part !== '');
  if (!typeForm.test(msgType)) {
    throw new LineError(
      `"${line}" must begin with a MsgType(35), such as D|11=$order, or the name of a message`,
    );
  }
  const fields: [Key, string][] = [];
  const absent: Key[] = [];
  for (const part of rest) {
    // A variable for several fields, which are not known yet.
    if (/^\$[a-z]+$/.test(part)) continue;
    const [, without, key, value] = partForm.exec(part) ?? [];
    if (without !== undefined) absent.push(keyOf(without));
    else if (key !== undefined && value !== undefined) {
      fields.push([keyOf(key), plain(resolve(keyOf(key), value))]);
    } else throw new LineError(`"${part}" in "${line}" is neither TAG=VALUE nor -TAG`);
  }
  return { msgType, fields, absent };
}

/** How many milliseconds `now`, `now-121s` or `now+1s` is after the time of sending; undefined for another value. */
export function offsetOfNow(value: string): number | undefined {
  const [whole, offset = '0'] = /^now(?:([+-]\d{1,7})s)?$/.exec(value) ?? [];
  return whole === undefined ? undefined : Number(offset) * 1000;
}

/** Whether this is a FIXP line; FIX message types are short. */
export function isNamed(line: string): boolean {
  return /^[A-Za-z]{3}/.test(line);
}

function keyOf(text: string): Key {
  return /^\d/.test(text) ? Number(text) : text;
}
