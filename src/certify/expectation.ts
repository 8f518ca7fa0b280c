/** Compares a message with a line of a scenario, tag by tag. */
import { secretFixTags } from '../runtime/redact.ts';
import { type Bindings, isSameDecimal } from './bindings.ts';
import { parseLine } from './line.ts';
import {
  fieldOf,
  isDecimal,
  type Key,
  keyName,
  type ReceivedMessage,
  typeName,
} from './received-message.ts';
import type { Verdict } from './record.ts';
import type { Step } from './scenario.ts';

export type Basis = Pick<Verdict, 'rule' | 'ref'>;

/**
 * Returns the verdicts on a message of the right type, and binds new variables. A value in the line is `*` for any,
 * `(a,b)` for one of several, `~text` for contains, `!text` for not equal, `now…` for any time, otherwise the exact
 * value.
 */
export function judge(
  step: Pick<Step, 'text' | 'tags'>,
  message: ReceivedMessage,
  bindings: Bindings,
  basis: Basis,
): readonly Verdict[] {
  const { msgType, fields, absent } = parseLine(step.text);
  const verdicts: Verdict[] = [];
  const add = (key: Key, wanted: string, got: string | undefined, isMet: boolean) => {
    const { rule, ref } = step.tags?.[key] ?? basis;
    const name = key === 35 ? 'MsgType(35)' : keyName(key);
    const shown = got !== undefined && secret.has(key) ? '***' : (got ?? 'absent');
    const tag = typeof key === 'number' ? key : 0;
    verdicts.push({ tag, name, wanted, got: shown, isMet, rule, ref });
  };
  add(
    msgType.length < 3 ? 35 : 'message',
    typeName(msgType),
    typeName(message.msgType),
    msgType === message.msgType,
  );
  for (const [key, pattern] of fields) {
    const got = fieldOf(message, key);
    const { wanted, isMet } = meets(key, pattern, got, bindings);
    add(key, wanted, got, isMet);
  }
  for (const key of absent) {
    const got = fieldOf(message, key);
    add(key, 'absent', got, got === undefined);
  }
  return verdicts;
}

/** Verdicts contain no secrets. */
const secret: ReadonlySet<Key> = new Set<Key>([...secretFixTags, 'Credentials']);

function meets(
  key: Key,
  pattern: string,
  got: string | undefined,
  bindings: Bindings,
): { readonly wanted: string; readonly isMet: boolean } {
  if (pattern === '*' || /^now([+-]\d+s)?$/.test(pattern)) {
    return { wanted: 'any value', isMet: got !== undefined && got !== '' };
  }
  if (pattern.startsWith('~')) {
    const part = bindings.value(pattern.slice(1));
    const isMet = got?.toLowerCase().includes(part.toLowerCase()) === true;
    return { wanted: `contains "${part}"`, isMet };
  }
  if (pattern.startsWith('!')) {
    const other = bindings.value(pattern.slice(1));
    return { wanted: `not ${other}`, isMet: got !== undefined && !isSame(key, other, got) };
  }
  const choice = /^\((.+)\)$/.exec(pattern)?.[1];
  if (choice !== undefined) {
    const values = choice.split(',').map((value) => bindings.value(value));
    return { wanted: values.join(' or '), isMet: values.some((value) => isSame(key, value, got)) };
  }
  const want = bindings.wanted(pattern);
  if ('value' in want) return { wanted: want.value, isMet: isSame(key, want.value, got) };
  if (got !== undefined) bindings.set(want.unbound, got);
  return { wanted: 'any value, kept', isMet: got !== undefined && got !== '' };
}

function isSame(key: Key, wanted: string, got: string | undefined): boolean {
  if (got === undefined) return false;
  return isDecimal(key) ? isSameDecimal(wanted, got) : wanted === got;
}
