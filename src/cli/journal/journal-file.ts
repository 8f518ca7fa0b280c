/**
 * A store that is opened read-only, even while a bridge runs on it: later commits are not visible. A store of an
 * earlier version is copied, and the copy is converted to a log; the same happens to a shard in the database.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { byName, type StoreContents } from '../../store/contents.ts';
import { fillLog, migrate, storeAt } from '../../store/earlier/migrate.ts';
import { copyLog } from '../../store/log/copy.ts';
import { makeFolder, realDisk } from '../../store/log/disk.ts';
import { LogReader, stepped } from '../../store/log/log-reader.ts';
import { defaultStoreLimits, logFolder } from '../../store/log/log-store.ts';
import { hasSegments } from '../../store/log/owner.ts';
import { type Recovered, recover } from '../../store/log/recover.ts';
import { verifyLog } from '../../store/log/verify.ts';
import { viewShard } from '../../store/postgres/shard-contents.ts';
import { recordOverhead } from '../../store/session-row.ts';
import {
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Write,
} from '../../store/store.ts';
import { Failure } from '../advice.ts';
import type { DataPlace } from './data-place.ts';

/** The stores of a bridge and of a relay; the log is next to each. */
const [fileName, relayName] = ['gateway.db', 'relay.db'];
const unsynced = { ...defaultStoreLimits, isSynced: false };

export interface Span {
  readonly from: number;
  readonly to: number;
}

export const everything: Span = { from: 0, to: Number.MAX_SAFE_INTEGER };

const nameStore = `Name the dataDir of a bridge, or the ${basename(logFolder(fileName))} in it.`;

export class JournalFile {
  /** The folder of the log, as displayed to users. */
  readonly path: string;
  readonly #recovered: Recovered;
  readonly #reader: LogReader;
  readonly #copy: string | undefined;

  /** `path` is the data directory of a bridge, or the log in it. */
  static async open(path: string): Promise<JournalFile> {
    const found = placeOf(path);
    if (!found.isEarlier) return new JournalFile(found.folder, found.folder);
    return JournalFile.#copied(found.path, async (folder, copy) => {
      const directory = dirname(found.path);
      const file = basename(found.path);
      for (const name of readdirSync(directory)) {
        if (!name.startsWith(file) || name.endsWith('-reserve')) continue;
        copyFileSync(join(directory, name), join(copy, name), constants.COPYFILE_FICLONE);
      }
      await migrate(join(copy, file), folder, unsynced);
    });
  }

  /** The bridge continues to run. The copy below TMPDIR needs as much space as the journal. */
  static async at({ database, directory }: Partial<DataPlace> & Pick<DataPlace, 'directory'>) {
    if (database === undefined) return JournalFile.open(directory);
    const { place, shard } = database;
    return JournalFile.#copied(`shard ${shard} of database ${place.database}`, async (folder) => {
      mkdirSync(folder, { mode: 0o700 });
      await viewShard(place, shard, (contents) => fillLog(folder, contents, unsynced, realDisk));
    });
  }

  /** `fill` writes the folder of a log in the directory of a copy. */
  static async #copied(
    path: string,
    fill: (folder: string, copy: string) => Promise<void>,
  ): Promise<JournalFile> {
    const copy = mkdtempSync(join(tmpdir(), 'causeway-copy-'));
    const folder = logFolder(join(copy, fileName));
    try {
      await fill(folder, copy);
      return new JournalFile(path, folder, copy);
    } catch (error) {
      rmSync(copy, { recursive: true });
      throw error;
    }
  }

  private constructor(path: string, folder: string, copy?: string) {
    this.path = path;
    this.#copy = copy;
    this.#recovered = recoverBeside(folder);
    this.#reader = new LogReader(this.#recovered.index, this.#recovered.segments);
  }

  [Symbol.dispose](): void {
    this.#recovered.segments.close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true });
  }

  /** Writes this store, as of when it was opened, into a data directory, unless `check` throws; returns its size. */
  copyInto(directory: string, check: (copy: JournalFile) => void): Promise<number> {
    const isOfRelay = /^relay(\.db|-log)$/.test(basename(this.path));
    const folder = logFolder(join(directory, isOfRelay ? relayName : fileName));
    return makeFolder(realDisk, folder, async (made) => {
      const bytes = await copyLog(this.#recovered, made);
      using copy = new JournalFile(made, made);
      check(copy);
      return bytes;
    });
  }

  /** Finds records anywhere in the log that differ from what was written. */
  faults(): Generator<CorruptRecord> {
    return verifyLog(this.#recovered);
  }

  /** The bytes of a stream are approximate once records were forgotten, because a log keeps no size of each. */
  streams() {
    const rows = [...this.#recovered.index.streams].filter(([, { end }]) => end > 0);
    return rows.sort(byName).map(([stream, { end, forgottenTo, snapshot, extents }]) => {
      const records = end - forgottenTo;
      let bytes = -recordOverhead * records;
      for (const extent of extents) bytes += extent.bytes;
      const first = Math.min(forgottenTo + 1, end);
      // The position of the snapshot; 0 if there is none.
      const { position = 0 } = snapshot ?? {};
      return { stream, records, first, last: end, bytes: Math.max(0, bytes), snapshot: position };
    });
  }

  *snapshots(): Generator<JournalRecord & { readonly stream: string }> {
    for (const [stream] of [...this.#recovered.index.streams].sort(byName)) {
      const found = this.snapshot(stream);
      if (found !== undefined) yield { stream, ...found };
    }
  }

  snapshot(stream: string): JournalRecord | undefined {
    return this.#reader.snapshot(stream);
  }

  /** Throws `CorruptRecord` if a record differs from what was written, like all readers here. */
  *records(stream: string, { from, to }: Span = everything): Generator<JournalRecord> {
    for (const record of stepped(from, (at) => this.#reader.records(stream, at))) {
      if (record.position > to) return;
      yield record;
    }
  }

  sessions() {
    const found = [...this.#recovered.index.sessions].sort(byName);
    return found.map(([session, { row }]) => ({ session, ...row }));
  }

  messages(session: string, { from, to }: Span = everything): Generator<KeptMessage> {
    return stepped(from, (at) => this.#reader.messages(session, at, to));
  }

  held(session: string): Generator<HeldMessage> {
    return stepped(0, (at) => this.#reader.held(session, at));
  }

  cursors() {
    const found = [...this.#recovered.index.cursors].sort(byName);
    return found.map(([cursor, value]) => ({ cursor, value }));
  }

  /** All records, snapshots and messages, in the form in which a store takes them. */
  *writes(): Generator<Write> {
    for (const stream of [...this.#recovered.index.streams.keys()].sort()) {
      for (const { position, payload } of this.records(stream))
        yield { kind: 'append', stream, expected: position - 1, payload };
      const snapshot = this.snapshot(stream);
      if (snapshot !== undefined) yield { kind: 'snapshot', stream, ...snapshot };
    }
    for (const { session } of this.sessions()) {
      for (const { seq, bytes } of this.messages(session))
        yield { kind: 'messages', session, firstSeq: seq, bytes, ends: [bytes.length] };
      for (const { position, bytes } of this.held(session))
        yield { kind: 'hold', session, position, bytes };
    }
  }

  /** Everything, in a form that can fill another store. */
  get contents(): StoreContents {
    const kept = this.streams().filter(({ records }) => records > 0);
    return {
      begins: () => kept.map(({ stream, first }) => [stream, first - 1]),
      sessions: () => this.sessions().map(({ session, ...row }) => [session, row]),
      cursors: () => this.cursors().map(({ cursor, value }) => [cursor, value]),
      writes: () => this.writes(),
    };
  }
}

/** A record that is being written may look damaged before a later one, but not at a second attempt. */
function recoverBeside(folder: string): Recovered {
  try {
    return recover(realDisk, folder);
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    return recover(realDisk, folder);
  }
}

/** The path of the store in a data directory: a bridge's, or else a relay's. */
export function storeFileIn(directory: string): string {
  const files = [fileName, relayName].map((name) => join(directory, name));
  const isThere = (file: string) => existsSync(file) || hasSegments(realDisk, logFolder(file));
  return files.find(isThere) ?? join(directory, fileName);
}

function placeOf(path: string) {
  const isFolder = isDirectory(path);
  if (isFolder && hasSegments(realDisk, path)) {
    return { isEarlier: false, path, folder: path } as const;
  }
  const file = isFolder ? storeFileIn(path) : path;
  const folder = logFolder(file);
  const isNamed = [fileName, relayName].includes(basename(file));
  const isLog = isNamed && hasSegments(realDisk, folder);
  // A user without permission gets that error, instead of one about a missing journal.
  if (!isLog) isDirectory(file, isFolder ? `store in ${path}` : file);
  let found: ReturnType<typeof storeAt> | undefined;
  try {
    if (isNamed) found = storeAt(file, folder);
  } catch (error) {
    throw new Failure((error as Error).message, nameStore);
  }
  if (found === 'earlier') return { isEarlier: true, path: file, folder } as const;
  if (isLog) return { isEarlier: false, path: folder, folder } as const;
  throw new Failure(`${file} is not a store`, nameStore);
}

function isDirectory(path: string, what = path): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Failure(`there is no ${what}`, nameStore);
  }
}
