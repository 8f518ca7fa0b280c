/**
 * The writes of a group of commits as one record of a file, which is either complete or absent
 * (docs/decisions/0270-a-log-of-segments.md). Numbers are little-endian.
 *
 *   record: mark(16) crc(4) bytes(4) sequence(8) headBytes(4) head contents      `bytes` is of the whole record
 *   head:   the writes as JSON, each content by its length; contents: one after the other
 *
 * The mark is random and never leaves the data directory, so nothing that a client sends can be taken for a record.
 */
import { crc32 } from 'node:zlib';
import { CorruptRecord, type Write } from './store.ts';

export const markBytes = 16;
const crcAt = markBytes;
const bytesAt = crcAt + 4;
const sequenceAt = bytesAt + 4;
const headBytesAt = sequenceAt + 8;
const headAt = headBytesAt + 4;
const wordSize = 2 ** 32;

/**
 * Writes of the log itself. `state` is the whole index at the start of a segment. The writes after `carried` are copies
 * of earlier ones whose segment is about to be removed. `behind` comes last. It is the number of earlier records that
 * were not on the disk when this one was written: a power loss may have kept this record but not those.
 */
export type LogWrite =
  | Write
  | { readonly kind: 'state'; readonly payload: Uint8Array }
  | { readonly kind: 'carried' }
  | { readonly kind: 'behind'; readonly records: number };

const ofTheLog = new Set(['state', 'carried', 'behind']);

export interface StoredRecord {
  readonly sequence: number;
  /** A view of the file's bytes. */
  readonly bytes: Buffer;
}

/** A write in the head, with the length of its content. */
type Written = { readonly [name in 'payload' | 'bytes']?: number };

export function encodeRecord(
  mark: Uint8Array,
  sequence: number,
  writes: readonly LogWrite[],
): Buffer {
  let heads = '';
  let contentBytes = 0;
  for (const write of writes) {
    heads += `${heads === '' ? '' : ','}${headOf(write)}`;
    contentBytes += contentOf(write)?.length ?? 0;
  }
  const head = Buffer.from(`[${heads}]`);
  const size = headAt + head.length + contentBytes;
  const record = Buffer.allocUnsafe(size);
  record.set(mark);
  record.writeUInt32LE(size, bytesAt);
  record.writeUInt32LE(sequence % wordSize, sequenceAt);
  record.writeUInt32LE(Math.floor(sequence / wordSize), sequenceAt + 4);
  record.writeUInt32LE(head.length, headBytesAt);
  record.set(head, headAt);
  let at = headAt + head.length;
  for (const write of writes) {
    const content = contentOf(write);
    if (content === undefined) continue;
    record.set(content, at);
    at += content.length;
  }
  record.writeUInt32LE(crc32(record.subarray(bytesAt)), crcAt);
  return record;
}

/** Its contents are views of the record's bytes. */
export function decodeRecord({ bytes }: Pick<StoredRecord, 'bytes'>): LogWrite[] {
  let at = headAt + bytes.readUInt32LE(headBytesAt);
  const written: Written[] = JSON.parse(bytes.toString('utf8', headAt, at));
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return written.map((write) => {
    if (write.payload !== undefined) return { ...write, payload: take(write.payload) };
    if (write.bytes !== undefined) return { ...write, bytes: take(write.bytes) };
    return write;
    // The checksum is correct, so `encodeRecord` wrote this.
  }) as LogWrite[];
}

/** Returns a record's writes that belong to commits. */
export function committed(writes: readonly LogWrite[]): readonly Write[] {
  return writes.filter((write): write is Write => !ofTheLog.has(write.kind));
}

/** Finds all complete records with this mark, anywhere in the bytes; skips damaged ones. */
export function* recordsIn(bytes: Buffer, mark: Uint8Array): Generator<StoredRecord> {
  for (let at = bytes.indexOf(mark); at >= 0; ) {
    const record = recordAt(bytes, at);
    if (record !== undefined) yield record;
    at = bytes.indexOf(mark, at + (record?.bytes.length ?? 1));
  }
}

/** Returns the records in order, after `carried`; throws if one is missing and another follows it. */
export function inOrder(
  records: Iterable<StoredRecord>,
  carried: number,
  path: string,
): readonly StoredRecord[] {
  const found = [...records].filter(({ sequence }) => sequence > carried);
  found.sort((a, b) => a.sequence - b.sequence);
  for (const [index, { sequence }] of found.entries()) {
    const next = carried + index + 1;
    if (sequence !== next)
      throw new CorruptRecord(
        `${path}, record ${next}`,
        'it is damaged and durable records follow it',
      );
  }
  return found;
}

/** Returns the record at this position, whatever its mark, if it is complete. */
export function recordAt(bytes: Buffer, at: number): StoredRecord | undefined {
  if (at + headAt > bytes.length) return undefined;
  const size = bytes.readUInt32LE(at + bytesAt);
  if (size < headAt || at + size > bytes.length) return undefined;
  const record = bytes.subarray(at, at + size);
  if (crc32(record.subarray(bytesAt)) !== record.readUInt32LE(crcAt)) return undefined;
  return { sequence: Number(record.readBigUInt64LE(sequenceAt)), bytes: record };
}

function contentOf(write: LogWrite): Uint8Array | undefined {
  if ('payload' in write) return write.payload;
  return 'bytes' in write ? write.bytes : undefined;
}

/** Formats the write as JSON, with the length of its content. */
function headOf(write: LogWrite): string {
  switch (write.kind) {
    case 'append':
      return `{"kind":"append","stream":${quoted(write.stream)},${whole(write, 'expected')},"payload":${write.payload.length}}`;
    case 'messages':
      return `{"kind":"messages","session":${quoted(write.session)},${whole(write, 'firstSeq')},"bytes":${write.bytes.length},"ends":[${write.ends}]}`;
    case 'numbers':
    case 'reset':
      return `{"kind":"${write.kind}","session":${quoted(write.session)},${whole(write, 'nextIn')},${whole(write, 'nextOut')}}`;
    case 'snapshot':
      return `{"kind":"snapshot","stream":${quoted(write.stream)},${whole(write, 'position')},"payload":${write.payload.length}}`;
    case 'forget':
      return `{"kind":"forget","stream":${quoted(write.stream)},${whole(write, 'position')}}`;
    case 'hold':
      return `{"kind":"hold","session":${quoted(write.session)},${whole(write, 'position')},"bytes":${write.bytes.length}}`;
    case 'mark':
      return `{"kind":"mark","session":${quoted(write.session)},"name":"${write.name}",${whole(write, 'value')}}`;
    case 'state':
      return `{"kind":"state","payload":${write.payload.length}}`;
    case 'carried':
      return '{"kind":"carried"}';
    case 'behind':
      return `{"kind":"behind","records":${write.records}}`;
    case 'cursor':
      return `{"kind":"cursor","name":${quoted(write.name)},${whole(write, 'value')}}`;
  }
}

/** Requires an integer. Otherwise reading it back would fail, after the commit was reported as durable. */
function whole<Name extends string>(
  write: Write & { readonly [name in Name]: number },
  name: Name,
): string {
  const value: number = write[name];
  if (Number.isSafeInteger(value)) return `"${name}":${value}`;
  throw new Error(`${name} of a write of kind ${write.kind} is ${value}`);
}

/** The names of streams and sessions as JSON, cached because there are few and every write needs one. */
const quotedNames = new Map<string, string>();
const maxQuotedNames = 4_096;

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < maxQuotedNames) quotedNames.set(name, text);
  return text;
}
