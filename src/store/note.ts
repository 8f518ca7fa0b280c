/**
 * The note in `gateway.db` that says where the store is. With it, neither this version nor an earlier one, which kept
 * its store in that file, starts with an empty store if the store is gone or is elsewhere
 * (docs/decisions/0270-a-log-of-segments.md).
 */
import { basename } from 'node:path';
import { attemptsAt, type Disk, readText, writeText } from './log/disk.ts';
import { hasSegments } from './log/owner.ts';
import { StoreInDoubt } from './store.ts';

const noteStart = 'The store is in ';

/** Throws if the folder has no log, or an old one, and the files next to it show that there was a store. */
export function heedNote(path: string, folder: string, disk: Disk): void {
  const text = readText(disk, path);
  const isThere = hasSegments(disk, folder);
  const [left] = attemptsAt(disk, folder);
  if (text === '' && left !== undefined && !isThere)
    throw new StoreInDoubt(
      `${left} is a copy that was not finished, and there is no ${folder}: copy again, or delete it to begin with a new store`,
    );
  if (text === '') return;
  if (!text.startsWith(noteStart))
    throw new StoreInDoubt(`${path} is not a store: it is not a database`);
  if (!isNoted(path, basename(folder), disk))
    throw new StoreInDoubt(
      `${path} is a note: "${text.trim()}" Copy that store to ${folder} with "causeway store copy", or delete the note if it is out of date`,
    );
  if (!isThere) throw goneFrom(path, folder, disk.has(folder) ? 'has no segment' : 'is missing');
}

/** Whether a start has used a store in this place. */
export function isNoted(path: string, place: string, disk: Disk): boolean {
  return readText(disk, path).startsWith(`${noteStart}${place}.`);
}

export function goneFrom(path: string, place: string, state: string): StoreInDoubt {
  return new StoreInDoubt(
    `${path} is a note that the store is in ${place}, which ${state}: restore it, or delete the note to begin with a new store`,
  );
}

/** Does not replace the store of an earlier version, unless `earlier` moves it, in the same moment. */
export async function leaveNote(
  path: string,
  place: string,
  disk: Disk,
  earlier?: { readonly more: string; readonly move: () => void },
): Promise<void> {
  const isEarlier = isDatabase(readText(disk, path));
  if (isNoted(path, place, disk) || (isEarlier && earlier === undefined)) return;
  const made = `${path}.new`;
  await writeText(disk, made, `${noteStart}${place}.${earlier?.more ?? ''}\n`);
  if (isEarlier) earlier?.move();
  disk.rename(made, path);
}

/** The store of an earlier version. */
export function isDatabase(text: string): boolean {
  return text.startsWith('SQLite format 3\0');
}
