/** Formats a FIX message for people and programs: names and meanings, no secrets, control characters visible. */
import type { FieldRow } from '../console/message-view.ts';
import type { GroupInfo } from '../fix/dictionary.ts';
import type { Message } from '../fix/message.ts';
import { secretFixTags } from '../runtime/redact.ts';

export interface ShownField extends FieldRow {
  /** The number of enclosing repeating groups, and whether it starts an entry of the innermost. */
  readonly depth: number;
  readonly beginsEntry: boolean;
}

/** The length of RawData(96) is hidden too. */
const secretTags = new Set<number>([...secretFixTags, 95]);
/** Fields that every message has, and that readers rarely look for. */
const framing = new Set([8, 9, 10, 49, 56]);
const firstUserTag = 5000;

export function* shownFields(message: Message): Generator<ShownField> {
  const { dictionary } = message.index;
  /** The groups that enclose the field, innermost last. */
  const open: GroupInfo[] = [];
  for (const { tag, value } of message.fields()) {
    const number = dictionary.fieldOf[tag] ?? 0;
    const info = dictionary.fields[number];
    // An undefined user tag belongs to the entry in which it is, as for the validator.
    const isUsers = info === undefined && tag >= firstUserTag;
    while (!isUsers && open.at(-1)?.places[number] === 0) open.pop();
    const text = secretTags.has(tag) ? '…' : printable(value);
    yield {
      tag,
      name: info?.name ?? '',
      value: text,
      meaning: info?.meanings[info.values.indexOf(text)] ?? '',
      depth: open.length,
      beginsEntry: open.at(-1)?.firstTag === tag,
    };
    const group = (open.at(-1) ?? message.info)?.groups.get(tag);
    if (group !== undefined && text !== '0') open.push(group);
  }
}

/** One line, without the fields that every message has. */
export function messageText(message: Message): string {
  const parts: string[] = [];
  for (const { tag, name, value } of shownFields(message)) {
    if (!framing.has(tag)) parts.push(`${name}(${tag})=${value}`);
  }
  return `${message.info?.name ?? '?'}  ${parts.join('  ')}`;
}

export function messageJson(message: Message): object {
  const fields = [...shownFields(message)].map(({ depth, beginsEntry: _, ...field }) => ({
    ...field,
    ...(depth > 0 && { depth }),
  }));
  return { msgType: message.msgType, name: message.info?.name ?? '', fields };
}

/** Several lines, each with a peer's text in it. */
export function printableLines(lines: readonly string[]): string {
  return lines.map(printable).join('\n');
}

/** A peer's text without anything that could control a terminal. */
export function printable(value: Uint8Array | string): string {
  const text = typeof value === 'string' ? value : Buffer.from(value).toString();
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '·');
}
