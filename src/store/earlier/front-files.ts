/**
 * The front files of earlier versions: commits that were acknowledged but had not been copied into the
 * tables yet (docs/decisions/0270-a-log-of-segments.md).
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { committed, decodeRecord, inOrder, recordsIn, type StoredRecord } from '../record.ts';
import { CorruptRecord, type Write } from '../store.ts';
import type { FrontRow } from './tables.ts';

/** Once this returns, no process of an earlier version can acknowledge anything. */
export function takeToken(path: string, opening: number): void {
  rmSync(`${path}-front-${opening}-owner`, { force: true });
}

/** Returns the commits that are not in the tables, in order; throws if one of them is missing. */
export function leftBehind(path: string, front: FrontRow): readonly Write[] {
  demandNoLater(path, front.opening);
  const found: StoredRecord[] = [];
  for (const turn of [0, 1]) {
    const file = `${path}-front-${front.opening}-${turn}`;
    if (existsSync(file)) found.push(...recordsIn(readFileSync(file), front.mark));
  }
  const left = inOrder(found, front.carried, `${path}-front-${front.opening}-0`);
  return left.flatMap((record) => committed(decodeRecord(record)));
}

/** If a later owner has written something, the tables are an outdated copy. */
function demandNoLater(path: string, opening: number): void {
  const start = `${basename(path)}-front-`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start)) continue;
    if (!(Number.parseInt(name.slice(start.length), 10) > opening)) continue;
    const file = join(dirname(path), name);
    if (readFileSync(file).every((byte) => byte === 0)) continue;
    throw new CorruptRecord(path, `it is an older copy: ${file} is of a later opening`);
  }
}
