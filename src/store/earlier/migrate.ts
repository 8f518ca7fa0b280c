/**
 * Copies the store of an earlier version into a log (docs/decisions/0271-earlier-stores-are-copied.md). The log is made under another
 * name and becomes valid by one rename, so a crash begins anew. The old files are kept.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateDirectory, syncDirectory } from '../../runtime/directory.ts';
import { realDisk } from '../log/disk.ts';
import { LiveIndex } from '../log/live-index.ts';
import { LogWriter, type WriterOptions } from '../log/log-writer.ts';
import { takeOver } from '../log/owner.ts';
import { Segments } from '../log/segments.ts';
import { Upkeep } from '../log/upkeep.ts';
import { sizeOf } from '../session-row.ts';
import { reservePath } from '../space.ts';
import type { Write } from '../store.ts';
import { leftBehind, takeToken } from './front-files.ts';
import { EarlierTables } from './tables.ts';

const magic = 'SQLite format 3\0';
const keptFolder = 'before-log';
const groupBytes = 64 * 1024;

/** In the place of the old file, so that an earlier version does not begin with an empty store. */
const note = (folder: string) =>
  `The store is in ${basename(folder)}. What an earlier version wrote is in ${keptFolder}.\n`;

/** Where the old files are now, if there was anything to migrate. */
export async function migrate(
  path: string,
  folder: string,
  options: WriterOptions,
): Promise<string | undefined> {
  if (!isEarlier(path)) return undefined;
  const kept = join(dirname(path), keptFolder);
  if (!existsSync(folder)) await copy(path, folder, options);
  else if (existsSync(join(kept, basename(path))))
    throw new Error(
      `${path} is a store of an earlier version, and ${folder} one of this version: move one of them away`,
    );
  keep(path, folder, kept);
  return kept;
}

/** Throws where something else lies there than a store or what this program has written in its place. */
export function isEarlier(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const begin = Buffer.alloc(magic.length);
  const file = openSync(path, 'r');
  readSync(file, begin, 0, begin.length, 0);
  closeSync(file);
  if (begin.toString('latin1') === magic) return true;
  if (begin.toString('latin1').startsWith('The store is in ')) return false;
  throw new Error(`${path} is no store: it is not a database`);
}

async function copy(path: string, folder: string, options: WriterOptions): Promise<void> {
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  makePrivateDirectory(made);
  const tables = new EarlierTables(path);
  try {
    const front = tables.front();
    takeToken(path, front.opening);
    const left = leftBehind(path, front);
    await fill(made, tables, left, options);
  } finally {
    tables.close();
  }
  renameSync(made, folder);
  syncDirectory(dirname(folder));
}

async function fill(
  folder: string,
  tables: EarlierTables,
  left: readonly Write[],
  options: WriterOptions,
): Promise<void> {
  const place = { disk: realDisk, folder, owner: takeOver(realDisk, folder) };
  const index = begun(tables, options.keptBytesPerSession);
  const segments = new Segments(realDisk, folder);
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
    for (const group of grouped(tables.writes())) await write(group);
    for (const group of grouped(left)) await write(group);
    await writer.sync();
  } finally {
    await upkeep.close();
    writer.close();
  }
  place.owner.giveUp();
  await realDisk.syncDirectory(folder);
}

/** The index before the first write: streams begin behind what was forgotten, and sessions have the numbers that they have. */
function begun(tables: EarlierTables, keptBytesPerSession: number): LiveIndex {
  const index = new LiveIndex(keptBytesPerSession);
  for (const [stream, position] of tables.begins()) {
    Object.assign(index.stream(stream), { end: position, forgottenTo: position });
  }
  for (const [session, row] of tables.sessions()) {
    // Messages are counted when they are written; held ones are behind those that were released.
    const heldTo = Math.min(row.heldTo, row.releasedTo);
    Object.assign(index.session(session).row, { ...row, keptBytes: 0, heldTo });
  }
  for (const [name, value] of tables.cursors()) index.cursors.set(name, value);
  return index;
}

function* grouped(writes: Iterable<Write>): Generator<readonly Write[]> {
  let group: Write[] = [];
  let bytes = 0;
  for (const write of writes) {
    group.push(write);
    bytes += sizeOf(write);
    if (bytes < groupBytes) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

/** The file itself goes last: as long as it is there, the next start goes on. */
function keep(path: string, folder: string, kept: string): void {
  const directory = dirname(path);
  makePrivateDirectory(kept);
  const own = readdirSync(directory).filter(
    (name) => name.startsWith(`${basename(path)}-`) && join(directory, name) !== reservePath(path),
  );
  for (const name of [...own, basename(path)]) {
    renameSync(join(directory, name), join(kept, name));
  }
  writeFileSync(path, note(folder), { mode: 0o600 });
  for (const each of [kept, directory]) syncDirectory(each);
}
