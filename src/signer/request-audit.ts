/**
 * Every request to the signer with its answer, in files of JSON lines that only grow. The lines are the records of an audit chain
 * like the bridge's, so one line that is changed, removed or inserted breaks it; a file goes on where the one before ended.
 * A line is written before its answer leaves, and synced before its hash is published: the head in the log or in another file
 * shows whether the end was cut off (docs/decisions/0277-the-signers-audit.md).
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
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

/** At the rate of a busy desk an hour or more; to verify one takes a second. */
const bytesInFile = 64 * 1024 * 1024;
const publishEveryMs = 10_000;
const fileName = /^\d{10}\.jsonl$/;
const newline = 0x0a;

export function auditDirectoryIn(dataDir: string): string {
  return join(dataDir, 'audit');
}

export class RequestAudit {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #published: (head: AuditHead) => void;
  readonly #mostBytes: number;
  #descriptor: number;
  #size: number;
  #head: AuditHead;
  #publishedPosition: number;
  #cancel = () => {};

  /** Throws if the last file is broken, because further records would cover that up. `published` gets the head every 10 s. */
  constructor(
    dataDir: string,
    clock: Clock,
    published: (head: AuditHead) => void,
    mostBytes = bytesInFile,
  ) {
    this.#directory = auditDirectoryIn(dataDir);
    this.#clock = clock;
    this.#published = published;
    this.#mostBytes = mostBytes;
    makePrivateDirectory(this.#directory);
    const last = filesIn(this.#directory).at(-1);
    this.#head = { position: 0, hash: auditGenesis };
    let size = 0;
    if (last !== undefined) {
      for (const record of recordsOf(join(this.#directory, last))) this.#head = record;
      size = wholeLines(readFileSync(join(this.#directory, last))).length;
    }
    this.#descriptor = this.#open(last);
    // What follows the last whole line was being written when the signer ended, so no answer to it has left.
    ftruncateSync(this.#descriptor, size);
    this.#size = size;
    this.#publishedPosition = this.#head.position;
    this.#publishLater();
  }

  get head(): AuditHead {
    const { hash, position } = this.#head;
    return { position, hash };
  }

  /** Throws where the lines cannot be written; then no answer may leave. */
  add(entries: readonly AuditEntry[]): void {
    let lines = '';
    for (const entry of entries) {
      const position = this.#head.position + 1;
      const { hash, text } = linked(entry, position, this.#head.hash);
      this.#head = { position, hash };
      lines += `${text}\n`;
    }
    const bytes = Buffer.from(lines);
    writeAll(this.#descriptor, bytes, this.#size);
    this.#size += bytes.length;
    if (this.#size < this.#mostBytes) return;
    const full = this.#descriptor;
    fdatasync(full, () => closeSync(full));
    this.#descriptor = this.#open(undefined);
    this.#size = 0;
  }

  /** Whether a record is in the last file as it was published. */
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
    await this.#publish();
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

  #publishLater(): void {
    this.#cancel = this.#clock.at(this.#clock.now().monoMs + publishEveryMs, () => {
      void this.#publish().then(() => this.#publishLater());
    });
  }

  #publish(): Promise<void> {
    const { head } = this;
    if (head.position === this.#publishedPosition) return Promise.resolve();
    return new Promise((resolve) => {
      fdatasync(this.#descriptor, () => {
        this.#publishedPosition = head.position;
        this.#published(head);
        resolve();
      });
    });
  }
}

/** All records that are still in the directory; older files may have been archived. Throws at the first that does not fit. */
export function* auditRecordsIn(directory: string): Generator<AuditRecord> {
  let previous: AuditHead | undefined;
  for (const file of filesIn(directory)) {
    for (const record of recordsOf(join(directory, file), previous)) {
      previous = record;
      yield record;
    }
  }
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => fileName.test(name))
    .sort();
}

/** `previous` is the record before the file, where that is known. */
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

/** What the first record of the oldest file says of the one before it, which is not there any more. */
function previousIn(payload: Uint8Array): string {
  return /"previous":"([0-9a-f]{64})"/.exec(Buffer.from(payload).toString())?.[1] ?? '';
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
}
