/** Reads a shard as a whole, and creates one in a single transaction, for `causeway store copy`. */
import { byName, type StoreContents } from '../contents.ts';
import { beforeMessages } from '../session-row.ts';
import type { Store, Write } from '../store.ts';
import { type Connection, type DatabasePlace, withPrimary } from './connection.ts';
import { listShards, type Owner, releaseShard, takeShard } from './lease.ts';
import { Reads } from './reads.ts';
import { loadRows, Rows } from './rows.ts';

const owner: Owner = { node: 'causeway store copy', address: '' };
const rowsAtOnce = 1_000;
const bytesAtOnce = 8 * 1024 ** 2;
const groupBytes = 1024 ** 2;
const all = Number.MAX_SAFE_INTEGER;

/** Throws if a process has the shard. */
async function taken(connection: Connection, shard: string) {
  const row = (await listShards(connection)).find((each) => each.shard === shard);
  const found = await takeShard(connection, shard, row?.epoch ?? 0, owner);
  if (found === undefined)
    throw new Error(`shard ${shard} is in use by ${row?.node}: stop that process first`);
  return found;
}

/** No process can take the shard while `use` reads it. */
export async function withShard<T>(
  place: DatabasePlace,
  shard: string,
  use: (contents: StoreContents) => Promise<T>,
): Promise<T> {
  return withPrimary(place, 'power', async (connection) => {
    const { epoch, position } = await taken(connection, shard);
    const rows = await loadRows(connection, shard);
    const reads = new Reads({ place, shard, epoch, rows, confirmed: () => position, connection });
    try {
      return await use(contentsOf(rows, reads));
    } finally {
      if (connection.lost === undefined) await releaseShard(connection, shard, epoch);
    }
  });
}

/** Reads a snapshot of the shard, in a transaction that writes nothing and does not disturb the owner. */
export async function viewShard<T>(
  place: DatabasePlace,
  shard: string,
  use: (contents: StoreContents) => Promise<T>,
): Promise<T> {
  return withPrimary(place, 'process', async (connection) => {
    const view = await viewOf(connection, place, shard);
    if (view === undefined) throw new Error(`the database has no shard ${shard}`);
    return await use(contentsOf(view.rows, view.reads));
  });
}

/** The same for a possible next owner, on a connection that it keeps. Reads nothing if the shard does not exist yet. */
export async function readShard(
  connection: Connection,
  place: DatabasePlace,
  shard: string,
  read: (source: Pick<Store, 'end' | 'read' | 'snapshot'>) => Promise<void>,
): Promise<void> {
  const view = await viewOf(connection, place, shard);
  if (view !== undefined) {
    const { reads, rows } = view;
    await read({
      end: async (stream) => rows.end(stream),
      snapshot: (stream) => reads.snapshot(stream),
      read: (stream, after, limit) => reads.records(stream, after, limit),
    });
  }
  await connection.run('commit');
}

async function viewOf(connection: Connection, place: DatabasePlace, shard: string) {
  await connection.run('begin isolation level repeatable read read only');
  const row = (await listShards(connection)).find((each) => each.shard === shard);
  if (row === undefined) return undefined;
  const { epoch, position } = row;
  const rows = await loadRows(connection, shard);
  const reads = new Reads({ place, shard, epoch, rows, confirmed: () => position, connection });
  return { rows, reads };
}

function contentsOf(rows: Rows, reads: Reads): StoreContents {
  return {
    *begins() {
      for (const [stream, { forgottenTo }] of rows.streams) yield [stream, forgottenTo];
    },
    *sessions() {
      for (const [session, { numbering: _, ...row }] of rows.sessions) yield [session, row];
    },
    cursors: () => rows.cursors,
    async *writes(): AsyncGenerator<Write> {
      for (const [stream, { forgottenTo }] of [...rows.streams].sort(byName)) {
        const records = (after: number) => reads.records(stream, after, rowsAtOnce);
        for await (const { position, payload } of paged(records, positionOf, forgottenTo))
          yield { kind: 'append', stream, expected: position - 1, payload };
        const snapshot = await reads.snapshot(stream);
        if (snapshot !== undefined) yield { kind: 'snapshot', stream, ...snapshot };
      }
      for (const session of [...rows.sessions.keys()].sort()) {
        const messages = (after: number) => reads.messages(session, after + 1, all, bytesAtOnce);
        for await (const { seq, bytes } of paged(messages, (one) => one.seq))
          yield { kind: 'messages', session, firstSeq: seq, bytes, ends: [bytes.length] };
        const held = (after: number) => reads.held(session, after, rowsAtOnce);
        for await (const { position, bytes } of paged(held, positionOf))
          yield { kind: 'hold', session, position, bytes };
      }
    },
  };
}

const positionOf = ({ position }: { readonly position: number }) => position;

/** Everything that `read` finds after a position, page by page. */
async function* paged<T>(
  read: (after: number) => Promise<readonly T[]>,
  placeOf: (one: T) => number,
  first = 0,
): AsyncGenerator<T> {
  let page = await read(first);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await read(placeOf(last));
  }
}

/** Runs in one transaction, so a failed copy leaves nothing behind. Throws if the shard has data. */
export async function fillShard(
  place: DatabasePlace,
  shard: string,
  contents: StoreContents,
): Promise<void> {
  return withPrimary(place, 'replicated', async (connection) => {
    await connection.run('begin');
    const { epoch, position: before } = await taken(connection, shard);
    if (before > 0) throw new Error(`shard ${shard} of the database has data: name one without`);
    const rows = new Rows();
    for (const [stream, forgottenTo] of contents.begins()) rows.begin(stream, forgottenTo);
    for (const [session, row] of contents.sessions()) rows.restore(session, beforeMessages(row));
    for (const [name, value] of contents.cursors()) rows.take([{ kind: 'cursor', name, value }]);
    let position = 0;
    const flush = async () => {
      const group = rows.close();
      if (group === undefined) return;
      // The digest over all commits restarts with the next owner.
      const values = [shard, epoch, position, Buffer.alloc(0), group.rows, group.contents];
      await connection.query({ text: 'select causeway.commit($1, $2, $3, $4, $5, $6)', values });
      position += 1;
    };
    for await (const write of contents.writes()) {
      const conflict = rows.take([write]);
      if (conflict !== undefined) throw conflict;
      if (rows.groupBytes > groupBytes) await flush();
    }
    await flush();
    await releaseShard(connection, shard, epoch);
    await connection.run('commit');
  });
}
