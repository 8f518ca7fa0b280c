/**
 * JSON values as lines of a file, each behind its checksum. A process that is killed leaves at most its last line torn;
 * a wrong line before a right one is damage.
 */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A file is not what was written; the message names it and the place. */
export class DamagedFile extends Error {}

export function checkedLine(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([Buffer.from(sumOf(json)), json, newline]);
}

export interface CheckedLines {
  readonly values: readonly unknown[];
  /** Where the right lines end. */
  readonly bytes: number;
  readonly isTorn: boolean;
}

export function readCheckedLines(file: string): CheckedLines {
  const bytes = readFileSync(file);
  const values: unknown[] = [];
  let end = 0;
  let isTorn = false;
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(newline, from);
    const to = found < 0 ? bytes.length : found;
    const json = bytes.subarray(from + sumLength, to);
    const isRight = found >= 0 && bytes.toString('latin1', from, from + sumLength) === sumOf(json);
    if (isRight && isTorn) throw new DamagedFile(`${file} is damaged at byte ${end}`);
    if (isRight) {
      values.push(JSON.parse(json.toString()));
      end = to + 1;
    } else isTorn = true;
    from = to + 1;
  }
  return { values, bytes: end, isTorn };
}

const newline = Buffer.from('\n');
const sumLength = 9;

function sumOf(bytes: Uint8Array): string {
  return `${crc32(bytes)
    .toString(16)
    .padStart(sumLength - 1, '0')} `;
}
