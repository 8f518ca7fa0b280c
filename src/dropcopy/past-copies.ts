/** Reads past copies for the requests of readers (docs/DROPCOPY.md, "Requests"). */
import type { Copy } from './copy.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { Reader } from './reader.ts';

const atOnce = 128;

/**
 * Returns the copies of an account from one position to another, in pieces. Copies that were not sent to the reader yet
 * are sent first, without PossResend; a piece may be empty until then. If the reader loses the account, the range ends.
 */
export async function* pastCopies(
  reader: Reader,
  journal: CopyJournal,
  from: number,
  to: number,
): AsyncGenerator<readonly Copy[]> {
  const { account } = journal;
  for (let after = Math.max(from, journal.first) - 1; after < to; ) {
    const read = await journal.read(after, Math.min(atOnce, to - after));
    // Retention may have removed some of the range, and then later ones are read in their place.
    const copies = read.filter(({ position }) => position <= to);
    const last = copies.at(-1);
    if (last === undefined) return;
    while (reader.sees(account) && reader.furthest(account) < last.position) yield [];
    if (!reader.sees(account)) return;
    after = last.position;
    yield copies;
  }
}
