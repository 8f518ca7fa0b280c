/** Suggests a known word for one that is probably misspelt. */

const maxEdits = 2;
/** A shorter word is a part of too many others. */
const minPartLength = 4;

/** Returns ` Did you mean X?`, or an empty string if no word is similar. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = words
    .map((known) => ({ known, edits: editsBetween(plain(word), plain(known)) }))
    .filter(({ known, edits }) => edits <= Math.min(maxEdits, known.length - 1))
    .sort((a, b) => a.edits - b.edits);
  const parts = words.filter((known) => plain(known).includes(plain(word)));
  const part = word.length >= minPartLength && parts.length === 1 ? parts[0] : undefined;
  const guess = near[0]?.known ?? part;
  return guess === undefined ? '' : ` Did you mean ${guess}?`;
}

/** Ignores case and separators: `sendercompid`, `sender-comp-id`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/(?<=\w)[-_](?=\w)/g, '');
}

/** The number of letters to insert, delete or replace; stops counting above `maxEdits`. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > maxEdits) return maxEdits + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
