/** Past copies for the requests of readers (docs/DROPCOPY.md, "Requests"). */
import type { Copy } from './copy.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { Reader } from './reader.ts';

const atOnce = 128;

/**
 * Returns the copies of an account from one position to another, in pieces. Copies that the reader has not been sent yet are sent
 * first, without a mark; a piece may be empty meanwhile. If the account is taken from the reader, the range ends.
 */
export async function* pastCopies(
  reader: Reader,
  journal: CopyJournal,
  from: number,
  to: number,
): AsyncGenerator<readonly Copy[]> {
  const { account } = journal;
  for (let after = Math.max(from, journal.first) - 1; after < to; ) {
    const copies = await journal.read(after, Math.min(atOnce, to - after));
    const last = copies.at(-1);
    if (last === undefined) return;
    while (reader.sees(account) && reader.furthest(account) < last.position) yield [];
    if (!reader.sees(account)) return;
    after = last.position;
    yield copies;
  }
}
