/**
 * Extracts the fields of a message of either protocol, its secrets, and the ids that link it to its order. Nothing is
 * validated here, because messages from hostile peers must be displayed as well.
 */
import { framingHeaderSize, isFramed, messageHeaderSize } from '../fixp/framing.ts';
import { MessageHeader } from '../fixp/generated/message-header.ts';
import { fixpSchema } from '../fixp/session-messages.ts';
import { secretFixTags } from '../runtime/redact.ts';
import { namedValues, sbeMessage } from './sbe-message.ts';

/** A field's value is between `start` and `end`. */
export interface Span {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

const separator = 1;
const equals = 0x3d;
const star = 0x2a;

/** Length fields of FIX 4.4 and their data fields. The thread of the trail would take long to read the dictionary. */
const pairs =
  '90=91 93=89 95=96 212=213 348=349 350=351 352=353 354=355 356=357 358=359 360=361 362=363 364=365 445=446 618=619 621=622';
const dataOfLength = new Map(
  pairs.split(' ').map((pair) => pair.split('=', 2).map(Number) as [number, number]),
);

/** In any message: a client may send one where it is not allowed. */
const secretTags: ReadonlySet<number> = new Set(secretFixTags);
const secretFields = secretFixTags.map((tag) => Buffer.from(`\x01${tag}=`));
/** InboundCopy(UO), whose RawData(96) is a client's message. */
const inboundCopy = Buffer.from('\x0135=UO\x01');

export function isFix(bytes: Uint8Array): boolean {
  return bytes[0] === 0x38 && bytes[1] === equals;
}

/** The fields of a message, or of anything that resembles one. */
export function* spansOf(message: Uint8Array): Generator<Span> {
  const bytes = asBuffer(message);
  let at = 0;
  let data: { readonly tag: number; readonly length: number } | undefined;
  while (at < bytes.length) {
    const sign = bytes.indexOf(equals, at);
    if (sign < 0) return;
    // This starts after the last separator: text before it without an equals sign is not a field.
    const tag = digitsOf(bytes, Math.max(at, bytes.lastIndexOf(separator, sign) + 1), sign);
    const start = sign + 1;
    const found = data?.tag === tag ? start + data.length : bytes.indexOf(separator, start);
    const end = found < 0 || found > bytes.length ? bytes.length : found;
    yield { tag, start, end };
    const dataTag = dataOfLength.get(tag);
    const length = dataTag === undefined ? 0 : digitsOf(bytes, start, end);
    data = dataTag !== undefined && length > 0 ? { tag: dataTag, length } : undefined;
    at = end + 1;
  }
}

/** Digits as a number; NaN for anything else. */
function digitsOf(bytes: Buffer, start: number, end: number): number {
  if (end === start || end - start > 9) return Number.NaN;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Replaces each byte of a secret by a star, so that lengths remain correct. */
export function withoutSecrets(message: Uint8Array): Uint8Array {
  const head = sbeHead(message);
  if (head !== undefined) return withoutCredentials(message, head);
  const bytes = asBuffer(message);
  if (!secretFields.some((field) => bytes.includes(field))) return message;
  const copy = Buffer.from(message);
  const isCopy = bytes.includes(inboundCopy);
  for (const { tag, start, end } of spansOf(message)) {
    if (secretTags.has(tag) && !(isCopy && tag === 96)) copy.fill(star, start, end);
  }
  hidePasswords(copy);
  return copy;
}

/** Searches at any position: an incorrect length makes a field look like part of another field's data. */
function hidePasswords(bytes: Buffer): void {
  for (const field of secretFields.slice(0, 2)) {
    for (let at = bytes.indexOf(field); at >= 0; at = bytes.indexOf(field, at + 1)) {
      const end = bytes.indexOf(separator, at + field.length);
      bytes.fill(star, at + field.length, end < 0 ? bytes.length : end);
    }
  }
}

const header = new MessageHeader();

type SbeHead = Pick<MessageHeader, 'blockLength' | 'templateId' | 'schemaId' | 'version'>;

/** Undefined if it is not a frame. */
export function sbeHead(message: Uint8Array): SbeHead | undefined {
  if (!isFramed(message) || !header.wrap(message, framingHeaderSize)) return undefined;
  const { blockLength, templateId, schemaId, version } = header;
  return { blockLength, templateId, schemaId, version };
}

/** The data after the block of a FIXP session message is its Credentials. */
function withoutCredentials(message: Uint8Array, head: SbeHead): Uint8Array {
  if (head.schemaId !== fixpSchema.id) return message;
  const copy = Buffer.from(message);
  const blockEnd = framingHeaderSize + messageHeaderSize + head.blockLength;
  copy.fill(star, Math.min(copy.length, blockEnd + 2));
  return copy;
}

type MessageFacts = Readonly<ReturnType<typeof factsOf>>;

/** The type is MsgType(35), or the template id of SBE; the names are those of ClOrdID(11) and QuoteID(117). */
export function factsOf(message: Uint8Array) {
  const head = sbeHead(message);
  if (head !== undefined) return sbeFacts(message, head);
  const bytes = asBuffer(message);
  let type = '';
  let seq: number | null = null;
  let orderId: string | null = null;
  const names: string[] = [];
  for (const { tag, start, end } of spansOf(message)) {
    if (tag === 35 && type === '') type = bytes.toString('latin1', start, end);
    else if (tag === 34 && seq === null) seq = Number(bytes.toString('latin1', start, end));
    else if (tag === 11 || tag === 117) names.push(bytes.toString('utf8', start, end));
    else if (tag === 37) orderId = bytes.toString('utf8', start, end);
  }
  return { type, seq: Number.isSafeInteger(seq) ? seq : null, names, orderId };
}

/** The fields that identify the orders of an SBE message, at any depth. */
const sbeNames = /(^|\.)(ClOrdID|QuoteID)$/;
const sbeOrderId = /(^|\.)OrderID$/;
const noOrderId = /^0x0*$/;

function sbeFacts(message: Uint8Array, { schemaId, templateId }: SbeHead) {
  const values = [...namedValues(sbeMessage(message)?.fields ?? {})];
  const names = values.filter(({ name, value }) => sbeNames.test(name) && value !== '');
  const id = values.find(({ name, value }) => sbeOrderId.test(name) && !noOrderId.test(value));
  return {
    type: `${schemaId}/${templateId}`,
    seq: null,
    names: names.map(({ value }) => value),
    orderId: id?.value ?? null,
  };
}

/** The search keys of trail records: records of one order share links. */
export const link = {
  key: (key: string) => `k ${key}`,
  name: (session: string, name: string) => `c ${session} ${name}`,
  order: (orderId: string) => `o ${orderId}`,
  hash: (hash: string) => `h ${hash}`,
  nonce: (account: string, nonce: string) => `n ${account} ${nonce}`,
} as const;

export function linksOfMessage(session: string, { names, orderId }: MessageFacts): string[] {
  const links = names.map((name) => link.name(session, name));
  if (orderId !== null) links.push(link.order(orderId));
  return links;
}

/** The orders in a record of an account. */
export function linksOfRecord(text: string): string[] {
  const links = new Set<string>();
  for (const [, name = '', value = ''] of text.matchAll(recordNames)) {
    if (name === 'key') links.add(link.key(value));
    else if (name === 'venueRef' || name === 'actionHash') links.add(link.hash(value));
    else links.add(link.order(value));
  }
  return [...links];
}

/** The nonces of the signed actions in a request. */
export function linksOfRequest(account: string, text: string): string[] {
  return [...text.matchAll(requestNonces)].map(([, nonce = '']) => link.nonce(account, nonce));
}

const recordNames =
  /"(key|venueRef|actionHash|orderId|firedOrderId|parentOrderId)":"([^"\\]{1,200})"/g;
const requestNonces = /"payload":\{"account":"0x[0-9a-f]{40}","nonce":(\d{1,20})/g;

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
