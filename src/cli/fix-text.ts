/** A FIX message as a person reads it: tags with their names, secrets left out, control characters made visible. */
import type { Dictionary } from '../fix/dictionary.ts';
import type { Message } from '../fix/message.ts';

const secretTags = new Set([554, 925, 95, 96]);
/** Of every message, and seldom what one looks for. */
const framing = new Set([8, 9, 10, 49, 56]);

export function messageText(message: Message, dictionary: Dictionary): string {
  const parts: string[] = [];
  for (const { tag, value } of message.fields()) {
    if (framing.has(tag)) continue;
    const name = dictionary.fields[dictionary.fieldOf[tag] ?? 0]?.name ?? '';
    parts.push(`${name}(${tag})=${secretTags.has(tag) ? '…' : shown(value)}`);
  }
  const name = message.info?.name ?? '?';
  return `${name}  ${parts.join('  ')}`;
}

/** Whatever a peer puts into a text, the terminal is not steered by it. */
function shown(value: Uint8Array): string {
  return Buffer.from(value)
    .toString('utf8')
    .replace(/\p{Cc}/gu, '·');
}
