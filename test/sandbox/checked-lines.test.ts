import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkedLine, DamagedFile, readCheckedLines } from '../../src/sandbox/checked-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'checked-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'lines');
const lines = [{ a: 1 }, 'zwei \u00e4', [3]].map(checkedLine);

test('lines are read back, and a file that ends within one has those before it', () => {
  const whole = Buffer.concat(lines);
  const ends = [lines[0]!.length, lines[0]!.length + lines[1]!.length, whole.length];
  for (let length = 0; length <= whole.length; length += 1) {
    writeFileSync(file, whole);
    truncateSync(file, length);
    const count = ends.filter((end) => end <= length).length;
    const bytes = ends[count - 1] ?? 0;
    expect(readCheckedLines(file)).toMatchObject({ bytes, isTorn: bytes !== length });
    expect(readCheckedLines(file).values).toHaveLength(count);
  }
});

test('a changed byte before a right line is damage, in the last line it is a torn one', () => {
  const whole = Buffer.concat(lines);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(file, changed);
    const isLast = at >= whole.length - lines[2]!.length;
    // Without the end of the line before it the last line is no line either.
    const joinsTheLast = at === whole.length - lines[2]!.length - 1;
    if (isLast || joinsTheLast) expect(readCheckedLines(file).isTorn).toBe(true);
    else expect(() => readCheckedLines(file)).toThrow(DamagedFile);
  }
});
