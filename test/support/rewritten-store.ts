/** A data directory's store written anew into another directory, so that a test can leave out or change what it holds. */
import { join } from 'node:path';
import { JournalFile } from '../../src/cli/journal/journal-file.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Write } from '../../src/store/store.ts';

export async function rewriteStore(
  from: string,
  into: string,
  change: (write: Write) => Write | undefined,
): Promise<void> {
  using file = await JournalFile.open(from);
  const path = join(into, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  for (const write of writesOf(file)) {
    const changed = change(write);
    if (changed !== undefined) await store.commit([changed]);
  }
  await store.close();
}

function* writesOf(file: JournalFile): Generator<Write> {
  for (const { stream } of file.streams()) {
    for (const { position, payload } of file.records(stream)) {
      yield { kind: 'append', stream, expected: position - 1, payload };
    }
  }
  for (const snapshot of file.snapshots()) yield { kind: 'snapshot', ...snapshot };
  for (const { session, nextIn, nextOut } of file.sessions()) {
    for (const { seq, bytes } of file.messages(session)) {
      yield { kind: 'messages', session, firstSeq: seq, bytes, ends: [bytes.length] };
    }
    yield { kind: 'numbers', session, nextIn, nextOut };
  }
  for (const { cursor, value } of file.cursors()) yield { kind: 'cursor', name: cursor, value };
}
