/** Carries what was appended to a front file over into the tables, on whatever thread. */
import { readSync } from 'node:fs';
import type { Extent, Uncarried } from './front-file.ts';
import { recordsIn } from './record.ts';
import type { FrontRow } from './schema.ts';
import { isFull } from './space.ts';
import type { SqliteTables } from './sqlite-tables.ts';

export type CarryAnswer = 'carried' | 'full' | { readonly problem: string };

export function carryOver(tables: SqliteTables, owner: FrontRow, work: Uncarried): CarryAnswer {
  try {
    const records = work.extents.flatMap((extent) => [...recordsIn(read(extent), owner.mark)]);
    tables.carry(owner, records, work.lastSequence);
    return 'carried';
  } catch (error) {
    return isFull(error) ? 'full' : { problem: String(error) };
  }
}

function read({ descriptor, from, to }: Extent): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  readSync(descriptor, bytes, 0, bytes.length, from);
  return bytes;
}
