/**
 * The ledger's file, written by the signer's own thread: nothing but appends, so that a record costs one system call
 * (docs/decisions/0209-one-record-before-a-signature.md).
 *
 *     file      "CWLEDGR1" record record …
 *     record    first u8 | entry 61 | crc32 u32 of both      little-endian; `first` is 1 where an append begins
 *
 * An append begins only after the one before it is there. So a bad record with a good `first` behind it is damage, and
 * the file does not open; a bad record without one is the torn tail of an append that nobody was told of. With
 * durability `power` the file is made long before it is filled, because a sync that must record a new length takes twice
 * the time; the zeros at its end are such a bad record.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncDirectory } from '../runtime/directory.ts';
import { ProcessLock } from '../runtime/process-lock.ts';
import { writeAll } from '../runtime/write-all.ts';
import { CorruptRecord, type Durability } from '../store/store.ts';

/** What the ledger needs of a file. What it cannot do is thrown, and then it is not used any more. */
export interface LedgerFile {
  /** Calls back with each entry, oldest first; the bytes are lent for the call. */
  read(onEntry: (entry: Buffer) => void): void;
  /** Whole entries, one behind the other; durable on return. */
  append(entries: Uint8Array): void;
  /** These entries in place of all that the file holds, or, after a crash, still all that it held. */
  rewrite(entries: Uint8Array): void;
  close(): void;
}

export const entryBytes = 61;
const recordBytes = 1 + entryBytes + 4;
const head = Buffer.from('CWLEDGR1');
/** The file grows by so much at once. */
const zeros = Buffer.alloc(64 * 1024);
/** How long the signer before this one may take to end. */
const lockPatienceMs = 2000;

export function openLedgerFile(path: string, durability: Durability): LedgerFile {
  const lock = ProcessLock.take(`${path}.lock`, lockPatienceMs);
  if (lock === undefined) {
    throw new Error(`${path}.lock is held: another signer uses this ledger`);
  }
  try {
    if (!existsSync(path)) replaceFile(path, head);
    return new AppendedFile(path, durability, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Changes nothing, and needs no lock; says where the records end. */
export function readLedger(path: string, onEntry: (entry: Buffer) => void): number {
  const bytes = readFileSync(path);
  if (!bytes.subarray(0, head.length).equals(head)) {
    throw new CorruptRecord(path, 'it does not begin as a ledger');
  }
  const end = endOfGood(bytes, path);
  for (let at = head.length; at < end; at += recordBytes) {
    onEntry(bytes.subarray(at + 1, at + 1 + entryBytes));
  }
  return end;
}

class AppendedFile implements LedgerFile {
  readonly #path: string;
  readonly #durability: Durability;
  readonly #lock: ProcessLock;
  #descriptor: number;
  /** Where the records end, and where the file does. */
  #end: number;
  #length: number;

  constructor(path: string, durability: Durability, lock: ProcessLock) {
    this.#path = path;
    this.#durability = durability;
    this.#lock = lock;
    this.#descriptor = openSync(path, 'r+');
    this.#end = fstatSync(this.#descriptor).size;
    this.#length = this.#end;
  }

  read(onEntry: (entry: Buffer) => void): void {
    const end = readLedger(this.#path, onEntry);
    this.#end = end;
    this.#length = end;
    if (end === fstatSync(this.#descriptor).size) return;
    ftruncateSync(this.#descriptor, end);
    fsyncSync(this.#descriptor);
  }

  append(entries: Uint8Array): void {
    const records = framed(entries);
    if (this.#durability === 'power') this.#lengthen(records.length);
    writeAll(this.#descriptor, records, this.#end);
    this.#end += records.length;
    if (this.#durability === 'power') fdatasyncSync(this.#descriptor);
  }

  rewrite(entries: Uint8Array): void {
    replaceFile(this.#path, Buffer.concat([head, framed(entries)]));
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#path, 'r+');
    this.#end = fstatSync(this.#descriptor).size;
    this.#length = this.#end;
  }

  close(): void {
    if (this.#length > this.#end) ftruncateSync(this.#descriptor, this.#end);
    closeSync(this.#descriptor);
    this.#lock.release();
  }

  #lengthen(bytes: number): void {
    while (this.#length < this.#end + bytes) {
      writeAll(this.#descriptor, zeros, this.#length);
      this.#length += zeros.length;
    }
  }
}

function framed(entries: Uint8Array): Buffer {
  const records = Buffer.allocUnsafe((entries.length / entryBytes) * recordBytes);
  let at = 0;
  for (let from = 0; from < entries.length; from += entryBytes) {
    records[at] = from === 0 ? 1 : 0;
    records.set(entries.subarray(from, from + entryBytes), at + 1);
    const sumAt = at + 1 + entryBytes;
    records.writeUInt32LE(crc32(records.subarray(at, sumAt)), sumAt);
    at += recordBytes;
  }
  return records;
}

function endOfGood(bytes: Buffer, path: string): number {
  const isGood = (at: number) => {
    const sumAt = at + 1 + entryBytes;
    return crc32(bytes.subarray(at, sumAt)) === bytes.readUInt32LE(sumAt);
  };
  let end: number | undefined;
  let at = head.length;
  for (; at + recordBytes <= bytes.length; at += recordBytes) {
    if (!isGood(at)) end ??= at;
    else if (end !== undefined && bytes[at] === 1) {
      const number = 1 + (end - head.length) / recordBytes;
      throw new CorruptRecord(`${path}, record ${number}`, 'it is damaged and others follow it');
    }
  }
  return end ?? at;
}

function replaceFile(path: string, bytes: Uint8Array): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    writeAll(file, bytes, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  syncDirectory(dirname(path));
}
