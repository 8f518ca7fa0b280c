/**
 * Values as lines of a file, each after its checksum. A process that is killed leaves at most its last line torn; an
 * invalid line before a valid one is damage.
 */
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/** A file differs from what was written; the message contains its name and the location. */
export class DamagedFile extends Error {}

export function checkedLine(value: unknown): Buffer {
  const text = serialize(value).toString('base64');
  return Buffer.from(`${sumOf(text)} ${text}\n`);
}

/** `bytes` is the end of the valid lines. */
export function readCheckedLines(file: string) {
  const bytes = readFileSync(file);
  const values: unknown[] = [];
  let end = 0;
  let isTorn = false;
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf('\n', from);
    const to = found < 0 ? bytes.length : found;
    const [sum, text = ''] = bytes.toString('latin1', from, to).split(' ');
    const isRight = found >= 0 && sum === sumOf(text);
    if (isRight && isTorn) throw new DamagedFile(`${file} is damaged at byte ${end}`);
    if (isRight) {
      values.push(deserialize(Buffer.from(text, 'base64')));
      end = to + 1;
    } else isTorn = true;
    from = to + 1;
  }
  return { values, bytes: end, isTorn };
}

export function sumOf(data: string | Uint8Array): string {
  return crc32(data).toString(16).padStart(8, '0');
}
