/**
 * The ledger's file. The signer's own thread appends to it, so a record costs one system call
 * (docs/decisions/0285-ledger-of-the-signer.md).
 *
 *     file      head, record, record …                                                    little-endian
 *     head      "CWLEDGR2" | id 16 | environment 8 | count u64 | chain 16 | crc32 u32     before the first record
 *     record    first u8 | entry 100 | chain 16 | crc32 u32 of the rest
 *
 * `chain` is the start of SHA-256 over the previous chain and the entry. Id, count and chain of the last record are the
 * anchor that the bridge keeps: a ledger that was swapped, truncated or rolled back does not contain that anchor.
 *
 * `first` is 1 where everything before is durable. A bad record followed by a good `first` is therefore damage, and the
 * file does not open; otherwise it is the torn tail of an append that nobody relied on. With durability `power` the
 * file is extended in advance, because a sync that also records a new length takes twice the time; the zeros at its end
 * are such a bad record.
 */
import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { isThere } from '../runtime/directory.ts';
import { ProcessLock } from '../runtime/process-lock.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { writeAll } from '../runtime/write-all.ts';
import { CorruptRecord, type Durability } from '../store/store.ts';
import type { Environment } from './keystore.ts';

/** A ledger that differs from what was written; the signer does not start on it. */
export class LedgerDamaged extends CorruptRecord {}

/** A place in the history of one ledger. */
export interface Anchor {
  /** The id of the ledger, 32 hex digits. */
  readonly id: string;
  /** How many entries it ever had. */
  readonly count: number;
  /** The chain after the last of them, 32 hex digits. */
  readonly chain: string;
}

/** The anchor before any ledger was seen. */
export const noAnchor: Anchor = { id: '0'.repeat(32), count: 0, chain: '0'.repeat(32) };

/**
 * What the ledger needs of a file. After a call that throws, the file is not used any more, unless the disk is full
 * (`isFull`): then the file is as it was before the call, which may be repeated.
 */
export interface LedgerFile {
  /** The last durable entry. */
  readonly anchor: Anchor;
  /** The chain after this many entries; undefined if the file does not have that entry. */
  chainAt(count: number): string | undefined;
  /** Calls back with each entry, oldest first; the bytes are lent for the call. */
  read(onEntry: (entry: Buffer) => void): void;
  /** Appends whole entries, as durably as the file was opened for. */
  append(entries: Uint8Array): void;
  /** Replaces the content of the file by these entries; after a crash it has either the old or the new content. */
  rewrite(entries: Uint8Array): void;
  close(): void;
}

export interface LedgerOptions {
  readonly durability: Durability;
  readonly environment: Environment;
  /** An operator, or the lack of any earlier state, confirms that nothing was signed that this ledger should know. */
  readonly mayCreate: boolean;
  /** With `power`: how many entries may wait for a sync, because a journal has them durably; 1 by default. */
  readonly entriesPerSync?: number;
}

export const entryBytes = 100;
const chainBytes = 16;
const recordBytes = 1 + entryBytes + chainBytes + 4;
const chainAtByte = 1 + entryBytes;
const magic = Buffer.from('CWLEDGR2');
const earlierMagic = Buffer.from('CWLEDGR1');
const headBytes = 60;
/** The file grows by this much at a time. */
const zeros = Buffer.alloc(64 * 1024);
/** How long the previous signer may take to exit. */
const lockPatienceMs = 2000;

export function openLedgerFile(path: string, options: LedgerOptions): LedgerFile {
  const lock = ProcessLock.take(`${path}.lock`, lockPatienceMs);
  if (lock === undefined) {
    throw new Error(`${path}.lock is held: another signer uses this ledger`);
  }
  try {
    if (!isOpenable(path, options.mayCreate)) {
      const head = headOf(randomBytes(16), options.environment, 0, Buffer.alloc(chainBytes));
      replaceFileSync(path, head);
    }
    return new AppendedFile(path, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Reads the file without a lock. */
export function readLedger(path: string, onEntry: (entry: Buffer) => void): void {
  const bytes = readFileSync(path);
  readHead(bytes, path);
  const end = endOfGood(bytes, path);
  for (let at = headBytes; at < end; at += recordBytes) {
    onEntry(bytes.subarray(at + 1, at + 1 + entryBytes));
  }
}

/** A signer inside the bridge has no command line; it creates a ledger if the bridge has seen none. */
export const confirmNewLedger =
  "confirm that nothing signed before can matter: start the signer with --new-ledger or, with signer.mode inline, remove signer.anchor from the bridge's dataDir and start the bridge";
const confirm = `restore it from the machine that signed last, or ${confirmNewLedger}`;

function isOpenable(path: string, mayCreate: boolean): boolean {
  if (!isThere(path)) {
    if (mayCreate) return false;
    throw new Error(`${path}: there is no ledger of signed nonces; ${confirm}`);
  }
  if (!readFileSync(path).subarray(0, magic.length).equals(earlierMagic)) return true;
  if (!mayCreate) throw new Error(`${path} was written by an earlier version; ${confirm}`);
  renameSync(path, `${path}.1`);
  return false;
}

class AppendedFile implements LedgerFile {
  readonly #path: string;
  readonly #isPower: boolean;
  readonly #entriesPerSync: number;
  readonly #lock: ProcessLock;
  readonly #id: Buffer;
  readonly #environment: string;
  #descriptor: number;
  /** The number of entries before the first record. */
  #base: number;
  #baseChain: Buffer;
  #count: number;
  #chain: Buffer;
  #lasting: { readonly count: number; readonly chain: Buffer };
  /** The end of the records, and the end of the file. */
  #end: number;
  #length: number;
  #unsynced = 0;
  /** The content of the file when it was opened, until it is read. */
  #found: Buffer;

  constructor(path: string, options: LedgerOptions, lock: ProcessLock) {
    const bytes = readFileSync(path);
    const head = readHead(bytes, path);
    if (head.environment !== options.environment) {
      const other = `${path} is the ledger of a signer for ${head.environment}`;
      throw new Error(`${other}, not for ${options.environment}: use the dataDir of this signer`);
    }
    this.#path = path;
    this.#isPower = options.durability === 'power';
    this.#entriesPerSync = options.entriesPerSync ?? 1;
    this.#lock = lock;
    this.#id = head.id;
    this.#environment = head.environment;
    this.#base = head.count;
    this.#baseChain = head.chain;
    this.#count = head.count;
    this.#chain = head.chain;
    this.#lasting = head;
    this.#end = endOfGood(bytes, path);
    this.#length = this.#end;
    this.#found = bytes.subarray(0, this.#end);
    this.#follow(this.#found);
    this.#lasts();
    this.#descriptor = openSync(path, 'r+');
    // If a sync failed, the system's cache has entries that no later sync writes, so they are written again.
    writeAll(this.#descriptor, this.#found, 0);
    ftruncateSync(this.#descriptor, this.#end);
    fsyncSync(this.#descriptor);
  }

  /** Each record must follow the one before it. */
  #follow(bytes: Buffer): void {
    for (let at = headBytes; at < bytes.length; at += recordBytes) {
      this.#chain = next(this.#chain, bytes.subarray(at + 1, at + chainAtByte));
      this.#count += 1;
      if (bytes.subarray(at + chainAtByte, at + chainAtByte + chainBytes).equals(this.#chain)) {
        continue;
      }
      const where = `${this.#path}, record ${this.#count - this.#base}`;
      throw new LedgerDamaged(where, 'it does not follow the records before it');
    }
  }

  get anchor(): Anchor {
    const { chain, count } = this.#lasting;
    return { id: this.#id.toString('hex'), count, chain: chain.toString('hex') };
  }

  chainAt(count: number): string | undefined {
    if (count === this.#base) return this.#baseChain.toString('hex');
    if (!(count > this.#base && count <= this.#count)) return undefined;
    const chain = Buffer.alloc(chainBytes);
    const at = headBytes + (count - this.#base - 1) * recordBytes + chainAtByte;
    readSync(this.#descriptor, chain, 0, chainBytes, at);
    return chain.toString('hex');
  }

  read(onEntry: (entry: Buffer) => void): void {
    const bytes = this.#found;
    for (let at = headBytes; at < bytes.length; at += recordBytes) {
      onEntry(bytes.subarray(at + 1, at + chainAtByte));
    }
    this.#found = bytes.subarray(0, 0);
  }

  append(entries: Uint8Array): void {
    this.#orAsBefore(() => {
      const records = this.#framed(entries, !this.#isPower || this.#unsynced === 0);
      if (this.#isPower) this.#lengthen(records.length);
      writeAll(this.#descriptor, records, this.#end);
      this.#end += records.length;
    });
    if (!this.#isPower) {
      this.#lasts();
      return;
    }
    this.#unsynced += entries.length / entryBytes;
    if (this.#unsynced >= this.#entriesPerSync) this.#sync();
  }

  rewrite(entries: Uint8Array): void {
    this.#orAsBefore(() => {
      const [count, chain] = [this.#count, this.#chain];
      const head = headOf(this.#id, this.#environment, count, chain);
      replaceFileSync(this.#path, Buffer.concat([head, this.#framed(entries, true)]));
      this.#base = count;
      this.#baseChain = chain;
    });
    const before = this.#descriptor;
    this.#descriptor = openSync(this.#path, 'r+');
    closeSync(before);
    this.#end = fstatSync(this.#descriptor).size;
    this.#length = this.#end;
    this.#lasts();
  }

  close(): void {
    if (this.#unsynced > 0) this.#sync();
    if (this.#length > this.#end) ftruncateSync(this.#descriptor, this.#end);
    closeSync(this.#descriptor);
    this.#lock.release();
  }

  /** After a failed sync the content of the disk is unknown, so its error must not look like a full disk. */
  #sync(): void {
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw new Error(`${this.#path} cannot be synced: ${(error as Error).message}`);
    }
    this.#lasts();
  }

  /** A write that fails may leave bytes behind the last record; the next one overwrites them. */
  #orAsBefore(write: () => void): void {
    const [count, chain] = [this.#count, this.#chain];
    try {
      write();
    } catch (error) {
      this.#count = count;
      this.#chain = chain;
      throw error;
    }
  }

  #lasts(): void {
    this.#unsynced = 0;
    this.#lasting = { count: this.#count, chain: this.#chain };
  }

  #lengthen(bytes: number): void {
    while (this.#length < this.#end + bytes) {
      writeAll(this.#descriptor, zeros, this.#length);
      this.#length += zeros.length;
    }
  }

  #framed(entries: Uint8Array, isFirst: boolean): Buffer {
    const records = Buffer.allocUnsafe((entries.length / entryBytes) * recordBytes);
    let at = 0;
    for (let from = 0; from < entries.length; from += entryBytes) {
      const entry = entries.subarray(from, from + entryBytes);
      this.#chain = next(this.#chain, entry);
      this.#count += 1;
      records[at] = isFirst && from === 0 ? 1 : 0;
      records.set(entry, at + 1);
      records.set(this.#chain, at + chainAtByte);
      const sumAt = at + recordBytes - 4;
      records.writeUInt32LE(crc32(records.subarray(at, sumAt)), sumAt);
      at += recordBytes;
    }
    return records;
  }
}

function next(chain: Buffer, entry: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([chain, entry]), 'buffer').subarray(0, chainBytes);
}

function headOf(id: Buffer, environment: string, count: number, chain: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  magic.copy(head);
  id.copy(head, 8);
  head.write(environment, 24, 8, 'latin1');
  head.writeBigUInt64LE(BigInt(count), 32);
  chain.copy(head, 40);
  head.writeUInt32LE(crc32(head.subarray(0, 56)), 56);
  return head;
}

function readHead(bytes: Buffer, path: string) {
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    throw new LedgerDamaged(path, 'it does not begin as a ledger');
  }
  if (bytes.length < headBytes || crc32(bytes.subarray(0, 56)) !== bytes.readUInt32LE(56)) {
    throw new LedgerDamaged(path, 'its head is damaged');
  }
  return {
    id: bytes.subarray(8, 24),
    environment: bytes.toString('latin1', 24, 32).replace(/\0+$/, ''),
    count: Number(bytes.readBigUInt64LE(32)),
    chain: bytes.subarray(40, 56),
  };
}

function endOfGood(bytes: Buffer, path: string): number {
  const isGood = (at: number) => {
    const sumAt = at + recordBytes - 4;
    return crc32(bytes.subarray(at, sumAt)) === bytes.readUInt32LE(sumAt);
  };
  let end: number | undefined;
  let at = headBytes;
  for (; at + recordBytes <= bytes.length; at += recordBytes) {
    if (!isGood(at)) end ??= at;
    else if (end !== undefined && bytes[at] === 1) {
      const number = 1 + (end - headBytes) / recordBytes;
      throw new LedgerDamaged(`${path}, record ${number}`, 'it is damaged and others follow it');
    }
  }
  return end ?? at;
}
