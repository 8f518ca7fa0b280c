/** A kept message as a person reads it: names and meanings from the dictionary, whatever a peer put into it. */
import { causeway44, fix44 } from '../fix/dictionaries.ts';
import type { FieldInfo } from '../fix/dictionary.ts';
import { framingHeaderSize } from '../fixp/framing.ts';
import type { JsonObject } from '../sbe/json.ts';
import { isFix, sbeHead, spansOf } from './message-fields.ts';
import { namedValues, sbeMessage, sbeName } from './sbe-message.ts';
import type { TrailRow } from './trail-segment.ts';

export interface MessageRow {
  readonly id: number;
  readonly atUs: number;
  readonly session: string;
  readonly direction: 'in' | 'out';
  readonly type: string;
  readonly typeName: string;
  readonly seq: number | null;
  /** Readable text with `|` for the separator. */
  readonly text: string;
}

export interface FieldRow {
  readonly tag: number;
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

const longestText = 4_096;
const mostFields = 2_000;

export function messageRow({ atUs, bytes, id, kind, name, seq, type }: TrailRow): MessageRow {
  return {
    id,
    atUs,
    session: name,
    direction: kind === 'in' ? 'in' : 'out',
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

/** One row a field; what no schema of ours explains is shown as it lies on the wire. */
export function fieldRows(message: Uint8Array): FieldRow[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const head = sbeHead(message);
  if (head !== undefined) {
    const values = namedValues({ ...head, ...sbeFields(message) });
    return [...values].slice(0, mostFields).map(({ name, value }) => {
      return { tag: 0, name, value: printable(value), meaning: '' };
    });
  }
  const rows: FieldRow[] = [];
  for (const { tag, start, end } of spansOf(message)) {
    const value = printable(bytes.toString('utf8', start, end));
    const info = infoOf(tag);
    const at = info?.values.indexOf(value) ?? -1;
    rows.push({ tag, name: info?.name ?? '', value, meaning: info?.meanings[at] ?? '' });
    if (rows.length === mostFields) break;
  }
  return rows;
}

/** A message that no schema explains is shown as one field. */
export function sbeFields(frame: Uint8Array): JsonObject {
  const body = Buffer.from(frame.subarray(framingHeaderSize)).toString('hex');
  return sbeMessage(frame)?.fields ?? { body };
}

function infoOf(tag: number): FieldInfo | undefined {
  for (const { fieldOf, fields } of [causeway44(), fix44()]) {
    const info = fields[fieldOf[tag] ?? 0];
    if (info !== undefined) return info;
  }
  return undefined;
}

/** A message on one line, cut where it is very long. */
export function shownText(message: Uint8Array): string {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (!isFix(message)) {
    const said = sbeMessage(message);
    if (said === undefined) return bytes.toString('hex', 0, longestText / 2);
    const parts = [...namedValues(said.fields)].map(({ name, value }) => `${name}=${value}`);
    return printable(`${said.name} ${parts.join(' ')}`.slice(0, longestText));
  }
  return printable(bytes.toString('utf8', 0, longestText).replaceAll('\x01', '|'));
}

/** Control characters are shown as dots, so that no peer steers what reads them. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '·');
}
