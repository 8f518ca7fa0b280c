/** The fixed block of generated messages and entries: its length in each version, and its bytes before it is filled. */
import { plus } from './generate-fields.ts';
import type { Owner } from './generate-parts.ts';
import { fieldsEnd, writtenBlockLength } from './model.ts';

/** Source that answers the length of a block: needed in what is read, written for a version of the reader. */
export function versionedLength(
  { section, version: current }: Owner,
  version: string,
  use: 'needed' | 'written',
): string {
  const lengthIn = (one: number) =>
    use === 'needed' ? fieldsEnd(section.fields, one) : writtenBlockLength(section, one, current);
  let source = '';
  for (let one = 0; one < current; one += 1) {
    if (lengthIn(one) === lengthIn(one + 1)) continue;
    source += `${version} <= ${one} ? ${lengthIn(one)} : `;
  }
  return source + lengthIn(current);
}

/** Statements that write a blank image at `at`, in as few as can be: zeros by the eight, then words, then bytes. */
export function putImage(image: Buffer, view: string, at: string): string[] {
  const lines: string[] = [];
  let offset = 0;
  while (offset + 4 <= image.length) {
    const word = image.readUInt32LE(offset);
    // The float of eight zero bytes is zero: half the statements, and twice as much is inlined.
    const isZero = offset + 8 <= image.length && image.readBigUInt64LE(offset) === 0n;
    if (isZero) lines.push(`    ${view}.setFloat64(${plus(at, offset)}, 0);`);
    else lines.push(`    ${view}.setUint32(${plus(at, offset)}, ${word}, true);`);
    offset += isZero ? 8 : 4;
  }
  for (; offset < image.length; offset += 1) {
    lines.push(`    ${view}.setUint8(${plus(at, offset)}, ${image.readUInt8(offset)});`);
  }
  return lines;
}
