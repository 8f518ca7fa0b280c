/**
 * What is committed and not in the tables: a bridge that runs carries it over within a second, one that was killed left
 * it to the next start (docs/decisions/0180-a-file-in-front-of-the-tables.md).
 */
import { leftBehind } from '../../store/front-file.ts';
import { CorruptRecord } from '../../store/store.ts';
import type { JournalFile } from './journal-file.ts';

/**
 * How many groups of commits it is; throws `CorruptRecord` when the next start would refuse them. A bridge that runs may
 * write over what it has carried over meanwhile; then it is looked at again.
 */
export function countLeftBehind(file: JournalFile): number {
  for (;;) {
    const before = file.front();
    try {
      return leftBehind(file.path, before).length;
    } catch (error) {
      if (file.front().carried === before.carried) throw error;
    }
  }
}

/** Says so, for people, where the tables are not all there is. */
export function noteWhatIsLeft(file: JournalFile): void {
  const place = `${file.path}-front-*`;
  try {
    const count = countLeftBehind(file);
    if (count === 0) return;
    console.error(
      `Note: ${count} groups of commits lie in ${place} and not in the tables yet. A bridge that runs carries them over within a second; where none runs, the next start does.`,
    );
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    console.error(`Note: no start can carry ${place} over: ${error.message}`);
  }
}
