/**
 * Copies the store of an earlier version into a log (docs/decisions/0270-a-log-of-segments.md). The log is built under
 * another name and becomes valid by one rename, so after a crash the next start begins again. The old files are kept.
 *
 * Until the old files have been moved, the log contains a marker that identifies the database of which it is a copy. A
 * database next to a log without that marker is another store, such as a restored backup, and the program cannot know
 * which of the two is the right one.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StoreContents } from '../contents.ts';
import { attemptsAt, type Disk, makeFolder, readText, realDisk, writeText } from '../log/disk.ts';
import { LiveIndex } from '../log/live-index.ts';
import { LogWriter, type WriterOptions } from '../log/log-writer.ts';
import { takeOver } from '../log/owner.ts';
import { Segments } from '../log/segments.ts';
import { Upkeep } from '../log/upkeep.ts';
import { heedNote, isDatabase, leaveNote } from '../note.ts';
import { beforeMessages, sizeOf } from '../session-row.ts';
import { reservePath } from '../space.ts';
import { StoreInDoubt, type Write } from '../store.ts';
import { leftBehind, takeToken } from './front-files.ts';
import { EarlierTables } from './tables.ts';

const keptFolder = 'before-log';
const markerName = 'moving-old-files';
const groupBytes = 64 * 1024;

/** Returns where the old files are now, if there was anything to migrate. */
export async function migrate(
  path: string,
  folder: string,
  options: WriterOptions,
  disk: Disk = realDisk,
): Promise<string | undefined> {
  const found = storeAt(path, folder, disk);
  if (found === 'log') {
    for (const left of attemptsAt(disk, folder)) disk.remove(left);
    return undefined;
  }
  const kept = join(dirname(path), keptFolder);
  if (found === 'earlier') {
    demandNoneKept(path, kept, disk);
    await makeFolder(disk, folder, (made) => copy(path, made, options, disk));
  }
  const isKept = isDatabase(readText(disk, path)) || disk.has(join(kept, basename(path)));
  if (isKept) await moveOld(path, folder, kept, disk);
  disk.remove(join(folder, markerName));
  await disk.syncDirectory(folder);
  return isKept ? kept : undefined;
}

/**
 * Determines which store to use: the log, a database of an earlier version, or a log whose copied database has not been
 * moved yet. Throws if that cannot be determined.
 */
export function storeAt(
  path: string,
  folder: string,
  disk: Disk = realDisk,
): 'log' | 'earlier' | 'copied' {
  const marker = readText(disk, join(folder, markerName));
  const text = readText(disk, path);
  if (isDatabase(text)) {
    if (!disk.has(folder)) return 'earlier';
    if (marker === identityOf(path)) return 'copied';
    throw new StoreInDoubt(
      `${path} is a store of an earlier version, and ${folder} is another store: move the one that is not in use to another directory`,
    );
  }
  heedNote(path, folder, disk);
  if (marker !== '') return 'copied';
  return 'log';
}

/** A database that was restored or written since it was copied has a different identity. */
function identityOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} bytes, changed at ${mtimeNs}`;
}

/** Never overwrites files of an earlier migration, and requires the files that belong to this database next to it. */
function demandNoneKept(path: string, kept: string, disk: Disk): void {
  const own = disk.list(kept).find((name) => name.startsWith(basename(path)));
  if (own === undefined) return;
  throw new StoreInDoubt(
    `${path} is a store of an earlier version, and ${join(kept, own)} is left of one: move ${kept} away, or move its files next to ${path} if they belong to it`,
  );
}

async function copy(path: string, made: string, options: WriterOptions, disk: Disk): Promise<void> {
  const tables = new EarlierTables(path);
  try {
    const front = tables.front();
    takeToken(path, front.opening);
    const left = leftBehind(path, front);
    const contents: StoreContents = {
      begins: () => tables.begins(),
      sessions: () => tables.sessions(),
      cursors: () => tables.cursors(),
      *writes() {
        yield* tables.writes();
        yield* left;
      },
    };
    await fillLog(made, contents, options, disk);
  } finally {
    tables.close();
  }
  await writeText(disk, join(made, markerName), identityOf(path));
}

/** Writes the contents of another store as a log into an existing empty folder. */
export async function fillLog(
  folder: string,
  contents: StoreContents,
  options: WriterOptions,
  disk: Disk,
): Promise<void> {
  const place = { disk, folder, owner: takeOver(disk, folder) };
  const index = begun(contents, options.keptBytesPerSession);
  const segments = new Segments(disk, folder);
  const writer = await LogWriter.open(place, options, {
    index,
    segments,
    sequence: 0,
    lastSegment: 0,
  });
  let failure: unknown;
  const failed = (error: unknown) => {
    failure ??= error;
  };
  const upkeep = new Upkeep({
    ...place,
    writer,
    carry: async () => {},
    isTight: () => false,
    failed,
  });
  const write = async (group: readonly Write[]) => {
    writer.leaveLong();
    writer.begin();
    const conflict = writer.take(group);
    if (conflict !== undefined)
      throw new Error(`stream ${conflict.stream} ends at ${conflict.actual}`);
    writer.write(group);
    await writer.sync();
    upkeep.look();
    await upkeep.settled();
    if (failure !== undefined) throw failure;
  };
  try {
    for await (const group of grouped(contents.writes())) await write(group);
    await writer.sync();
  } finally {
    await upkeep.close();
    writer.close();
  }
  place.owner.giveUp();
}

/** The index before the first write: streams start after their forgotten records, and sessions have their numbers. */
function begun(contents: StoreContents, keptBytesPerSession: number): LiveIndex {
  const index = new LiveIndex(keptBytesPerSession);
  for (const [stream, position] of contents.begins()) {
    Object.assign(index.stream(stream), { end: position, forgottenTo: position });
  }
  for (const [session, row] of contents.sessions()) {
    Object.assign(index.session(session).row, beforeMessages(row));
  }
  for (const [name, value] of contents.cursors()) index.cursors.set(name, value);
  return index;
}

async function* grouped(
  writes: Iterable<Write> | AsyncIterable<Write>,
): AsyncGenerator<readonly Write[]> {
  let group: Write[] = [];
  let bytes = 0;
  for await (const write of writes) {
    group.push(write);
    bytes += sizeOf(write);
    if (bytes < groupBytes) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

/** The database is moved last, so that a crash before that leaves it. */
async function moveOld(path: string, folder: string, kept: string, disk: Disk): Promise<void> {
  const directory = dirname(path);
  disk.makeDirectory(kept);
  const names = disk.list(directory);
  const others = names.filter(
    (name) => name.startsWith(`${basename(path)}-`) && join(directory, name) !== reservePath(path),
  );
  for (const name of others) disk.rename(join(directory, name), join(kept, name));
  await leaveNote(path, basename(folder), disk, {
    more: ` What an earlier version wrote is in ${basename(kept)}.`,
    move: () => disk.rename(path, join(kept, basename(path))),
  });
  for (const each of [kept, directory]) await disk.syncDirectory(each);
}
