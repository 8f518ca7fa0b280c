/** The complete contents of a store, in a form that can fill another store. */
import { createHash } from 'node:crypto';
import type { SessionRow } from './session-row.ts';
import type { Write } from './store.ts';

export interface StoreContents {
  /** Streams whose first records were forgotten, each with the last forgotten position. */
  begins(): Iterable<readonly [stream: string, position: number]>;
  sessions(): Iterable<readonly [session: string, row: SessionRow]>;
  cursors(): Iterable<readonly [name: string, value: number]>;
  /** Records in order of position, snapshots, kept messages in order of number, held ones in order of position. */
  writes(): Iterable<Write> | AsyncIterable<Write>;
}

export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1;

/** Two stores with the same sum have the same contents, whatever format they have. */
export async function sumOf(contents: StoreContents): Promise<{ sum: string; writes: number }> {
  const hash = createHash('sha256');
  let writes = 0;
  const add = (value: unknown) => hash.update(`${JSON.stringify(value)}\n`);
  for (const begin of [...contents.begins()].sort(byName)) if (begin[1] > 0) add(begin);
  for (const [session, row] of [...contents.sessions()].sort(byName)) {
    const { nextIn, nextOut, oldestKept, releasedTo, heldTo, periodStartMs } = row;
    add([session, nextIn, nextOut, oldestKept, releasedTo, heldTo, periodStartMs]);
  }
  for (const cursor of [...contents.cursors()].sort(byName)) add(cursor);
  for await (const write of contents.writes()) {
    const content = 'payload' in write ? write.payload : 'bytes' in write ? write.bytes : undefined;
    add({ ...write, payload: undefined, bytes: undefined, size: content?.length });
    if (content !== undefined) hash.update(content);
    writes += 1;
  }
  return { sum: hash.digest('hex'), writes };
}
