/** Reads SBE messages from a file or a pipe for `causeway sbe decode` and `encode`: hex or binary, framed or bare. */

import { existsSync, readFileSync } from 'node:fs';
import { Deframer, framingHeaderSize, isFramed, orderOf, statedSize } from '../../fixp/framing.ts';
import { parsedJson } from '../../runtime/parsed-json.ts';
import type { DecodedMessage } from '../../sbe/generic-decoder.ts';
import { isObject, type Json, type JsonMessage } from '../../sbe/json.ts';
import type { Schema } from '../../sbe/model.ts';
import { decodeWith } from '../../sbe/schema-set.ts';

const maxMessageBytes = 16 * 1024 * 1024;
const stdin = 0;

/** The bytes in the operand, in the file that it names, or on standard input. */
export function octetsOf(operand: string | undefined): Buffer {
  if (operand !== undefined && !existsSync(operand)) {
    const octets = hexOctets(operand);
    if (octets !== undefined) return octets;
  }
  const read = readFileSync(operand ?? stdin);
  return hexOctets(read.toString('latin1')) ?? read;
}

/** Parses hex digits, with the separators that people use. */
function hexOctets(text: string): Buffer | undefined {
  const digits = text.replace(/0x|[\s:,]/g, '');
  if (digits === '' || digits.length % 2 > 0 || /[^0-9a-fA-F]/.test(digits)) return undefined;
  return Buffer.from(digits, 'hex');
}

/** Yields each message, or the fault; after a fault the rest cannot be split into messages. */
export function* messagesOf(
  schemas: readonly Schema[],
  octets: Buffer,
): Generator<DecodedMessage | string> {
  const isStream = isFramed(octets) && statedSize(octets) < maxMessageBytes;
  if (isStream) yield* framedMessages(schemas, octets);
  else yield* bareMessages(schemas, octets);
}

function* framedMessages(
  schemas: readonly Schema[],
  octets: Buffer,
): Generator<DecodedMessage | string> {
  const deframer = new Deframer(orderOf(octets) ?? 'big', maxMessageBytes);
  let read = 0;
  for (const bytes of deframer.messages(octets)) {
    const message = decodeWith(schemas, bytes);
    yield typeof message === 'string' ? `at byte ${read}: ${message}` : message;
    read += framingHeaderSize + bytes.length;
  }
  const left = octets.length - read;
  const fault = deframer.reason || `the frame is longer than the ${left} bytes that are left`;
  if (left > 0) yield `at byte ${read}: ${fault}`;
}

function* bareMessages(
  schemas: readonly Schema[],
  octets: Buffer,
): Generator<DecodedMessage | string> {
  for (let at = 0; at < octets.length; ) {
    const message = decodeWith(schemas, octets, at);
    yield typeof message === 'string' ? `at byte ${at}: ${message}` : message;
    if (typeof message === 'string') return;
    at += message.length;
  }
}

/** One JSON message, or one per line. */
export function jsonMessages(operand: string | undefined): JsonMessage[] {
  const isText = operand?.trimStart().startsWith('{') === true;
  const text = isText ? operand : readFileSync(operand ?? stdin, 'utf8');
  const read = (piece: string) => parsedJson(piece) as Json | undefined;
  const whole = read(text);
  const all = whole === undefined ? text.trim().split('\n').map(read) : [whole];
  return all.map((json, index) => {
    const { message, version, fields = {} } = isObject(json) ? json : {};
    if (typeof message !== 'string' || !isObject(fields)) {
      throw new Error(`line ${index + 1} is not {"message": NAME, "fields": {…}}`);
    }
    return typeof version === 'number' ? { message, version, fields } : { message, fields };
  });
}
