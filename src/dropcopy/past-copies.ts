/** Reads past copies for the requests of readers (docs/DROPCOPY.md, "Requests"). */
import type { Copy } from './copy.ts';
import type { CopyJournal } from './copy-journal.ts';
import type { Reader } from './reader.ts';

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** The copies of an account that a request covers, whether they are kept or not. */
export interface Range extends Bounds {
  readonly journal: CopyJournal;
}

const atOnce = 128;
const maxNamed = 100;

/** The copies whose `value`, which never decreases, is in this range. */
export async function boundsOf(
  journal: CopyJournal,
  value: (copy: Copy) => number,
  first: number,
  last: number,
): Promise<Bounds> {
  const from = await journal.search((copy) => value(copy) >= first);
  const to = (await journal.search((copy) => value(copy) > last)) - 1;
  // If the range starts with the oldest copy, it may have included older ones that retention has removed.
  const isCut = from === journal.first && from > 1;
  return { from: isCut ? from - 1 : from, to };
}

/**
 * Says which of these copies retention has removed; null if none. Text(58) over FIXP has at most 64 KiB, and a reader
 * may see thousands of accounts.
 */
export function notKept(ranges: readonly Range[]): string | null {
  const lost = ranges.flatMap(({ from, journal: { account, first }, to }) =>
    from < first && from <= to ? [`${account}: copies below ${first} are not kept`] : [],
  );
  const named = lost.slice(0, maxNamed).join('; ');
  const more = lost.length > maxNamed ? `; and ${lost.length - maxNamed} more` : '';
  return lost.length === 0 ? null : named + more;
}

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
