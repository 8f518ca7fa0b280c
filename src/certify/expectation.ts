/** Holds a message against a line of a scenario, tag by tag. */
import { type Bindings, isSameDecimal } from './bindings.ts';
import { parseLine } from './fix-line.ts';
import { fieldOf, type Heard, isDecimalTag, tagName, typeName } from './heard.ts';
import type { Verdict } from './record.ts';
import type { Step } from './scenario.ts';

export interface Basis {
  readonly rule: string;
  readonly ref: string;
}

/**
 * Verdicts of a message of the right type; binds the variables that are new. A value in the line is
 * `*` any, `(a,b)` one of, `~text` contains, `now…` any time, else the value itself.
 */
export function judge(
  step: Pick<Step, 'text' | 'tags'>,
  message: Heard,
  bindings: Bindings,
  basis: Basis,
): readonly Verdict[] {
  const { msgType, fields, absent } = parseLine(step.text);
  const verdicts: Verdict[] = [];
  const add = (tag: number, wanted: string, got: string | undefined, isMet: boolean) => {
    const { rule, ref } = step.tags?.[tag] ?? basis;
    const name = tag === 35 ? 'MsgType(35)' : tagName(tag);
    verdicts.push({ tag, name, wanted, got: got ?? 'absent', isMet, rule, ref });
  };
  add(35, typeName(msgType), typeName(message.msgType), msgType === message.msgType);
  for (const [tag, pattern] of fields) {
    const got = fieldOf(message, tag);
    const { wanted, isMet } = meets(tag, pattern, got, bindings);
    add(tag, wanted, got, isMet);
  }
  for (const tag of absent) {
    const got = fieldOf(message, tag);
    add(tag, 'absent', got, got === undefined);
  }
  return verdicts;
}

function meets(
  tag: number,
  pattern: string,
  got: string | undefined,
  bindings: Bindings,
): { readonly wanted: string; readonly isMet: boolean } {
  if (pattern === '*' || /^now([+-]\d+s)?$/.test(pattern)) {
    return { wanted: 'any value', isMet: got !== undefined && got !== '' };
  }
  if (pattern.startsWith('~')) {
    const part = bindings.fill(pattern.slice(1));
    const isMet = got?.toLowerCase().includes(part.toLowerCase()) === true;
    return { wanted: `contains "${part}"`, isMet };
  }
  const choice = /^\((.+)\)$/.exec(pattern)?.[1];
  if (choice !== undefined) {
    const values = choice.split(',').map((value) => bindings.fill(value));
    return { wanted: values.join(' or '), isMet: values.some((value) => isSame(tag, value, got)) };
  }
  const want = bindings.wanted(pattern);
  if ('value' in want) return { wanted: want.value, isMet: isSame(tag, want.value, got) };
  if (got !== undefined) bindings.set(want.unbound, got);
  return { wanted: 'any value, kept', isMet: got !== undefined && got !== '' };
}

function isSame(tag: number, wanted: string, got: string | undefined): boolean {
  if (got === undefined) return false;
  return isDecimalTag(tag) ? isSameDecimal(wanted, got) : wanted === got;
}
