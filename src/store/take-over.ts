/**
 * Makes this process the owner of a store: no other one is believed from here on, and what the opening before left in
 * its front file is carried over (docs/decisions/0180-a-file-in-front-of-the-tables.md).
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { syncDirectory } from '../runtime/directory.ts';
import { demandNoLater, FrontFile, leftBehind, removeFronts, takeToken } from './front-file.ts';
import { markBytes } from './record.ts';
import type { FrontRow } from './schema.ts';
import { isFull, reservePath } from './space.ts';
import { SqliteTables, type TableLimits } from './sqlite-tables.ts';

export interface Owned {
  readonly owner: FrontRow;
  readonly front: FrontFile;
  readonly tables: SqliteTables;
}

export interface OwnerLimits extends TableLimits {
  /** From here on one front file is left for the other; with durability `power` both are so long from the start. */
  readonly longBytes: number;
}

export function takeOver(path: string, database: DatabaseSync, limits: OwnerLimits): Owned {
  try {
    return tryToTakeOver(path, database, limits);
  } catch (error) {
    if (!isFull(error)) throw error;
    // What was promised is written before new work is taken on.
    rmSync(reservePath(path), { force: true });
    return tryToTakeOver(path, database, limits);
  }
}

function tryToTakeOver(path: string, database: DatabaseSync, limits: OwnerLimits): Owned {
  database.exec('PRAGMA synchronous = FULL');
  const tables = new SqliteTables(database, limits);
  const owned = tables.transaction(() => {
    const before = tables.owner();
    demandNoLater(path, before.opening);
    const owner = { opening: before.opening + 1, mark: randomBytes(markBytes), carried: 0 };
    const front = new FrontFile(path, owner, limits.longBytes);
    try {
      syncDirectory(dirname(path));
      takeToken(path, before.opening);
      tables.apply(leftBehind(path, before));
      tables.setOwner(owner);
    } catch (error) {
      front.close();
      throw error;
    }
    return { owner, front, tables };
  });
  removeFronts(path, owned.owner.opening - 1);
  return owned;
}

/** Carries over what is left, so that nothing but the tables remains of this opening. */
export function giveUp(
  path: string,
  database: DatabaseSync,
  limits: TableLimits,
  { opening }: FrontRow,
): void {
  const tables = new SqliteTables(database, limits);
  const owner = tables.owner();
  const left = leftBehind(path, owner);
  if (left.length > 0) tables.carry({ ...owner, opening }, left, owner.carried + left.length);
  removeFronts(path, opening);
}
