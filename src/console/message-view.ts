/** Formats a stored message for people: with names and meanings from the dictionary, for any content. */
import { causeway44, fix44 } from '../fix/dictionaries.ts';
import type { FieldInfo } from '../fix/dictionary.ts';
import { framingHeaderSize } from '../fixp/framing.ts';
import type { JsonObject } from '../sbe/json.ts';
import { isFix, type Span, sbeHead, spansOf } from './message-fields.ts';
import { namedValues, sbeMessage, sbeName } from './sbe-message.ts';
import type { TrailRow } from './trail-segment.ts';

export type MessageRow = Readonly<ReturnType<typeof messageRow>>;

export interface FieldRow {
  readonly tag: number;
  readonly name: string;
  readonly value: string;
  /** The dictionary's name of this value; empty if it has none. */
  readonly meaning: string;
}

const longestText = 4_096;
const maxFields = 2_000;

export function messageRow({ atUs, bytes, id, kind, name, seq, type }: TrailRow) {
  return {
    id,
    atUs,
    session: name,
    direction: kind === 'in' ? ('in' as const) : ('out' as const),
    type,
    typeName: typeName(type),
    seq,
    text: shownText(bytes),
  };
}

/** MsgType(35), or `schema/template` of SBE. */
export function typeName(type: string): string {
  const [schemaId, templateId] = type.split('/').map(Number);
  if (templateId !== undefined) return sbeName(schemaId ?? 0, templateId);
  return (causeway44().messages.get(type) ?? fix44().messages.get(type))?.name ?? '';
}

/** One row for each field; anything that no schema explains is displayed as on the wire. */
export function fieldRows(message: Uint8Array): FieldRow[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const head = sbeHead(message);
  if (head !== undefined) {
    const values = namedValues({ ...head, ...sbeFields(message) });
    return [...values].slice(0, maxFields).map(({ name, value }) => {
      return { tag: 0, name, value: printable(value), meaning: '' };
    });
  }
  const row = ({ end, start, tag }: Span): FieldRow => {
    const value = printable(bytes.toString('utf8', start, end));
    const info = infoOf(tag);
    const at = info?.values.indexOf(value) ?? -1;
    return { tag, name: info?.name ?? '', value, meaning: info?.meanings[at] ?? '' };
  };
  return spansOf(message).take(maxFields).map(row).toArray();
}

/** A message without a schema is displayed as one field. */
export function sbeFields(frame: Uint8Array): JsonObject {
  const body = Buffer.from(frame.subarray(framingHeaderSize)).toString('hex');
  return sbeMessage(frame)?.fields ?? { body };
}

function infoOf(tag: number): FieldInfo | undefined {
  const dictionaries = [causeway44(), fix44()];
  const infos = dictionaries.map(({ fieldOf, fields }) => fields[fieldOf[tag] ?? 0]);
  return infos.find((info) => info !== undefined);
}

/** A message on one line, truncated if it is very long. */
export function shownText(message: Uint8Array): string {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (!isFix(message)) {
    const decoded = sbeMessage(message);
    if (decoded === undefined) return bytes.toString('hex', 0, longestText / 2);
    const parts = [...namedValues(decoded.fields)].map(({ name, value }) => `${name}=${value}`);
    return printable(`${decoded.name} ${parts.join(' ')}`.slice(0, longestText));
  }
  return printable(bytes.toString('utf8', 0, longestText).replaceAll('\x01', '|'));
}

/** Replaces control characters by dots, so that a peer cannot control the reader's terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '·');
}
