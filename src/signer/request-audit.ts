/**
 * Records every request to the signer with its answer, in files of JSON lines that are only appended to. The lines are
 * the records of an audit chain like the bridge's, which continues from file to file: a line that is changed, removed
 * or inserted breaks it. A line is written before its answer is sent, and synced before its hash is published. The head
 * in the log or in another file shows whether the end was cut off (docs/decisions/0125-audit-chain.md).
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Clock, every } from '../runtime/clock.ts';
import { makePrivateDirectory, syncDirectory } from '../runtime/directory.ts';
import { writeAll } from '../runtime/write-all.ts';
import {
  AuditBroken,
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
  auditGenesis,
  checked,
  linked,
} from '../store/audit-chain.ts';
import { isFull } from '../store/space.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';

/** An hour or more of a busy desk; verifying one takes a second. */
const bytesInFile = 64 * 1024 * 1024;
const publishEveryMs = 10_000;
const retryMs = 1000;
const fileName = /^\d{10}\.jsonl$/;
const newline = 0x0a;

export function auditDirectoryIn(dataDir: string): string {
  return join(dataDir, 'audit');
}

export interface AuditWatch {
  published(head: AuditHead): void;
  readonly alarm: RaiseSignerAlarm;
}

/** The disk has no room: since when, the error, and how many answers have no record. */
interface Gap {
  readonly sinceMs: number;
  readonly problem: string;
  readonly answers: number;
}

export class RequestAudit {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #watch: AuditWatch;
  readonly #mostBytes: number;
  #descriptor: number;
  #size: number;
  #head: AuditHead;
  #publishedPosition = 0;
  /** A sync failed, so lines of the file may be missing on the disk; the next start writes it again. */
  #isUnsynced = false;
  /** Resolves when the head that was due is published. */
  #published: Promise<void>;
  readonly #cancel: () => void;
  #gap: Gap | undefined;
  #cancelRetry = () => {};

  /**
   * Throws if the last file is broken, because more records would cover that up. The head is published now and every
   * 10 s.
   */
  constructor(dataDir: string, clock: Clock, watch: AuditWatch, mostBytes = bytesInFile) {
    this.#directory = auditDirectoryIn(dataDir);
    this.#clock = clock;
    this.#watch = watch;
    this.#mostBytes = mostBytes;
    makePrivateDirectory(this.#directory);
    const last = lastFileIn(this.#directory);
    this.#head = { position: 0, hash: auditGenesis };
    let lines: Buffer = Buffer.alloc(0);
    if (last !== undefined) {
      for (const { hash, position } of recordsOf(join(this.#directory, last)))
        this.#head = { position, hash };
      lines = wholeLines(readFileSync(join(this.#directory, last)));
    }
    this.#descriptor = this.#open(last);
    // A partial last line was being written when the signer ended, so its answer was not sent.
    ftruncateSync(this.#descriptor, lines.length);
    // If a sync failed, no later one writes these lines.
    writeAll(this.#descriptor, lines, 0);
    this.#size = lines.length;
    this.#published = this.#publish();
    this.#cancel = every(clock, publishEveryMs, () => {
      this.#published = this.#published.then(() => this.#publish());
    });
  }

  get head(): AuditHead {
    return this.#head;
  }

  /** Why it cannot record at present. */
  get problem(): string | undefined {
    return this.#gap?.problem;
  }

  /**
   * Returns whether they are recorded. On a full disk they are only counted, and the first record that fits again has
   * the number of missing ones. Throws if they cannot be written for another reason; then no answer may be sent.
   */
  add(entries: readonly AuditEntry[]): boolean {
    try {
      this.#write(this.#gap === undefined ? entries : [this.#gapEntry(this.#gap), ...entries]);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#waitForRoom(error, entries.length);
      return false;
    }
    if (this.#gap !== undefined) {
      this.#gap = undefined;
      this.#cancelRetry();
      this.#watch.alarm('the audit log records again', 'audit_back');
    }
    return true;
  }

  #write(entries: readonly AuditEntry[]): void {
    if (this.#size >= this.#mostBytes && !this.#isUnsynced) this.#nextFile();
    let { hash, position } = this.#head;
    let lines = '';
    for (const entry of entries) {
      position += 1;
      const line = linked(entry, position, hash);
      hash = line.hash;
      lines += `${line.text}\n`;
    }
    const bytes = Buffer.from(lines);
    writeAll(this.#descriptor, bytes, this.#size);
    this.#size += bytes.length;
    this.#head = { position, hash };
  }

  #nextFile(): void {
    const before = this.#descriptor;
    try {
      fdatasyncSync(before);
    } catch (error) {
      this.#notSynced(error as Error);
      return;
    }
    this.#descriptor = this.#open(undefined);
    this.#size = 0;
    void this.#published.then(() => closeSync(before));
  }

  #waitForRoom({ message }: Error, unrecorded: number): void {
    // A part of a line may have been written, and the next line may be shorter.
    ftruncateSync(this.#descriptor, this.#size);
    const problem = `the audit log cannot record: ${message}`;
    const { monoMs, wallMs } = this.#clock.now();
    if (this.#gap === undefined) this.#watch.alarm(problem, 'audit_full');
    const { answers = 0, sinceMs = wallMs } = this.#gap ?? {};
    this.#gap = { sinceMs, problem, answers: answers + unrecorded };
    this.#cancelRetry();
    this.#cancelRetry = this.#clock.at(monoMs + retryMs, () => {
      try {
        this.add([]);
      } catch {
        // The next answer meets the same error, and ends the signer with a message.
      }
    });
  }

  #gapEntry({ answers, problem, sinceMs }: Gap): AuditEntry {
    const atMs = this.#clock.now().wallMs;
    const what = { who: 'signer', what: 'gap', subject: 'audit', why: problem };
    return { atMs, ...what, before: { sinceMs }, after: { answersWithoutRecord: answers } };
  }

  /** Whether the log has this record with this hash. */
  has({ hash, position }: AuditHead): boolean {
    if (position === 0) return hash === auditGenesis;
    for (const record of auditRecordsIn(this.#directory)) {
      if (record.position === position) return record.hash === hash;
    }
    return false;
  }

  /** Resolves once the last head is published. */
  async close(): Promise<void> {
    this.#cancel();
    this.#cancelRetry();
    await this.#published.then(() => this.#publish());
    closeSync(this.#descriptor);
  }

  #open(file: string | undefined): number {
    const name = file ?? `${String(this.#head.position + 1).padStart(10, '0')}.jsonl`;
    const path = join(this.#directory, name);
    const isNew = !existsSync(path);
    const descriptor = openSync(path, isNew ? 'wx' : 'r+', 0o600);
    if (isNew) syncDirectory(this.#directory);
    return descriptor;
  }

  #publish(): Promise<void> {
    const { head } = this;
    if (this.#isUnsynced || head.position === this.#publishedPosition) return Promise.resolve();
    return new Promise((resolve) => {
      fdatasync(this.#descriptor, (error) => {
        if (error !== null) this.#notSynced(error);
        else {
          this.#publishedPosition = head.position;
          this.#watch.published(head);
        }
        resolve();
      });
    });
  }

  #notSynced({ message }: Error): void {
    this.#isUnsynced = true;
    const text = `the audit log cannot be synced, so its head is not published until a restart: ${message}`;
    this.#watch.alarm(text, 'audit_failed');
  }
}

/** All records in the directory; older files may be archived. Throws at the first that breaks the chain. */
export function* auditRecordsIn(directory: string): Generator<AuditRecord> {
  let previous: AuditHead | undefined;
  for (const file of filesIn(directory)) {
    for (const record of recordsOf(join(directory, file), previous)) {
      previous = record;
      yield record;
    }
  }
}

function filesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => fileName.test(name))
    .sort();
}

/** Removes a newest file that has no record yet; the chain continues in the previous one. */
function lastFileIn(directory: string): string | undefined {
  const files = filesIn(directory);
  for (let last = files.pop(); last !== undefined; last = files.pop()) {
    const isWritten = readFileSync(join(directory, last)).includes(newline);
    if (isWritten || files.length === 0) return last;
    rmSync(join(directory, last));
  }
  return undefined;
}

/** `previous` is the record before the file, if it is known. */
function* recordsOf(path: string, previous?: AuditHead): Generator<AuditRecord> {
  const first = Number.parseInt(path.slice(-16), 10);
  let { hash, position } = previous ?? { hash: undefined, position: first - 1 };
  if (position !== first - 1) throw new AuditBroken(`${path} does not follow record ${position}`);
  const lines = wholeLines(readFileSync(path));
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf(newline, at);
    const payload = lines.subarray(at, end);
    at = end + 1;
    position += 1;
    hash ??= position === 1 ? auditGenesis : previousIn(payload);
    const record = checked({ position, payload }, hash);
    ({ hash } = record);
    yield record;
  }
}

/** The hash of the record before the oldest file, whose own file was archived. */
function previousIn(payload: Uint8Array): string {
  return /"previous":"([0-9a-f]{64})"/.exec(Buffer.from(payload).toString())?.[1] ?? '';
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
}
